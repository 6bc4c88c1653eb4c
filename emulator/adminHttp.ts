/** The admin interface under `/_admin`. It has no token; guard.ts refuses pages of other sites. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { domainChangeSchema, recordChangeSchema, type Admin, type DomainRef } from "./admin";
import { faultSchema } from "./faults";
import { Refusal } from "./service/envelope";
import { accountSchema, domainSeedSchema, recordSeedSchema, shareSchema } from "./service/schemas";

type Route = (admin: Admin, input: unknown) => unknown;

function route<S extends z.ZodType>(schema: S, run: (admin: Admin, input: z.output<S>) => unknown): Route {
  return (admin, input) => run(admin, schema.parse(input));
}

const ofDomain = z.looseObject({ domain: z.union([z.string(), z.number()]) });

function domainRoute<S extends z.ZodType>(
  schema: S,
  run: (admin: Admin, domain: DomainRef, input: z.output<S>) => unknown,
): Route {
  return (admin, input) => {
    const { domain, ...rest } = ofDomain.parse(input);
    return run(admin, domain, schema.parse(rest));
  };
}

const nothing = z.object({});
const byId = z.strictObject({ id: z.int() });
const flag = z.boolean().optional();
const record = z.union([
  byId.transform(({ id }) => id),
  z.strictObject({ name: z.string(), type: z.string(), value: z.string().optional() }),
]);

const routes: Readonly<Record<string, Route>> = {
  "GET /": () => ({ routes: Object.keys(routes) }),
  "GET /snapshot": (admin) => admin.snapshot(),
  "GET /domains": (admin) => admin.domains(),
  "GET /zone": domainRoute(z.object({ hold: z.string().optional() }), (admin, domain, { hold }) => ({
    records: admin.zone(domain, { hold: hold === "yes" }),
    text: admin.zoneText(domain),
  })),
  "POST /record/add": domainRoute(
    recordSeedSchema.extend({ force: flag, indexed: flag }),
    (admin, domain, { force, indexed, ...seed }) => admin.addRecord(domain, seed, { force, indexed }),
  ),
  "POST /record/set": domainRoute(
    recordChangeSchema.extend({ force: flag, id: z.int() }),
    (admin, domain, { force, id, ...change }) => admin.setRecord(domain, id, change, { force }),
  ),
  "POST /record/disable": domainRoute(record, (admin, domain, ref) => admin.disableRecord(domain, ref)),
  "POST /record/enable": domainRoute(record, (admin, domain, ref) =>
    admin.setRecord(domain, ref, { enabled: true }),
  ),
  "POST /record/remove": domainRoute(record, (admin, domain, ref) => admin.removeRecord(domain, ref)),
  "POST /domain/add": route(domainSeedSchema, (admin, seed) => admin.addDomain(seed)),
  "POST /domain/set": domainRoute(domainChangeSchema, (admin, domain, change) =>
    admin.setDomain(domain, change),
  ),
  "POST /domain/remove": domainRoute(nothing, (admin, domain) => admin.removeDomain(domain)),
  "POST /account/add": route(accountSchema, (admin, account) => admin.addAccount(account)),
  "GET /shares": domainRoute(nothing, (admin, domain) => admin.shares(domain)),
  "POST /share/add": domainRoute(shareSchema, (admin, domain, share) => admin.addShare(domain, share)),
  "POST /share/remove": domainRoute(z.object({ email: z.string() }), (admin, domain, { email }) =>
    admin.removeShare(domain, email),
  ),
  "GET /jobs": (admin) => admin.jobs(),
  "POST /job/pause": route(byId, (admin, { id }) => admin.pauseJob(id)),
  "POST /job/resume": route(byId, (admin, { id }) => admin.resumeJob(id)),
  "POST /job/finish": route(byId, (admin, { id }) => admin.finishJob(id)),
  "GET /clock": (admin) => admin.clockInfo(),
  "POST /clock": route(z.strictObject({ advanceMs: z.number() }), (admin, { advanceMs }) =>
    admin.advanceClock(advanceMs),
  ),
  "GET /settings": (admin) => admin.settings(),
  "POST /settings": route(z.record(z.string(), z.unknown()), (admin, change) => admin.set(change)),
  "GET /faults": (admin) => admin.faults(),
  "POST /faults": route(faultSchema, (admin, fault) => ({ id: admin.addFault(fault) })),
  "POST /faults/clear": route(byId.partial(), (admin, { id }) => admin.clearFaults(id)),
  "GET /calls": route(z.object({ operation: z.string().optional() }), (admin, { operation }) => ({
    counts: admin.counts(),
    calls: admin.calls(operation),
  })),
  "POST /calls/clear": (admin) => admin.clearCalls(),
};

/** A browser must not show or run an answer as a page: XML and spoilt bodies have this type, too. */
export const dataHeaders = {
  "content-type": "application/json; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
} as const;

export function replyJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, dataHeaders).end(`${JSON.stringify(value, null, 2)}\n`);
}

/** @param under the path above the routes */
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
