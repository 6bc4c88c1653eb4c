/** `getRecord` and `getRecords`: what a zone holds, as the service writes it and as canonical text. */
import type { LiveRecord, RecordFilter } from "../api";
import { canonicalDomain, fromLive, recordText } from "../dns";
import { placeName } from "../dns/names";
import { type ArgumentReader, type DomainKeys, domainText } from "./arguments";
import { api } from "./lazy";
import type { Lookup } from "./lookup";
import { monitorMeaning } from "./words";
import { isOf, reason, textOf } from "../problems";

/** A record as it lives on the service. Absent keys: the service said nothing. */
export interface RecordResult {
  /** The service's record id. */
  readonly id: string;
  /** The host label, `@` for the domain itself. */
  readonly name: string;
  /** `A`, `MX` and so on; types of the service's own as they are. */
  readonly type: string;
  /** As the service writes it: targets with the trailing dot. */
  readonly value: string;
  /** The priority; of an MX record only. */
  readonly priority?: number;
  /** The TTL in seconds. */
  readonly ttl?: number;
  /** The line's name as the service writes it. */
  readonly line?: string;
  /** `0` is the default line, whatever its name. */
  readonly lineId?: string;
  /** The canonical text, as the keys of a RecordBatch's `records` are: `www.example.com. A 192.0.2.1`. */
  readonly text: string;
  /** Whether the record is served. */
  readonly enabled?: boolean;
  /** The weight among records of one name, type and line. */
  readonly weight?: number;
  /** `ok`, `warn` or `down`; absent where the record is not monitored. */
  readonly monitorStatus?: string;
  /** The monitor's status in plain English. */
  readonly monitorMeaning: string;
  /** The account's remark on the record. */
  readonly remark?: string;
  /** Whether the website security center is on. */
  readonly securityCenter?: boolean;
  /** When the record was last changed: `2015-01-18T12:00:00+08:00`. */
  readonly updatedOn?: string;
  /** True for the service's own default NS records; absent where the service does not tell whether it is one. */
  readonly serviceOwned?: boolean;
}

export interface GetRecordArgs {
  /** The zone's name; this or `domainId`. */
  readonly domain?: string | undefined;
  /** The service's domain id; this or `domain`. */
  readonly domainId?: string | number | undefined;
  /** The service's record id. */
  readonly recordId: string | number;
}

export interface GetRecordResult extends RecordResult {
  /** The domain's name; absent where it was asked for by its id and the service does not name it. */
  readonly domain?: string;
  /** The service's domain id. */
  readonly domainId?: string;
  /** The domain's package. */
  readonly grade?: string;
  /** The name servers that the domain must be delegated to. */
  readonly nameServers?: string[];
}

/** @internal */
export const oneRecord: Lookup<DomainKeys & { readonly recordId: string }, GetRecordResult> = {
  name: "getRecord",
  arguments: ["domain", "domainId", "recordId"],
  read: (args) => ({
    ...args.domainKeys(),
    recordId: args.requiredId("recordId", "getRecords tells the ids of a domain's records"),
  }),
  ask: async (client, request, settings) => {
    const target = `record ${request.recordId} of ${domainText(request)}`;
    const { domain, record } = await client.call("Record.Info", request, { target });
    return { ...recordResult(record, domain.domain ?? "", settings.defaultLine), ...domain };
  },
};

export interface GetRecordsArgs {
  /** The zone's name; this or `domainId`. */
  readonly domain?: string | undefined;
  /** The service's domain id; this or `domain`. */
  readonly domainId?: string | number | undefined;
  /** A host label relative to the domain, `@` for the domain itself, or an absolute name with the trailing dot (beside `domain`). */
  readonly name?: string | undefined;
  /** `A`, `MX` and so on; types of the service's own pass as they are. */
  readonly type?: string | undefined;
  /** A line's name as the service writes it; this or `lineId`. */
  readonly line?: string | undefined;
  /** A line's id, such as `0` (the default line) or `10=0`. */
  readonly lineId?: string | number | undefined;
  /** Only records that match it, as the service understands it; stands alone. */
  readonly keyword?: string | undefined;
}

