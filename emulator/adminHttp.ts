/**
 * The admin interface under `/_admin`: JSON in, JSON out. It has no token; guard.ts refuses pages of
 * other sites.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { Admin } from "./admin";
import { domainChangeSchema, recordChangeSchema } from "./console";
import { faultSchema } from "./faults";
import { recordFilterSchema } from "./overview";
import { replyJson } from "./reply";
import { Refusal } from "./service/envelope";
import {
  accountSchema,
  customLineSchema,
  domainSeedSchema,
  monitorSchema,
  recordSeedSchema,
  shareSchema,
} from "./service/schemas";
import { jobSchema } from "./service/seedJob";

type Route = (admin: Admin, input: unknown) => unknown;

function route<S extends z.ZodType>(schema: S, run: (admin: Admin, input: z.output<S>) => unknown): Route {
  return (admin, input) => run(admin, schema.parse(input));
}

const named = z.union([z.string(), z.number()]);
const ofDomain = { domain: named };
const byDomain = z.object(ofDomain);
const edit = { ...ofDomain, force: z.boolean().optional(), indexed: z.boolean().optional() };

/** By `id`, or by `name` and `type` (and `value`). */
const picked = z
  .object({
    domain: named,
    id: z.int().optional(),
    name: z.string().optional(),
    type: z.string().optional(),
    value: z.string().optional(),
  })
  .transform(({ domain, id, name, type, value }) => {
    if (id !== undefined) return { domain, ref: id };
    if (name === undefined || type === undefined) throw new Refusal("3", "Send id, or name and type");
    return { domain, ref: { name, type, value } };
  });

const onJob = (act: (admin: Admin, id: number) => void): Route =>
  route(z.strictObject({ id: z.int() }), (admin, { id }) => {
    act(admin, id);
    return admin.jobs().find((job) => job.id === id);
  });

const recordRoutes: Readonly<Record<string, Route>> = {
  "GET /records": route(z.looseObject(ofDomain), (admin, input) =>
    admin.records(input.domain, recordFilterSchema.parse(input)),
  ),
  "POST /record/add": route(recordSeedSchema.extend(edit), (admin, { domain, force, indexed, ...record }) =>
    admin.addRecord(domain, record, { force, indexed }),
  ),
  "POST /record/set": route(
    recordChangeSchema.extend({ ...edit, id: z.int() }),
    (admin, { domain, force, indexed: _indexed, id, ...change }) =>
      admin.setRecord(domain, id, change, { force }),
  ),
  "POST /record/disable": route(picked, (admin, { domain, ref }) => admin.disableRecord(domain, ref)),
  "POST /record/enable": route(picked, (admin, { domain, ref }) => admin.enableRecord(domain, ref)),
  "POST /record/remove": route(picked, (admin, { domain, ref }) => {
    admin.removeRecord(domain, ref);
    return { removed: true };
  }),
};

const domainRoutes: Readonly<Record<string, Route>> = {
  "GET /domains": (admin) => admin.domains(),
  "GET /zone": route(z.object({ ...ofDomain, hold: z.string().optional() }), (admin, { domain, hold }) => ({
    records: admin.zone(domain, { hold: hold === "yes" }),
    text: admin.zoneText(domain),
  })),
  "POST /domain/add": route(domainSeedSchema, (admin, seed) => admin.addDomain(seed)),
  "POST /domain/set": route(domainChangeSchema.extend(ofDomain), (admin, { domain, ...change }) => {
    admin.setDomain(domain, change);
    return { changed: true };
  }),
  "POST /domain/remove": route(byDomain, (admin, { domain }) => {
    admin.removeDomain(domain);
    return { removed: true };
  }),
  "GET /accounts": (admin) => admin.accounts(),
  "POST /account/add": route(accountSchema, (admin, account) => admin.addAccount(account)),
  "GET /shares": route(byDomain, (admin, { domain }) => admin.shares(domain)),
  "POST /share/add": route(shareSchema.extend(ofDomain), (admin, { domain, ...share }) => {
    admin.addShare(domain, share);
    return admin.shares(domain);
  }),
  "POST /share/remove": route(
    z.strictObject({ ...ofDomain, email: z.string() }),
    (admin, { domain, email }) => {
      admin.removeShare(domain, email);
      return admin.shares(domain);
    },
  ),
  "POST /monitor/add": route(monitorSchema.extend(ofDomain), (admin, { domain, ...monitor }) => {
    admin.addMonitor(domain, monitor);
    return { added: true };
  }),
  "POST /line/add": route(customLineSchema.extend(ofDomain), (admin, { domain, ...line }) => {
    admin.addCustomLine(domain, line);
    return { added: true };
  }),
};

