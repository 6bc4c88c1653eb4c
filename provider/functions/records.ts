/** The look-ups of records. */
import type { DomainKeys, RecordFilter } from "../api";
import type { DomainBrief, LiveRecord } from "../api/entities";
import { canonicalDomain, fromLive, recordText } from "../dns";
import { defined } from "../support/defined";
import type { DomainArgs } from "./arguments";
import { api, lookup, plain, withOutputs } from "./lookup";

/** A live record. */
export interface RecordResult extends Omit<LiveRecord, "line" | "hold"> {
  /** The line's name as the service writes it. */
  readonly line?: string;
  /** The canonical text, as in the `records` of a RecordBatch: `www.example.com. A 192.0.2.1`. */
  readonly text: string;
  /** True for the service's own NS records. Absent if the service does not mark them. */
  readonly serviceOwned?: boolean;
}

export interface GetRecordArgs extends DomainArgs {
  /** The service's record id. */
  readonly recordId: string | number;
}

export interface GetRecordResult extends RecordResult, DomainBrief {}

const record = lookup({
  name: "getRecord",
  arguments: ["domain", "domainId", "recordId"],
  request: (args) => ({
    ...args.domainKeys(),
    recordId: args.requiredId("recordId", "an id from getRecords, such as 1234567"),
  }),
  result: async (request, client, { defaultLine }): Promise<GetRecordResult> => {
    const target = `record ${request.recordId} of ${api().domainText(request)}`;
    const { domain, record: live } = await client.call("Record.Info", request, { target });
    return { ...recordResult(live, domain.domain ?? "", defaultLine), ...domain };
  },
});

function recordResult({ hold, line, ...live }: LiveRecord, zone: string, defaultLine: string): RecordResult {
  const { name, type, value, priority, lineId } = live;
  const canonical = canonicalDomain(zone);
  const domain = "domain" in canonical ? canonical.domain : zone;
  return {
    ...live,
    text: recordText(fromLive({ domain, name, type, value, priority, line, lineId }, { defaultLine })),
    ...defined({ line: line === "" ? undefined : line, serviceOwned: hold }),
  };
}

/**
 * One record by its id.
 * @throws LookupError
 */
export const getRecord = plain<GetRecordArgs, GetRecordResult>(record);
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

export interface GetRecordsResult extends Pick<DomainBrief, "grade" | "nameServers"> {
  /** The domain's name, as the service writes it. */
  readonly domain: string;
  /** The service's domain id. */
  readonly domainId: string;
  /** The domain's default TTL in seconds. */
  readonly defaultTtl?: number;
  /** The package's lowest TTL in seconds. */
  readonly minTtl?: number;
  /** All records of the domain, the service's own NS records included, independent of the filter. */
  readonly total?: number;
  /** Every match, however many pages it takes; empty if there is none. */
  readonly records: RecordResult[];
}

const records = lookup({
  name: "getRecords",
  arguments: ["domain", "domainId", "name", "type", "line", "lineId", "keyword"],
  request: (args): { keys: DomainKeys; filter: RecordFilter } => {
    const keys = args.domainKeys();
    const [name, type] = [args.hostLabel(keys), args.recordType()];
    const [line, lineId, keyword] = [args.text("line"), args.lineId(), args.text("keyword")];
    args.oneOf(["line", "lineId"]);
    // The service ignores every other filter beside a keyword.
    for (const each of ["name", "type", "line", "lineId"]) args.oneOf(["keyword", each]);
    return { keys, filter: defined({ name, type, line, lineId, keyword }) };
  },
  result: async ({ keys, filter }, client, { defaultLine }): Promise<GetRecordsResult> => {
    const listing = await api().listRecords(client, keys, filter);
    const { id, name, grade, ttl, minTtl, nameServers } = listing.domain;
    return {
      domain: name,
      domainId: id,
      ...defined({ grade, defaultTtl: ttl, minTtl, nameServers, total: listing.counts.all }),
      records: listing.records.map((live) => recordResult(live, name, defaultLine)),
    };
  },
});

/**
 * All records of a domain that match, however many pages there are. Without a match the list is empty; without a filter,
 * an empty list counts only if the domain counts no records. A record of the last 30 seconds may be missing.
 * @throws LookupError
 */
export const getRecords = plain<GetRecordsArgs, GetRecordsResult>(records);
export const getRecordsOutput = withOutputs<GetRecordsArgs, GetRecordsResult>(records);
