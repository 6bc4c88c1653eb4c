/** Whole listings. An empty one counts only if the service proves it. */
import { domainToASCII } from "node:url";
import { defined } from "../support/defined";
import { withOwnRecords } from "./answers";
import type { Client } from "./client";
import type { DomainCounters, DomainSummary, LiveRecord, ZoneCounts, ZoneHeader } from "./entities";
import { ProtocolError } from "./errors";
import { emptyZone } from "./meanings";
import type { Requests } from "./operations";
import { PAGE_LENGTH, readAll } from "./pages";

/** The id wins (api.md, General rules). */
export type DomainKeys =
  | { readonly domain: string; readonly domainId?: string | undefined }
  | { readonly domainId: string; readonly domain?: undefined };

export function domainText({ domain, domainId }: DomainKeys): string {
  return domain ?? `domain ${domainId}`;
}

/** The service ignores the other keys beside `keyword` (api.md, Record.List). */
export interface RecordFilter {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly line?: string | undefined;
  readonly lineId?: string | undefined;
  readonly keyword?: string | undefined;
}

export interface ZoneListing {
  readonly domain: ZoneHeader & { readonly id: string; readonly name: string };
  readonly counts: ZoneCounts & { readonly matching: number; readonly returned: number };
  readonly records: readonly LiveRecord[];
}

const isFilter = (filter: object): boolean => Object.values(filter).some((value) => value !== undefined);

/** @param onSend called when a request for the first page leaves, also for a repeated one */
export async function listRecords(
  client: Client,
  keys: DomainKeys,
  filter: RecordFilter = {},
  onSend?: () => void,
): Promise<ZoneListing> {
  const { domain, domainId } = keys;
  const call = { target: domainText(keys) };
  let header: ZoneHeader = {};
  let counts: ZoneCounts = {};
  const records = await readAll<LiveRecord>(client, {
    operation: "Record.List",
    target: call.target,
    what: "the zone",
    of: "record",
    idOf: (record) => record.id,
    page: async (offset) => {
      const request = { ...keys, ...filter, offset, length: PAGE_LENGTH };
      const options = offset === 0 ? { ...call, onSend } : call;
      const answer = await client.call("Record.List", request, options);
      refuseOther(keys, call.target, answer.zone);
      header = answer.zone;
      counts = answer.counts;
      const total = counts.matching ?? (isFilter(filter) ? undefined : counts.all);
      return { items: answer.records, total, returned: counts.returned };
    },
  });
  const isWhole =
    records !== undefined &&
    (header.id ?? domainId) !== undefined &&
    (header.name ?? header.punycode ?? domain) !== undefined;
  // It completes or contradicts the listing.
  const info = isWhole ? undefined : await client.call("Domain.Info", keys, call);
  if (records === undefined && !isFilter(filter)) refuseUnproved(call.target, info?.recordCount);
  const known: ZoneHeader = { ...info, ...header };
  const id = known.id ?? domainId ?? missingField("Domain.Info", call.target, "the domain's id (domain.id)");
  const name = known.name ?? known.punycode ?? call.target;
  const all = withOwnRecords(records ?? [], known.nameServers);
  const whole = records === undefined ? defined({ all: info?.recordCount }) : counts;
  return {
    domain: { ...known, id, name },
    counts: { ...whole, matching: all.length, returned: all.length },
    records: all,
  };
}

/** "No records" is an error code (service-notes, Records). */
function refuseUnproved(target: string, recordCount: number | undefined): void {
  if (recordCount === 0) return;
  if (recordCount === undefined)
    missingField(
      "Domain.Info",
      target,
      "how many records the domain has (domain.records), and the listing is empty",
    );
  throw new ProtocolError({
    operation: "Record.List",
    target,
    code: emptyZone,
    meaning: `the listing is empty, but the domain counts ${recordCount} records, so nothing is concluded from it`,
    help: ["try again in a minute"],
    outcome: "refused",
  });
}

export function missingField(operation: string, target: string, what: string): never {
  throw new ProtocolError({
    operation,
    target,
    meaning: `the answer lacks ${what}, so nothing is concluded from it and nothing was changed`,
    help: ["try again later", "if it stays so, report it with the name of the operation"],
    outcome: "refused",
  });
}

/** The listing of another domain must never count. */
function refuseOther({ domain, domainId }: DomainKeys, target: string, header: ZoneHeader): void {
  const normal = (name: string): string => domainToASCII(name.replace(/\.$/, "")) || name.toLowerCase();
  const names = [header.name, header.punycode].filter((name) => name !== undefined);
  const isOther =
    domain === undefined || names.length === 0
      ? domainId !== undefined && header.id !== undefined && header.id !== domainId
      : !names.some((listed) => normal(listed) === normal(domain));
  if (!isOther) return;
  throw new ProtocolError({
    operation: "Record.List",
    target,
    meaning: `the answer is about another domain (${names[0] ?? header.id ?? "without a name"})`,
    help: ["check that the domain's id and name belong together"],
    outcome: "refused",
  });
}

/** Kind of domains → the service's word. */
export const domainKinds = {
  all: "all",
  mine: "mine",
  sharedToMe: "share",
  sharedByMe: "share_out",
  starred: "ismark",
  paused: "pause",
  vip: "vip",
  recent: "recent",
} as const;

export type DomainFilter = Pick<Requests["Domain.List"], "type" | "keyword" | "groupId">;

export async function listDomains(
  client: Client,
  filter: DomainFilter = {},
): Promise<{ readonly counters?: DomainCounters; readonly domains: readonly DomainSummary[] }> {
  let counters: DomainCounters | undefined;
  const domains = await readAll<DomainSummary>(client, {
    operation: "Domain.List",
    target: undefined,
    what: "the list of domains",
    of: "domain",
    idOf: (domain) => domain.id ?? domain.name,
    page: async (offset) => {
      const answer = await client.call("Domain.List", { ...filter, offset, length: PAGE_LENGTH });
      counters = answer.counters;
      const total = counters.matching ?? (isFilter(filter) ? undefined : counters.all);
      return { items: answer.domains, total };
    },
  });
  return domains === undefined ? { domains: [] } : { ...defined({ counters }), domains };
}
