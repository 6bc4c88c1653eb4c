import type { MonitorHistory, MonitorPoint, MonitorSample } from "../api/job-entities";
import type * as pulumi from "../support/sdk";
import { defined } from "../support/defined";
import { type Lookup, lookUp, lookUpOutput } from "./lookup";
import type { LookupInputs, LookupOptions } from "./options";
import { monitorMeaning } from "./words";

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
  const results = samples?.map((sample) =>
    sample.status === undefined ? sample : { ...sample, statusMeaning: monitorMeaning(sample.status) },
  );
  return { ...place, ...defined({ samples: results }) };
}

/**
 * The history of a record's monitor, by the places that monitor it.
 * @throws LookupError (as a rejection)
 */
export function getMonitorHistory(
  args: GetMonitorHistoryArgs,
  options?: LookupOptions,
): Promise<GetMonitorHistoryResult> {
  return lookUp(monitorHistory, args, options);
}

/** `getMonitorHistory` with arguments that may be outputs. */
export function getMonitorHistoryOutput(
  args: GetMonitorHistoryOutputArgs,
  options?: LookupOptions,
): pulumi.Output<GetMonitorHistoryResult> {
  return lookUpOutput(monitorHistory, args, options);
}
