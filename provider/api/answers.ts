/**
 * The answers of the operations: zod schemas from the wire's JSON to the typed results of types.ts. Required is only
 * what no caller can do without; whatever else is missing, null or not to be understood is left out, every flip of a
 * type on record is understood, and unknown keys are ignored (service-notes, How the service has really answered).
 */
import { z } from "zod";
import { withOwnRecords } from "./own-records";
import type * as t from "./types";
import {
  given,
  hostLabel,
  id,
  isObject,
  limitValue,
  list,
  maybeCount,
  maybeEmpty,
  maybeFlag,
  maybeHostLabel,
  maybeId,
  maybeInteger,
  maybeList,
  maybeObject,
  maybeText,
  maybeTime,
  maybeWord,
  nameServersOf,
  text,
} from "./wire";

const nameServers = z.array(z.string()).optional();

/** An object of which one key, whose name varies, holds the name servers. */
function withNameServers<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess((raw) => (isObject(raw) ? { ...raw, nameServers: nameServersOf(raw) } : raw), schema);
}

/** The keys of an object whose value the service told; typed as such. */
type Told<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The object without the keys that hold nothing: an absent key, as exact optional types want. */
function told<T extends object>(all: T): Partial<Told<T>> {
  const some: Partial<Told<T>> = {};
  for (const key in all) {
    const value = all[key];
    if (isTold(value)) some[key] = value;
  }
  return some;
}

function isTold<V>(value: V): value is Exclude<V, undefined> {
  return value !== undefined;
}

/** The domain that a request named, for an answer that leaves it out. */
const asked = z.object({ domain: maybeText, domain_id: maybeText, record_id: maybeText }).optional();

const domainShape = {
  id: maybeId,
  name: maybeText,
  punycode: maybeText,
  grade: maybeText,
  grade_title: maybeText,
  status: maybeText,
  ext_status: maybeEmpty,
  records: maybeCount,
  group_id: maybeText,
  is_mark: maybeFlag,
  remark: maybeText,
  is_vip: maybeFlag,
  searchengine_push: maybeFlag,
  created_on: maybeTime,
  updated_on: maybeTime,
  ttl: maybeCount,
  cname_speedup: maybeFlag,
  owner: maybeText,
  vip_start_at: maybeTime,
  vip_end_at: maybeTime,
  vip_auto_renew: maybeText,
  auth_to_security: maybeFlag,
  nameServers,
};

const wireDomain = z.object(domainShape);

function summaryOf(w: z.output<typeof wireDomain>, name: string): t.DomainSummary {
  return {
    name,
    ...told({
      id: w.id,
      punycode: w.punycode,
      grade: w.grade,
      gradeTitle: w.grade_title,
      status: w.status,
      extStatus: w.ext_status,
      recordCount: w.records,
      groupId: w.group_id,
      starred: w.is_mark,
      remark: w.remark,
      vip: w.is_vip,
      searchEnginePush: w.searchengine_push,
      createdOn: w.created_on,
      updatedOn: w.updated_on,
      ttl: w.ttl,
      cnameSpeedup: w.cname_speedup,
      owner: w.owner,
      vipStartAt: w.vip_start_at,
      vipEndAt: w.vip_end_at,
      vipAutoRenew: w.vip_auto_renew,
      authToSecurity: w.auth_to_security,
      nameServers: w.nameServers,
    }),
  };
}

/** Says that an answer must hold a text and does not. */
function missing(context: z.RefinementCtx, path: (string | number)[], expected = "a text"): never {
  context.addIssue({ code: "custom", message: `expected ${expected}, found nothing`, path });
  return z.NEVER;
}

/** A domain of a list; without a name nobody can tell which one it is. */
const domainSummary: z.ZodType<t.DomainSummary> = withNameServers(
  wireDomain.transform((w, context) => {
    const name = w.name ?? w.punycode;
    return name === undefined ? missing(context, ["name"]) : summaryOf(w, name);
  }),
);

const wireDetail = z.object({ ...domainShape, user_id: maybeText, is_beian: maybeFlag });

/** api.md, Domain.Info. */
export const domainInfo: z.ZodType<t.DomainDetail> = z
  .object({ request: asked, domain: withNameServers(maybeObject(wireDetail)) })
  .transform(({ request, domain: w }, context) => {
    const name = w.name ?? w.punycode ?? request?.domain;
    if (name === undefined) return missing(context, ["domain", "name"]);
    const domainId = w.id ?? request?.domain_id;
    return { ...summaryOf(w, name), ...told({ id: domainId, userId: w.user_id, filed: w.is_beian }) };
  });

