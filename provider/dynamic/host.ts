/**
 * The dynamic provider's front end: a provider process of the SDK's. The engine configures it without waiting, so every operation waits
 * for the configuration itself; a broken one is every operation's error, in the same words.
 */
import type * as pulumi from "@pulumi/pulumi";
import { Ending } from "../lifecycle/ending";
import { makeHost, type Host, type Operate } from "../lifecycle/host";
import { explicitKey } from "../lifecycle/host-config";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { Echoes, engineLine, forHost } from "./engine";

// A process of the SDK's is one host, which the engine configures once: all of this ends with the process.
let current: Promise<Host> | undefined;
const line = engineLine();
const ending = new Ending(line.address);
const echoes = new Echoes();

/** Runs one operation with this process's host, so that a stop waits for it; what it throws has no stack to be printed. */
export const operation: Operate = async (work) => {
  ending.entered();
  try {
    // The SDK's host does not tell which resource an operation is of.
    return await line.speakingOf("", async () => work(await (current ??= hostOf({}))));
  } catch (error) {
    throw forHost(error, echoes);
  } finally {
    ending.left();
  }
};

/** A resource type as the SDK's host asks for it. */
export function dynamicProvider(lifecycle: Lifecycle): pulumi.dynamic.ResourceProvider {
  return {
    configure: (request) => {
      // Synchronously, before any operation; a process has one configuration, whatever types it serves.
      current ??= hostOf(rawConfig(request.config));
      // Each operation awaits it and reports the error; unawaited it must not end the process.
      current.catch(() => undefined);
      return Promise.resolve();
    },
    check: async (olds, news) => {
      const { inputs, failures } = await lifecycle.check(olds, news);
      return { ...(inputs === undefined ? {} : { inputs }), ...(failures === undefined ? {} : { failures }) };
    },
    diff: (id, olds, news) => lifecycle.diff(id, olds, news),
    create: (inputs) => lifecycle.create(inputs),
    read: (id, props) => lifecycle.read(id, props),
    update: (id, olds, news) => lifecycle.update(id, olds, news),
    delete: (id, props) => lifecycle.delete(id, props),
  };
}

/** The whole configuration: the host's Config answers for single keys only, but an unknown key must be noticed. */
function rawConfig(config: object): Readonly<Record<string, unknown>> {
  if ("rawConfig" in config && typeof config.rawConfig === "object" && config.rawConfig !== null) {
    return { ...config.rawConfig };
  }
  return {};
}

async function hostOf(given: Readonly<Record<string, unknown>>): Promise<Host> {
  const texts: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) if (typeof value === "string") texts[key] = value;
  const { [explicitKey]: explicit, ...config } = texts;
  return makeHost({
    config,
    explicit: explicit !== undefined,
    reporter: line.reporter(),
    engine: line.address,
    programRan: () => line.programRan(),
    ending,
  });
}
