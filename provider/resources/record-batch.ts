/** `RecordBatch`: many records of one or many domains as one resource. */
import * as pulumi from "@pulumi/pulumi";
import { expandSpecs, type Expansion } from "../dns";
import { handOver, packNotes, zoneEntries, type HandedOver, type RecordBatchArgs, type ZoneEntry } from "../lifecycle/inputs";
import { unknownValue } from "../lifecycle/unknown";
import { isPlain, optionErrors, readArguments, withoutImport, type InputNames } from "./arguments";
import { warnOfPlainToken } from "./configuration";
import { declaredBeside, declaredLater, defaultLineOf, errorsOf, providerText, showErrors, unsureBeside } from "./declared";
import { originOf } from "./origin";
import { resolveInputs } from "./resolved";

const inputNames: InputNames<RecordBatchArgs> = { domains: true, records: true, removal: true, adopt: true, undeclared: true, ignore: true };

/** What travels to the provider, once the values are known. */
interface Prepared extends HandedOver, ReturnType<typeof packNotes> {
  /** How many errors were shown. */
  readonly problems: Promise<number> | undefined;
  readonly declared: Promise<string | undefined>;
  readonly unsure: Promise<string | undefined> | undefined;
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
    const given = readArguments(args, inputNames);
    const { opts, errors: unfit } = withoutImport(options, "a record");
    const { domains, removal, adopt, undeclared, ignore } = given.args;
    const records = origin?.records ?? given.args.records;
    const errors = [...(origin?.errors ?? []), ...given.errors, ...unfit, ...optionErrors({ removal, adopt, undeclared, ignore })];
    const provider = opts?.provider;
    const expand = (zones: unknown, specs: unknown, secrets?: ReadonlySet<number>): Expansion =>
      // What the default line of an explicit provider is, the provider alone knows: it takes its name out of the records.
      expandSpecs(zones, specs, { defaultLine: provider === undefined ? defaultLineOf() : "", unknown: unknownValue, ...(secrets === undefined ? {} : { secrets }) });
    const prepare = (expansion: Expansion, said: readonly string[]): Prepared => {
      const warnings = expansion.problems.filter(({ severity }) => severity === "warning").map(({ path, message }) => `${resource}: ${path}: ${message}`);
      const problems = showErrors(resource, [...said, ...errorsOf(resource, expansion, provider, false)]);
      return {
        // With problems nothing is planned, and what is wrong may not even be text.
        ...(problems === undefined ? handOver(expansion) : { domains: [], records: "" }),
        ...packNotes(origin?.notes ?? { warnings, notes: [] }),
        problems,
        declared: declaredBeside(resource, expansion.domains, provider),
        unsure: undeclared === undefined ? undefined : unsureBeside(resource, expansion.domains, provider),
      };
    };
    const rest = { removal, adopt, undeclared, ignore, __ledger: undefined, __provider: providerText("RecordBatch") };
    const type = "pulumi-nodejs:dynamic/legacydns:RecordBatch";
    if (isPlain(domains) && isPlain(records)) {
      super(type, name, { ...prepare(origin?.records ?? expand(domains, records), errors), ...rest }, opts);
      return;
    }
    declaredLater(resource, isPlain(domains) ? expand(domains, []).domains : undefined, provider);
    // What is wrong whatever the outputs turn out to be does not wait for them.
    const shown = showErrors(resource, errors);
    const resolved = resolveInputs(domains, records);
    const later = resolved.then((values) => prepare(expand(values.domains, values.records, values.secrets), []));
    const of = async <K extends keyof Prepared>(key: K): Promise<Awaited<Prepared[K]>> => await (await later)[key];
    const inputs = {
      ...{ domains: of("domains"), records: of("records"), sensitive: of("sensitive"), declared: of("declared"), unsure: of("unsure") },
      ...{ warnings: of("warnings"), notes: of("notes"), problems: shown ?? of("problems") },
      secrets: pulumi.output(of("secrets").then((secrets) => (secrets === undefined ? undefined : pulumi.secret(secrets)))),
    };
    // The ledger names records by digests, on which guesses at a secret value could be tried.
    const own = { dependsOn: resolved.then(({ resources }) => [...resources]), additionalSecretOutputs: ["__ledger"] };
    super(type, name, { ...inputs, ...rest }, pulumi.mergeOptions(opts, own));
    this.given = { inputs: pulumi.output({ domains, records }), hasSecrets: of("secrets").then((secrets) => secrets !== undefined) };
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
