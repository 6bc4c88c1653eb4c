/** The interface as one table: checked parameters and the reader of the answer. */
import { z } from "zod";
import * as answers from "./answers";
import { documented } from "./meanings";
import { type Form, snakeCase } from "./wire";

export interface Operation<Request, Response> {
  /** A write is never sent twice on a guess. */
  readonly kind: "read" | "write";
  readonly request: z.ZodType<Form, Request>;
  readonly response: answers.Answer<Response>;
}

const wholeNumber = z.number().int().min(0);
const idText = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "must be an id");
const some = z.string().min(1);
const optional = some.optional();
const mode = z.enum(["r", "rw"]);
/** `offset` takes effect only beside `length` (api.md, Record.List). */
const paging = { offset: wholeNumber.optional(), length: wholeNumber.min(1).max(3000).optional() };
const label = z.string().regex(/^[^,\s]*$/, "must be a host label without commas or blanks");
const isApex = (name: string): boolean => name === "" || name === "@";
const data = {
  type: some,
  line: some,
  value: z.string(),
  ttl: z.number().int().min(1),
  priority: wholeNumber.max(65_535).optional(),
};

/** A domain's id wins over its name (api.md, General rules). */
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

function ofDomain<S extends z.ZodRawShape>(shape: S) {
  const domainKeys = { domainId: idText.optional(), domain: optional };
  return z
    .strictObject({ ...domainKeys, ...shape })
    .refine(
      ({ domainId, domain }: { readonly domainId?: unknown; readonly domain?: unknown }) =>
        domainId !== undefined || domain !== undefined,
      { error: "domainId or domain must be given" },
    );
}

const oneDomain = ofDomain({}).transform(toForm());
/** Record.Info's `remark` is never sent: an empty one removes the record's remark. */
const oneRecord = ofDomain({ recordId: idText }).transform(toForm());

const newRecord = z
  .strictObject({
    ...data,
    /** No document allows an empty part of a list. */
    subDomains: z
      .array(label)
      .min(1)
      .refine((labels) => labels.length === 1 || !labels.some(isApex), {
        error: "the apex never shares a record object",
      }),
  })
  .transform((r) => ({
    sub_domain: r.subDomains.map((each) => (isApex(each) ? "" : each)).join(","),
    record_type: r.type,
    record_line: r.line,
    value: r.value,
    ttl: r.ttl,
    MX: r.type.toUpperCase() === "MX" ? r.priority : undefined,
  }));

type MakeOperation<N extends "read" | "write"> = <Q, R>(
  request: z.ZodType<Form, Q>,
  response: answers.Answer<R>,
) => Operation<Q, R> & { readonly kind: N };
const read: MakeOperation<"read"> = (request, response) => ({ kind: "read", request, response });
const write: MakeOperation<"write"> = (request, response) => ({ kind: "write", request, response });

const rows = {
  // api.md, Endpoints.
  "Domain.Info": read(oneDomain, answers.domainInfo),
  "Domain.List": read(
    z
      .strictObject({
        ...paging,
        type: z.enum(["all", "mine", "share", "ismark", "pause", "vip", "recent", "share_out"]).optional(),
        groupId: idText.optional(),
        keyword: optional,
      })
      .transform(toForm()),
    answers.domainList,
  ),
  "Domain.Purview": read(oneDomain, answers.purview),
  "Domainshare.Modify": write(
    ofDomain({
      email: some,
      mode,
      subDomain: optional,
      oldSubDomain: optional,
      newSubDomain: optional,
    }).transform(toForm()),
    answers.statusOnly,
  ),
  "Record.List": read(
    ofDomain({
      ...paging,
      name: optional,
      type: optional,
      line: optional,
      lineId: optional,
      keyword: optional,
    })
      .refine((r) => r.offset === undefined || r.length !== undefined, { error: "offset needs length" })
      .transform(
        toForm({ name: "sub_domain", type: "record_type", line: "record_line", lineId: "record_line_id" }),
      ),
    answers.recordList,
  ),
  "Record.Info": read(oneRecord, answers.recordInfo),
  "Batch.Record.Create": write(
    z
      .strictObject({ domainIds: z.array(idText).min(1), records: z.array(newRecord).min(1) })
      .transform((r) => ({ domain_id: r.domainIds.join(","), records: JSON.stringify(r.records) })),
    answers.jobQueued,
  ),
  "Batch.Detail": read(z.strictObject({ jobId: idText }).transform(toForm()), answers.jobDetail),
  "Monitor.Gethistory": read(
    z.strictObject({ monitorId: some, hours: wholeNumber.min(1).optional() }).transform(toForm()),
    answers.monitorHistory,
  ),
  "Custom.Line.List": read(oneDomain, answers.customLines),
  // The service sets its defaults for a missing parameter (service-notes).
  "Record.Modify": write(
    ofDomain({ ...data, recordId: idText, subDomain: label, weight: wholeNumber.optional() })
      .transform((r) => ({
        ...r,
        subDomain: isApex(r.subDomain) ? "@" : r.subDomain,
        priority: ["MX", "SRV"].includes(r.type.toUpperCase()) ? r.priority : undefined,
        status: "enable",
      }))
      .transform(toForm({ type: "record_type", line: "record_line", priority: "mx" })),
    answers.recordModified,
  ),
  "Record.Remove": write(oneRecord, answers.statusOnly),
  "Batch.Record.Modify": write(
    z
      .strictObject({ recordIds: z.array(idText).min(1), change: z.enum(["ttl", "value"]), to: some })
      .transform(toForm({ recordIds: "record_id", to: "change_to" })),
    answers.jobQueued,
  ),
  "Domainshare.Create": write(
    ofDomain({ email: some, mode, subDomain: optional }).transform(toForm()),
    answers.statusOnly,
  ),
  "Domainshare.List": read(oneDomain, answers.shareList),
  "Domainshare.Remove": write(ofDomain({ email: some }).transform(toForm()), answers.statusOnly),
};

export type OperationName = keyof typeof rows;
export type Requests = { readonly [N in OperationName]: z.input<(typeof rows)[N]["request"]> };
export type Responses = { readonly [N in OperationName]: ReturnType<(typeof rows)[N]["response"]> };
export type OperationOf<N extends OperationName> = Operation<Requests[N], Responses[N]>;

export const operations: { readonly [N in OperationName]: OperationOf<N> } = rows;

export function isDocumented(operation: string): boolean {
  return Object.hasOwn(documented, operation);
}
