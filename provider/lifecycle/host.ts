/**
 * The host: what all resources of one provider process share. The engine configures it without waiting, so every
 * operation waits for the configuration itself; a broken one is every operation's error, in the same words.
 */
import { type Client, createClient, createHttpTransport } from "../api";
import { systemClock } from "../clock";
import { Reconciler } from "../reconcile/reconciler";
import { Shares } from "../reconcile/shares";
import type { Reporter } from "../report";
import { RunMemory, runKeys } from "../run-memory";
import { parseSettings, type Settings } from "../settings";
import { explicitKey } from "./host-config";
import { Ending } from "./ending";
import { engineAddress, engineReporter, forHost, programRan } from "./engine";

export interface Host {
  readonly settings: Settings;
  readonly client: Client;
  readonly reconciler: Reconciler;
  readonly shares: Shares;
  readonly reporter: Reporter;
  /** Whether the program declares the provider itself: nothing then comes from the environment. */
  readonly explicit: boolean;
}

let current: Promise<Host> | undefined;
const ending = new Ending(engineAddress(process.argv));

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
  ending.entered();
  try {
    return await work(await host());
  } finally {
    ending.left();
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
  const texts: Record<string, string> = {};
  for (const [key, value] of Object.entries(config)) if (typeof value === "string") texts[key] = value;
  const { [explicitKey]: explicit, ...settingTexts } = texts;
  const settings = parseSettings({ config: settingTexts, env: process.env, explicit: explicit !== undefined });
  const address = engineAddress(process.argv);
  const memory = new RunMemory(settings.stateDir, runKeys(address, process.env), systemClock);
  const reporter = engineReporter(address, memory);
  const client = createClient({ settings, reporter, transport: ending.guard(createHttpTransport(settings)) });
  const reconciler = new Reconciler({ client, settings, reporter, clock: systemClock, programRan: () => programRan(address), project: process.env["PULUMI_PROJECT"] ?? "" });
  ending.watch(reconciler, reporter);
  return { settings, client, reporter, reconciler, shares: new Shares(client, settings.indexDelay), explicit: explicit !== undefined };
}
