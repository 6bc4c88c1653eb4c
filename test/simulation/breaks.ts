/** Promises that are broken on purpose. Each invariant must notice its own. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Box } from "../../emulator";
import { ServiceError, type Client } from "../../provider/api";
import type { Host } from "../../provider/lifecycle/host";
import type { Lifecycle, Props } from "../../provider/lifecycle/lifecycle";
import type { Reconciler } from "../../provider/reconcile/reconciler";
import type { Invariant } from "./observer";
import { secretMark } from "./program";
import type { Feature } from "./troubles";

export interface Break {
  readonly caughtBy: Invariant;
  readonly with?: readonly Feature[];
  readonly lifecycle?: (provider: Lifecycle) => Lifecycle;
  readonly client?: (client: Client) => Client;
  readonly host?: (host: Host, renew: () => Host) => Host;
  readonly reconciler?: (reconciler: Reconciler) => void;
  readonly hides?: RegExp;
  readonly repeats?: string;
  readonly listing?: (body: string) => string;
  readonly harm?: (box: Box) => void;
  readonly slower?: number;
  readonly byWall?: true;
  readonly chatter?: number;
}

const noLedger = "ledger 2";

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

const harming =
  (harm: (records: Map<number, { id: number; ttl: number }>, id: number) => void) =>
  ({ service }: Box) => {
    for (const { records } of service.world.domains.values()) {
      const found = [...records.values()].find(({ hold }) => !hold);
      if (found !== undefined) harm(records, found.id);
    }
  };

const table = {
  "resend a write": { caughtBy: 1, repeats: "Batch.Record.Create" },
  "overlook a record": { caughtBy: 1, listing: withoutRecords },
  "hide duplicates": {
    caughtBy: 1,
    with: ["kills", "fresh-disk", "jobs", "second"],
    hides: /\[live\.twice\]/,
  },
  "leave the journal unread": {
    caughtBy: 1,
    with: ["kills", "jobs"],
    host: (host) => {
      rmSync(join(host.settings.stateDir, "journal"), { recursive: true, force: true });
      return host;
    },
  },
  "forget the jobs": {
    caughtBy: 1,
    with: ["jobs", "fresh-disk"],
    lifecycle: around((work) =>
      work().catch((error: unknown) => {
        throw withoutJobs(error);
      }),
    ),
  },
  "believe every code": {
    caughtBy: 1,
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
    caughtBy: 2,
    with: ["refusals"],
    lifecycle: around((work, id, inputs) =>
      work().catch(() => ({ id, outs: { ...inputs, __ledger: noLedger } })),
    ),
  },
  "want what later answers have": {
    caughtBy: 2,
    with: ["eras"],
    listing: (body) => (body.includes("records_num") ? body : "{}"),
  },
  "touch a record": {
    caughtBy: 3,
    harm: harming((records, id) => {
      const record = records.get(id);
      if (record !== undefined) record.ttl += 1;
    }),
  },
  "remove a record": { caughtBy: 4, harm: harming((records, id) => records.delete(id)) },
  "never quiet": {
    caughtBy: 5,
    lifecycle: (provider) => {
      let n = 0;
      const check: Lifecycle["check"] = async (olds, news) => {
        const checked = await provider.check(olds, news);
        return { ...checked, inputs: { ...checked.inputs, nonce: (n += 1) } };
      };
      return { ...provider, check };
    },
  },
  chatter: { caughtBy: 6, chatter: 40 },
  "ignore a failed login": {
    caughtBy: 7,
    with: ["login"],
    host: (host, renew) => {
      rmSync(host.settings.stateDir, { recursive: true, force: true });
      return renew();
    },
  },
  "forget the ledger": {
    caughtBy: 8,
    lifecycle: around(async (work) => {
      const { id, outs } = await work();
      return { id, outs: { ...outs, __ledger: noLedger } };
    }),
  },
  "let go in silence": { caughtBy: 8, with: ["retain"], hides: /\[live\.(?:retained|adopted)\]/ },
  "believe that it is gone": {
    caughtBy: 8,
    with: ["full", "lies"],
    client: calling(
      (client) => (operation, request, options) =>
        operation === "Record.Remove"
          ? Promise.resolve({} as never)
          : client.call(operation, request, options),
    ),
  },
  "sleep too long": { caughtBy: 9, slower: 100_000 },
  "wait by the machine's clock": { caughtBy: 9, with: ["clocks", "jobs"], byWall: true },
  "leave a rejection": {
    caughtBy: 9,
    lifecycle: around((work) => {
      void Promise.reject(new Error("nobody hears this"));
      return work();
    }),
  },
  "tell a secret": {
    caughtBy: 10,
    host: (host) => {
      host.reporter.info(`deploying ${secretMark}-token-value`);
      return host;
    },
  },
  "repeat the service's words": {
    caughtBy: 10,
    with: ["secrets", "echoes", "refusals"],
    client: calling(
      (client) => (operation, request, options) =>
        client.call(operation, request, { ...options, carriesSecret: false }),
    ),
  },
  "change nothing": { caughtBy: 11, with: ["full"], repeats: "Record.Modify" },
  "remove before making": {
    caughtBy: 12,
    with: ["full"],
    reconciler: ({ writer }) => {
      writer.change = async (changes, zones, isTaken) => {
        await writer.remove(
          changes.map(({ live }) => live),
          zones,
          isTaken,
        );
        return writer.creator.create(changes.map(({ record }) => record));
      };
    },
  },
} as const satisfies Readonly<Record<string, Break>>;

export const breaks: Readonly<Record<string, Break>> = table;
