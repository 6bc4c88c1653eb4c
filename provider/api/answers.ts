/** Results from the wire's JSON. Only needed fields must be there and readable (service-notes, How the service has really answered). */
import { defined } from "../support/defined";
import * as entities from "./entities";
import * as jobs from "./job-entities";
import {
  type Clean,
  entity,
  type Form,
  id,
  isObject,
  list,
  maybeId,
  maybeList,
  maybeObject,
  maybeText,
  neededList,
  read,
  type Decoder,
  type Wire,
  wordOf,
} from "./wire";

export type Answer<T> = (body: Wire, form: Form, clean: Clean) => T;

export const domainInfo: Answer<entities.DomainDetail> = (body, form, clean) => {
  const wire = isObject(body["domain"]) ? body["domain"] : {};
  const name =
    maybeText(wire["name"], wire, clean) ?? maybeText(wire["punycode"], wire, clean) ?? form["domain"];
  const domain = { ...wire, name, id: maybeId(wire["id"], wire, clean) ?? form["domain_id"] };
  return read({ domain }, "domain", entities.domainDetail, clean);
};

export const domainList: Answer<{
  readonly counters: entities.DomainCounters;
  readonly domains: readonly entities.DomainSummary[];
}> = (body, _form, clean) => {
  const counters = read(body, "info", maybeObject(entities.domainCounters), clean);
  return { counters, domains: counted(body, "domains", entities.domainSummary, counters.matching, clean) };
};

/** A gap never proves absence. */
function counted<T>(
  body: Wire,
  key: string,
  element: Decoder<T>,
  count: number | undefined,
  clean: Clean,
): readonly T[] {
  return read(body, key, count === 0 ? list(element) : neededList(element), clean);
}

/** Labels drift: all with a limit are kept (service-notes, Purview labels). */
export const purview: Answer<entities.PurviewEntry[]> = (body, _form, clean) =>
  read(body, "purview", neededList(entities.purviewEntry), clean).flatMap(({ name, value }) =>
    name === undefined || value === undefined ? [] : [{ name, value }],
  );

export const statusOnly: Answer<Readonly<Record<string, never>>> = () => ({});

export const recordList: Answer<{
  readonly zone: entities.ZoneHeader;
  readonly counts: entities.ZoneCounts;
  readonly records: readonly entities.LiveRecord[];
}> = (body, _form, clean) => {
  const zone = read(body, "domain", maybeObject(entities.zoneHeader), clean);
  const counts = read(body, "info", maybeObject(entities.zoneCounts), clean);
  const records = counted(body, "records", entities.listedRecord, counts.returned ?? counts.matching, clean);
  return { zone, counts, records: withOwnRecords(records, zone.nameServers) };
};

export const recordInfo: Answer<{
  readonly domain: entities.DomainBrief;
  readonly record: entities.LiveRecord;
}> = (body, form, clean) => {
  const wire = body["record"];
  const shown = isObject(wire)
    ? { ...wire, id: maybeId(wire["id"], wire, clean) ?? form["record_id"] }
    : wire;
  const live = read({ record: shown }, "record", entities.shownRecord, clean);
  const brief = read(body, "domain", maybeObject(entities.domainBrief), clean);
  const [record = live] = withOwnRecords([live], brief.nameServers);
  return {
    domain: defined({
      ...brief,
      domainId:
        brief.domainId ??
        (isObject(wire) ? maybeId(wire["domain_id"], wire, clean) : undefined) ??
        form["domain_id"],
      domain: brief.domain ?? form["domain"],
    }),
    record,
  };
};

export const jobQueued: Answer<{ readonly jobId: string }> = (body, _form, clean) => ({
  jobId: read(body, "job_id", id, clean),
});

export const jobDetail: Answer<jobs.JobDetail> = (body, form, clean) => {
  const detail = jobs.job(body, body, clean);
  return {
    ...detail,
    jobId: form["job_id"] ?? "",
    items: counted(body, "detail", jobs.jobItem, detail.total, clean),
  };
};

export const monitorHistory: Answer<jobs.MonitorHistory> = (body, _form, clean) => {
  const points = read(body, "monitor_history", maybeList(jobs.monitorPoint), clean);
  return {
    ...read(body, "domain", maybeObject(jobs.monitoredDomain), clean),
    ...read(body, "record", maybeObject(jobs.monitoredRecord), clean),
    ...defined({ points: points?.map(({ data, ...point }) => ({ ...point, ...data })) }),
  };
};

export const customLines: Answer<entities.CustomLines> = (body, _form, clean) =>
  read(body, "data", maybeObject(entities.customLines), clean);

/** `value`: as the service stores it. */
export const recordModified: Answer<{ readonly recordId?: string; readonly value?: string }> = (
  body,
  _form,
  clean,
) => read(body, "record", maybeObject(entity({ recordId: ["id", maybeId], value: maybeText })), clean);

export const shareList: Answer<{ readonly shares: readonly entities.DomainShareEntry[] }> = (
  body,
  _form,
  clean,
) => ({
  shares: read(body, "share", neededList(entities.share), clean),
});

/** api.md, Response envelope. As it came: the caller cleans it. */
export function envelope(body: Wire): { readonly code?: string; readonly message?: string } {
  const status = body["status"];
  return isObject(status)
    ? defined({ code: wordOf(status["code"]), message: wordOf(status["message"]) || undefined })
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
