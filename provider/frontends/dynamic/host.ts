/**
 * The front end "dynamic provider". The engine does not wait for the configuration, so every operation
 * does.
 */
import * as pulumi from "@pulumi/pulumi";
import { Ending } from "../../lifecycle/ending";
import { makeHost, type Host, type Operate } from "../../lifecycle/host";
import { asOneMessage } from "../../lifecycle/failures";
import { explicitKey } from "../../lifecycle/manifest";
import type { Lifecycle, Props } from "../../lifecycle/lifecycle";
import { isSensitive } from "../../lifecycle/state";
import { engineAddress, EngineLine } from "../../support/engine-line";
import { mark } from "../../support/secret-marks";

let current: Promise<Host> | undefined;
const line = engineLine();
const ending = new Ending(line.address);
const echoes = new Set<string>();

export const operation: Operate = async (work) => {
  ending.entered();
  try {
    // The SDK's host does not pass the resource's URN.
    return await line.forResource("", async () => {
      try {
        return await work(await (current ??= hostOf({})));
      } catch (error) {
        throw asOneMessage(error, line.reporter());
      }
    });
  } catch (error) {
    throw forHost(error);
  } finally {
    ending.left();
  }
};

export function dynamicProvider(lifecycle: Lifecycle): pulumi.dynamic.ResourceProvider {
  return {
    ...lifecycle,
    create: (inputs) => sealed(lifecycle.create(inputs)),
    read: async (id, props) => {
      const found = await lifecycle.read(id, props);
      return found.props === undefined ? found : { ...found, props: withSecretLedger(found.props) };
    },
    update: (id, olds, news) => sealed(lifecycle.update(id, olds, news)),
    configure: ({ config }) => {
      // Synchronous, so that it precedes any operation.
      current ??= hostOf(rawConfig(config));
      current.catch(() => undefined);
      return Promise.resolve();
    },
  };
}

/** Guesses at a secret could be tried on the ledger's digests. The SDK passes the mark on to the engine. */
function withSecretLedger(props: Props): Props {
  const { __ledger: value } = props;
  return isSensitive(props) ? { ...props, __ledger: { [mark.key]: mark.secret, value } } : props;
}

/** A half-done operation has its outputs in the error. */
async function sealed<T extends { readonly outs: Props }>(work: Promise<T>): Promise<T> {
  try {
    const result = await work;
    return { ...result, outs: withSecretLedger(result.outs) };
  } catch (error) {
    if (error instanceof Error && "properties" in error)
      Object.assign(error, { properties: withSecretLedger(error.properties as Props) });
    throw error;
  }
}

/** The host's Config returns single keys only, but unknown keys must be reported. */
function rawConfig(config: object): Readonly<Record<string, unknown>> {
  return "rawConfig" in config && typeof config.rawConfig === "object" ? { ...config.rawConfig } : {};
}

async function hostOf(given: Readonly<Record<string, unknown>>): Promise<Host> {
  const { [explicitKey]: explicit, ...config } = given;
  return makeHost({
    config,
    explicit: explicit !== undefined,
    reporter: line.reporter(),
    engine: line.address,
    programRan: () => line.programRan(),
    ending,
  });
}

function engineLine(): EngineLine {
  const address = engineAddress(process.argv);
  if (address === undefined) return new EngineLine(undefined, undefined);
  // The process has no deployment.
  pulumi.runtime.resetOptions("", "", -1, address, "", false, "");
  return new EngineLine(address, pulumi.runtime.getEngine());
}

/** The engine would print the host's echo under the stack. */
function forHost(error: unknown): Error {
  const thrown = error instanceof Error ? error : new Error(String(error));
  thrown.stack = "";
  echoes.add(`${String(thrown)}: `);
  if (echoes.size === 1) swallowEchoes();
  return thrown;
}

function swallowEchoes(): void {
  /* eslint-disable no-console -- the host reports through console.error before it answers the engine */
  const print = console.error;
  console.error = (...args: unknown[]): void => {
    if (args.length !== 1 || typeof args[0] !== "string" || !echoes.has(args[0])) print(...args);
  };
  setImmediate(() => {
    console.error = print;
    echoes.clear();
  });
  /* eslint-enable no-console */
}
