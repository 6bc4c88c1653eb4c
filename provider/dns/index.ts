/** Values and rules of DNS records, pure: names, data, canonical text, conflicts, and the service's own value form. */
export { type ExpandOptions } from "./collector";
export { conflicts } from "./conflicts";
export { knownTypes } from "./data";
export { fromLive, toWire, type LiveData, type WireData } from "./live";
export { canonicalDomain, specName } from "./names";
export { nearest } from "./nearest";
export { digest, quote } from "./quoting";
export type { DeclaredRecord, DnsRecord, Problem, Ttl } from "./record";
export type { PlainRecordSpec } from "./spec";
export { expandRecord, expandSpecs, type Expansion } from "./specs";
export { recordsToState } from "./state";
export { describeRecord, parseRecordText, recordKey, recordText } from "./text";
export { stateTtl, type DeclaredEntry, type Note } from "./ttl";
export type { UnknownRecord } from "./unknowns";
export { exceededLimits, limitLabels, limitsOf, planName, type Limits, type Plan } from "./limits";
