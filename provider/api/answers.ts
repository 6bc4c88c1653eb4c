/**
 * The answers of the operations: zod schemas from the wire's JSON to the typed results of types.ts. Unknown keys
 * are ignored, every documented flip of a type is understood, anything else is refused by name.
 */
import { z } from "zod";
import type * as t from "./types";
import {
  count,
  flag,
  given,
  hostLabel,
  id,
  isObject,
  limitValue,
  list,
  looseFlag,
  maybeCount,
  maybeId,
  maybeInteger,
  maybeText,
  maybeTime,
  nameServersOf,
  text,
  word,
} from "./wire";

/** An object of which one key, whose name varies, holds the name servers. */
function withNameServers<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess((raw) => (isObject(raw) ? { ...raw, nameServers: nameServersOf(raw) } : raw), schema);
}

const nameServers = z.array(z.string());

const domainShape = {
  id,
  name: text,
  punycode: maybeText,
  grade: maybeText,
  grade_title: maybeText,
  status: text,
  ext_status: maybeText,
  records: count,
  group_id: maybeText,
  is_mark: looseFlag,
  remark: maybeText,
  is_vip: looseFlag,
  searchengine_push: looseFlag,
  created_on: maybeTime,
  updated_on: maybeTime,
  ttl: count,
  cname_speedup: looseFlag,
  owner: maybeText,
  vip_start_at: maybeTime,
  vip_end_at: maybeTime,
  vip_auto_renew: maybeText,
  nameServers,
};

const wireDomain = z.object(domainShape);

function summaryOf(w: z.output<typeof wireDomain>): t.DomainSummary {
  return {
    id: w.id,
    name: w.name,
    punycode: w.punycode ?? w.name,
    grade: w.grade ?? "",
    ...given("gradeTitle", w.grade_title),
    status: w.status,
    extStatus: w.ext_status ?? "",
    recordCount: w.records,
    ...given("groupId", w.group_id),
    starred: w.is_mark,
    ...given("remark", w.remark),
    vip: w.is_vip,
    searchEnginePush: w.searchengine_push,
    ...given("createdOn", w.created_on),
    ...given("updatedOn", w.updated_on),
    ttl: w.ttl,
    cnameSpeedup: w.cname_speedup,
    owner: w.owner ?? "",
    ...given("vipStartAt", w.vip_start_at),
    ...given("vipEndAt", w.vip_end_at),
    ...given("vipAutoRenew", w.vip_auto_renew),
    nameServers: w.nameServers,
  };
}

const domainSummary: z.ZodType<t.DomainSummary> = withNameServers(wireDomain.transform(summaryOf));

const domainDetail: z.ZodType<t.DomainDetail> = withNameServers(
  z.object({ ...domainShape, user_id: maybeText, is_beian: maybeText }).transform((w) => ({
    ...summaryOf(w),
    ...given("userId", w.user_id),
    ...given("filed", w.is_beian === undefined ? undefined : w.is_beian === "yes"),
  })),
);

/** api.md, Domain.Info. */
export const domainInfo: z.ZodType<t.DomainDetail> = z.object({ domain: domainDetail }).transform((w) => w.domain);

const zero = maybeCount.transform((value) => value ?? 0);
const counters: z.ZodType<t.DomainCounters> = z
  .object({
    domain_total: count,
    all_total: zero,
    mine_total: zero,
    share_total: zero,
    share_out_total: zero,
    vip_total: zero,
    ismark_total: zero,
    pause_total: zero,
    error_total: zero,
    lock_total: zero,
    spam_total: zero,
    vip_expire: zero,
  })
  .transform((w) => ({
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
  }));

/** api.md, Domain.List. */
export const domainList: z.ZodType<{ counters: t.DomainCounters; domains: t.DomainSummary[] }> = z
  .object({ info: counters, domains: list(domainSummary) })
  .transform((w) => ({ counters: w.info, domains: w.domains }));

/** api.md, Domain.Purview. Labels drift: all are kept (service-notes, Purview labels). */
export const purview: z.ZodType<t.PurviewEntry[]> = z
  .object({ purview: z.array(z.object({ name: text, value: limitValue })) })
  .transform((w) => w.purview);

/** An answer that holds its status only. */
export const statusOnly: z.ZodType<Record<string, never>> = z.unknown().transform(() => ({}));

