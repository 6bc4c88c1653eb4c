/**
 * The requests of the operations: what a caller says in English, checked by zod, becomes the form parameters of api.md,
 * and of service-notes.md for what it does not contain. The token and `format` are added by the client, never here.
 */
import { z } from "zod";
import { given } from "./wire";

/** Form parameters by name. */
export type Form = Readonly<Record<string, string>>;

const wholeNumber = z.number().int().min(0);
const idText = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "must be an id");
// `__proto__` and friends are no keys here: every form below is built from literals.
const some = z.string().min(1);

/** A domain by its id or its name; the id wins where both are given (api.md, General rules). */
const domainKeys = { domainId: idText.optional(), domain: some.optional() };

interface DomainKeys {
  readonly domainId?: string | undefined;
  readonly domain?: string | undefined;
}

function domainForm(keys: DomainKeys): Form {
  return keys.domainId === undefined ? { ...given("domain", keys.domain) } : { domain_id: keys.domainId };
}

const named = (keys: DomainKeys): boolean => keys.domainId !== undefined || keys.domain !== undefined;
const NAMED = { error: "domainId or domain must be given" };
const digits = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

function form(parts: Readonly<Record<string, string | undefined>>): Form {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** api.md, Domain.Info, Domain.Purview, Custom.Line.List. */
export const oneDomain = z.strictObject(domainKeys).refine(named, NAMED).transform(domainForm);

/** api.md, Domain.List. */
export const domainList = z
  .strictObject({
    type: z.enum(["all", "mine", "share", "ismark", "pause", "vip", "recent", "share_out"]).optional(),
    offset: wholeNumber.optional(),
    length: wholeNumber.min(1).max(3000).optional(),
    groupId: idText.optional(),
    keyword: some.optional(),
  })
  .transform((r) =>
    form({
      type: r.type,
      offset: digits(r.offset),
      length: digits(r.length),
      group_id: r.groupId,
      keyword: r.keyword,
    }),
  );

/** api.md, Domainshare.Modify: the use cases are combinations of the three sub-domain parameters. */
export const shareModify = z
  .strictObject({
    ...domainKeys,
    email: some,
    mode: z.enum(["r", "rw"]),
    subDomain: some.optional(),
    oldSubDomain: some.optional(),
    newSubDomain: some.optional(),
  })
  .refine(named, NAMED)
  .transform((r) =>
    form({
      ...domainForm(r),
      email: r.email,
      mode: r.mode,
      sub_domain: r.subDomain,
      old_sub_domain: r.oldSubDomain,
      new_sub_domain: r.newSubDomain,
    }),
  );

/** api.md, Record.List; `offset` takes effect only beside `length`, so it is refused alone. */
export const recordList = z
  .strictObject({
    ...domainKeys,
    offset: wholeNumber.optional(),
    length: wholeNumber.min(1).max(3000).optional(),
    name: some.optional(),
    type: some.optional(),
    line: some.optional(),
    lineId: some.optional(),
    keyword: some.optional(),
  })
  .refine(named, NAMED)
  .refine((r) => r.offset === undefined || r.length !== undefined, { error: "offset needs length" })
  .transform((r) =>
    form({
      ...domainForm(r),
      offset: digits(r.offset),
      length: digits(r.length),
      sub_domain: r.name,
      record_type: r.type,
      record_line: r.line,
      record_line_id: r.lineId,
      keyword: r.keyword,
    }),
  );

/** api.md, Record.Info; its `remark` removes the remark when empty, so this read never sends it. */
export const recordInfo = z
  .strictObject({ ...domainKeys, recordId: idText })
  .refine(named, NAMED)
  .transform((r) => ({ ...domainForm(r), record_id: r.recordId }));

const APEX = new Set(["", "@"]);

const newRecord = z
  .strictObject({
    /** Host labels that get the same data; the apex stands alone (an empty part of a list is not documented). */
    subDomains: z
      .array(z.string().regex(/^[^,\s]*$/, "must be host labels without commas or blanks"))
      .min(1)
      .refine((labels) => labels.length === 1 || !labels.some((label) => APEX.has(label)), {
        error: "the apex never shares a record object",
      }),
    type: some,
    line: some,
    value: z.string(),
    /** Seconds. */
    ttl: z.number().int().min(1),
    /** MX only. */
    priority: wholeNumber.max(65_535).optional(),
  })
  .transform((r) => ({
    sub_domain: r.subDomains.map((label) => (APEX.has(label) ? "" : label)).join(","),
    record_type: r.type,
    record_line: r.line,
    value: r.value,
    ttl: r.ttl,
    ...given("MX", r.type.toUpperCase() === "MX" ? r.priority : undefined),
  }));

/** api.md, Batch.Record.Create. */
export const batchCreate = z
  .strictObject({ domainIds: z.array(idText).min(1), records: z.array(newRecord).min(1) })
  .transform((r) => ({ domain_id: r.domainIds.join(","), records: JSON.stringify(r.records) }));

/** api.md, Batch.Detail. */
export const jobDetail = z.strictObject({ jobId: idText }).transform((r) => ({ job_id: r.jobId }));

/** api.md, Monitor.Gethistory. */
export const monitorHistory = z
  .strictObject({ monitorId: some, hours: wholeNumber.min(1).optional() })
  .transform((r) => form({ monitor_id: r.monitorId, hours: digits(r.hours) }));

/** A record of a domain (service-notes.md, Operations outside api.md: Record.Remove). */
export const recordRemove = z
  .strictObject({ ...domainKeys, recordId: idText })
  .refine(named, NAMED)
  .transform((r) => ({ ...domainForm(r), record_id: r.recordId }));

/** The whole record as it shall be (service-notes.md, Record.Modify): what is left out falls to the service's defaults. */
export const recordModify = z
  .strictObject({
    ...domainKeys,
    recordId: idText,
    /** `""` and `@` are the apex. */
    subDomain: z.string().regex(/^[^,\s]*$/, "must be one host label without commas or blanks"),
    type: some,
    line: some,
    value: z.string(),
    /** Seconds. */
    ttl: z.number().int().min(1),
    /** MX, and an SRV whose value says weight, port and target alone. */
    priority: wholeNumber.max(65_535).optional(),
    /** As it was listed: left out, the service would forget it. */
    weight: wholeNumber.optional(),
  })
  .refine(named, NAMED)
  .transform((r) =>
    form({
      ...domainForm(r),
      record_id: r.recordId,
      sub_domain: APEX.has(r.subDomain) ? "@" : r.subDomain,
      record_type: r.type,
      record_line: r.line,
      value: r.value,
      mx: ["MX", "SRV"].includes(r.type.toUpperCase()) ? digits(r.priority) : undefined,
      ttl: digits(r.ttl),
      status: "enable",
      weight: digits(r.weight),
    }),
  );

/** One change of many records (service-notes.md, Batch.Record.Modify). */
export const batchModify = z
  .strictObject({ recordIds: z.array(idText).min(1), change: z.enum(["ttl", "value"]), to: some })
  .transform((r) => ({ record_id: r.recordIds.join(","), change: r.change, change_to: r.to }));

/** service-notes.md, Domainshare.Create: without `subDomain` the whole domain is shared. */
export const shareCreate = z
  .strictObject({ ...domainKeys, email: some, mode: z.enum(["r", "rw"]), subDomain: some.optional() })
  .refine(named, NAMED)
  .transform((r) => form({ ...domainForm(r), email: r.email, mode: r.mode, sub_domain: r.subDomain }));

/** service-notes.md, Domainshare.Remove. */
export const shareRemove = z
  .strictObject({ ...domainKeys, email: some })
  .refine(named, NAMED)
  .transform((r) => form({ ...domainForm(r), email: r.email }));
