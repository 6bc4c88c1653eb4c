/**
 * The host: what all resources of one provider process share. The engine configures it without waiting, so every
 * operation waits for the configuration itself; a broken one is every operation's error, in the same words.
 */
import { createClient, type Client } from "../api";
import { systemClock } from "../clock";
import { Reconciler } from "../reconcile/reconciler";
import { Shares } from "../reconcile/shares";
import type { Reporter } from "../report";
import { parseSettings, SettingsError, type Settings } from "../settings";
import { explicitKey } from "./host-config";
import { engineAddress, engineReporter, forHost } from "./engine";

export interface Host {
  readonly settings: Settings;
  readonly client: Client;
  readonly reconciler: Reconciler;
  readonly shares: Shares;
  readonly reporter: Reporter;
  /** Whether the program declares the provider itself: nothing then comes from the environment. */
  readonly explicit: boolean;
}

/** The setting is known so that programs can be written for it; an honest refusal beats a promise that is not kept. */
const notThereYet = {
  setting: "undocumentedOperations",
  message: "undocumentedOperations: this version of pulumi-legacydns does not have those operations; leave the setting out",
};

let current: Promise<Host> | undefined;
let working = 0;
let stopping = false;

/** Milliseconds for an answer to reach the engine. */
const answerTime = 500;

/**
 * Stores the configuration of this process. Called synchronously before any operation of the same provider text; a
 * process has one configuration, so a second call (another resource type) changes nothing.
 */
export function configureHost(config: Readonly<Record<string, unknown>>): void {
  current ??= makeHost(config);
  // Each operation awaits it and reports the error; unawaited it must not end the process.
  current.catch(() => undefined);
}

/** The configured host. @throws SettingsError, in every operation alike, when the configuration is broken. */
async function host(): Promise<Host> {
  return (current ??= makeHost({}));
}

/** Runs one operation of the engine's with the host that it is for. */
export type Operate = <T>(work: (host: Host) => Promise<T>) => Promise<T>;

/** Runs one operation of the engine's with this process's host, so that a stop waits for it. */
export const operation: Operate = async (work) => {
  working += 1;
  try {
    return await work(await host());
  } finally {
    working -= 1;
    // Not at once: the host has yet to send the answer to the engine.
    if (stopping && working === 0) setTimeout(() => process.exit(0), answerTime);
  }
};

/** Runs an operation; what it throws carries no stack, which the host would print. */
export async function quietly<T>(operate: Operate, work: (host: Host) => Promise<T>): Promise<T> {
  try {
    return await operate(work);
  } catch (error) {
    throw forHost(error);
  }
}

/** The whole configuration: the host's Config answers for single keys only, but an unknown key must be noticed. */
export function rawConfig(config: object): Readonly<Record<string, unknown>> {
  if ("rawConfig" in config && typeof config.rawConfig === "object" && config.rawConfig !== null) {
    return { ...config.rawConfig };
  }
  return {};
}

async function makeHost(config: Readonly<Record<string, unknown>>): Promise<Host> {
  const reporter = engineReporter(engineAddress(process.argv));
  const texts: Record<string, string> = {};
  for (const [key, value] of Object.entries(config)) if (typeof value === "string") texts[key] = value;
  const { [explicitKey]: explicit, ...settingTexts } = texts;
  const settings = parseSettings({ config: settingTexts, env: process.env, explicit: explicit !== undefined });
  if (settings.undocumentedOperations) throw new SettingsError([notThereYet]);
  const client = createClient({ settings, reporter });
  const reconciler = new Reconciler({ client, settings, reporter, clock: systemClock });
  stopWithCare(reconciler);
  return { settings, client, reporter, reconciler, shares: new Shares(client), explicit: explicit !== undefined };
}

/**
 * The engine ends a host with SIGINT, also after a second Ctrl-C while an operation runs: what is on its way is given
 * five seconds to end, so that its answer is not lost; an idle host goes at once.
 */
function stopWithCare(reconciler: Reconciler): void {
  if (engineAddress(process.argv) === undefined) return;
  // Stopped while idle, the engine has had every answer and saved it: then the journal has served. Stopped at work, it
  // may not have waited for the answer, and the journal stays for the next run.
  process.on("exit", () => {
    if (working === 0 && !stopping) reconciler.close();
  });
  const stop = (): void => {
    if (working === 0) process.exit(0);
    stopping = true;
    setTimeout(() => process.exit(0), 5_000).unref();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}