const zoneHeader: z.ZodType<t.ZoneHeader> = withNameServers(
  z
    .object({
      id,
      name: text,
      punycode: maybeText,
      grade: maybeText,
      owner: maybeText,
      ext_status: maybeText,
      ttl: count,
      min_ttl: maybeCount,
      status: maybeText,
      nameServers,
    })
    .transform((w) => ({
      id: w.id,
      name: w.name,
      punycode: w.punycode ?? w.name,
      grade: w.grade ?? "",
      owner: w.owner ?? "",
      extStatus: w.ext_status ?? "",
      ttl: w.ttl,
      ...given("minTtl", w.min_ttl),
      ...given("status", w.status),
      nameServers: w.nameServers,
    })),
);

const monitorStatus = maybeText.transform((status) => status?.toLowerCase()).optional();
const weight = maybeCount;

/** The keys that Record.List and Record.Info share. */
const recordShape = {
  id,
  value: text,
  weight,
  mx: maybeCount,
  ttl: count,
  enabled: flag,
  monitor_status: monitorStatus,
  remark: maybeText,
  updated_on: maybeTime,
};

interface WireRecord {
  readonly id: string;
  readonly value: string;
  readonly weight?: number | undefined;
  readonly mx?: number | undefined;
  readonly ttl: number;
  readonly enabled: boolean;
  readonly monitor_status?: string | undefined;
  readonly remark?: string | undefined;
  readonly updated_on?: string | undefined;
}

/** MX keeps its priority in `mx`; so does an SRV whose value says weight, port and target alone. */
function hasPriority(type: string, value: string): boolean {
  const upper = type.toUpperCase();
  return upper === "MX" || (upper === "SRV" && /^\s*\d+\s+\d+\s+[^\s]+\s*$/.test(value));
}

function liveRecord(w: WireRecord, host: { name: string; type: string; line: string; lineId: string | undefined; hold: boolean }): t.LiveRecord {
  return {
    id: w.id,
    name: host.name,
    type: host.type,
    line: host.line,
    ...given("lineId", host.lineId),
    value: w.value,
    // api.md: `0` for the other types, which have none.
    ...given("priority", hasPriority(host.type, w.value) ? w.mx : undefined),
    ttl: w.ttl,
    ...given("weight", w.weight),
    enabled: w.enabled,
    ...given("monitorStatus", w.monitor_status),
    ...given("remark", w.remark),
    ...given("updatedOn", w.updated_on),
    hold: host.hold,
  };
}

const listedRecord: z.ZodType<t.LiveRecord> = z
  .object({ ...recordShape, name: hostLabel, type: text, line: text, line_id: maybeText, hold: maybeText })
  .transform((w) => liveRecord(w, { name: w.name, type: w.type, line: w.line, lineId: w.line_id, hold: w.hold === "hold" }));

/** api.md, Record.List. */
export const recordList: z.ZodType<{ zone: t.ZoneHeader; counts: t.ZoneCounts; records: t.LiveRecord[] }> = z
  .object({
    domain: zoneHeader,
    info: z.object({ sub_domains: count, record_total: count, records_num: count }),
    records: z.array(listedRecord),
  })
  .transform((w) => ({
    zone: w.domain,
    counts: { all: w.info.sub_domains, matching: w.info.record_total, returned: w.info.records_num },
    records: w.records,
  }));

const domainBrief: z.ZodType<t.DomainBrief> = withNameServers(
  z
    .object({ id, domain: text, domain_grade: maybeText, nameServers })
    .transform((w) => ({ id: w.id, name: w.domain, grade: w.domain_grade ?? "", nameServers: w.nameServers })),
);

/** api.md, Record.Info. */
export const recordInfo: z.ZodType<t.RecordDetail> = z
  .object({
    domain: domainBrief,
    record: z
      .object({ ...recordShape, sub_domain: hostLabel, record_type: text, record_line: text, record_line_id: maybeText, hold: maybeText })
      .transform((w) =>
        liveRecord(w, { name: w.sub_domain, type: w.record_type, line: w.record_line, lineId: w.record_line_id, hold: w.hold === "hold" }),
      ),
  })
  .transform((w) => w);

/** api.md, Batch.Record.Create: the echo is no result and is not read. */
export const jobQueued: z.ZodType<{ jobId: string }> = z.object({ job_id: id }).transform((w) => ({ jobId: w.job_id }));

const itemStatus = word("waiting", "running", "ok", "error");

const jobRecord: z.ZodType<t.JobRecord> = z
  .object({
    sub_domain: hostLabel,
    record_type: text,
    area: maybeText,
    value: text,
    ttl: count,
    mx: maybeCount,
    err_msg: maybeText,
    status: itemStatus,
    record_id: maybeId,
  })
  .transform((w) => ({
    subDomain: w.sub_domain,
    type: w.record_type,
    line: w.area ?? "",
    value: w.value,
    ...given("priority", hasPriority(w.record_type, w.value) ? w.mx : undefined),
    ttl: w.ttl,
    status: w.status,
    ...given("error", w.err_msg),
    ...given("recordId", w.record_id),
  }));

