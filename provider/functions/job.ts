/** `getBatchJob`: what became of a batch job, entry by entry. */
import type * as pulumi from "../sdk";
import { batchJob, type GetBatchJobArgs, type GetBatchJobResult } from "../lookups/job";
import { type LookupInputs, lookUp, type LookupOptions, lookUpOutput } from "./lookup";

export type {
  GetBatchJobArgs,
  BatchJobStatus,
  JobRecordResult,
  JobItemResult,
  GetBatchJobResult,
} from "../lookups/job";
export type GetBatchJobOutputArgs = LookupInputs<GetBatchJobArgs>;

/**
 * A batch job. Asked once per run of a program: to wait for a job, run the program again.
 * @throws LookupError (as a rejection)
 * @example const { finished, items } = await getBatchJob({ jobId: 1234 });
 */
export function getBatchJob(args: GetBatchJobArgs, options?: LookupOptions): Promise<GetBatchJobResult> {
  return lookUp(batchJob, args, options);
}

/** `getBatchJob` with arguments that may be outputs. */
export function getBatchJobOutput(
  args: GetBatchJobOutputArgs,
  options?: LookupOptions,
): pulumi.Output<GetBatchJobResult> {
  return lookUpOutput(batchJob, args, options);
}