const counters: z.ZodType<t.DomainCounters> = z
  .object({
    domain_total: maybeCount,
    all_total: maybeCount,
    mine_total: maybeCount,
    share_total: maybeCount,
    share_out_total: maybeCount,
    vip_total: maybeCount,
    ismark_total: maybeCount,
    pause_total: maybeCount,
    error_total: maybeCount,
    lock_total: maybeCount,
    spam_total: maybeCount,
    vip_expire: maybeCount,
  })
  .transform((w) =>
    told({
      matching: w.domain_total,
      all: w.all_total,
      mine: w.mine_total,
      sharedToMe: w.share_total,
      sharedByMe: w.share_out_total,
      vip: w.vip_total,
      starred: w.ismark_total,
      paused: w.pause_total,
      dnsError: w.error_total,
      locked: w.lock_total,
      banned: w.spam_total,
      vipExpiring: w.vip_expire,
    }),
  );

/** A list may only be missing where the service counts nothing in it: absence is never concluded from a gap. */
function counted<T>(items: readonly T[] | undefined, count: number | undefined): readonly T[] | undefined {
  return items ?? (count === 0 ? [] : undefined);
}

/** api.md, Domain.List. */
export const domainList: z.ZodType<{ counters: t.DomainCounters; domains: readonly t.DomainSummary[] }> = z
  .object({ info: maybeObject(counters), domains: maybeList(domainSummary) })
  .transform((w, context) => {
    const domains = counted(w.domains, w.info.matching);
    return domains === undefined ? missing(context, ["domains"], "a list") : { counters: w.info, domains };
  });

/** api.md, Domain.Purview. Labels drift: all are kept (service-notes, Purview labels), but for what names no limit. */
export const purview: z.ZodType<t.PurviewEntry[]> = z
  .object({ purview: z.array(z.object({ name: maybeText, value: limitValue.optional().catch(undefined) })) })
  .transform((w) =>
    w.purview.flatMap(({ name, value }) =>
      name === undefined || value === undefined ? [] : [{ name, value }],
    ),
  );

/** An answer that holds its status only. */
export const statusOnly: z.ZodType<Record<string, never>> = z.unknown().transform(() => ({}));

const zoneHeader: z.ZodType<t.ZoneHeader> = withNameServers(
  maybeObject(wireDomain.extend({ min_ttl: maybeCount })).transform((w) =>
    told({
      id: w.id,
      name: w.name,
      punycode: w.punycode,
      grade: w.grade,
      owner: w.owner,
      extStatus: w.ext_status,
      ttl: w.ttl,
      minTtl: w.min_ttl,
      status: w.status,
      nameServers: w.nameServers,
    }),
  ),
);

/** The keys that Record.List and Record.Info share. */
const recordShape = {
  value: text,
  weight: maybeCount,
  mx: maybeCount,
  ttl: maybeCount,
  enabled: maybeFlag,
  status: maybeFlag,
  monitor_status: maybeText,
  remark: maybeText,
  updated_on: maybeTime,
  use_aqb: maybeFlag,
  hold: maybeText,
};

type WireRecord = z.output<z.ZodObject<typeof recordShape>>;

/** MX keeps its priority in `mx`; so does an SRV whose value says weight, port and target alone. */
function hasPriority(type: string, value: string): boolean {
  const upper = type.toUpperCase();
  return upper === "MX" || (upper === "SRV" && /^\s*\d+\s+\d+\s+[^\s]+\s*$/.test(value));
}

function liveRecord(
  w: WireRecord,
  host: { id: string; name: string; type: string; line: string | undefined; lineId: string | undefined },
): t.LiveRecord {
  const { id: recordId, name, type, line = "", lineId } = host;
  return {
    id: recordId,
    name,
    type,
    line,
    value: w.value,
    ...told({
      lineId,
      // api.md: `0` for the other types, which have none.
      priority: hasPriority(type, w.value) ? w.mx : undefined,
      ttl: w.ttl,
      weight: w.weight,
      // What is left out of one key may stand in the other (service-notes, Record.List of 2016).
      enabled: w.enabled ?? w.status,
      monitorStatus: w.monitor_status?.toLowerCase(),
      remark: w.remark,
      updatedOn: w.updated_on,
      securityCenter: w.use_aqb,
      // What marks no NS record of the apex leaves it open whose it is: see own-records.
      hold: w.hold === "hold" ? true : type.toUpperCase() === "NS" && name === "@" ? undefined : false,
    }),
  };
}

