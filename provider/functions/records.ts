/** The look-ups of records. */
import type { RecordFilter } from "../api";
import type { DomainBrief, LiveRecord } from "../api/entities";
import { canonicalDomain, fromLive, recordText } from "../dns";
import { placeName } from "../dns/names";
import { zoneEntries, type ZoneEntry } from "../lifecycle/inputs";
import { about, reason } from "../problems";
import { defined } from "../support/defined";
import { domainText, type ArgumentReader, type DomainArgs, type DomainKeys } from "./arguments";
import { api, english, plain, withOutputs, type Lookup, type LookupInputs } from "./lookup";

/** A live record. A key is absent if the service does not return it. */
export interface RecordResult extends Omit<LiveRecord, "line" | "hold"> {
  /** The line's name as the service writes it. */
  readonly line?: string;
  /** The canonical text, as in the `records` of a RecordBatch: `www.example.com. A 192.0.2.1`. */
  readonly text: string;
  /** The monitor's status in plain English. */
  readonly monitorMeaning: string;
  /** True for the service's own NS records. Absent if the service does not mark them. */
  readonly serviceOwned?: boolean;
}

export interface GetRecordArgs extends DomainArgs {
  /** The service's record id. */
  readonly recordId: string | number;
}
export type GetRecordOutputArgs = LookupInputs<GetRecordArgs>;

export interface GetRecordResult extends RecordResult, DomainBrief {}

/** @internal */
export const record: Lookup<GetRecordResult> = {
  name: "getRecord",
  arguments: ["domain", "domainId", "recordId"],
  question: (args) => {
    const keys = args.domainKeys();
    const recordId = args.requiredId("recordId", "an id from getRecords, such as 1234567");
    const request = { ...keys, recordId };
    return {
      request,
      ask: async (client, { defaultLine }) => {
        const target = `record ${recordId} of ${domainText(keys)}`;
        const { domain, record: live } = await client.call("Record.Info", request, { target });
        return { ...recordResult(live, domain.domain ?? "", defaultLine), ...domain };
      },
    };
  },
};

function recordResult({ hold, line, ...live }: LiveRecord, zone: string, defaultLine: string): RecordResult {
  const { name, type, value, priority, lineId, monitorStatus } = live;
  const canonical = canonicalDomain(zone);
  const domain = "domain" in canonical ? canonical.domain : zone;
  return {
    ...live,
    text: recordText(fromLive({ domain, name, type, value, priority, line, lineId }, { defaultLine })),
    monitorMeaning: english("monitor", monitorStatus) ?? "not monitored",
    ...defined({ line: line === "" ? undefined : line, serviceOwned: hold }),
  };
}

/**
 * One record by its id.
 * @throws LookupError
 */
export const getRecord = plain<GetRecordArgs, GetRecordResult>(record);
/** `getRecord` with arguments that may be outputs. */
export const getRecordOutput = withOutputs<GetRecordArgs, GetRecordResult>(record);

export interface GetRecordsArgs extends DomainArgs {
  /** Relative to the domain, `@` for the domain itself, or, beside `domain`, absolute with a trailing dot. */
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
 * All records of a domain that match. The pages are proved to belong together.
 * @throws LookupError
 */
export const getRecords = plain<GetRecordsArgs, GetRecordsResult>(records);
/** `getRecords` with arguments that may be outputs. */
export const getRecordsOutput = withOutputs<GetRecordsArgs, GetRecordsResult>(records);

export interface GetEntriesArgs {
  /** The domains of the text: the output `domains` of a `RecordBatch`, or `domain` of a `Zone`. */
  readonly domains: readonly string[];
  /** The output `zoneText`. */
  readonly zoneText: string;
  /** The output `secrets`. If it is missing, secret records are omitted. */
  readonly secrets?: string | undefined;
}

export interface GetEntriesResult {
  /** The records, in the order of the text. */
  readonly entries: readonly ZoneEntry[];
}

/** The records of a `RecordBatch` or a `Zone` as values, from its outputs. It makes no call. */
export const getEntries: Lookup<GetEntriesResult> = {
  name: "getEntries",
  arguments: ["domains", "zoneText", "secrets"],
  question: (args) => {
    const request = {
      domains: args.texts("domains"),
      zoneText: args.requiredText("zoneText"),
      secrets: args.text("secrets"),
    };
    return {
      request,
      ask: () =>
        Promise.resolve({ entries: zoneEntries(request.domains, request.zoneText, request.secrets) }),
    };
  },
};
