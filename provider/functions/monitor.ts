/** `getMonitorHistory`: what the monitor of a record saw. */
import type * as pulumi from "../sdk";
import { history, type GetMonitorHistoryArgs, type GetMonitorHistoryResult } from "../lookups/monitor";
import { type LookupInputs, lookUp, type LookupOptions, lookUpOutput } from "./lookup";

export type {
  GetMonitorHistoryArgs,
  MonitorSampleResult,
  MonitorPointResult,
  GetMonitorHistoryResult,
} from "../lookups/monitor";
export type GetMonitorHistoryOutputArgs = LookupInputs<GetMonitorHistoryArgs>;

/**
 * What the places that watch a record saw of it.
 * @throws LookupError (as a rejection)
 * @example const { points } = await getMonitorHistory({ monitorId: "123", hours: 24 });
 */
export function getMonitorHistory(
  args: GetMonitorHistoryArgs,
  options?: LookupOptions,
): Promise<GetMonitorHistoryResult> {
  return lookUp(history, args, options);
}

/** `getMonitorHistory` with arguments that may be outputs. */
export function getMonitorHistoryOutput(
  args: GetMonitorHistoryOutputArgs,
  options?: LookupOptions,
): pulumi.Output<GetMonitorHistoryResult> {
  return lookUpOutput(history, args, options);
}
