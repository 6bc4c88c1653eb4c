import type { RecordFilter } from "../api";
import { placeName } from "../dns/names";
import { about, reason } from "../problems";
import type * as pulumi from "../support/sdk";
import { defined } from "../support/defined";
import type { ArgumentReader, DomainArgs, DomainKeys } from "./arguments";
import { api, type Lookup, lookUp, lookUpOutput } from "./lookup";
import type { LookupInputs, LookupOptions } from "./options";
import { recordResult, type RecordResult } from "./record";

export interface GetRecordsArgs extends DomainArgs {
  /**
   * A host label relative to the domain, `@` for the domain itself, or an absolute name with the trailing dot
   * (beside `domain`).
   */
  readonly name?: string | undefined;
  /** `A`, `MX` and so on; types of the service's own pass as they are. */
  readonly type?: string | undefined;
  /** A line's name as the service writes it; this or `lineId`. */
  readonly line?: string | undefined;
  /** A line's id, such as `0` (the default line) or `10=0`. */
  readonly lineId?: string | number | undefined;
  /** Only records that match it, without any other filter. The service does the matching. */
  readonly keyword?: string | undefined;
}
export type GetRecordsOutputArgs = LookupInputs<GetRecordsArgs>;

export interface GetRecordsResult {
  /** The domain's name, as the service writes it. */
  readonly domain: string;
  /** The service's domain id. */
  readonly domainId: string;
  /** The domain's package. */
  readonly grade?: string;
  /** The domain's default TTL in seconds. */
  readonly defaultTtl?: number;
  /** The package's lowest TTL in seconds. */
  readonly minTtl?: number;
  /** The name servers that the domain must be delegated to. */
  readonly nameServers?: string[];
  /** All records of the domain, the service's own NS records included, independent of the filter. */
  readonly total?: number;
  /** Records that match the filter: the length of `records`. */
  readonly matching: number;
  /** Every match, however many pages it takes; empty if there is none. */
  readonly records: RecordResult[];
}

/** @internal */
export const records: Lookup<GetRecordsResult> = {
  name: "getRecords",
  arguments: ["domain", "domainId", "name", "type", "line", "lineId", "keyword"],
  question: (args) => {
    const keys = args.domainKeys();
    const filter = filterOf(args, keys);
    return {
      request: { ...keys, filter },
      ask: async (client, { defaultLine }) => {
        const of = keys.domainId === undefined ? { name: keys.domain } : { id: keys.domainId };
        const listing = await api().listRecords(client, of, filter);
        const { id, name, grade, ttl, minTtl, nameServers } = listing.domain;
        return {
          domain: name,
          domainId: id,
          ...defined({ grade, defaultTtl: ttl, minTtl, nameServers, total: listing.counts.all }),
          matching: listing.counts.matching,
          records: listing.records.map((record) => recordResult(record, name, defaultLine)),
        };
      },
    };
  },
};

function filterOf(args: ArgumentReader, keys: DomainKeys): RecordFilter {
  const filter = defined({
    name: hostLabel(args, keys),
    type: args.recordType(),
    line: args.text("line"),
    lineId: args.matching(
      "lineId",
      /^\d{1,19}(?:=\d{1,19})?$/,
      "a line's id",
      "a number such as 0 (the default line), or two such as 10=0",
    ),
  });
  const keyword = args.text("keyword");
  args.oneOf(["line", "lineId"]);
  // The service ignores every other filter beside a keyword.
  for (const each of ["name", "type", "line", "lineId"]) args.oneOf(["keyword", each]);
  return keyword === undefined ? filter : { keyword };
}

/** The filter's name in the service's form: relative, lower case, A-labels. */
function hostLabel(args: ArgumentReader, { domain, domainId }: DomainKeys): string | undefined {
  const name = args.text("name")?.trim();
  if (name === undefined || domain === "") return undefined;
  const given = JSON.stringify(args.text("name"));
  if (domainId !== undefined && name.endsWith(".")) {
    args.problem("name", about(given, reason("name.outside", { zones: `domain ${domainId}` })));
    return undefined;
  }
  const placed = placeName(name, new Set([domain ?? NO_ZONE]), true);
  if ("name" in placed) return placed.name;
  args.problem("name", about(given, placed.problem));
  return undefined;
}

/** No name lies in it. */
const NO_ZONE = "zone.invalid";

/**
 * All records of a domain that match, however many pages it takes. The pages are proved to belong together.
 * @throws LookupError (as a rejection)
 */
export function getRecords(args: GetRecordsArgs, options?: LookupOptions): Promise<GetRecordsResult> {
  return lookUp(records, args, options);
}

/** `getRecords` with arguments that may be outputs. */
export function getRecordsOutput(
  args: GetRecordsOutputArgs,
  options?: LookupOptions,
): pulumi.Output<GetRecordsResult> {
  return lookUpOutput(records, args, options);
}
