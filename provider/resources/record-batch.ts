/** `RecordBatch`: many records of one or many domains as one resource. */
import * as pulumi from "../support/sdk";
import { expandSpecs, type Expansion } from "../dns";
import {
  handOver,
  zoneEntries,
  type HandedOver,
  type RecordBatchArgs,
  type ZoneEntry,
} from "../lifecycle/inputs";
import { packNotes, type Manifest } from "../lifecycle/manifest";
import { unknownValue } from "../lifecycle/unknown";
import { isError, renderAll, type Problem } from "../problems";
import { isPlain, optionErrors, present, readArguments, withoutImport, type InputNames } from "./arguments";
import { through } from "./front-end";
import { originOf, type Origin } from "./origin";
import { note } from "./problems";
import { declaredLater, defaultLineOf, errorsOf, manifestOf, ProviderOf } from "./program";
import { resolveInputs, withEmptyOutputs, type ResolvedInputs } from "./resolved";

const inputNames: InputNames<RecordBatchArgs> = {
  domains: true,
  records: true,
  removal: true,
  adopt: true,
  undeclared: true,
  ignore: true,
  checks: true,
};

/** The inputs of a batch, and their problems. */
interface Given {
  readonly resource: string;
  readonly domains: unknown;
  readonly records: unknown;
  readonly origin: Origin | undefined;
  /** Problems that do not depend on the values of outputs. */
  readonly errors: readonly Problem[];
}

/** The inputs that the program sends for a batch, after its outputs are resolved. */
interface Prepared extends HandedOver {
  readonly manifest: Promise<Manifest>;
  /** The resources that the values come from. */
  readonly resources: readonly pulumi.Resource[];
}

/**
 * Many records, created in one or a few calls, and compared line by line.
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
   * The records as the text of a zone, sorted, a line each: `www.example.com. 600 A 192.0.2.1`. A record that
   * leaves its TTL out has none; `; line=…` names another line than the default one. A secret record is a
   * comment without its value, and so is one that a preview does not know yet.
   */
  declare readonly zoneText: pulumi.Output<string>;
  /** The property in the state. The engine shows an input and its output as one. */
  declare private readonly records: pulumi.Output<string>;
  /** Only in the state: the data of secret records. */
  declare private readonly secrets: pulumi.Output<string | undefined>;
  private readonly given:
    { readonly inputs: pulumi.Output<unknown>; readonly hasSecrets: Promise<boolean> } | undefined;

  /**
   * Declares records of a domain, or the same records of several.
   *
   * @example
   * new RecordBatch("web", { domains: "example.com", records: ["www 600 A 192.0.2.1", { name: "@", type: "MX", value: "10 mx1.example.com." }] });
   *
   * @param name the resource's name in the program.
   * @param args the domains and their records.
   * @throws never: problems are shown in the preview, all at once.
   */
  constructor(name: string, args: RecordBatchArgs, options?: pulumi.CustomResourceOptions) {
    const origin = originOf(args);
    const resource = origin?.label ?? `RecordBatch ${JSON.stringify(name)}`;
    const read = readArguments(args, inputNames);
    const { opts, errors: unfit } = withoutImport(options, "a record");
    const { domains, records, removal, adopt, undeclared, ignore, checks } = read.args;
    const rest = { removal, adopt, undeclared, ignore, checks };
    const errors = [...(origin?.errors ?? []), ...read.errors, ...unfit, ...optionErrors(rest)];
    const own = new ProviderOf();
    const prepared = prepare({ resource, domains, records, origin, errors }, own.provider);
    const manifest = prepared.then((known) => known.manifest);
    const inputs = { ...inputsFrom(prepared), ...present(rest) };
    const secrets =
      isPlain(domains) && isPlain(records) ? undefined : prepared.then((known) => known.secrets);
    const hidden = secrets?.then((data) => (data === undefined ? undefined : pulumi.secret(data)));
    const more = {
      dependsOn: prepared.then(({ resources }) => [...resources]),
      // The ledger contains digests of records. Guesses at a secret value could be tried on them.
      additionalSecretOutputs: ["__ledger"],
    };
    const frontEnd = through(
      "RecordBatch",
      name,
      { ...inputs, ...(hidden === undefined ? {} : { secrets: pulumi.output(hidden) }) },
      manifest,
      secrets === undefined ? opts : pulumi.mergeOptions(opts, more),
    );
    super(frontEnd.type, name, frontEnd.inputs, frontEnd.opts);
    own.constructed(this);
    this.given = secrets && {
      inputs: pulumi.output({ domains, records }),
      hasSecrets: secrets.then((data) => data !== undefined),
    };
    Object.defineProperties(this, {
      zoneText: { enumerable: true, value: this.records },
      records: { enumerable: false },
    });
  }

  /**
   * The records as values. Unknown in a preview if one of them is unknown, and secret if one of them is
   * secret.
   */
  get entries(): pulumi.Output<readonly ZoneEntry[]> {
    const secrets = pulumi.output(this.given?.hasSecrets.then((has) => (has ? this.secrets : undefined)));
    // Only to know whether all is known.
    const inputs = this.given?.inputs.apply(() => undefined);
    const known =
      parsed.get(this) ??
      pulumi
        .all([this.domains, this.zoneText, secrets, inputs])
        .apply(([domains, text, data]) => zoneEntries(domains, text, data));
    parsed.set(this, known);
    return known;
  }
}

