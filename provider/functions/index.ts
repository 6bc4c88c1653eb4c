/** The look-ups of a program: they read from the service, in a preview and in an update. */
export type { DomainArgs } from "./arguments";
export { LookupError } from "./errors";
export type { LookupInputs, LookupOptions } from "./lookup";
export { zoneEntries } from "./entries";
export {
  getCustomLines,
  getCustomLinesOutput,
  getDomain,
  getDomainOutput,
  getDomains,
  getDomainsOutput,
  getPurview,
  getPurviewOutput,
  type CustomLineResult,
  type DomainCountersResult,
  type DomainResult,
  type GetCustomLinesArgs,
  type GetCustomLinesQuota,
  type GetCustomLinesResult,
  type GetDomainArgs,
  type GetDomainResult,
  type GetDomainsArgs,
  type GetDomainsResult,
  type GetPurviewArgs,
  type GetPurviewResult,
  type PurviewEntryResult,
  type PurviewLimit,
  type PurviewLimits,
} from "./domains";
export {
  getBatchJob,
  getBatchJobOutput,
  getMonitorHistory,
  getMonitorHistoryOutput,
  type GetBatchJobArgs,
  type GetBatchJobResult,
  type GetMonitorHistoryArgs,
  type GetMonitorHistoryResult,
  type JobItemResult,
  type JobRecordResult,
  type MonitorPointResult,
  type MonitorSampleResult,
} from "./jobs";
export {
  getRecord,
  getRecordOutput,
  getRecords,
  getRecordsOutput,
  type GetRecordArgs,
  type GetRecordResult,
  type GetRecordsArgs,
  type GetRecordsResult,
  type RecordResult,
} from "./records";
