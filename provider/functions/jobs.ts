/** The look-ups of batch jobs and monitors. */
import type {
  JobDetail,
  JobItem,
  JobRecord,
  MonitorHistory,
  MonitorPoint,
  MonitorSample,
} from "../api/job-entities";
import { defined } from "../support/defined";
import { english, plain, withOutputs, type Lookup, type LookupInputs } from "./lookup";

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
  /** Whether every entry has ended. Absent if a status is missing and no entry is known to be open. */
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
        return {
          ...job,
          ...defined({ typeMeaning: english("job", job.type), finished: isFinished(job.items) }),
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
 * @throws LookupError
 */
export const getBatchJob = plain<GetBatchJobArgs, GetBatchJobResult>(batchJob);
/** `getBatchJob` with arguments that may be outputs. */
export const getBatchJobOutput = withOutputs<GetBatchJobArgs, GetBatchJobResult>(batchJob);

export interface GetMonitorHistoryArgs {
  /** From the service's console: no operation of the interface lists a monitor's id. */
  readonly monitorId: string | number;
  /** Only the last hours. The service does not document its default. */
  readonly hours?: number | undefined;
}
export type GetMonitorHistoryOutputArgs = LookupInputs<GetMonitorHistoryArgs>;

/** One check of the server. A key is absent if the service does not return it. */
export interface MonitorSampleResult extends MonitorSample {
  /** The status in plain English. */
  readonly statusMeaning?: string;
}

/** One place that monitors. A key is absent if the service does not return it. */
export interface MonitorPointResult extends Omit<MonitorPoint, "samples"> {
  /** The checks from this place. */
  readonly samples?: MonitorSampleResult[];
}

/** A key is absent if the service does not return it. */
export interface GetMonitorHistoryResult extends Omit<MonitorHistory, "points"> {
  /** The monitor of the question. */
  readonly monitorId: string;
  /** The places that monitor, each with its checks. */
  readonly points?: MonitorPointResult[];
}

/** @internal */
export const monitorHistory: Lookup<GetMonitorHistoryResult> = {
  name: "getMonitorHistory",
  arguments: ["monitorId", "hours"],
  question: (args) => {
    const monitorId = args.label("monitorId", "the id that the service's console shows");
    const request = { monitorId, ...defined({ hours: args.positive("hours", "hours") }) };
    return {
      request,
      ask: async (client) => {
        const { points, ...rest } = await client.call("Monitor.Gethistory", request);
        return { monitorId, ...rest, ...defined({ points: points?.map(pointResult) }) };
      },
    };
  },
};

function pointResult({ samples, ...place }: MonitorPoint): MonitorPointResult {
  const results = samples?.map((sample) => ({
    ...sample,
    ...defined({ statusMeaning: english("monitor", sample.status) }),
  }));
  return { ...place, ...defined({ samples: results }) };
}

/**
 * The history of a record's monitor, by the places that monitor it.
 * @throws LookupError
 */
export const getMonitorHistory = plain<GetMonitorHistoryArgs, GetMonitorHistoryResult>(monitorHistory);
/** `getMonitorHistory` with arguments that may be outputs. */
export const getMonitorHistoryOutput = withOutputs<GetMonitorHistoryArgs, GetMonitorHistoryResult>(
  monitorHistory,
);
