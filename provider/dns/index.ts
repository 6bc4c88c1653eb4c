/** Values and rules of DNS records. Most programs read no files, so zone-file/ has its own index. */
export { type ExpandOptions } from "./collector";
export { Places } from "./conflicts";
export { fromLive, toWire, type LiveData } from "./live";
export { absoluteWithin, canonicalDomain, hostName, ownerOf, specName } from "./names";
export { nearest } from "../support/nearest";
export { kindOf } from "../support/text";
export { digest, quote } from "./quoting";
export { knownTypes } from "./types";
export { expandRecord, expandSpecs, type Expansion } from "./specs";
export {
  defaultTtlComment,
  readZoneText,
  secretLines,
  secretMarks,
  unknownsIn,
  zoneText,
  type ZoneContents,
} from "./zone-text";
export {
  describeRecord,
  partOf,
  placeOf,
  freshKey,
  recordKey,
  recordText,
  setOf,
  dataText,
  shortDataText,
  shortText,
  textWith,
  isDefaultLine,
} from "./text";
export {
  kindProblem,
  stateTtl,
  textOrKind,
  wholeNumber,
  type DeclaredEntry,
  type Note,
  type DeclaredRecord,
  type DnsRecord,
  type Ttl,
  unknownsLiveAs,
  type UnknownRecord,
} from "./record";
export {
  countedRecords,
  exceededLimits,
  fullTypes,
  limitLabels,
  limitOfLabel,
  limitsOf,
  readLimits,
  unlimited,
  packageName,
  Usage,
  type Limits,
} from "./limits";
export { fewestForShare, gateNames, roleOf, roles, type Role } from "./roles";
export { patternMatcher, patternProblems, type Matcher } from "./patterns";
