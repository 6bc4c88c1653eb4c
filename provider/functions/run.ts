/** Runs a look-up in a program. The look-ups of one run share answers, clients and failed logins. */
import { hash } from "node:crypto";
import { type Client, createClient, LoginError } from "../api";
import { reason, renderAll } from "../problems";
import { providerSettings } from "../resources/provider";
import { parseSettings, type Settings, SettingsError } from "../settings";
import { silentReporter, type Reporter } from "../support/reporter";
import { ofProgram } from "../support/running";
import * as pulumi from "../support/sdk";
import { ArgumentReader } from "./arguments";
import { argumentError, failedLookup, LookupError } from "./errors";
import type { Lookup, LookupOptions, Question } from "./lookup";

interface Run {
  /** By account, function and arguments. */
  readonly answers: Map<string, Promise<unknown>>;
  /** By message or account: one error, which the engine shows once. */
  readonly broken: Map<string, LookupError>;
  /** By account. */
  readonly clients: Map<string, Client>;
}

const currentRun = ofProgram<Run>(() => ({
  answers: new Map(),
  broken: new Map(),
  clients: new Map(),
}));

interface ExplicitSource {
  readonly name: string;
  readonly config: Readonly<Record<string, string | undefined>>;
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
  ...silentReporter,
  warn: (text) => {
    if (pulumi.runtime.hasEngine()) pulumi.log.warn(text).catch(() => undefined);
  },
  progress: (text) => {
    if (pulumi.runtime.hasEngine()) pulumi.log.info(text, undefined, undefined, true).catch(() => undefined);
  },
};

export async function lookUp<Result extends object>(
  lookup: Lookup<Result>,
  args: unknown,
  options?: LookupOptions,
): Promise<Result> {
  const provider = providerOf(lookup.name, options);
  const question = questionOf(lookup, args);
  return ask(lookup.name, question, provider && (await settled(lookup.name, provider)));
}

export function lookUpOutput<Result extends object>(
  lookup: Lookup<Result>,
  args: object | undefined,
  options?: LookupOptions,
): pulumi.Output<Result> {
  const given = pulumi.output(args ?? {});
  // A secret argument makes the answer secret. The provider's token does not.
  const secret = pulumi.output(pulumi.isSecret(given));
  const explicit = outputOf(lookup.name, options);
  return pulumi.all([given, secret, explicit]).apply(async ([values, hidden, source]): Promise<Result> => {
    try {
      return await ask(lookup.name, questionOf(lookup, values), source ?? undefined);
    } catch (error) {
      throw failedLookup(lookup.name, error, hidden ? textsOf(values) : []);
    }
  }) as pulumi.Output<Result>;
}

function questionOf<Result extends object>(lookup: Lookup<Result>, args: unknown): Question<Result> {
  const reader = new ArgumentReader(lookup.name, args, lookup.arguments);
  const question = lookup.question(reader);
  if (reader.problems.length > 0) throw argumentError(lookup.name, ...reader.problems);
  return question;
}

async function ask<Result extends object>(
  lookup: string,
  question: Question<Result>,
  explicit: ExplicitSource | undefined,
): Promise<Result> {
  const run = currentRun();
  const settings = settingsOf(run, explicit);
  const key = hash("sha256", JSON.stringify([settings, settings.loginToken.reveal()]));
  const client = run.clients.get(key) ?? createClient({ settings, reporter: programReporter });
  run.clients.set(key, client);
  const text = JSON.stringify([key, lookup, question.request]);
  const answer =
    (run.answers.get(text) as Promise<Result> | undefined) ??
    question.ask(client, settings).catch((error: unknown): never => {
      const stopped = error instanceof LoginError ? run.broken.get(key) : undefined;
      const failure = stopped ?? failedLookup(lookup, error, []);
      if (error instanceof LoginError) run.broken.set(key, failure);
      throw failure;
    });
  run.answers.set(text, answer);
  // Each caller gets its own answer, which it may change.
  return structuredClone(await answer);
}

function providerOf(lookup: string, options: LookupOptions | undefined): ReturnType<typeof providerSettings> {
  const path = Object.keys(options ?? {}).find((name) => name !== "provider");
  if (path !== undefined)
    throw argumentError(lookup, {
      ...reason("field.unknown", { hint: "the only option is provider" }),
      path,
    });
  const provider = options?.provider;
  if (provider === undefined) return undefined;
  const known = providerSettings(provider);
  if (known === undefined)
    throw argumentError(lookup, {
      ...reason("field.kind", { kind: "this", what: "a Provider", example: "one of pulumi-legacydns" }),
      path: "provider",
    });
  return known;
}

function outputOf(lookup: string, options: LookupOptions | undefined): pulumi.Output<ExplicitSource | null> {
  try {
    const provider = providerOf(lookup, options);
    if (provider === undefined) return pulumi.output(null);
    const { name, inputs } = provider;
    return pulumi.unsecret(inputs).apply((config) => ({ name, config }));
  } catch (error) {
    return pulumi.output(Promise.reject(failedLookup(lookup, error, [])));
  }
}

/** The part of an output that the SDK's types hide. */
interface Settling {
  readonly isKnown: Promise<boolean>;
  promise(): Promise<Readonly<Record<string, string | undefined>>>;
}

function isSettling(output: object): output is Settling {
  return "isKnown" in output && "promise" in output && typeof output.promise === "function";
}

async function settled(
  lookup: string,
  provider: NonNullable<ReturnType<typeof providerSettings>>,
): Promise<ExplicitSource> {
  const { name, inputs } = provider;
  const config = isSettling(inputs) && (await inputs.isKnown) ? await inputs.promise() : undefined;
  if (config !== undefined) return { name, config };
  const what = `a setting of the Provider ${JSON.stringify(name)}`;
  throw argumentError(lookup, { ...reason("value.pending", { what, lookup }), path: "provider" });
}

/** Shorter texts may be part of many words. */
function textsOf(values: object): string[] {
  return Object.values(values).filter(
    (value): value is string => typeof value === "string" && value.length > 2,
  );
}