const emulatorRoutes: Readonly<Record<string, Route>> = {
  "GET /state": (admin) => ({
    clock: admin.clockInfo(),
    settings: admin.settings(),
    domains: admin.domains().map((each) => ({ ...each, zone: admin.zone(each.id, { hold: true }) })),
    jobs: admin.jobs(),
    faults: admin.faults(),
  }),
  "GET /snapshot": (admin) => admin.snapshot(),
  "GET /overview": (admin) => admin.overview(),
  "GET /choices": route(byDomain.partial(), (admin, { domain }) => admin.choices(domain)),
  "GET /jobs": (admin) => admin.jobs(),
  "GET /job": route(z.object({ id: z.coerce.number().int() }), (admin, { id }) => admin.jobDetail(id)),
  "POST /job/add": route(jobSchema, (admin, job) => ({ id: admin.addJob(job) })),
  "POST /job/pause": onJob((admin, id) => admin.pauseJob(id)),
  "POST /job/resume": onJob((admin, id) => admin.resumeJob(id)),
  "POST /job/finish": onJob((admin, id) => admin.finishJob(id)),
  "GET /clock": (admin) => admin.clockInfo(),
  "POST /clock": route(z.strictObject({ advanceMs: z.number() }), (admin, { advanceMs }) => {
    admin.advanceClock(advanceMs);
    return admin.clockInfo();
  }),
  "GET /settings": (admin) => admin.settings(),
  "POST /settings": route(z.record(z.string(), z.unknown()), (admin, change) => admin.set(change)),
  "GET /faults": (admin) => admin.faults(),
  "POST /faults": route(faultSchema, (admin, fault) => ({ id: admin.addFault(fault) })),
  "POST /faults/clear": route(z.strictObject({ id: z.int().optional() }), (admin, { id }) => {
    admin.clearFaults(id);
    return admin.faults();
  }),
  "GET /calls": route(z.object({ operation: z.string().optional() }), (admin, { operation }) => ({
    counts: admin.counts(),
    calls: admin.calls(operation),
  })),
  "GET /call": route(z.object({ number: z.coerce.number().int() }), (admin, { number }) =>
    admin.call(number),
  ),
  "POST /calls/clear": (admin) => {
    admin.clearCalls();
    return { counts: {} };
  },
};

const routes: Readonly<Record<string, Route>> = {
  "GET /": () => ({ routes: Object.keys(routes) }),
  ...emulatorRoutes,
  ...domainRoutes,
  ...recordRoutes,
};

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
  const reply = (status: number, value: unknown): void => replyJson(response, status, value);
  if (found === undefined) {
    reply(404, { error: `No route ${request.method ?? ""} ${path}`, routes: Object.keys(routes) });
    return;
  }
  try {
    const input = request.method === "GET" ? Object.fromEntries(url.searchParams) : parseBody(body);
    reply(200, found(admin, input) ?? {});
  } catch (error) {
    if (error instanceof Refusal) reply(400, { error: error.message, code: error.code });
    else if (error instanceof z.ZodError) reply(400, { error: z.prettifyError(error) });
    else throw error;
  }
}

function parseBody(body: string): Record<string, unknown> {
  if (body.trim() === "") return {};
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(body));
  } catch {
    throw new Refusal("3", "The body must be a JSON object");
  }
}