/** A line is known by its name, or by its number where it is the default one (service-notes, Records). */
function isKnownLine(line: string | undefined, lineId: string | undefined): boolean {
  return line !== undefined || lineId === "0";
}

const listedRecord: z.ZodType<t.LiveRecord> = z
  .object({ ...recordShape, id, name: hostLabel, type: text, line: maybeText, line_id: maybeText })
  .transform((w, context) => {
    if (!isKnownLine(w.line, w.line_id)) return missing(context, ["line"]);
    return liveRecord(w, { id: w.id, name: w.name, type: w.type, line: w.line, lineId: w.line_id });
  });

/** api.md, Record.List. */
export const recordList: z.ZodType<{
  zone: t.ZoneHeader;
  counts: t.ZoneCounts;
  records: readonly t.LiveRecord[];
}> = z
  .object({
    domain: zoneHeader,
    info: maybeObject(
      z.object({ sub_domains: maybeCount, record_total: maybeCount, records_num: maybeCount }),
    ),
    records: maybeList(listedRecord),
  })
  .transform((w, context) => {
    const counts: t.ZoneCounts = told({
      all: w.info.sub_domains,
      matching: w.info.record_total,
      returned: w.info.records_num,
    });
    const records = counted(w.records, counts.returned ?? counts.matching);
    if (records === undefined) return missing(context, ["records"], "a list");
    return { zone: w.domain, counts, records: withOwnRecords(records, w.domain.nameServers) };
  });

const wireBrief = z.object({ id: maybeId, domain: maybeText, domain_grade: maybeText, nameServers });

/** api.md, Record.Info. */
export const recordInfo: z.ZodType<t.RecordDetail> = z
  .object({
    request: asked,
    domain: withNameServers(maybeObject(wireBrief)),
    record: z.object({
      ...recordShape,
      id: maybeId,
      domain_id: maybeId,
      sub_domain: hostLabel,
      record_type: text,
      record_line: maybeText,
      record_line_id: maybeText,
    }),
  })
  .transform(({ request, domain, record: w }, context) => {
    const recordId = w.id ?? request?.record_id;
    if (recordId === undefined) return missing(context, ["record", "id"], "an id");
    if (!isKnownLine(w.record_line, w.record_line_id)) return missing(context, ["record", "record_line"]);
    const host = {
      id: recordId,
      name: w.sub_domain,
      type: w.record_type,
      line: w.record_line,
      lineId: w.record_line_id,
    };
    const live = liveRecord(w, host);
    const [record = live] = withOwnRecords([live], domain.nameServers);
    const name = domain.domain ?? request?.domain;
    return {
      domain: told({
        id: domain.id ?? w.domain_id ?? request?.domain_id,
        name,
        grade: domain.domain_grade,
        nameServers: domain.nameServers,
      }),
      record,
    };
  });

/** api.md, Batch.Record.Create: the echo is not read. */
export const jobQueued: z.ZodType<{ jobId: string }> = z
  .object({ job_id: id })
  .transform((w) => ({ jobId: w.job_id }));

const itemStatus = maybeWord("waiting", "running", "ok", "error");

const jobRecord: z.ZodType<t.JobRecord> = z
  .object({
    id: maybeCount,
    sub_domain: maybeHostLabel,
    record_type: maybeText,
    area: maybeText,
    value: maybeEmpty,
    ttl: maybeCount,
    mx: maybeCount,
    err_msg: maybeText,
    status: itemStatus,
    operation: maybeText,
    record_id: maybeId,
  })
  .transform((w) =>
    told({
      index: w.id,
      subDomain: w.sub_domain,
      type: w.record_type,
      line: w.area,
      value: w.value,
      priority: hasPriority(w.record_type ?? "", w.value ?? "") ? w.mx : undefined,
      ttl: w.ttl,
      status: w.status,
      operation: w.operation,
      error: w.err_msg,
      recordId: w.record_id,
    }),
  );

const jobItem: z.ZodType<t.JobItem> = z
  .object({
    id: maybeCount,
    domain: maybeText,
    domain_id: maybeId,
    domain_grade: maybeText,
    status: itemStatus,
    operation: maybeText,
    err_msg: maybeText,
    records: list(jobRecord),
  })
  .transform((w) => ({
    ...told({
      index: w.id,
      domainId: w.domain_id,
      domain: w.domain,
      grade: w.domain_grade,
      status: w.status,
      operation: w.operation,
      error: w.err_msg,
    }),
    records: w.records,
  }));

