/**
 * How every look-up runs: arguments checked, the account found, identical questions of one run asked once, and each
 * failure one `LookupError`; as a promise, and as an output that waits for its arguments.
 */
import * as pulumi from "../sdk";
import { LoginError } from "../api/errors";
import { ArgumentReader } from "../lookups/arguments";
import type { Lookup } from "../lookups/lookup";
import { providerSettings, type Provider } from "../resources/provider";
import type * as Accounts from "./accounts";
import type { ExplicitSource } from "./accounts";
import { argumentError, failedLookup, LookupError } from "./errors";

/** The accounts, loaded with the first look-up: the settings, with zod, take longer to load than all the rest. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load them with the program
const accounts = (): typeof Accounts => require("./accounts") as typeof Accounts;

/** What a look-up can be told beside its arguments. */
export interface LookupOptions {
  /** Another account; the stack's configuration and the environment where it is left out. */
  readonly provider?: Provider | undefined;
}

/** The arguments of the output form: each may be an output. */
export type LookupInputs<Args> = { readonly [Name in keyof Args]: pulumi.Input<Args[Name]> };

/**
 * Looks up.
 * @throws LookupError
 * @internal
 */
export async function lookUp<Request, Result>(
  lookup: Lookup<Request, Result>,
  args: unknown,
  options?: LookupOptions,
): Promise<Result> {
  const provider = providerOf(lookup.name, options);
  const request = read(lookup, args);
  return ask(lookup, request, provider === undefined ? undefined : await settled(lookup.name, provider));
}

/**
 * Looks up as soon as all arguments are known; unknown in a preview where one of them, or a provider's setting, is.
 * @internal
 */
export function lookUpOutput<Request, Result>(
  lookup: Lookup<Request, Result>,
  args: object | undefined,
  options?: LookupOptions,
): pulumi.Output<Result> {
  const given = pulumi.output(args ?? {});
  const secret = pulumi.output(pulumi.isSecret(given));
  // The token is secret, what the service answers is not; a secret argument makes the answer secret.
  const explicit = outputOf(lookup.name, options);
  return pulumi.all([given, secret, explicit]).apply(async ([values, hidden, source]): Promise<Result> => {
    const secrets = hidden ? textsOf(values) : [];
    try {
      return await ask(lookup, read(lookup, values), source ?? undefined);
    } catch (error) {
      throw failedLookup(lookup.name, error, secrets);
    }
  }) as pulumi.Output<Result>;
}

function read<Request>(lookup: Lookup<Request, unknown>, args: unknown): Request {
  const reader = new ArgumentReader(lookup.name, args, lookup.arguments);
  const request = lookup.read(reader);
  if (reader.problems.length > 0) throw argumentError(lookup.name, reader.problems);
  return request;
}

async function ask<Request, Result>(
  lookup: Lookup<Request, Result>,
  request: Request,
  explicit: ExplicitSource | undefined,
): Promise<Result> {
  const { accountOf, currentRun } = accounts();
  const run = currentRun();
  const { key, client, settings } = accountOf(run, explicit);
  const question = JSON.stringify([key, lookup.name, request]);
  const kept = run.answers.get(question) as Promise<Result> | undefined;
  const answer =
    kept ??
    lookup.ask(client, request, settings).catch((error: unknown): never => {
      // A login that failed stops every look-up of the account: one error for all of them, shown once.
      const stopped = error instanceof LoginError ? run.broken.get(key) : undefined;
      const failure = stopped ?? failedLookup(lookup.name, error, []);
      if (error instanceof LoginError) run.broken.set(key, failure);
      throw failure;
    });
  run.answers.set(question, answer);
  // Each caller gets an answer of its own, which it may change.
  return structuredClone(await answer);
}

function providerOf(lookup: string, options: LookupOptions | undefined): ReturnType<typeof providerSettings> {
  for (const name of Object.keys(options ?? {})) {
    if (name !== "provider")
      throw argumentError(lookup, [
        `${JSON.stringify(name)} is no option of a look-up; the only one is provider`,
      ]);
  }
  const provider = options?.provider;
  if (provider === undefined) return undefined;
  const known = providerSettings(provider);
  if (known === undefined)
    throw argumentError(lookup, [
      "the option provider must be a Provider of pulumi-legacydns, made in this program",
    ]);
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

/** The part of an output that the SDK's types keep to itself. */
interface Settling {
  readonly isKnown: Promise<boolean>;
  promise(): Promise<Readonly<Record<string, string | undefined>>>;
}

function isSettling(output: object): output is Settling {
  return "isKnown" in output && "promise" in output && typeof output.promise === "function";
}

/** A provider's settings as plain values, for a promise. */
async function settled(
  lookup: string,
  provider: NonNullable<ReturnType<typeof providerSettings>>,
): Promise<ExplicitSource> {
  const { name, inputs } = provider;
  if (!isSettling(inputs))
    throw new LookupError(
      `${lookup}: this version of the Pulumi SDK gives no access to the Provider's settings; use ${lookup}Output`,
      { lookup },
    );
  const config = await inputs.promise();
  if (await inputs.isKnown) return { name, config };
  throw new LookupError(
    `${lookup}: a setting of the Provider ${JSON.stringify(name)} is not known before the update, and a promise cannot wait for it. ` +
      `Use ${lookup}Output, which is unknown in the preview as well.`,
    { lookup },
  );
}

/** Every text among the arguments that is long enough to be told apart from other words. */
function textsOf(values: object): string[] {
  return Object.values(values).filter(
    (value): value is string => typeof value === "string" && value.length > 2,
  );
}
