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
import { lookup, plain, withOutputs } from "./lookup";

/** One record of a job. */
export interface JobRecordResult extends JobRecord {}

/** One domain of a job. */
export interface JobItemResult extends Omit<JobItem, "records"> {
  /** The domain's records; empty in a job that adds domains. */
  readonly records: JobRecordResult[];
}

export interface GetBatchJobArgs {
  /** The service's number of the job. Messages about unfinished jobs contain it. */
  readonly jobId: string | number;
}

export interface GetBatchJobResult extends Omit<JobDetail, "items"> {
  /** Whether every entry has ended. Absent if a status is missing and no entry is known to be open. */
  readonly finished?: boolean;
  /** The job's domains. */
  readonly items: JobItemResult[];
}

const batchJob = lookup({
  name: "getBatchJob",
  arguments: ["jobId"],
  request: (args) => ({ jobId: args.requiredId("jobId", "the number of a job, such as 1234567") }),
  result: async (request, client): Promise<GetBatchJobResult> => {
    const { items, ...job } = await client.call("Batch.Detail", request);
    const statuses = items.flatMap((item) => [item, ...item.records]).map(({ status }) => status);
    const isOpen = statuses.some((status) => status === "waiting" || status === "running");
    const finished = isOpen ? false : statuses.includes(undefined) ? undefined : true;
    return { ...job, ...defined({ finished }), items: [...items] };
  },
});

/**
 * A batch job; each record of it succeeds or fails on its own. One run of a program asks once: to wait for a job, run
 * the program again.
 * @throws LookupError
 */
export const getBatchJob = plain<GetBatchJobArgs, GetBatchJobResult>(batchJob);
export const getBatchJobOutput = withOutputs<GetBatchJobArgs, GetBatchJobResult>(batchJob);

/** One check of the server. */
export interface MonitorSampleResult extends MonitorSample {}

/** One place that monitors. */
export interface MonitorPointResult extends Omit<MonitorPoint, "samples"> {
  /** The checks from this place. */
  readonly samples?: readonly MonitorSampleResult[];
}

export interface GetMonitorHistoryArgs {
  /** From the service's console: no operation of the interface lists a monitor's id. */
  readonly monitorId: string | number;
  /** Only the last hours. The service does not document its default. */
  readonly hours?: number | undefined;
}

export interface GetMonitorHistoryResult extends Omit<MonitorHistory, "points"> {
  /** The monitor of the question. */
  readonly monitorId: string;
  /** The places that monitor, each with its checks. */
  readonly points?: readonly MonitorPointResult[];
}

const monitorHistory = lookup({
  name: "getMonitorHistory",
  arguments: ["monitorId", "hours"],
  request: (args) => ({
    monitorId: args.label("monitorId", "the id that the service's console shows"),
    ...defined({ hours: args.positive("hours", "hours") }),
  }),
  result: async (request, client): Promise<GetMonitorHistoryResult> => ({
    monitorId: request.monitorId,
    ...(await client.call("Monitor.Gethistory", request)),
  }),
});

/**
 * The history of a record's monitor, by the places that monitor it.
 * @throws LookupError
 */
export const getMonitorHistory = plain<GetMonitorHistoryArgs, GetMonitorHistoryResult>(monitorHistory);
export const getMonitorHistoryOutput = withOutputs<GetMonitorHistoryArgs, GetMonitorHistoryResult>(
  monitorHistory,
);