/** A record of a listing. */
export type ListedRecordResult = RecordResult;

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
  /** All records under the domain, the service's own NS records included, whatever the filter. */
  readonly total?: number;
  /** Records that match the filter: the length of `records`. */
  readonly matching: number;
  /** Every match, however many pages it takes; empty where there is none. */
  readonly records: ListedRecordResult[];
}

const LINE_ID =
  "a line's id is a number, such as 0 (the default line), or two with = between them, such as 10=0";

/** @internal */
export const manyRecords: Lookup<DomainKeys & { readonly filter: RecordFilter }, GetRecordsResult> = {
  name: "getRecords",
  arguments: ["domain", "domainId", "name", "type", "line", "lineId", "keyword"],
  read: (args) => {
    const keys = args.domainKeys();
    const name = hostLabel(args, keys);
    const type = args.recordType();
    const line = args.text("line");
    const lineId = args.matching("lineId", /^\d{1,19}(?:=\d{1,19})?$/, LINE_ID);
    const keyword = args.text("keyword");
    if (args.has("line") && args.has("lineId"))
      args.problem("line and lineId are both given: keep one of them");
    const ignored = ["name", "type", "line", "lineId"].filter((filter) => args.has(filter));
    if (args.has("keyword") && ignored.length > 0) {
      args.problem(
        `keyword cannot stand beside ${ignored.join(", ")}: the service ignores every other filter when it gets a keyword. ` +
          "Keep one of the two, and filter the records in the program by the other",
      );
    }
    const filter = {
      ...(name === undefined ? {} : { name }),
      ...(type === undefined ? {} : { type }),
      ...(line === undefined ? {} : { line }),
      ...(lineId === undefined ? {} : { lineId }),
    };
    return { ...keys, filter: keyword === undefined ? filter : { keyword } };
  },
  ask: async (client, { domain, domainId, filter }, settings) => {
    const listing = await api().listRecords(
      client,
      domainId === undefined ? { name: domain } : { id: domainId },
      filter,
    );
    const { id, name, grade, ttl, minTtl, nameServers } = listing.domain;
    return {
      domain: name,
      domainId: id,
      ...(grade === undefined ? {} : { grade }),
      ...(ttl === undefined ? {} : { defaultTtl: ttl }),
      ...(minTtl === undefined ? {} : { minTtl }),
      ...(nameServers === undefined ? {} : { nameServers: [...nameServers] }),
      ...(listing.counts.all === undefined ? {} : { total: listing.counts.all }),
      matching: listing.counts.matching,
      records: listing.records.map((record) => recordResult(record, name, settings.defaultLine)),
    };
  },
};

/** The filter's name as the service has it: relative, lower case, A-labels. */
function hostLabel(args: ArgumentReader, { domain, domainId }: DomainKeys): string | undefined {
  const name = args.text("name");
  if (name === undefined || domain === "") return undefined;
  if (domainId !== undefined && name.trim().endsWith(".")) {
    args.problem(
      `name: ${JSON.stringify(name)} is absolute: write it relative to the domain, or name the domain by its name`,
    );
    return undefined;
  }
  const placed = placeName(name.trim(), new Set([domain ?? NO_ZONE]), true);
  if ("name" in placed) return placed.name;
  // The words are those of declarations.
  const why = isOf(placed.problem, "name.outside")
    ? reason("lookup.outside", placed.problem.parts)
    : placed.problem;
  args.problem(`name: ${JSON.stringify(name)} ${textOf(why)}`);
  return undefined;
}

/** In place of a zone of which only the id is known: no name lies in it. */
const NO_ZONE = "zone.invalid";

function recordResult(
  { hold, line, ...record }: LiveRecord,
  zone: string,
  defaultLine: string,
): RecordResult {
  const { name, type, value, priority, lineId, monitorStatus } = record;
  const canonical = canonicalDomain(zone);
  const domain = "domain" in canonical ? canonical.domain : zone;
  return {
    ...record,
    ...(line === "" ? {} : { line }),
    text: recordText(fromLive({ domain, name, type, value, priority, line, lineId }, { defaultLine })),
    monitorMeaning: monitorMeaning(monitorStatus),
    ...(hold === undefined ? {} : { serviceOwned: hold }),
  };
}
