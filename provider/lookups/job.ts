/** `getBatchJob`: what became of a batch job, entry by entry. */
import type { JobItem } from "../api";
import type { Lookup } from "./lookup";
import type { RecordResult } from "./records";
import { jobMeaning } from "./words";

export interface GetBatchJobArgs {
  /** The service's number of the job. */
  readonly jobId: string | number;
}

/** `waiting` to be executed, `running`, `ok`, or `error`. */
export type BatchJobStatus = "waiting" | "running" | "ok" | "error";

/** One record of a job. Absent keys: the service said nothing. */
export interface JobRecordResult extends Partial<
  Pick<RecordResult, "name" | "type" | "value" | "priority" | "ttl" | "line">
> {
  /** The record's place in its domain's list, as the service counts; some editions count from 0. */
  readonly index?: number;
  /** `waiting` to be executed, `running`, `ok`, or `error`. */
  readonly status?: BatchJobStatus;
  /** What is done with it, in the service's word: `plus` adds. */
  readonly operation?: string;
  /** The service's own text. */
  readonly error?: string;
  /** The record that was made or modified. */
  readonly recordId?: string;
}

/** One domain of a job. Absent keys: the service said nothing. */
export interface JobItemResult {
  /** The domain's place in the job, as the service counts; some editions count from 0. */
  readonly index?: number;
  /** The domain's name. */
  readonly domain?: string;
  /** The service's domain id. */
  readonly domainId?: string;
  /** The domain's package. */
  readonly grade?: string;
  /** `waiting` to be executed, `running`, `ok`, or `error`. */
  readonly status?: BatchJobStatus;
  /** What is done with it, in the service's word: `plus` adds. */
  readonly operation?: string;
  /** The service's own text. */
  readonly error?: string;
  /** The domain's records; empty in a job that adds domains alone. */
  readonly records: JobRecordResult[];
}

export interface GetBatchJobResult {
  /** The job that was asked for. */
  readonly jobId: string;
  /** `domain`, `record_add` or `record_modify`. */
  readonly type?: "domain" | "record_add" | "record_modify" | (string & {});
  /** The type in plain English. */
  readonly typeMeaning?: string;
  /** Whether no entry waits or runs any more; absent where the service does not tell it. */
  readonly finished?: boolean;
  /** Executed entries; a domain and a record count as one each. */
  readonly total?: number;
  /** Entries that succeeded. */
  readonly success?: number;
  /** Entries that failed. */
  readonly fail?: number;
  /** When the job was made: `2015-01-18T12:00:00+08:00`. */
  readonly createdAt?: string;
  /** The job's domains, an entry each. */
  readonly items: JobItemResult[];
}

/** @internal */
export const batchJob: Lookup<{ readonly jobId: string }, GetBatchJobResult> = {
  name: "getBatchJob",
  arguments: ["jobId"],
  read: (args) => ({ jobId: args.requiredId("jobId", "messages about unfinished jobs name it") }),
  ask: async (client, request) => {
    const { type, items, ...rest } = await client.call("Batch.Detail", request);
    const finished = isFinished(items);
    return {
      ...rest,
      ...(type === undefined ? {} : { type, typeMeaning: jobMeaning(type) }),
      ...(finished === undefined ? {} : { finished }),
      items: [...items],
    };
  },
};

/** Undefined where one entry's status is not told and no other one waits or runs. */
function isFinished(items: readonly JobItem[]): boolean | undefined {
  const statuses = items.flatMap((item) => [item.status, ...item.records.map((record) => record.status)]);
  if (statuses.some((status) => status === "waiting" || status === "running")) return false;
  return statuses.includes(undefined) ? undefined : true;
}
