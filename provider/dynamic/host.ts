/**
 * The front end "dynamic provider", in the SDK's provider process. The engine does not wait for the
 * configuration, so every operation does.
 */
import type * as pulumi from "@pulumi/pulumi";
import { Ending } from "../lifecycle/ending";
import { makeHost, type Host, type Operate } from "../lifecycle/host";
import { explicitKey } from "../lifecycle/manifest";
import type { Lifecycle } from "../lifecycle/lifecycle";
import { Echoes, engineLine, forHost } from "./engine";

// The engine configures each process once.
let current: Promise<Host> | undefined;
const line = engineLine();
const ending = new Ending(line.address);
const echoes = new Echoes();

/** A stop waits for the operation. Its error has no stack trace. */
export const operation: Operate = async (work) => {
  ending.entered();
  try {
    // The SDK's host does not pass the resource's URN.
    return await line.forResource("", async () => work(await (current ??= hostOf({}))));
  } catch (error) {
    throw forHost(error, echoes);
  } finally {
    ending.left();
  }
};

export function dynamicProvider(lifecycle: Lifecycle): pulumi.dynamic.ResourceProvider {
  return {
    configure: (request) => {
      // Synchronous, so that it precedes any operation.
      current ??= hostOf(rawConfig(request.config));
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

/** The host's Config returns single keys only, but unknown keys must be reported. */
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
