/** Runs a look-up in a program. It asks identical questions of one run once. */
import { LoginError } from "../api";
import { providerSettings } from "../resources/provider";
import { reason } from "../problems";
import * as pulumi from "../support/sdk";
import { accountFor, currentRun, type ExplicitSource } from "./accounts";
import { ArgumentReader } from "./arguments";
import { argumentError, failedLookup } from "./errors";
import type { Lookup, Question } from "./lookup";
import type { LookupOptions } from "./options";

/** @throws LookupError */
export async function lookUp<Result extends object>(
  lookup: Lookup<Result>,
  args: unknown,
  options?: LookupOptions,
): Promise<Result> {
  const provider = providerOf(lookup.name, options);
  const question = questionOf(lookup, args);
  return ask(
    lookup.name,
    question,
    provider === undefined ? undefined : await settled(lookup.name, provider),
  );
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
  const { key, client, settings } = accountFor(run, explicit);
  const text = JSON.stringify([key, lookup, question.request]);
  const answer =
    (run.answers.get(text) as Promise<Result> | undefined) ??
    question.ask(client, settings).catch((error: unknown): never => {
      // One error for all look-ups of the account is shown once.
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
  for (const name of Object.keys(options ?? {})) {
    if (name !== "provider")
      throw argumentError(lookup, {
        ...reason("field.unknown", { hint: "the only option is provider" }),
        path: name,
      });
  }
  const provider = options?.provider;
  if (provider === undefined) return undefined;
  const known = providerSettings(provider);
  if (known === undefined)
    throw argumentError(lookup, {
      ...reason("field.kind", {
        kind: "this",
        what: "a Provider",
        example: "a Provider of pulumi-legacydns",
      }),
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
