/** `getRecord` and `getRecords`: what a zone holds, as the service writes it and as canonical text. */
import type * as pulumi from "../sdk";
import {
  oneRecord,
  manyRecords,
  type GetRecordArgs,
  type GetRecordResult,
  type GetRecordsArgs,
  type GetRecordsResult,
} from "../lookups/records";
import { type LookupInputs, lookUp, type LookupOptions, lookUpOutput } from "./lookup";

export type {
  RecordResult,
  GetRecordArgs,
  GetRecordResult,
  GetRecordsArgs,
  ListedRecordResult,
  GetRecordsResult,
} from "../lookups/records";
export type GetRecordOutputArgs = LookupInputs<GetRecordArgs>;
export type GetRecordsOutputArgs = LookupInputs<GetRecordsArgs>;

/**
 * One record by its id.
 * @throws LookupError (as a rejection)
 * @example const { value, ttl } = await getRecord({ domain: "example.com", recordId: 1234567 });
 */
export function getRecord(args: GetRecordArgs, options?: LookupOptions): Promise<GetRecordResult> {
  return lookUp(oneRecord, args, options);
}

/** `getRecord` with arguments that may be outputs. */
export function getRecordOutput(
  args: GetRecordOutputArgs,
  options?: LookupOptions,
): pulumi.Output<GetRecordResult> {
  return lookUpOutput(oneRecord, args, options);
}

/**
 * All records of a domain that match, however many pages it takes; the pages are proved to belong together.
 * @throws LookupError (as a rejection)
 * @example const { records } = await getRecords({ domain: "example.com", type: "MX" });
 */
export function getRecords(args: GetRecordsArgs, options?: LookupOptions): Promise<GetRecordsResult> {
  return lookUp(manyRecords, args, options);
}

/** `getRecords` with arguments that may be outputs. */
export function getRecordsOutput(
  args: GetRecordsOutputArgs,
  options?: LookupOptions,
): pulumi.Output<GetRecordsResult> {
  return lookUpOutput(manyRecords, args, options);
}
