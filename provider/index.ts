/** What a program imports. */
export { Record } from "./resources/record";
export { RecordBatch } from "./resources/record-batch";
export { DomainShare, type DomainShareArgs } from "./resources/domain-share";
export { Zone, type ZoneArgs } from "./resources/zone";
export { Provider, type ProviderArgs } from "./resources/provider";
export { declareAll } from "./resources/whole";
export type { RecordArgs, RecordBatchArgs, RecordSpec, RemovalOptions } from "./lifecycle/inputs";
export type { Ttl } from "./dns";
export type { Removal } from "./settings";
export * from "./functions";
