/** Results from the wire's JSON. Only needed fields must be there and readable (service-notes, How the service has really answered). */
import { defined } from "../support/defined";
import * as entities from "./entities";
import * as jobs from "./job-entities";
import {
  entity,
  type Form,
  id,
  isObject,
  list,
  maybeEmpty,
  maybeId,
  maybeList,
  maybeObject,
  maybeText,
  neededList,
  read,
  type Reader,
  type Wire,
} from "./wire";

export type Answer<T> = (body: Wire, form: Form) => T;

export const domainInfo: Answer<entities.DomainDetail> = (body, form) => {
  const wire = isObject(body["domain"]) ? body["domain"] : {};
  const name = maybeText(wire["name"]) ?? maybeText(wire["punycode"]) ?? form["domain"];
  const domain = { ...wire, name, id: maybeId(wire["id"]) ?? form["domain_id"] };
  return read({ domain }, "domain", entities.domainDetail);
};

export const domainList: Answer<{
  readonly counters: entities.DomainCounters;
  readonly domains: readonly entities.DomainSummary[];
}> = (body) => {
  const counters = read(body, "info", maybeObject(entities.domainCounters));
  return { counters, domains: counted(body, "domains", entities.domainSummary, counters.matching) };
};

/** A gap never proves absence. */
function counted<T>(body: Wire, key: string, element: Reader<T>, count: number | undefined): readonly T[] {
  return read(body, key, count === 0 ? list(element) : neededList(element));
}

/** Labels drift: all with a limit are kept (service-notes, Purview labels). */
export const purview: Answer<entities.PurviewEntry[]> = (body) =>
  read(body, "purview", neededList(entities.purviewEntry)).flatMap(({ name, value }) =>
    name === undefined || value === undefined ? [] : [{ name, value }],
  );

export const statusOnly: Answer<Readonly<Record<string, never>>> = () => ({});

export const recordList: Answer<{
  readonly zone: entities.ZoneHeader;
  readonly counts: entities.ZoneCounts;
  readonly records: readonly entities.LiveRecord[];
}> = (body) => {
  const zone = read(body, "domain", maybeObject(entities.zoneHeader));
  const counts = read(body, "info", maybeObject(entities.zoneCounts));
  const records = counted(body, "records", entities.listedRecord, counts.returned ?? counts.matching);
  return { zone, counts, records: withOwnRecords(records, zone.nameServers) };
};

export const recordInfo: Answer<{
  readonly domain: entities.DomainBrief;
  readonly record: entities.LiveRecord;
}> = (body, form) => {
  const wire = body["record"];
  const shown = isObject(wire) ? { ...wire, id: maybeId(wire["id"]) ?? form["record_id"] } : wire;
  const live = read({ record: shown }, "record", entities.shownRecord);
  const brief = read(body, "domain", maybeObject(entities.domainBrief));
  const [record = live] = withOwnRecords([live], brief.nameServers);
  return {
    domain: defined({
      ...brief,
      domainId:
        brief.domainId ?? (isObject(wire) ? maybeId(wire["domain_id"]) : undefined) ?? form["domain_id"],
      domain: brief.domain ?? form["domain"],
    }),
    record,
  };
};

export const jobQueued: Answer<{ readonly jobId: string }> = (body) => ({ jobId: read(body, "job_id", id) });

export const jobDetail: Answer<jobs.JobDetail> = (body, form) => {
  const detail = jobs.job(body, body);
  return {
    ...detail,
    jobId: form["job_id"] ?? "",
    items: counted(body, "detail", jobs.jobItem, detail.total),
  };
};

/** They may repeat any value. */
export function cleanedJob(detail: jobs.JobDetail, clean: (text: string) => string): jobs.JobDetail {
  const safe = <T extends { readonly error?: string; readonly status?: string }>(each: T): T =>
    each.error === undefined || each.status === "ok" ? each : { ...each, error: clean(each.error) };
  return { ...detail, items: detail.items.map((item) => safe({ ...item, records: item.records.map(safe) })) };
}

export const monitorHistory: Answer<jobs.MonitorHistory> = (body) => {
  const points = read(body, "monitor_history", maybeList(jobs.monitorPoint));
  return {
    ...read(body, "domain", maybeObject(jobs.monitoredDomain)),
    ...read(body, "record", maybeObject(jobs.monitoredRecord)),
    ...defined({ points: points?.map(({ data, ...point }) => ({ ...point, ...data })) }),
  };
};

export const customLines: Answer<entities.CustomLines> = (body) =>
  read(body, "data", maybeObject(entities.customLines));

export const recordModified: Answer<{ readonly recordId?: string }> = (body) =>
  read(body, "record", maybeObject(entity({ recordId: ["id", maybeId] })));

export const shareList: Answer<{ readonly shares: readonly entities.DomainShareEntry[] }> = (body) => ({
  shares: read(body, "share", neededList(entities.share)),
});

/** api.md, Response envelope. */
export function envelope(body: Wire): { readonly code?: string; readonly message?: string } {
  const status = body["status"];
  return isObject(status)
    ? defined({ code: maybeEmpty(status["code"]), message: maybeText(status["message"]) })
    : {};
}

/** Fills in `hold` of the service's own NS records: marked, or known by their targets (service-notes, Records). */
export function withOwnRecords(
  records: readonly entities.LiveRecord[],
  nameServers: readonly string[] | undefined,
): readonly entities.LiveRecord[] {
  if (records.every(({ hold }) => hold !== undefined)) return records;
  const own = new Set((nameServers ?? []).map(hostName));
  const isKnown = own.size > 0 || records.some(({ hold }) => hold === true);
  return records.map((record) =>
    record.hold !== undefined || !isKnown ? record : { ...record, hold: own.has(hostName(record.value)) },
  );
}

function hostName(text: string): string {
  return text.trim().replace(/\.$/, "").toLowerCase();
}
