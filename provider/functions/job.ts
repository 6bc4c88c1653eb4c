import type { JobItem, JobRecord, JobDetail } from "../api/job-entities";
import type * as pulumi from "../support/sdk";
import { defined } from "../support/defined";
import { type Lookup, lookUp, lookUpOutput } from "./lookup";
import type { LookupInputs, LookupOptions } from "./options";
import { jobMeaning } from "./words";

export interface GetBatchJobArgs {
  /** The service's number of the job. */
  readonly jobId: string | number;
}
export type GetBatchJobOutputArgs = LookupInputs<GetBatchJobArgs>;

/** One record of a job. A key is absent if the service does not return it. */
export interface JobRecordResult extends JobRecord {}

/** One domain of a job. A key is absent if the service does not return it. */
export interface JobItemResult extends Omit<JobItem, "records"> {
  /** The domain's records; empty in a job that adds domains. */
  readonly records: JobRecordResult[];
}

export interface GetBatchJobResult extends Omit<JobDetail, "jobId" | "items"> {
  /** The job of the question. */
  readonly jobId: string;
  /** The type in plain English. */
  readonly typeMeaning?: string;
  /**
   * Whether every entry has ended. Absent if the status of an entry is missing and none is known to be open.
   */
  readonly finished?: boolean;
  /** The job's domains. */
  readonly items: JobItemResult[];
}

/** @internal */
export const batchJob: Lookup<GetBatchJobResult> = {
  name: "getBatchJob",
  arguments: ["jobId"],
  question: (args) => {
    const request = { jobId: args.requiredId("jobId", "the number of a job, such as 1234567") };
    return {
      request,
      ask: async (client) => {
        const job = await client.call("Batch.Detail", request);
        const typeMeaning = job.type === undefined ? undefined : jobMeaning(job.type);
        return {
          ...job,
          ...defined({ typeMeaning, finished: isFinished(job.items) }),
          items: [...job.items],
        };
      },
    };
  },
};

function isFinished(items: readonly JobItem[]): boolean | undefined {
  const statuses = items.flatMap((item) => [item.status, ...item.records.map((record) => record.status)]);
  if (statuses.some((status) => status === "waiting" || status === "running")) return false;
  return statuses.includes(undefined) ? undefined : true;
}

/**
 * A batch job. One run of a program asks once: to wait for a job, run the program again.
 * @throws LookupError (as a rejection)
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
