/** `getMonitorHistory`: what the monitor of a record saw. */
import type { MonitorPoint, MonitorSample } from "../api";
import type { Lookup } from "./lookup";
import { monitorMeaning } from "./words";

export interface GetMonitorHistoryArgs {
  /** From the service's console: no operation of the interface tells a monitor's id. */
  readonly monitorId: string | number;
  /** Only the last so many hours; what the service takes for its default is not documented. */
  readonly hours?: number | undefined;
}

/** One look at the server. Absent keys: the service said nothing. */
export interface MonitorSampleResult {
  /** In lower case: `ok`, `warn`, `down`, or another word of the service's. */
  readonly status?: string;
  /** The status in plain English. */
  readonly statusMeaning?: string;
  /** The HTTP status, or a negative number where there was none. */
  readonly statusCode?: number;
  /** When the place looked: `2015-01-18T12:00:00+08:00`. */
  readonly createdAt?: string;
  /** How long the answer took, as the service gives it; no unit is documented. */
  readonly responseTime?: number;
}

/** One place that watches. Absent keys: the service said nothing. */
export interface MonitorPointResult {
  /** The place's label. */
  readonly point?: string;
  /** The service's own word on this place's data. */
  readonly message?: string;
  /** The service's own code of this place's data. */
  readonly code?: number;
  /** What the place saw, a look each. */
  readonly samples?: MonitorSampleResult[];
}

/** Absent keys: the service said nothing. */
export interface GetMonitorHistoryResult {
  /** The monitor that was asked for. */
  readonly monitorId: string;
  /** The name of the record's domain. */
  readonly domain?: string;
  /** The service's id of that domain. */
  readonly domainId?: string;
  /** The domain's package. */
  readonly grade?: string;
  /** The service's id of the record that is watched. */
  readonly recordId?: string;
  /** The record's host label, `@` for the domain itself. */
  readonly recordName?: string;
  /** The address that is watched. */
  readonly ip?: string;
  /** The places that watch, each with what it saw. */
  readonly points?: MonitorPointResult[];
}

/** @internal */
export const history: Lookup<
  { readonly monitorId: string; readonly hours?: number },
  GetMonitorHistoryResult
> = {
  name: "getMonitorHistory",
  arguments: ["monitorId", "hours"],
  read: (args) => {
    const monitorId = args.label(
      "monitorId",
      "take it from the service's console, since no operation of the interface tells it",
    );
    const hours = args.positive("hours", "hours");
    return { monitorId, ...(hours === undefined ? {} : { hours }) };
  },
  ask: async (client, request) => {
    const { points, ...rest } = await client.call("Monitor.Gethistory", request);
    return {
      monitorId: request.monitorId,
      ...rest,
      ...(points === undefined ? {} : { points: points.map(pointResult) }),
    };
  },
};

function pointResult({ samples, ...place }: MonitorPoint): MonitorPointResult {
  return samples === undefined ? place : { ...place, samples: samples.map(sampleResult) };
}

function sampleResult({ status: written, ...sample }: MonitorSample): MonitorSampleResult {
  if (written === undefined) return sample;
  const status = written.toLowerCase();
  return { ...sample, status, statusMeaning: monitorMeaning(status) };
}
