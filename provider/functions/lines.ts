/** `getCustomLines`: a domain's own resolution lines, and how many it may have. */
import type * as pulumi from "@pulumi/pulumi";
import { type LookupInputs, type Lookup, lookUp, type LookupOptions, lookUpOutput } from "./lookup";

export interface GetCustomLinesArgs {
  readonly domain: string;
}
export type GetCustomLinesOutputArgs = LookupInputs<GetCustomLinesArgs>;

/** One custom line. */
export interface CustomLineResult {
  /** The name that a record's `line` takes. */
  readonly name: string;
  /** The IP range as the service writes it: `192.0.2.0-192.0.2.255`. */
  readonly area: string;
  /** The range's first and last address, where it is written in that form. */
  readonly from?: string;
  readonly to?: string;
  /** How often it is used. */
  readonly useCount: number;
  /** The domain's quota, repeated with each line. */
  readonly maxCount: number;
}

export interface GetCustomLinesResult {
  /** The domain that was asked for, as A-labels. */
  readonly domain: string;
  readonly lines: CustomLineResult[];
  readonly quota: {
    /** Lines that are there. */
    readonly used: number;
    /** Lines that may still be added. */
    readonly available: number;
    /** Lines that the domain may have; absent where it has none yet, since each line tells it. */
    readonly max?: number;
  };
}

const customLines: Lookup<{ readonly domain: string }, GetCustomLinesResult> = {
  name: "getCustomLines",
  arguments: ["domain"],
  read: (args) => ({ domain: args.requiredDomain() }),
  ask: async (client, request) => {
    const { lines, available } = await client.call("Custom.Line.List", request);
    const [first] = lines;
    return {
      domain: request.domain,
      lines: lines.map(({ name, area, useCount, maxCount }) => ({ name, area, ...range(area), useCount, maxCount })),
      quota: { used: lines.length, available, ...(first === undefined ? {} : { max: first.maxCount }) },
    };
  },
};

function range(area: string): { from?: string; to?: string } {
  const [, from, to] = /^\s*([^\s-]+)\s*-\s*([^\s-]+)\s*$/.exec(area) ?? [];
  return from === undefined || to === undefined ? {} : { from, to };
}

/**
 * The domain's custom lines and its quota of them.
 * @throws LookupError (as a rejection)
 * @example const { lines, quota } = await getCustomLines({ domain: "example.com" });
 */
export function getCustomLines(args: GetCustomLinesArgs, options?: LookupOptions): Promise<GetCustomLinesResult> {
  return lookUp(customLines, args, options);
}

/** `getCustomLines` with arguments that may be outputs. */
export function getCustomLinesOutput(args: GetCustomLinesOutputArgs, options?: LookupOptions): pulumi.Output<GetCustomLinesResult> {
  return lookUpOutput(customLines, args, options);
}
