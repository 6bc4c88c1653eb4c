/** The promises broken on purpose, in the simulation only: each invariant must notice the one that is its own. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import { ServiceError, type Client } from "../../provider/api";
import type { Host } from "../../provider/lifecycle/host";
import { secretMark } from "./program";

export const breaks = [
  "resend a write",
  "overlook a record",
  "hide duplicates",
  "drop an outcome",
  "touch a record",
  "remove a record",
  "never quiet",
  "chatter",
  "ignore a failed login",
  "forget the ledger",
  "let go in silence",
  "sleep too long",
  "leave a rejection",
  "tell a secret",
  "change nothing",
  "remove before making",
  "leave the journal unread",
  "forget the jobs",
  "repeat the service's words",
  "wait by the machine's clock",
  "believe every code",
  "believe that it is gone",
  "want what later answers have",
] as const;

export type Break = (typeof breaks)[number];

type Provider = pulumi.dynamic.ResourceProvider;
type Props = Record<string, unknown>;

/** The lifecycle with one promise broken. */
export function breakLifecycle(broken: Break | undefined, provider: Provider): Provider {
  const make = (inputs: Props) => provider.create(inputs);
  const change = async (id: string, olds: Props, news: Props) =>
    (await provider.update?.(id, olds, news)) ?? {};
  if (broken === "drop an outcome") {
    return {
      ...provider,
      create: async (inputs: Props) => swallow(() => make(inputs), "lost", inputs),
      update: async (id, olds: Props, news: Props) => ({
        outs: (await swallow(() => change(id, olds, news), id, news)).outs,
      }),
    };
  }
  if (broken === "forget the ledger") {
    return {
      ...provider,
      create: async (inputs: Props) => {
        const made = await make(inputs);
        return { id: made.id, outs: { ...made.outs, __ledger: "ledger 2" } };
      },
      update: async (id, olds: Props, news: Props) => ({
        outs: { ...(await change(id, olds, news)).outs, __ledger: "ledger 2" },
      }),
    };
  }
  if (broken === "forget the jobs") {
    return {
      ...provider,
      create: async (inputs: Props) => withoutJobs(() => make(inputs)),
      update: async (id, olds: Props, news: Props) => withoutJobs(() => change(id, olds, news)),
    };
  }
  if (broken === "never quiet") {
    let n = 0;
    return {
      ...provider,
      check: async (olds: Props, news: Props) => {
        const checked = (await provider.check?.(olds, news)) ?? {};
        return { ...checked, inputs: { ...checked.inputs, nonce: `${olds["nonce"] ?? ""}${(n += 1)}` } };
      },
    };
  }
  if (broken === "leave a rejection") {
    return {
      ...provider,
      create: async (inputs: Props) => {
        void Promise.reject(new Error("nobody hears this"));
        return make(inputs);
      },
    };
  }
  return provider;
}

/** The outputs that a half-done operation keeps, without the jobs and lost answers of its ledger. */
async function withoutJobs<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (typeof error !== "object" || error === null || !("properties" in error)) throw error;
    const properties = error.properties as Props;
    const ledger = String(properties["__ledger"])
      .split("\n")
      .filter((line) => !/^[@?] /.test(line))
      .join("\n");
    throw Object.assign(error, { properties: { ...properties, __ledger: ledger } });
  }
}

async function swallow(
  work: () => Promise<{ id?: string; outs?: Props }>,
  id: string,
  inputs: Props,
): Promise<{ id: string; outs: Props }> {
  try {
    const done = await work();
    return { id: done.id ?? id, outs: done.outs ?? inputs };
  } catch {
    return { id, outs: { ...inputs, __ledger: "ledger 2" } };
  }
}

/**
 * The client with one promise broken: it takes a wrong answer for a refusal or for a proof of absence, or
 * shows a secret.
 */
export function breakClient(broken: Break | undefined, client: Client): Client {
  if (
    broken !== "believe every code" &&
    broken !== "believe that it is gone" &&
    broken !== "repeat the service's words"
  )
    return client;
  const call: Client["call"] = async (operation, request, options) => {
    if (broken === "repeat the service's words")
      return client.call(operation, request, { ...options, carriesSecret: false });
    // As if the service had answered 8 to a removal that it did not make.
    if (broken === "believe that it is gone" && operation === "Record.Remove") return {} as never;
    try {
      return await client.call(operation, request, options);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (broken === "believe every code") {
        throw new ServiceError({ ...error.details, outcome: "refused" });
      }
      throw error;
    }
  };
  return new Proxy(client, {
    get: (target, key) => (key === "call" ? call : bound(target, Reflect.get(target, key))),
  });
}

function bound(target: object, value: unknown): unknown {
  return typeof value === "function" ? (value.bind(target) as unknown) : value;
}

/** The host with one promise broken. */
export function breakHost(broken: Break | undefined, host: Host, renew: () => Host): () => Host {
  if (broken === "ignore a failed login") {
    return () => {
      // Neither the client that failed nor the marker on disk holds it back.
      rmSync(host.settings.stateDir, { recursive: true, force: true });
      return renew();
    };
  }
  if (broken === "leave the journal unread") {
    return () => {
      rmSync(join(host.settings.stateDir, "journal"), { recursive: true, force: true });
      return host;
    };
  }
  if (broken === "tell a secret") {
    return () => {
      host.reporter.info(`deploying ${secretMark}-token-value`);
      return host;
    };
  }
  return () => host;
}
