/** The look-ups of a program: they read from the service, in a preview and in an update. */
export type { DomainArgs } from "./arguments";
export { LookupError } from "./errors";
export type { LookupInputs, LookupOptions } from "./options";
export { zoneEntries } from "../lifecycle/inputs";
export {
  getDomain,
  getDomainOutput,
  type DomainResult,
  type GetDomainArgs,
  type GetDomainOutputArgs,
  type GetDomainResult,
} from "./domain";
export {
  getDomains,
  getDomainsOutput,
  type DomainCountersResult,
  type GetDomainsArgs,
  type GetDomainsOutputArgs,
  type GetDomainsResult,
} from "./domains";
export {
  getBatchJob,
  getBatchJobOutput,
  type GetBatchJobArgs,
  type GetBatchJobOutputArgs,
  type GetBatchJobResult,
  type JobItemResult,
  type JobRecordResult,
} from "./job";
export {
  getCustomLines,
  getCustomLinesOutput,
  type CustomLineResult,
  type GetCustomLinesArgs,
  type GetCustomLinesOutputArgs,
  type GetCustomLinesQuota,
  type GetCustomLinesResult,
} from "./lines";
export {
  getMonitorHistory,
  getMonitorHistoryOutput,
  type GetMonitorHistoryArgs,
  type GetMonitorHistoryOutputArgs,
  type GetMonitorHistoryResult,
  type MonitorPointResult,
  type MonitorSampleResult,
} from "./monitor";
export {
  getPurview,
  getPurviewOutput,
  type GetPurviewArgs,
  type GetPurviewOutputArgs,
  type GetPurviewResult,
  type PurviewEntryResult,
  type PurviewLimit,
  type PurviewLimits,
} from "./purview";
export {
  getRecord,
  getRecordOutput,
  type GetRecordArgs,
  type GetRecordOutputArgs,
  type GetRecordResult,
  type RecordResult,
} from "./record";
export {
  getRecords,
  getRecordsOutput,
  type GetRecordsArgs,
  type GetRecordsOutputArgs,
  type GetRecordsResult,
} from "./records";
