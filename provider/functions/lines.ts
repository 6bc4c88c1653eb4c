import type { CustomLine } from "../api/entities";
import type * as pulumi from "../support/sdk";
import { defined } from "../support/defined";
import type { DomainArgs } from "./arguments";
import { domainLookup, lookUp, lookUpOutput } from "./lookup";
import type { LookupInputs, LookupOptions } from "./options";

export type GetCustomLinesArgs = DomainArgs;
export type GetCustomLinesOutputArgs = LookupInputs<GetCustomLinesArgs>;

/** One custom line. A key is absent if the service does not return it. */
export interface CustomLineResult extends Omit<CustomLine, "domainId"> {
  /** The range's first address, if the range has the form of two addresses. */
  readonly from?: string;
  /** The range's last address, if the range has the form of two addresses. */
  readonly to?: string;
}

/** The quota of custom lines. A key is absent if the service does not return it. */
export interface GetCustomLinesQuota {
  /** Existing lines. */
  readonly used?: number;
  /** Lines that may still be added. */
  readonly available?: number;
  /** Lines that the domain may have. Each line has this number, so a domain without lines has none. */
  readonly max?: number;
}

export interface GetCustomLinesResult {
  /** The domain of the question, as A-labels. Absent if the question had its id. */
  readonly domain?: string;
  /** The domain's id. Absent if neither the question nor a line has it. */
  readonly domainId?: string;
  /** The domain's custom lines. Absent if the service returns no list. */
  readonly lines?: CustomLineResult[];
  /** How many lines there are, and how many there may be. */
  readonly quota: GetCustomLinesQuota;
}

/** @internal */
export const customLines = domainLookup<GetCustomLinesResult>("getCustomLines", async (keys, client) => {
  const { lines, available } = await client.call("Custom.Line.List", keys);
  const max = lines?.find(({ maxCount }) => maxCount !== undefined)?.maxCount;
  const domainId = keys.domainId ?? lines?.find((line) => line.domainId !== undefined)?.domainId;
  return {
    ...defined({
      domain: keys.domain,
      domainId,
      lines: lines?.map(({ domainId: _id, ...line }) => ({ ...line, ...range(line.area ?? "") })),
    }),
    quota: defined({ used: lines?.length, available, max }),
  };
});

function range(area: string): { from?: string; to?: string } {
  const [, from, to] = /^\s*([^\s-]+)\s*-\s*([^\s-]+)\s*$/.exec(area) ?? [];
  return from === undefined || to === undefined ? {} : { from, to };
}

/**
 * The domain's custom lines and its quota of them.
 * @throws LookupError (as a rejection)
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
