/**
 * The accounts of look-ups, from the stack or an explicit `Provider`. The look-ups of one run share a client
 * for each account, and so its pace and login stop.
 */
import { createHash } from "node:crypto";
import * as pulumi from "../support/sdk";
import { type Client, createClient } from "../api";
import { renderAll } from "../problems";
import type { Reporter } from "../support/reporter";
import { ofProgram } from "../support/running";
import { parseSettings, type Settings, SettingsError } from "../settings";
import { LookupError } from "./errors";

export interface Account {
  /** Equal for equal settings. */
  readonly key: string;
  readonly client: Client;
  readonly settings: Settings;
}

/** One run of a program. An Automation API process may run several. */
export interface Run {
  /** Answers, by account, function and arguments. */
  readonly answers: Map<string, Promise<unknown>>;
  /** Broken settings by message, failed logins by account: one error, which the engine shows once. */
  readonly broken: Map<string, LookupError>;
  /** By account. Idle connections keep no process alive. */
  readonly clients: Map<string, Client>;
}

export const currentRun = ofProgram<Run>(() => ({
  answers: new Map(),
  broken: new Map(),
  clients: new Map(),
}));

/** An explicit provider. */
export interface ExplicitSource {
  readonly name: string;
  readonly config: Readonly<Record<string, string | undefined>>;
}

/** @throws LookupError if settings are missing or wrong */
export function accountFor(run: Run, explicit: ExplicitSource | undefined): Account {
  const settings = settingsOf(run, explicit);
  const key = hash([settings, settings.loginToken.reveal()]);
  const client = run.clients.get(key) ?? createClient({ settings, reporter: programReporter });
  run.clients.set(key, client);
  return { key, client, settings };
}

function settingsOf(run: Run, explicit: ExplicitSource | undefined): Settings {
  try {
    // A program may set variables of its environment before it looks up.
    return parseSettings({
      config: explicit?.config ?? pulumi.runtime.allConfig(),
      env: process.env,
      explicit: explicit !== undefined,
    });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const whose =
      explicit === undefined ? "look-ups" : `look-ups with the Provider ${JSON.stringify(explicit.name)}`;
    const problems = renderAll(error.problems.map((problem) => ({ ...problem, path: whose })));
    const message = problems.join("\n");
    const known = run.broken.get(message) ?? new LookupError(message, { lookup: "settings", problems });
    run.broken.set(message, known);
    throw known;
  }
}

/** Waits appear as the live status of the stack. */
const programReporter: Reporter = {
  info: () => undefined,
  warn: (text) => {
    if (pulumi.runtime.hasEngine()) pulumi.log.warn(text).catch(() => undefined);
  },
  error: () => undefined,
  progress: (text) => {
    if (pulumi.runtime.hasEngine()) pulumi.log.info(text, undefined, undefined, true).catch(() => undefined);
  },
};

function hash(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
