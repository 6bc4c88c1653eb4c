/**
 * The admin interface under `/_admin`: JSON in, JSON out. It has no token; guard.ts refuses pages of
 * other sites.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { domainChangeSchema, recordChangeSchema, type Admin } from "./admin";
import { faultSchema } from "./faults";
import { recordFilterSchema } from "./overview";
import { Refusal } from "./service/envelope";
import { accountSchema, domainSeedSchema, recordSeedSchema, shareSchema } from "./service/schemas";

type Route = (admin: Admin, input: unknown) => unknown;

function route<S extends z.ZodType>(schema: S, run: (admin: Admin, input: z.output<S>) => unknown): Route {
  return (admin, input) => run(admin, schema.parse(input));
}

const domain = z.union([z.string(), z.number()]);
const byDomain = z.object({ domain });
const byJob = z.strictObject({ id: z.int() });
const force = z.boolean().optional();

const picked = z
  .union([
    z.object({ domain, id: z.int() }),
    z.object({
      domain,
      id: z.never().optional(),
      name: z.string(),
      type: z.string(),
      value: z.string().optional(),
    }),
  ])
  .transform((input) => ({ at: input.domain, ref: input.id === undefined ? input : input.id }));

const routes: Readonly<Record<string, Route>> = {
  "GET /": () => ({ routes: Object.keys(routes) }),
  "GET /snapshot": (admin) => admin.snapshot(),
  "GET /overview": (admin) => admin.overview(),
  "GET /choices": route(byDomain.partial(), (admin, input) => admin.choices(input.domain)),

  "GET /records": route(recordFilterSchema.extend({ domain }), (admin, { domain: at, ...filter }) =>
    admin.records(at, filter),
  ),
  "POST /record/add": route(
    recordSeedSchema.extend({ domain, force, indexed: z.boolean().optional() }),
    (admin, { domain: at, force: isForced, indexed, ...record }) =>
      admin.addRecord(at, record, { force: isForced, indexed }),
  ),
  "POST /record/set": route(
    recordChangeSchema.extend({ domain, force, id: z.int() }),
    (admin, { domain: at, force: isForced, id, ...change }) =>
      admin.setRecord(at, id, change, { force: isForced }),
  ),
  "POST /record/disable": route(picked, (admin, { at, ref }) => admin.disableRecord(at, ref)),
  "POST /record/enable": route(picked, (admin, { at, ref }) => admin.enableRecord(at, ref)),
  "POST /record/remove": route(picked, (admin, { at, ref }) => admin.removeRecord(at, ref)),

  "GET /domains": (admin) => admin.domains(),
  "GET /zone": route(byDomain.extend({ hold: z.string().optional() }), (admin, { domain: at, hold }) => ({
    records: admin.zone(at, { hold: hold === "yes" }),
    text: admin.zoneText(at),
  })),
  "POST /domain/add": route(domainSeedSchema, (admin, seed) => admin.addDomain(seed)),
  "POST /domain/set": route(domainChangeSchema.extend({ domain }), (admin, { domain: at, ...change }) =>
    admin.setDomain(at, change),
  ),
  "POST /domain/remove": route(byDomain, (admin, input) => admin.removeDomain(input.domain)),
  "POST /account/add": route(accountSchema, (admin, account) => admin.addAccount(account)),
  "GET /shares": route(byDomain, (admin, input) => admin.shares(input.domain)),
  "POST /share/add": route(shareSchema.extend({ domain }), (admin, { domain: at, ...share }) =>
    admin.addShare(at, share),
  ),
  "POST /share/remove": route(byDomain.extend({ email: z.string() }), (admin, { domain: at, email }) =>
    admin.removeShare(at, email),
  ),

  "GET /jobs": (admin) => admin.jobs(),
  "GET /job": route(z.object({ id: z.coerce.number().int() }), (admin, { id }) => admin.job(id)),
  "POST /job/pause": route(byJob, (admin, { id }) => admin.pauseJob(id)),
  "POST /job/resume": route(byJob, (admin, { id }) => admin.resumeJob(id)),
  "POST /job/finish": route(byJob, (admin, { id }) => admin.finishJob(id)),

  "GET /clock": (admin) => admin.clockInfo(),
  "POST /clock": route(z.strictObject({ advanceMs: z.number() }), (admin, { advanceMs }) =>
    admin.advanceClock(advanceMs),
  ),
  "GET /settings": (admin) => admin.settings(),
  "POST /settings": route(z.record(z.string(), z.unknown()), (admin, change) => admin.set(change)),
  "GET /faults": (admin) => admin.faults(),
  "POST /faults": route(faultSchema, (admin, fault) => ({ id: admin.addFault(fault) })),
  "POST /faults/clear": route(byJob.partial(), (admin, { id }) => admin.clearFaults(id)),
  "GET /calls": route(z.object({ operation: z.string().optional() }), (admin, { operation }) => ({
    counts: admin.counts(),
    calls: admin.calls(operation),
  })),
  "GET /call": route(z.object({ number: z.coerce.number().int() }), (admin, { number }) =>
    admin.call(number),
  ),
  "POST /calls/clear": (admin) => admin.clearCalls(),
};

/** A browser must not show or run an answer as a page. XML and spoilt bodies have the same type: callers must not rely on it. */
export const dataHeaders = {
  "content-type": "application/json; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
} as const;

export function replyJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, dataHeaders).end(`${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Answers with JSON: 200, 400 for a refusal, 404 for an unknown route.
 * @param under the path above the routes
 */
export function answerAdmin(
  admin: Admin,
  request: IncomingMessage,
  response: ServerResponse,
  { url, under, body }: { readonly url: URL; readonly under: string; readonly body: string },
): void {
  const path = url.pathname.slice(under.length).replace(/\/$/, "") || "/";
  const found = routes[`${request.method ?? "GET"} ${path}`];
  if (found === undefined) {
    const error = `No route ${request.method ?? ""} ${path}`;
    return replyJson(response, 404, { error, routes: Object.keys(routes) });
  }
  try {
    const input = request.method === "GET" ? Object.fromEntries(url.searchParams) : parseBody(body);
    replyJson(response, 200, found(admin, input) ?? {});
  } catch (error) {
    if (error instanceof Refusal) replyJson(response, 400, { error: error.message, code: error.code });
    else if (error instanceof z.ZodError) replyJson(response, 400, { error: z.prettifyError(error) });
    else throw error;
  }
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body.trim() === "" ? "{}" : body);
  } catch {
    throw new Refusal("3", "The body must be a JSON object");
  }
}
