/** Batch.Record.Modify (service-notes.md, Operations outside api.md). */
import { refuseCrowd, waiting } from "./batch";
import { checkAccess, integer, sent, strictCodes, type Context } from "./context";
import { editOf } from "./edits";
import type { JsonObject } from "./envelope";
import { queueJob } from "./jobs";
import { hostLabel } from "./rules";
import type { Domain, FieldChange, JobItem, JobRecord, Rec } from "./model";

const fields = ["sub_domain", "record_type", "area", "value", "mx", "ttl", "status"] as const;

export function batchModify(context: Context): JsonObject {
  const { world, account, now } = context;
  const change = changeOf(context);
  const targets = targetsOf(context);
  const items = [...targets].map(([domain, records], index): JobItem => ({
    id: index,
    domainId: domain.id,
    domain: domain.name,
    grade: domain.grade,
    status: "waiting",
    error: null,
    records: records.map((record, position) => jobRecord(record, change, position)),
  }));
  refuseCrowd(context, items);
  const job = queueJob(world, account, "record_modify", items);
  for (const domain of targets.keys()) domain.operatedAt = now;
  const detail = [...targets].map(([domain, records], index) => echo(domain, records, index));
  return { job_id: String(job.id), detail };
}

/** 34: the illegal value of record calls. No source names a code of this operation. */
function changeOf({ params, refusal }: Context): FieldChange {
  const field = fields.find((known) => known === params["change"]);
  if (field === undefined) throw refusal("34", `Parameter change must be one of ${fields.join(", ")}`);
  const to = params["change_to"];
  if (to === undefined || (to === "" && field !== "sub_domain"))
    throw refusal("34", "Parameter change_to is missing");
  const value = sent(params, "value");
  if (field === "record_type" && value === undefined)
    throw refusal("34", "Another type needs the parameter value");
  if (field === "status" && to !== "enable" && to !== "disable")
    throw refusal("34", "Status is neither enable nor disable");
  return { field, to, value, mx: sent(params, "mx") };
}

/** An unknown id refuses the whole call: no domain's item could contain the error (an assumption). */
function targetsOf(context: Context): Map<Domain, Rec[]> {
  const { world, params, refusal } = context;
  const targets = new Map<Domain, Rec[]>();
  const ids = (sent(params, "record_id") ?? "").split(",").map((id) => integer(id.trim()));
  const domains = [...world.domains.values()];
  for (const id of new Set(ids)) {
    const domain = domains.find(({ records }) => records.has(id));
    const record = domain?.records.get(id);
    if (domain === undefined || record === undefined)
      throw refusal("8", `Record ID wrong: ${Number.isNaN(id) ? "no number" : id}`);
    checkAccess(context, domain, strictCodes);
    const same = targets.get(domain);
    if (same === undefined) targets.set(domain, [record]);
    else same.push(record);
  }
  return targets;
}

function jobRecord(record: Rec, change: FieldChange, id: number): JobRecord {
  const { content } = editOf(record, change);
  const type = content?.type ?? record.type;
  return {
    id,
    name: hostLabel(content?.name ?? record.name),
    type,
    area: content?.line ?? record.lineName,
    value: content?.value ?? record.value,
    mx: type === "MX" ? String(content?.mx ?? record.mx) : null,
    ttl: Number(content?.ttl ?? record.ttl),
    sent: {},
    change,
    status: "waiting",
    error: null,
    recordId: record.id,
  };
}

/** An older edition's sample: the records before the change, `record_id` a string, `mx` for an MX only. */
function echo(domain: Domain, records: readonly Rec[], id: number): JsonObject {
  return {
    id,
    domain_id: domain.id,
    domain: domain.name,
    domain_grade: domain.grade,
    ...waiting,
    operation: null,
    records: records.map((record, position) => ({
      id: position,
      record_id: String(record.id),
      sub_domain: record.name,
      record_type: record.type,
      area: record.lineName,
      value: record.value,
      ttl: String(record.ttl),
      enabled: record.enabled ? "1" : "0",
      ...waiting,
      operation: "edit",
      ...(record.type === "MX" ? { mx: String(record.mx) } : {}),
    })),
  };
}
