/** `getBatchJob`: what became of a batch job, entry by entry. */
import type * as pulumi from "@pulumi/pulumi";
import type { JobItem, JobRecord } from "../api";
import { type LookupInputs, type Lookup, lookUp, type LookupOptions, lookUpOutput } from "./lookup";
import type { RecordResult } from "./records";
import { jobMeaning } from "./words";

export interface GetBatchJobArgs {
  readonly jobId: string | number;
}
export type GetBatchJobOutputArgs = LookupInputs<GetBatchJobArgs>;

/** `waiting` to be executed, `running`, `ok`, or `error`. */
export type BatchJobStatus = "waiting" | "running" | "ok" | "error";

/** One record of a job. */
export interface JobRecordResult extends Pick<RecordResult, "name" | "type" | "value" | "priority" | "ttl" | "line"> {
  readonly status: BatchJobStatus;
  /** The service's own text. */
  readonly error?: string;
  /** The record that was made or modified. */
  readonly recordId?: string;
}

/** One domain of a job. */
export interface JobItemResult {
  readonly domain: string;
  readonly domainId?: string;
  /** The domain's plan. */
  readonly grade: string;
  readonly status: BatchJobStatus;
  /** The service's own text. */
  readonly error?: string;
  /** Empty in a job that adds domains alone. */
  readonly records: JobRecordResult[];
}

export interface GetBatchJobResult {
  readonly jobId: string;
  /** `domain`, `record_add` or `record_modify`. */
  readonly type: "domain" | "record_add" | "record_modify";
  /** The type in plain English. */
  readonly typeMeaning: string;
  /** Whether no entry waits or runs any more. */
  readonly finished: boolean;
  /** Executed entries; a domain and a record count as one each. */
  readonly total: number;
  readonly success: number;
  readonly fail: number;
  /** `2015-01-18T12:00:00+08:00`. */
  readonly createdAt?: string;
  readonly items: JobItemResult[];
}

const batchJob: Lookup<{ readonly jobId: string }, GetBatchJobResult> = {
  name: "getBatchJob",
  arguments: ["jobId"],
  read: (args) => ({ jobId: args.requiredId("jobId", "messages about unfinished jobs name it") }),
  ask: async (client, request) => {
    const { jobId, type, total, success, fail, createdAt, items } = await client.call("Batch.Detail", request);
    const statuses = items.flatMap((item) => [item.status, ...item.records.map((record) => record.status)]);
    return {
      jobId,
      type,
      typeMeaning: jobMeaning(type),
      finished: statuses.every((status) => status === "ok" || status === "error"),
      total,
      success,
      fail,
      ...(createdAt === undefined ? {} : { createdAt }),
      items: items.map(itemResult),
    };
  },
};

function itemResult({ domain, domainId, grade, status, error, records }: JobItem): JobItemResult {
  return {
    domain,
    ...(domainId === undefined ? {} : { domainId }),
    grade,
    status,
    ...(error === undefined ? {} : { error }),
    records: records.map(({ subDomain, ...record }: JobRecord) => ({ name: subDomain, ...record })),
  };
}

/**
 * A batch job. Asked once per run of a program: to wait for a job, run the program again.
 * @throws LookupError (as a rejection)
 * @example const { finished, items } = await getBatchJob({ jobId: 1234 });
 */
export function getBatchJob(args: GetBatchJobArgs, options?: LookupOptions): Promise<GetBatchJobResult> {
  return lookUp(batchJob, args, options);
}

/** `getBatchJob` with arguments that may be outputs. */
export function getBatchJobOutput(args: GetBatchJobOutputArgs, options?: LookupOptions): pulumi.Output<GetBatchJobResult> {
  return lookUpOutput(batchJob, args, options);
}
