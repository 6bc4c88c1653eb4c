/** What a program looks up: reads of the service, in a preview as in an update. */
export * from "./domains";
export { LookupError } from "./errors";
export * from "./job";
export * from "./lines";
export type { LookupInputs, LookupOptions } from "./lookup";
export * from "./monitor";
export { getPurview, getPurviewOutput } from "./purview";
export type {
  GetPurviewArgs,
  GetPurviewOutputArgs,
  GetPurviewResult,
  PurviewLimit,
  PurviewEntryResult,
  PurviewLimits,
} from "./purview";
export * from "./records";
