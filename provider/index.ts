/** The public API of the package. */
export { Record } from "./resources/record";
/** `Record` by a name that does not hide TypeScript's own `Record`. */
export { Record as DnsRecord } from "./resources/record";
export { RecordBatch } from "./resources/record-batch";
export { DomainShare, type DomainShareArgs } from "./resources/domain-share";
export { Zone, type ZoneArgs } from "./resources/zone";
export { Provider, type ProviderArgs } from "./resources/provider";
export type {
  RecordArgs,
  RecordBatchArgs,
  RecordInput,
  RecordSpec,
  RecordType,
  KnownType,
  RemovalOptions,
  TtlInput,
} from "./resources/inputs";
export type { ZoneEntry } from "./functions/entries";
export type { Ttl } from "./dns";
export type { Removal } from "./settings";
export * from "./dns/builders";
export * from "./functions";
