/** Promises that are broken on purpose. Each invariant must notice its own. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { notSent } from "../../provider/reconcile/write/result";
import type { Box, RecordView } from "../../emulator";
import { ServiceError, type Client } from "../../provider/api";
import type { Host } from "../../provider/lifecycle/host";
import type { Lifecycle, Props } from "../../provider/lifecycle/lifecycle";
import type { Reconciler } from "../../provider/reconcile/reconciler";
import type { LawName } from "./laws";
import { secretMark } from "./program";
import type { Feature } from "./troubles";
import type { User } from "./user";

export interface Break {
  readonly caughtBy: LawName;
  /** The first seed to try, if the earlier ones show nothing. */
  readonly seed?: number;
  readonly with?: readonly Feature[];
  readonly lifecycle?: (provider: Lifecycle) => Lifecycle;
  readonly client?: (client: Client) => Client;
  readonly host?: (host: Host, renew: () => Host) => Host;
  readonly reconciler?: (reconciler: Reconciler) => void;
  readonly hides?: RegExp | undefined;
  /** A message in another form. */
  readonly says?: (text: string) => string;
  /** A person's edit in the console as a write leaves. */
  readonly person?: (user: User, zones: ReadonlyMap<string, readonly RecordView[]>) => void;
  readonly repeats?: string;
  /** Other parameters of each repetition. Default: one without. */
  readonly repeatsWith?: readonly Readonly<Record<string, string>>[];
  /** Calls this operation as well. */
  readonly strays?: string;
  readonly listing?: (body: string) => string;
  readonly harm?: (box: Box) => void;
  readonly slower?: number;
  readonly byWall?: true;
  readonly chatter?: number;
}

const noLedger = "ledger 4";

type Made = Awaited<ReturnType<Lifecycle["create"]>>;

const around =
  (work: (operation: () => Promise<Made>, id: string, inputs: Props) => Promise<Made>) =>
  (provider: Lifecycle): Lifecycle => ({
    ...provider,
    create: (inputs) => work(() => provider.create(inputs), "lost", inputs),
    update: (id, olds, news) =>
      work(async () => ({ id, ...(await provider.update(id, olds, news)) }), id, news),
  });

/** Takes the jobs and lost answers from the ledger of a half-done operation. */
function withoutJobs(error: unknown): unknown {
  if (!(error instanceof Error && "properties" in error)) return error;
  const properties = error.properties as Props;
  const ledger = String(properties["__ledger"]).replace(/^[@?] .*\n?/gm, "");
  return Object.assign(error, { properties: { ...properties, __ledger: ledger } });
}