/** Batch → its entries. Not a property of the class, because an exported batch would show it. */
const parsed = new WeakMap<RecordBatch, pulumi.Output<readonly ZoneEntry[]>>();

/**
 * Resolves the values, and notes the records and their problems.
 * @throws RunError in a unit test, if there is a problem
 */
async function prepare(
  { resource, domains, records, origin, errors }: Given,
  own: ProviderOf["provider"],
): Promise<Prepared> {
  note(resource, errors);
  const provider = await own;
  const expand = (zones: unknown, specs: unknown, of: Partial<ResolvedInputs> = {}): Expansion => {
    const { secrets, computed } = of;
    const options = { defaultLine: defaultLineOf(provider), unknown: unknownValue };
    return expandSpecs(zones, specs, {
      ...options,
      ...(secrets === undefined ? {} : { secrets }),
      ...(computed === undefined ? {} : { computed }),
    });
  };
  const isKnown = isPlain(domains) && isPlain(records);
  if (!isKnown) declaredLater(resource, isPlain(domains) ? expand(domains, []).domains : undefined, provider);
  const values = isKnown ? undefined : await resolveInputs(domains, records);
  const expansion =
    origin?.records ??
    expand(
      values === undefined ? domains : values.domains,
      values === undefined ? records : values.records,
      values,
    );
  const found = withEmptyOutputs(expansion.problems, { domains, records });
  const wrong = errorsOf(resource, { records: expansion.records, problems: found }, provider);
  note(resource, wrong);
  const warnings = renderAll(found.filter((each) => !isError(each))).map((text) => `${resource}: ${text}`);
  const messages = packNotes(origin?.notes ?? { warnings, notes: [] });
  // A wrong value may not even be text.
  const isWrong = errors.length + wrong.length > 0;
  return {
    ...(isWrong ? { domains: [], records: "" } : handOver(expansion)),
    resources: values?.resources ?? [],
    manifest: manifestOf({ resource, provider, domains: expansion.domains }, messages),
  };
}

/** The inputs except secrets. Each waits for all of them. */
function inputsFrom(prepared: Promise<Prepared>): pulumi.Inputs {
  const of = async <K extends keyof HandedOver>(key: K): Promise<HandedOver[K]> => (await prepared)[key];
  return { domains: of("domains"), records: of("records"), sensitive: of("sensitive") };
}
