/** `getCustomLines`: a domain's own resolution lines, and how many it may have. */
import type * as pulumi from "../sdk";
import { customLines, type GetCustomLinesArgs, type GetCustomLinesResult } from "../lookups/lines";
import { type LookupInputs, lookUp, type LookupOptions, lookUpOutput } from "./lookup";

export type {
  GetCustomLinesArgs,
  CustomLineResult,
  GetCustomLinesQuota,
  GetCustomLinesResult,
} from "../lookups/lines";
export type GetCustomLinesOutputArgs = LookupInputs<GetCustomLinesArgs>;

/**
 * The domain's custom lines and its quota of them.
 * @throws LookupError (as a rejection)
 * @example const { lines, quota } = await getCustomLines({ domain: "example.com" });
 */
export function getCustomLines(
  args: GetCustomLinesArgs,
  options?: LookupOptions,
): Promise<GetCustomLinesResult> {
  return lookUp(customLines, args, options);
}

/** `getCustomLines` with arguments that may be outputs. */
export function getCustomLinesOutput(
  args: GetCustomLinesOutputArgs,
  options?: LookupOptions,
): pulumi.Output<GetCustomLinesResult> {
  return lookUpOutput(customLines, args, options);
}
