/**
 * The admin interface over HTTP, under `/_admin`: JSON in, JSON out, one route
 * per function of `Admin`. Loopback only by default, so it asks for no token;
 * pages of other sites are kept out (guard.ts).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { Admin } from "./admin";
import { domainChangeSchema } from "./console";
import { faultSchema } from "./faults";
import { recordFilterSchema } from "./overview";
import { replyJson } from "./reply";
import { Refusal } from "./service/envelope";
import { domainSeedSchema, monitorSchema, recordSeedSchema } from "./service/seed";
import { jobSchema } from "./service/seedJob";

type Route = (admin: Admin, input: Record<string, unknown>) => unknown;

const domainRef = z.union([z.string(), z.number()]);
const edit = { domain: domainRef, force: z.boolean().optional(), indexed: z.boolean().optional() };
const picked = z.looseObject({
  ...edit,
  id: z.int().optional(),
  name: z.string().optional(),
  type: z.string().optional(),
  value: z.string().optional(),
});

/** The record a console edit means: `id`, or `name` and `type` (and `value`). */
function recordRef(input: z.output<typeof picked>): Parameters<Admin["removeRecord"]>[1] {
  if (input.id !== undefined) return input.id;
  if (input.name === undefined || input.type === undefined)
    throw new Refusal("3", "Send id, or name and type");
  return { name: input.name, type: input.type, value: input.value };
}

const recordChange = z.strictObject({
  ...edit,
  id: z.int(),
  name: z.string().optional(),
  type: z.string().optional(),
  value: z.string().optional(),
  line: z.string().optional(),
  ttl: z.int().optional(),
  mx: z.int().optional(),
  enabled: z.boolean().optional(),
  remark: z.string().optional(),
});

const jobId = z.strictObject({ id: z.coerce.number().int() });
const byDomain = z.looseObject({ domain: domainRef });