const jobItem: z.ZodType<t.JobItem> = z
  .object({ domain: text, domain_id: maybeId, domain_grade: maybeText, status: itemStatus, err_msg: maybeText, records: list(jobRecord) })
  .transform((w) => ({
    ...given("domainId", w.domain_id),
    domain: w.domain,
    grade: w.domain_grade ?? "",
    status: w.status,
    ...given("error", w.err_msg),
    records: w.records,
  }));

/** What went wrong, in the service's words, of a domain or a record of a job: these may repeat anything. */
export function cleanedJob(job: t.JobDetail, clean: (text: string) => string): t.JobDetail {
  const safe = <T extends { readonly error?: string; readonly status: string }>(each: T): T =>
    each.error === undefined || each.status === "ok" ? each : { ...each, error: clean(each.error) };
  return { ...job, items: job.items.map((item) => safe({ ...item, records: item.records.map(safe) })) };
}

/** api.md, Batch.Detail; the answer does not name the job, so its id is the request's. */
export const jobDetail: z.ZodType<t.JobDetail> = z
  .object({
    request: z.object({ job_id: id }),
    type: word("domain", "record_add", "record_modify"),
    total: count,
    success: count,
    fail: count,
    created_at: maybeTime,
    detail: list(jobItem),
  })
  .transform((w) => ({
    jobId: w.request.job_id,
    type: w.type,
    total: w.total,
    success: w.success,
    fail: w.fail,
    ...given("createdAt", w.created_at),
    items: w.detail,
  }));

const monitorSample: z.ZodType<t.MonitorSample> = z
  .object({ status: text, status_code: maybeInteger, createtime: maybeTime, responsetime: maybeInteger })
  .transform((w) => ({
    status: w.status,
    ...given("statusCode", w.status_code),
    ...given("createdAt", w.createtime),
    ...given("responseTime", w.responsetime),
  }));

const monitorPoint: z.ZodType<t.MonitorPoint> = z
  .object({
    point: text,
    data: z.object({ message: maybeText, code: maybeInteger, data: list(monitorSample) }),
  })
  .transform((w) => ({
    point: w.point,
    ...given("message", w.data.message),
    ...given("code", w.data.code),
    samples: w.data.data,
  }));

/** api.md, Monitor.Gethistory. */
export const monitorHistory: z.ZodType<t.MonitorHistory> = z
  .object({
    domain: z
      .object({ id, domain: text, domain_grade: maybeText })
      .transform((w) => ({ id: w.id, name: w.domain, grade: w.domain_grade ?? "" })),
    record: z.object({ id, sub_domain: hostLabel, ip: text }).transform((w) => ({ id: w.id, name: w.sub_domain, ip: w.ip })),
    monitor_history: list(monitorPoint),
  })
  .transform((w) => ({ domain: w.domain, record: w.record, points: w.monitor_history }));

/** api.md, Custom.Line.List. */
export const customLines: z.ZodType<t.CustomLines> = z
  .object({
    data: z.object({
      areas: list(
        z
          .object({ domain_id: id, name: text, area: text, use_count: count, max_count: count })
          .transform((w) => ({ domainId: w.domain_id, name: w.name, area: w.area, useCount: w.use_count, maxCount: w.max_count })),
      ),
      available_count: count,
    }),
  })
  .transform((w) => ({ lines: w.data.areas, available: w.data.available_count }));

/** service-notes.md, Record.Modify: of its echo only the id is read. */
export const recordModified: z.ZodType<{ recordId?: string }> = z
  .object({ record: z.object({ id: maybeId }).optional() })
  .transform((w) => given("recordId", w.record?.id));

/** service-notes.md, Domainshare.List. */
export const shareList: z.ZodType<{ shares: t.DomainShareEntry[] }> = z
  .object({
    share: list(
      z
        .object({ share_to: text, mode: text, status: maybeText, sub_domain: maybeText })
        .transform((w) => ({ email: w.share_to, mode: w.mode === "rw" ? ("rw" as const) : ("r" as const), pending: w.status === "pending", ...given("subDomain", w.sub_domain) })),
    ),
  })
  .transform((w) => ({ shares: w.share }));

/** The envelope of every answer (api.md, Response envelope). */
export const envelope = z.object({ status: z.object({ code: text, message: maybeText, created_at: maybeTime }) });
