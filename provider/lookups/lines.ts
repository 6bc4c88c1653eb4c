/** `getCustomLines`: a domain's own resolution lines, and how many it may have. */
import type { DomainArgs, DomainKeys } from "./arguments";
import { ofDomain, type Lookup } from "./lookup";

export type GetCustomLinesArgs = DomainArgs;

/** One custom line. Absent keys: the service said nothing. */
export interface CustomLineResult {
  /** The name that a record's `line` takes. */
  readonly name?: string;
  /** The IP range as the service writes it: `192.0.2.0-192.0.2.255`. */
  readonly area?: string;
  /** The range's first address, where it is written in that form. */
  readonly from?: string;
  /** The range's last address, where it is written in that form. */
  readonly to?: string;
  /** How often it is used. */
  readonly useCount?: number;
  /** The domain's quota, repeated with each line. */
  readonly maxCount?: number;
}

/** How many custom lines a domain has, and how many it may have. Absent keys: the service said nothing. */
export interface GetCustomLinesQuota {
  /** Lines that are there. */
  readonly used?: number;
  /** Lines that may still be added. */
  readonly available?: number;
  /** Lines that the domain may have; absent where it has none yet, since each line tells it. */
  readonly max?: number;
}

export interface GetCustomLinesResult {
  /** The domain that was asked for, as A-labels; absent where it was asked for by its id. */
  readonly domain?: string;
  /** Its id, where it was asked for by it or a line tells it. */
  readonly domainId?: string;
  /** The domain's own lines; absent where the service tells no list. */
  readonly lines?: CustomLineResult[];
  /** How many lines there are, and how many there may be. */
  readonly quota: GetCustomLinesQuota;
}

/** @internal */
export const customLines: Lookup<DomainKeys, GetCustomLinesResult> = {
  name: "getCustomLines",
  ...ofDomain,
  ask: async (client, request) => {
    const { lines, available } = await client.call("Custom.Line.List", request);
    const max = lines?.find(({ maxCount }) => maxCount !== undefined)?.maxCount;
    const domainId = request.domainId ?? lines?.find((line) => line.domainId !== undefined)?.domainId;
    return {
      ...(request.domain === undefined ? {} : { domain: request.domain }),
      ...(domainId === undefined ? {} : { domainId }),
      ...(lines === undefined
        ? {}
        : { lines: lines.map(({ domainId: _id, ...line }) => ({ ...line, ...range(line.area ?? "") })) }),
      quota: {
        ...(lines === undefined ? {} : { used: lines.length }),
        ...(available === undefined ? {} : { available }),
        ...(max === undefined ? {} : { max }),
      },
    };
  },
};

function range(area: string): { from?: string; to?: string } {
  const [, from, to] = /^\s*([^\s-]+)\s*-\s*([^\s-]+)\s*$/.exec(area) ?? [];
  return from === undefined || to === undefined ? {} : { from, to };
}