const calling = (call: (client: Client) => Client["call"]) => (client: Client) => {
  const own = call(client);
  return new Proxy(client, {
    get: (target, key) => {
      const value: unknown = key === "call" ? own : Reflect.get(target, key);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
};

function withoutRecords(body: string): string {
  if (!body.includes('"records":[')) return body;
  const listing = JSON.parse(body) as { info: object; records: { hold?: string }[] };
  const records = listing.records.filter(({ hold }) => hold === "hold");
  const total = String(records.length);
  const info = { ...listing.info, sub_domains: total, record_total: total, records_num: total };
  return JSON.stringify({ ...listing, info, records });
}

function withAnother<T>(request: T): T {
  if (typeof request !== "object" || request === null || !("records" in request)) return request;
  const records = request.records as readonly object[];
  return { ...request, records: [...records, { ...records[0], value: "192.0.2.99" }] };
}

const harming =
  (harm: (records: Map<number, { id: number; ttl: number }>, id: number) => void) =>
  ({ service }: Box) => {
    for (const { records } of service.world.domains.values()) {
      const found = [...records.values()].find(({ hold }) => !hold);
      if (found !== undefined) harm(records, found.id);
    }
  };

/** The inputs of each operation in another form. */
const given =
  (change: (inputs: Props) => Props) =>
  (provider: Lifecycle): Lifecycle => ({
    ...provider,
    create: (inputs) => provider.create(change(inputs)),
    update: (id, olds, news) => provider.update(id, olds, change(news)),
  });

/** The ledger of each result in another form. */
const remembering = (change: (ledger: string) => string) =>
  around(async (work) => {
    const { id, outs } = await work();
    return { id, outs: { ...outs, __ledger: change(String(outs["__ledger"])) } };
  });

const table = {
  "resend a write": { caughtBy: "created-once", repeats: "Batch.Record.Create" },
  "overlook a record": { caughtBy: "listed-not-sent", listing: withoutRecords },
  "hide duplicates": {
    caughtBy: "duplicates-named",
    with: ["kills", "fresh-disk", "jobs", "second"],
    hides: /\[live\.twice\]/,
  },
  "leave the journal unread": {
    caughtBy: "created-once",
    seed: 17,
    with: ["kills", "jobs"],
    host: (host) => {
      rmSync(join(host.settings.stateDir, "journal"), { recursive: true, force: true });
      return host;
    },
  },
  "forget the jobs": {
    caughtBy: "created-once",
    with: ["jobs", "fresh-disk"],
    lifecycle: around((work) =>
      work().catch((error: unknown) => {
        throw withoutJobs(error);
      }),
    ),
  },
  "believe every code": {
    caughtBy: "created-once",
    seed: 11,
    with: ["lies"],
    client: calling((client) => async (...args) => {
      try {
        return await client.call(...args);
      } catch (error) {
        throw error instanceof ServiceError
          ? new ServiceError({ ...error.details, outcome: "refused" })
          : error;
      }
    }),
  },
  "drop an outcome": {
    caughtBy: "declared-live",
    with: ["refusals"],
    lifecycle: around((work, id, inputs) =>
      work().catch(() => ({ id, outs: { ...inputs, __ledger: noLedger } })),
    ),
  },
  "want what later answers have": {
    caughtBy: "goal-reached",
    seed: 6,
    with: ["eras"],
    listing: (body) => (body.includes("records_num") ? body : "{}"),
  },
  "send what nobody declares": {
    caughtBy: "declared-only",
    client: calling(
      (client) => (operation, request, options) =>
        client.call(operation, operation === "Batch.Record.Create" ? withAnother(request) : request, options),
    ),
  },
  "call another operation": { caughtBy: "documented-operations", strays: "Record.Remove" },
  "adopt although forbidden": {
    caughtBy: "state-true",
    seed: 17,
    with: ["strict"],
    lifecycle: given((inputs) => ({ ...inputs, adopt: true })),
  },
  "call adopted records created": {
    caughtBy: "destroy-created-only",
    seed: 113,
    with: ["full", "console"],
    lifecycle: remembering((ledger) => ledger.replace(/^= /gm, "+ ")),
  },
  "call created records adopted": {
    caughtBy: "destroy-created-only",
    with: ["full"],
    lifecycle: remembering((ledger) => ledger.replace(/^\+ /gm, "= ")),
  },
  "forget what is ignored": {
    caughtBy: "own-only",
    seed: 19,
    with: ["full", "console", "report"],
    lifecycle: given((inputs) => ({ ...inputs, ignore: undefined })),
    reconciler: ({ siblings }) => {
      siblings.owned.ignore = () => undefined;
    },
  },
  "delete although the program retains": {
    caughtBy: "own-only",
    with: ["full", "retain"],
    lifecycle: given((inputs) => ({ ...inputs, removal: "delete" })),
  },
  "protect nothing": {
    caughtBy: "protected-stays",
    seed: 128,
    with: ["full", "report"],
    reconciler: ({ gates }) => {
      gates.obey = () => undefined;
    },
  },
  "forget the other resources": {
    caughtBy: "declared-stays",
    with: ["full", "moves"],
    reconciler: (reconciler) => {
      reconciler.siblings.declared.has = () => false;
    },
  },
  "take records to another line and back": {
    caughtBy: "declared-stays",
    seed: 32,
    with: ["full"],
    repeats: "Batch.Record.Modify",
    repeatsWith: ["搜索引擎", "默认"].map((line) => ({ change: "area", change_to: line })),
  },
  "wait for a stuck job": {
    caughtBy: "stuck-job-alone",
    seed: 87,
    with: ["jobs"],
    lifecycle: (provider) => ({
      ...provider,
      update: (id, olds, news) =>
        /^@ /m.test(String(olds["__ledger"]))
          ? Promise.reject(new Error("a job has not ended"))
          : provider.update(id, olds, news),
    }),
  },
  "touch a record": {
    caughtBy: "nothing-by-itself",
    harm: harming((records, id) => {
      const record = records.get(id);
      if (record !== undefined) record.ttl += 1;
    }),
  },
  "remove a record": { caughtBy: "nothing-by-itself", harm: harming((records, id) => records.delete(id)) },
  "never quiet": {
    caughtBy: "quiet-at-rest",
    lifecycle: (provider) => {
      let n = 0;
      const check: Lifecycle["check"] = async (olds, news) => {
        const checked = await provider.check(olds, news);
        return { ...checked, inputs: { ...checked.inputs, nonce: (n += 1) } };
      };
      return { ...provider, check };
    },
  },
  chatter: { caughtBy: "few-calls", chatter: 40 },
  "ignore a failed login": {
    caughtBy: "login-stop",
    with: ["login"],
    host: (host, renew) => {
      rmSync(host.settings.stateDir, { recursive: true, force: true });
      return renew();
    },
  },
  "forget the ledger": {
    caughtBy: "none-forgotten",
    lifecycle: around(async (work) => {
      const { id, outs } = await work();
      return { id, outs: { ...outs, __ledger: noLedger } };
    }),
  },
  "let go in silence": {
    caughtBy: "none-forgotten",
    seed: 17,
    with: ["retain"],
    hides: /\[live\.(?:retained|adopted)\]/,
  },
  "believe that it is gone": {
    caughtBy: "none-forgotten",
    seed: 56,
    with: ["full", "lies"],
    client: calling(
      (client) => (operation, request, options) =>
        operation === "Record.Remove"
          ? Promise.resolve({} as never)
          : client.call(operation, request, options),
    ),
  },
  "sleep too long": { caughtBy: "always-ends", slower: 100_000 },
  "wait by the machine's clock": { caughtBy: "always-ends", with: ["clocks", "jobs"], byWall: true },
  "leave a rejection": {
    caughtBy: "always-ends",
    lifecycle: around((work) => {
      void Promise.reject(new Error("nobody hears this"));
      return work();
    }),
  },
  "tell a secret": {
    caughtBy: "secrets-hidden",
    host: (host) => {
      host.reporter.info(`deploying ${secretMark}-token-value`);
      return host;
    },
  },
  "repeat the service's words": {
    caughtBy: "secrets-hidden",
    with: ["secrets", "echoes", "refusals"],
    client: calling(
      (client) => (operation, request, options) =>
        client.call(operation, request, { ...options, carriesSecret: false }),
    ),
  },
  "change nothing": { caughtBy: "changes-effective", with: ["full"], repeats: "Record.Modify" },
  "remove before making": {
    caughtBy: "always-answered",
    with: ["full"],
    reconciler: ({ writer }) => {
      writer.change = async (changes, zones, isTaken) => {
        await writer.remove(
          changes.map(({ live }) => live),
          zones,
          isTaken,
        );
        const made = await writer.creator.create(changes.map(({ record }) => record));
        const missing = notSent("missing");
        return new Map(changes.map((change) => [change, made.get(change.record) ?? missing]));
      };
    },
  },
} as const satisfies Readonly<Record<string, Break>>;

export const plainBreaks: Readonly<Record<string, Break>> = table;
