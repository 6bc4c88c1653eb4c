/** `RecordBatch`: many records of one or many domains as one resource. */
import * as pulumi from "@pulumi/pulumi";
import { expandSpecs, type Expansion } from "../dns";
import { handOver, packNotes, zoneEntries, type HandedOver, type RecordBatchArgs, type ZoneEntry } from "../lifecycle/inputs";
import { unknownValue } from "../lifecycle/unknown";
import { isPlain, optionErrors, readArguments, withoutImport, type InputNames } from "./arguments";
import { warnOfPlainToken } from "./configuration";
import { besides, declaredLater, defaultLineOf, errorsOf, Given, inputsOf, showErrors, type Beside } from "./declared";
import { through } from "./door";
import { originOf } from "./origin";
import { resolveInputs } from "./resolved";

const inputNames: InputNames<RecordBatchArgs> = { domains: true, records: true, removal: true, adopt: true, undeclared: true, ignore: true };

/** What travels to the provider, once the values are known. */
interface Prepared extends HandedOver, ReturnType<typeof packNotes> {
  /** How many errors were shown. */
  readonly problems: Promise<number> | undefined;
  readonly beside: Promise<Beside>;
}

/**
 * Many records, made in one call or a few, and diffed line by line.
 *
 * @example
 * new RecordBatch("web", {
 *   domains: ["example.com", "example.net"],
 *   records: [
 *     { name: ["@", "www"], type: "A", value: ["192.0.2.1", "192.0.2.2"], ttl: 600 },
 *     { type: "MX", value: "mx1.example.org", priority: 10 },
 *   ],
 * });
 */
export class RecordBatch extends pulumi.CustomResource {
  /** The zones, as A-labels, sorted. */
  declare readonly domains: pulumi.Output<string[]>;
  /**
   * The records as the text of a zone, sorted, a line each: `www.example.com. 600 A 192.0.2.1`. A record that leaves its
   * TTL out has none; `; line=…` names another line than the default one. A secret record is a comment without its value,
   * and so is one that a preview does not know yet.
   */
  declare readonly records: pulumi.Output<string>;
  /** In the state alone: what stands behind the marks of secret records. */
  private declare readonly secrets: pulumi.Output<string | undefined>;
  private readonly given: { readonly inputs: pulumi.Output<unknown>; readonly hasSecrets: Promise<boolean> } | undefined;
  private parsed: pulumi.Output<readonly ZoneEntry[]> | undefined;

  /**
   * @param name the resource's name in the program.
   * @throws never: problems are shown in the preview, all at once.
   */
  constructor(name: string, args: RecordBatchArgs, options?: pulumi.CustomResourceOptions) {
    warnOfPlainToken();
    const origin = originOf(args);
    const resource = origin?.label ?? `RecordBatch ${JSON.stringify(name)}`;
    const read = readArguments(args, inputNames);
    const { opts, errors: unfit } = withoutImport(options, "a record");
    const { domains, removal, adopt, undeclared, ignore } = read.args;
    const records = origin?.records ?? read.args.records;
    const errors = [...(origin?.errors ?? []), ...read.errors, ...unfit, ...optionErrors({ removal, adopt, undeclared, ignore })];
    const given = new Given();
    const expand = (zones: unknown, specs: unknown, provider: object | undefined, secrets?: ReadonlySet<number>): Expansion =>
      expandSpecs(zones, specs, { defaultLine: defaultLineOf(provider), unknown: unknownValue, ...(secrets === undefined ? {} : { secrets }) });
    const prepare = (expansion: Expansion, said: readonly string[], provider: object | undefined): Prepared => {
      const warnings = expansion.problems.filter(({ severity }) => severity === "warning").map(({ path, message }) => `${resource}: ${path}: ${message}`);
      const problems = showErrors(resource, [...said, ...errorsOf(resource, expansion, provider, false)]);
      return {
        // With problems nothing is planned, and what is wrong may not even be text.
        ...(problems === undefined ? handOver(expansion) : { domains: [], records: "" }),
        ...packNotes(origin?.notes ?? { warnings, notes: [] }),
        problems,
        beside: besides(resource, expansion.domains, given, undeclared !== undefined),
      };
    };
    const rest = { removal, adopt, undeclared, ignore, __ledger: undefined };
    if (isPlain(domains) && isPlain(records)) {
      const prepared = given.provider.then((provider) => prepare(origin?.records ?? expand(domains, records, provider), errors, provider));
      const door = through("RecordBatch", { ...inputsFrom(prepared, undefined), ...rest }, opts);
      super(door.type, name, door.inputs, door.opts);
      given.constructed(this);
      return;
    }
    void given.provider.then((provider) => declaredLater(resource, isPlain(domains) ? expand(domains, [], provider).domains : undefined, provider));
    // What is wrong whatever the outputs turn out to be does not wait for them.
    const shown = showErrors(resource, errors);
    const resolved = resolveInputs(domains, records);
    const later = Promise.all([resolved, given.provider]).then(([values, provider]) =>
      prepare(expand(values.domains, values.records, provider, values.secrets), [], provider));
    const secrets = later.then((prepared) => prepared.secrets);
    const inputs = {
      ...inputsFrom(later, shown),
      secrets: pulumi.output(secrets.then((data) => (data === undefined ? undefined : pulumi.secret(data)))),
    };
    // The ledger names records by digests, on which guesses at a secret value could be tried.
    const own = { dependsOn: resolved.then(({ resources }) => [...resources]), additionalSecretOutputs: ["__ledger"] };
    const door = through("RecordBatch", { ...inputs, ...rest }, pulumi.mergeOptions(opts, own));
    super(door.type, name, door.inputs, door.opts);
    given.constructed(this);
    this.given = { inputs: pulumi.output({ domains, records }), hasSecrets: secrets.then((data) => data !== undefined) };
  }

  /** The records as values; not known in a preview that does not know all of them, secret where one of them is. */
  get entries(): pulumi.Output<readonly ZoneEntry[]> {
    const secrets = pulumi.output(this.given?.hasSecrets.then((has) => (has ? this.secrets : undefined)));
    // Only to know whether all is known.
    const inputs = this.given?.inputs.apply(() => undefined);
    this.parsed ??= pulumi.all([this.domains, this.records, secrets, inputs]).apply(([domains, records, data]) => zoneEntries(domains, records, data));
    return this.parsed;
  }
}

/** The inputs but for secrets; each waits for all of them. @param shown errors that were shown before */
function inputsFrom(prepared: Promise<Prepared>, shown: Promise<number> | undefined): pulumi.Inputs {
  const of = async <K extends keyof Prepared>(key: K): Promise<Awaited<Prepared[K]>> => await (await prepared)[key];
  return {
    ...{ domains: of("domains"), records: of("records"), sensitive: of("sensitive"), problems: shown ?? of("problems") },
    ...{ warnings: of("warnings"), notes: of("notes") },
    ...inputsOf(pulumi.output(of("beside"))),
  };
}