/** What went wrong, in the service's words, of a domain or a record of a job: these may repeat anything. */
export function cleanedJob(job: t.JobDetail, clean: (text: string) => string): t.JobDetail {
  const safe = <T extends { readonly error?: string; readonly status?: string }>(each: T): T =>
    each.error === undefined || each.status === "ok" ? each : { ...each, error: clean(each.error) };
  return { ...job, items: job.items.map((item) => safe({ ...item, records: item.records.map(safe) })) };
}

/** api.md, Batch.Detail; the answer does not name the job, so its id is the request's. */
export const jobDetail: z.ZodType<t.JobDetail> = z
  .object({
    request: z.object({ job_id: id }),
    type: maybeText,
    total: maybeCount,
    success: maybeCount,
    fail: maybeCount,
    created_at: maybeTime,
    detail: maybeList(jobItem),
  })
  .transform((w, context) => {
    const items = counted(w.detail, w.total);
    if (items === undefined) return missing(context, ["detail"], "a list");
    return {
      jobId: w.request.job_id,
      ...told({ type: w.type, total: w.total, success: w.success, fail: w.fail, createdAt: w.created_at }),
      items,
    };
  });

const monitorSample: z.ZodType<t.MonitorSample> = z
  .object({ status: maybeText, status_code: maybeInteger, createtime: maybeTime, responsetime: maybeInteger })
  .transform((w) =>
    told({
      status: w.status,
      statusCode: w.status_code,
      createdAt: w.createtime,
      responseTime: w.responsetime,
    }),
  );

const monitorPoint: z.ZodType<t.MonitorPoint> = z
  .object({
    point: maybeText,
    data: maybeObject(z.object({ message: maybeText, code: maybeInteger, data: maybeList(monitorSample) })),
  })
  .transform((w) =>
    told({ point: w.point, message: w.data.message, code: w.data.code, samples: w.data.data }),
  );

/** api.md, Monitor.Gethistory. */
export const monitorHistory: z.ZodType<t.MonitorHistory> = z
  .object({
    domain: maybeObject(z.object({ id: maybeId, domain: maybeText, domain_grade: maybeText })),
    record: maybeObject(z.object({ id: maybeId, sub_domain: maybeHostLabel, ip: maybeText })),
    monitor_history: maybeList(monitorPoint),
  })
  .transform((w) => ({
    domain: told({ id: w.domain.id, name: w.domain.domain, grade: w.domain.domain_grade }),
    record: told({ id: w.record.id, name: w.record.sub_domain, ip: w.record.ip }),
    ...told({ points: w.monitor_history }),
  }));

const customLine: z.ZodType<t.CustomLine> = z
  .object({
    domain_id: maybeId,
    name: maybeText,
    area: maybeText,
    use_count: maybeCount,
    max_count: maybeCount,
  })
  .transform((w) =>
    told({ domainId: w.domain_id, name: w.name, area: w.area, useCount: w.use_count, maxCount: w.max_count }),
  );

/** api.md, Custom.Line.List. */
export const customLines: z.ZodType<t.CustomLines> = z
  .object({ data: maybeObject(z.object({ areas: maybeList(customLine), available_count: maybeCount })) })
  .transform((w) => told({ lines: w.data.areas, available: w.data.available_count }));

/** service-notes.md, Record.Modify: of its echo only the id is read. */
export const recordModified: z.ZodType<{ recordId?: string }> = z
  .object({ record: maybeObject(z.object({ id: maybeId })) })
  .transform((w) => given("recordId", w.record.id));

const share: z.ZodType<t.DomainShareEntry> = z
  .object({ share_to: text, mode: maybeWord("r", "rw"), status: maybeText, sub_domain: maybeText })
  .transform((w) => ({
    email: w.share_to,
    ...told({
      mode: w.mode,
      pending: w.status === undefined ? undefined : w.status === "pending",
      subDomain: w.sub_domain,
    }),
  }));

/** service-notes.md, Domainshare.List. */
export const shareList: z.ZodType<{ shares: readonly t.DomainShareEntry[] }> = z
  .object({ share: maybeList(share) })
  .transform((w, context) =>
    w.share === undefined ? missing(context, ["share"], "a list") : { shares: w.share },
  );

/** The envelope of every answer (api.md, Response envelope). */
export const envelope = z.object({
  status: z.object({ code: text, message: maybeText, created_at: maybeTime }),
});
