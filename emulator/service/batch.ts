/** Batch.Record.Create and Batch.Detail (api.md, Endpoints). */
import { z } from "zod";
import { checkAccess, integer, sent, strictCodes, type Context } from "./context";
import { commonCodes, serviceTime, type JsonObject } from "./envelope";
import { itemStatus, progress, queueJob, recordStatus } from "./jobs";
import { hostLabel } from "./rules";
import { defaultLine } from "./lines";
import type { Domain, Job, JobItem, JobRecord } from "./model";

const number = z.union([z.number(), z.string()]);
const recordObject = z.looseObject({
  sub_domain: z.string(),
  record_type: z.string().min(1),
  record_line: z.string().optional(),
  value: z.string().min(1),
  ttl: number.optional(),
  MX: number.optional(),
});
type RecordObject = z.output<typeof recordObject>;

export function batchCreate(context: Context): JsonObject {
  const { world, account, now } = context;
  const domains = domainsOf(context);
  const objects = recordsOf(context);
  const items = domains.map((domain, index) => itemOf(context, domain, index, objects));
  refuseCrowd(context, items);
  const job = queueJob(world, account, "record_add", items);
  for (const domain of domains) domain.operatedAt = now;
  return { job_id: String(job.id), detail: items.map(echo) };
}

export function refuseCrowd({ world, account, refusal }: Context, items: readonly JobItem[]): void {
  const { maxJobs, maxRecordsPerJob } = world.settings;
  const open = [...world.openJobs].filter((job) => job.account === account).length;
  if (maxJobs > 0 && open >= maxJobs) throw refusal(commonCodes.callLimit, "Too many jobs are unfinished");
  const records = items.reduce((sum, item) => sum + item.records.length, 0);
  if (maxRecordsPerJob > 0 && records > maxRecordsPerJob) {
    throw refusal("34", `A job takes at most ${maxRecordsPerJob} records`);
  }
}

function domainsOf(context: Context): Domain[] {
  const { world, params, refusal } = context;
  const ids = (sent(params, "domain_id") ?? "").split(",").map((id) => integer(id.trim()));
  if (ids.some(Number.isNaN)) throw refusal("6");
  return [...new Set(ids)].map((id) => {
    const domain = world.domains.get(id);
    if (domain === undefined) throw refusal("8", `Domain invalid: ${id}`);
    checkAccess(context, domain, strictCodes);
    return domain;
  });
}

function recordsOf({ params, refusal }: Context): RecordObject[] {
  try {
    return z
      .array(recordObject)
      .min(1)
      .parse(JSON.parse(sent(params, "records") ?? ""));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : "it is not JSON";
    throw refusal("34", `Parameter records is wrong: ${why}`);
  }
}

function itemOf({ world }: Context, domain: Domain, id: number, objects: readonly RecordObject[]): JobItem {
  const records: JobRecord[] = [];
  for (const object of objects) {
    for (const label of object.sub_domain.split(",")) {
      records.push({
        id: records.length,
        name: hostLabel(label),
        type: object.record_type,
        area: object.record_line ?? defaultLine(world.settings),
        value: object.value,
        mx: object.record_type === "MX" && object.MX !== undefined ? String(object.MX) : null,
        ttl: Number(object.ttl ?? domain.ttl),
        sent: object,
        status: "waiting",
        error: null,
        recordId: null,
      });
    }
  }
  return {
    id,
    domainId: domain.id,
    domain: domain.name,
    grade: domain.grade,
    status: "waiting",
    error: null,
    records,
  };
}

const domainOfItem = (item: JobItem): JsonObject => ({
  id: item.id,
  domain_id: String(item.domainId),
  domain: item.domain,
  domain_grade: item.grade,
});

const content = ({ id, name, type, area, value }: JobRecord): JsonObject => ({
  id,
  sub_domain: name,
  record_type: type,
  area,
  value,
});

export const waiting = { err_msg: null, status: "waiting" };

/** `mx` is filled even for an A record, and `ttl` is a string (service-notes.md). */
function echo(item: JobItem): JsonObject {
  return {
    ...domainOfItem(item),
    ...waiting,
    operation: null,
    records: item.records.map((record) => ({
      mx: record.mx ?? "10",
      ttl: String(record.ttl),
      operation: "plus",
      ...content(record),
      ...waiting,
    })),
  };
}

const operationOf = { record_add: "plus", record_modify: "edit" } as const;

export function batchDetail({ world, account, params, now, refusal }: Context): JsonObject {
  const job = world.jobs.get(integer(sent(params, "job_id") ?? ""));
  if (job === undefined || job.account !== account) throw refusal("8");
  return {
    detail: job.items.map((item) => shownItem(job, item, now)),
    ...progress(job),
    type: job.type,
    created_at: serviceTime(job.createdAt),
  };
}

function shownItem(job: Job, item: JobItem, now: number): JsonObject {
  return {
    ...domainOfItem(item),
    err_msg: item.error,
    status: itemStatus(job, item, now),
    operation: operationOf[job.type],
    records: item.records.map((record) => ({
      // A string in jobs that modify (service-notes.md).
      ttl: job.type === "record_modify" ? String(record.ttl) : record.ttl,
      mx: record.mx,
      err_msg: record.error,
      status: recordStatus(job, item, record, now),
      operation: operationOf[job.type],
      ...content(record),
      // An integer here only; absent before the record exists.
      ...(record.recordId === null ? {} : { record_id: record.recordId }),
    })),
  };
}