const routes: Readonly<Record<string, Route>> = {
  "GET /": () => ({ routes: Object.keys(routes) }),
  "GET /state": (admin) => ({
    clock: admin.clockInfo(),
    settings: admin.settings(),
    domains: admin.domains().map((domain) => ({ ...domain, zone: admin.zone(domain.id, { hold: true }) })),
    jobs: admin.jobs(),
    faults: admin.faults(),
  }),
  "GET /snapshot": (admin) => admin.snapshot(),
  "GET /domains": (admin) => admin.domains(),
  "GET /zone": (admin, input) => {
    const { domain } = byDomain.parse(input);
    return { records: admin.zone(domain, { hold: input["hold"] === "yes" }), text: admin.zoneText(domain) };
  },
  "GET /overview": (admin) => admin.overview(),
  "GET /records": (admin, input) =>
    admin.records(byDomain.parse(input).domain, recordFilterSchema.parse(input)),
  "GET /choices": (admin, input) =>
    admin.choices(z.looseObject({ domain: domainRef.optional() }).parse(input).domain),
  "POST /record/add": (admin, input) => {
    const { domain, force, indexed } = z.looseObject(edit).parse(input);
    const { domain: _domain, force: _force, indexed: _indexed, ...record } = input;
    return admin.addRecord(domain, recordSeedSchema.parse(record), { force, indexed });
  },
  "POST /record/set": (admin, input) => {
    const { domain, force, indexed: _indexed, id, ...change } = recordChange.parse(input);
    return admin.setRecord(domain, id, defined(change), { force });
  },
  "POST /record/disable": (admin, input) => {
    const found = picked.parse(input);
    return admin.disableRecord(found.domain, recordRef(found));
  },
  "POST /record/enable": (admin, input) => {
    const found = picked.parse(input);
    return admin.enableRecord(found.domain, recordRef(found));
  },
  "POST /record/remove": (admin, input) => {
    const found = picked.parse(input);
    admin.removeRecord(found.domain, recordRef(found));
    return { removed: true };
  },
  "POST /domain/add": (admin, input) => admin.addDomain(domainSeedSchema.parse(input)),
  "POST /domain/set": (admin, input) => {
    const { domain, ...change } = byDomain.parse(input);
    admin.setDomain(domain, domainChangeSchema.parse(change));
    return { changed: true };
  },
  "POST /domain/remove": (admin, input) => {
    admin.removeDomain(byDomain.parse(input).domain);
    return { removed: true };
  },
  "GET /accounts": (admin) => admin.accounts(),
  "POST /account/add": (admin, input) =>
    admin.addAccount(
      z
        .strictObject({ email: z.string(), token: z.string().optional(), verified: z.boolean().optional() })
        .parse(input),
    ),
  "GET /shares": (admin, input) => admin.shares(byDomain.parse(input).domain),
  "POST /share/add": (admin, input) => {
    const { domain, ...share } = z
      .strictObject({
        domain: domainRef,
        email: z.string(),
        mode: z.enum(["r", "rw"]).optional(),
        subDomain: z.string().optional(),
      })
      .parse(input);
    admin.addShare(domain, share);
    return admin.shares(domain);
  },
  "POST /share/remove": (admin, input) => {
    const { domain, email } = z.strictObject({ domain: domainRef, email: z.string() }).parse(input);
    admin.removeShare(domain, email);
    return admin.shares(domain);
  },
  "POST /monitor/add": (admin, input) => {
    const { domain, ...monitor } = byDomain.parse(input);
    admin.addMonitor(domain, monitorSchema.parse(monitor));
    return { added: true };
  },
  "POST /line/add": (admin, input) => {
    const line = {
      domain: domainRef,
      name: z.string().min(1).max(17),
      area: z.string(),
      useCount: z.int().optional(),
    };
    const { domain, ...rest } = z.strictObject(line).parse(input);
    admin.addCustomLine(domain, rest);
    return { added: true };
  },
  "GET /jobs": (admin) => admin.jobs(),
  "GET /job": (admin, input) => admin.jobDetail(jobId.parse(input).id),
  "POST /job/add": (admin, input) => ({ id: admin.addJob(jobSchema.parse(input)) }),
  "POST /job/pause": (admin, input) =>
    onJob(admin, input, (id) => {
      admin.pauseJob(id);
    }),
  "POST /job/resume": (admin, input) =>
    onJob(admin, input, (id) => {
      admin.resumeJob(id);
    }),
  "POST /job/finish": (admin, input) =>
    onJob(admin, input, (id) => {
      admin.finishJob(id);
    }),
  "GET /clock": (admin) => admin.clockInfo(),
  "POST /clock": (admin, input) => {
    admin.advanceClock(z.strictObject({ advanceMs: z.number() }).parse(input).advanceMs);
    return admin.clockInfo();
  },
  "GET /settings": (admin) => admin.settings(),
  "POST /settings": (admin, input) => admin.set(input),
  "GET /faults": (admin) => admin.faults(),
  "POST /faults": (admin, input) => ({ id: admin.addFault(faultSchema.parse(input)) }),
  "POST /faults/clear": (admin, input) => {
    admin.clearFaults(z.strictObject({ id: z.int().optional() }).parse(input).id);
    return admin.faults();
  },
  "GET /calls": (admin, input) => {
    const { operation } = z.looseObject({ operation: z.string().optional() }).parse(input);
    return { counts: admin.counts(), calls: admin.calls(operation) };
  },
  "GET /call": (admin, input) =>
    admin.call(z.strictObject({ number: z.coerce.number().int() }).parse(input).number),
  "POST /calls/clear": (admin) => {
    admin.clearCalls();
    return { counts: {} };
  },
};

function onJob(admin: Admin, input: Record<string, unknown>, act: (id: number) => void): unknown {
  const { id } = jobId.parse(input);
  act(id);
  return admin.jobs().find((job) => job.id === id);
}

function defined<T extends object>(partial: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(partial).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/**
 * Answers one admin call: 200 with JSON, 400 with `error` for what cannot be done, 404 for an unknown route.
 * @param under the path below which the routes stand
 */
export function answerAdmin(
  admin: Admin,
  request: IncomingMessage,
  response: ServerResponse,
  { url, under, body }: { readonly url: URL; readonly under: string; readonly body: string },
): void {
  const path = url.pathname.slice(under.length).replace(/\/$/, "") || "/";
  const route = routes[`${request.method ?? "GET"} ${path}`];
  const reply = (status: number, value: unknown): void => {
    replyJson(response, status, value);
  };
  if (route === undefined) {
    reply(404, { error: `No route ${request.method ?? ""} ${path}`, routes: Object.keys(routes) });
    return;
  }
  try {
    const input = request.method === "GET" ? Object.fromEntries(url.searchParams) : parseBody(body);
    reply(200, route(admin, input) ?? {});
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
