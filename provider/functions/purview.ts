/**
 * `getPurview`: what a domain's package allows. The service names its limits with localised labels that may drift: known
 * ones become typed fields, every entry stays in the list, and an unknown label is shown, never an error.
 */
import type * as pulumi from "../sdk";
import { purview, type GetPurviewArgs, type GetPurviewResult } from "../lookups/purview";
import { type LookupInputs, lookUp, type LookupOptions, lookUpOutput } from "./lookup";

export type {
  PurviewLimit,
  PurviewLimits,
  PurviewEntryResult,
  GetPurviewArgs,
  GetPurviewResult,
} from "../lookups/purview";
export type GetPurviewOutputArgs = LookupInputs<GetPurviewArgs>;

/**
 * What the domain's package allows: counts, levels, the lowest TTL, kinds of lines.
 * @throws LookupError (as a rejection)
 * @example const { minTtl, nsRecords } = await getPurview({ domain: "example.com" });
 */
export function getPurview(args: GetPurviewArgs, options?: LookupOptions): Promise<GetPurviewResult> {
  return lookUp(purview, args, options);
}

/** `getPurview` with arguments that may be outputs. */
export function getPurviewOutput(
  args: GetPurviewOutputArgs,
  options?: LookupOptions,
): pulumi.Output<GetPurviewResult> {
  return lookUpOutput(purview, args, options);
}
