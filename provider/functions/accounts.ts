/**
 * The accounts of look-ups. Their settings come from the stack or from an explicit `Provider`. The look-ups
 * of one run share a client for each account, and so its pace and login stop. A run keeps its answers.
 */
import { createHash } from "node:crypto";
import * as pulumi from "../support/sdk";
import { type Client, createClient } from "../api";
import type { Reporter } from "../support/reporter";
import { ofProgram } from "../support/running";
import { parseSettings, type Settings, SettingsError } from "../settings";
import { LookupError } from "./errors";

/** The account of a look-up. */
export interface Account {
  /** A hash: equal for equal settings. */
  readonly key: string;
  readonly client: Client;
  readonly settings: Settings;
}

/**
 * One run of a program: an Automation API process may run several, which must not see each other's answers.
 */
export interface Run {
  /** Answers, by account, function and arguments. */
  readonly answers: Map<string, Promise<unknown>>;
  /**
   * Broken settings by message, failed logins by account: one error for every look-up, which the engine shows
   * once.
   */
  readonly broken: Map<string, LookupError>;
  /** By account. Idle connections keep no process alive, so that a client ends with its run. */
  readonly clients: Map<string, Client>;
}

/** The run that the caller belongs to. */
export const currentRun = ofProgram<Run>(() => ({
  answers: new Map(),
  broken: new Map(),
  clients: new Map(),
}));

/** Configuration of an explicit provider, and its name for messages. */
export interface ExplicitSource {
  readonly name: string;
  readonly config: Readonly<Record<string, string | undefined>>;
}

/**
 * The account of an explicit provider, or of the stack's configuration and the environment.
 * @throws LookupError when settings are missing or wrong
 */
export function accountOf(run: Run, explicit: ExplicitSource | undefined): Account {
  const settings = settingsOf(run, explicit);
  const key = hash([settings, settings.loginToken.reveal()]);
  const client = run.clients.get(key) ?? createClient({ settings, reporter: programReporter });
  run.clients.set(key, client);
  return { key, client, settings };
}

function settingsOf(run: Run, explicit: ExplicitSource | undefined): Settings {
  try {
    // Read anew each time: a program may set variables of its environment before it looks up.
    return parseSettings({
      config: explicit?.config ?? pulumi.runtime.allConfig(),
      env: process.env,
      explicit: explicit !== undefined,
    });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const whose =
      explicit === undefined
        ? "legacydns look-ups"
        : `legacydns look-ups with the Provider ${JSON.stringify(explicit.name)}`;
    const message = `${whose}: ${error.message}`;
    const known =
      run.broken.get(message) ??
      new LookupError(message, {
        lookup: "settings",
        problems: error.problems.map((problem) => problem.message),
      });
    run.broken.set(message, known);
    throw known;
  }
}

/** Waiting times appear as the stack's live status. Otherwise, a look-up reports only warnings. */
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
