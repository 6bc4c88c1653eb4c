/**
 * zod checks a request, and its keys in snake case become the form parameters of api.md and service-notes.md.
 */
import { z } from "zod";
import { snakeCase } from "./wire";

export type Form = Readonly<Record<string, string>>;

const wholeNumber = z.number().int().min(0);
const idText = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "must be an id");
const some = z.string().min(1);
const pageLength = wholeNumber.min(1).max(3000);
const mode = z.enum(["r", "rw"]);
/** Seconds. */
const ttl = z.number().int().min(1);
const priority = wholeNumber.max(65_535).optional();
/** `""` and `@` are the apex. */
const label = z.string().regex(/^[^,\s]*$/, "must be a host label without commas or blanks");
const isApex = (name: string): boolean => name === "" || name === "@";

/**
 * A domain's id wins over its name (api.md, General rules).
 * @param names public name → wire name, if they differ beyond snake case
 */
function toForm(names: Readonly<Record<string, string>> = {}): (values: object) => Form {
  return (values) => {
    const { domain, ...rest } = { domain: undefined, ...values };
    const sent = "domainId" in rest && rest.domainId !== undefined ? rest : { domain, ...rest };
    return Object.fromEntries(
      Object.entries(sent).flatMap(([key, value]: [string, unknown]) =>
        value === undefined ? [] : [[names[key] ?? snakeCase(key), String(value)]],
      ),
    );
  };
}

const domainKeys = { domainId: idText.optional(), domain: some.optional() };
const isNamed = (keys: { domainId?: string | undefined; domain?: string | undefined }): boolean =>
  keys.domainId !== undefined || keys.domain !== undefined;
const NAMED = { error: "domainId or domain must be given" };

export const oneDomain = z.strictObject(domainKeys).refine(isNamed, NAMED).transform(toForm());

export const domainList = z
  .strictObject({
    type: z.enum(["all", "mine", "share", "ismark", "pause", "vip", "recent", "share_out"]).optional(),
    offset: wholeNumber.optional(),
    length: pageLength.optional(),
    groupId: idText.optional(),
    keyword: some.optional(),
  })
  .transform(toForm());

/** The sub-domain parameters make the use cases of api.md. */
export const shareModify = z
  .strictObject({
    ...domainKeys,
    email: some,
    mode,
    subDomain: some.optional(),
    oldSubDomain: some.optional(),
    newSubDomain: some.optional(),
  })
  .refine(isNamed, NAMED)
  .transform(toForm());

/** `offset` takes effect only beside `length` (api.md, Record.List). */
export const recordList = z
  .strictObject({
    ...domainKeys,
    offset: wholeNumber.optional(),
    length: pageLength.optional(),
    name: some.optional(),
    type: some.optional(),
    line: some.optional(),
    lineId: some.optional(),
    keyword: some.optional(),
  })
  .refine(isNamed, NAMED)
  .refine((r) => r.offset === undefined || r.length !== undefined, { error: "offset needs length" })
  .transform(
    toForm({ name: "sub_domain", type: "record_type", line: "record_line", lineId: "record_line_id" }),
  );

/** Record.Info's `remark` is never sent: an empty one removes the record's remark. */
export const oneRecord = z
  .strictObject({ ...domainKeys, recordId: idText })
  .refine(isNamed, NAMED)
  .transform(toForm());

const newRecord = z
  .strictObject({
    /** The apex stands alone: no document allows an empty part of a list. */
    subDomains: z
      .array(label)
      .min(1)
      .refine((labels) => labels.length === 1 || !labels.some(isApex), {
        error: "the apex never shares a record object",
      }),
    type: some,
    line: some,
    value: z.string(),
    ttl,
    priority,
  })
  .transform((r) => ({
    sub_domain: r.subDomains.map((each) => (isApex(each) ? "" : each)).join(","),
    record_type: r.type,
    record_line: r.line,
    value: r.value,
    ttl: r.ttl,
    // JSON leaves out an undefined value.
    MX: r.type.toUpperCase() === "MX" ? r.priority : undefined,
  }));

export const batchCreate = z
  .strictObject({ domainIds: z.array(idText).min(1), records: z.array(newRecord).min(1) })
  .transform((r) => ({ domain_id: r.domainIds.join(","), records: JSON.stringify(r.records) }));

export const jobDetail = z.strictObject({ jobId: idText }).transform(toForm());

export const monitorHistory = z
  .strictObject({ monitorId: some, hours: wholeNumber.min(1).optional() })
  .transform(toForm());

/** The service sets its defaults for a missing parameter (service-notes.md, Record.Modify). */
export const recordModify = z
  .strictObject({
    ...domainKeys,
    recordId: idText,
    subDomain: label,
    type: some,
    line: some,
    value: z.string(),
    ttl,
    priority,
    weight: wholeNumber.optional(),
  })
  .refine(isNamed, NAMED)
  .transform((r) => ({
    ...r,
    subDomain: isApex(r.subDomain) ? "@" : r.subDomain,
    priority: ["MX", "SRV"].includes(r.type.toUpperCase()) ? r.priority : undefined,
    status: "enable",
  }))
  .transform(toForm({ type: "record_type", line: "record_line", priority: "mx" }));

export const batchModify = z
  .strictObject({ recordIds: z.array(idText).min(1), change: z.enum(["ttl", "value"]), to: some })
  .transform(toForm({ recordIds: "record_id", to: "change_to" }));

export const shareCreate = z
  .strictObject({ ...domainKeys, email: some, mode, subDomain: some.optional() })
  .refine(isNamed, NAMED)
  .transform(toForm());

export const shareRemove = z
  .strictObject({ ...domainKeys, email: some })
  .refine(isNamed, NAMED)
  .transform(toForm());
