import { unknownValue } from "../lifecycle/lifecycle";
import * as pulumi from "../support/sdk";
import { expandSpecs, type Expansion } from "../dns";
import { zoneEntries, type ZoneEntry } from "../functions/entries";
import { canonicalInputs, textDigest, type CanonicalInputs } from "../lifecycle/batch-text";
import type { Manifest } from "../lifecycle/manifest";
import { optionTable } from "../lifecycle/options";
import { isError, renderAll, type Problem } from "../problems";
import { defined } from "../support/defined";
import {
  isPlain,
  optionErrors,
  readResource,
  resolveInputs,
  type InputNames,
  type Origin,
  type ResolvedInputs,
} from "./arguments";
import type { RecordBatchArgs } from "./inputs";
import { through } from "./front-end";
import { defaultLineOf, manifestOf, note, providerOf, scopeOf, type Constructed } from "./program";

const inputNames: InputNames<RecordBatchArgs> = { domains: true, records: true, ...optionTable };

interface Prepared extends CanonicalInputs {
  readonly manifest: Manifest;
  readonly resources: readonly pulumi.Resource[];
}

/**
 * Many records in one or many domains, created in one or a few calls, and compared line by line. The output `entries`
 * has the records as values `{ domain, name, type, value, priority?, ttl?, line? }`; other languages call `getEntries`.
 */
export class RecordBatch extends pulumi.CustomResource {
  /** The zones, as A-labels, sorted. */
  declare readonly domains: pulumi.Output<string[]>;
  /**
   * The records as the text of a zone, sorted, a line each: `www.example.com. 600 A 192.0.2.1`. A record that
   * leaves its TTL out has none; `; line=…` names another line than the default one. A secret record is a
   * comment without its value. If a preview does not know a record, the text is unknown.
   */
  declare readonly zoneText: pulumi.Output<string>;
  /** The property in the state. The engine shows an input and its output as one. */
  declare private readonly records: pulumi.Output<string>;
  /** Only in the state: the data of secret records. */
  declare private readonly secrets: pulumi.Output<string | undefined>;
  private readonly given:
    { readonly inputs: pulumi.Output<unknown>; readonly hasSecrets: Promise<boolean> } | undefined;

  /** @throws never: problems are shown in the preview, all at once */
  constructor(name: string, args: RecordBatchArgs, opts?: pulumi.CustomResourceOptions) {
    const read = readResource("RecordBatch", name, args, inputNames, opts);
    const { resource, origin } = read;
    const { domains, records, ...options } = read.args;
    const own: Constructed = {};
    const errors = [...read.errors, ...optionErrors(options)];
    const prepared = prepare(resource, { domains, records, origin, errors }, own);
    const of = async <K extends keyof Prepared>(key: K): Promise<Prepared[K]> => (await prepared)[key];
    const isKnown = isPlain(domains) && isPlain(records);
    const secrets = isKnown ? undefined : of("secrets");
    const hidden = secrets?.then((data) => (data === undefined ? undefined : pulumi.secret(data)));
    const more = { dependsOn: of("resources").then((resources) => [...resources]) };
    const frontEnd = through(
      "RecordBatch",
      name,
      {
        domains: of("domains"),
        records: of("records"),
        ...defined({ ...options, secrets: hidden && pulumi.output(hidden) }),
      },
      of("manifest"),
      isKnown ? read.opts : pulumi.mergeOptions(read.opts, more),
    );
    super(frontEnd.type, name, frontEnd.inputs, frontEnd.opts);
    own.resource = this;
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
    const inputs = this.given?.inputs.apply(() => undefined);
    return pulumi
      .all([this.domains, this.zoneText, secrets, inputs])
      .apply(([domains, text, data]) => zoneEntries(domains, text, data));
  }
}

async function prepare(
  resource: string,
  given: { domains: unknown; records: unknown; origin: Origin | undefined; errors: readonly Problem[] },
  own: Constructed,
): Promise<Prepared> {
  const { domains, records, origin, errors } = given;
  note(resource, errors);
  const provider = await providerOf(own);
  const scope = scopeOf(provider);
  const expand = (zones: unknown, specs: unknown, of: Partial<ResolvedInputs> = {}): Expansion =>
    expandSpecs(zones, specs, {
      defaultLine: defaultLineOf(provider),
      unknown: unknownValue,
      ...defined({ secrets: of.secrets, computed: of.computed }),
    });
  const isKnown = isPlain(domains) && isPlain(records);
  if (!isKnown) scope.unknown.set(resource, isPlain(domains) ? expand(domains, []).domains : undefined);
  const values = isKnown ? { domains, records } : await resolveInputs(domains, records);
  const expansion = origin?.records ?? expand(values.domains, values.records, values);
  const wrong = scope.errorsOf(resource, expansion);
  note(resource, wrong);
  const warnings = renderAll(expansion.problems.filter((each) => !isError(each)));
  const named = warnings.map((text) => `${resource}: ${text}`);
  const messages = origin?.notes ?? { warnings: named };
  // A wrong value may not even be text.
  const isWrong = errors.length + wrong.length > 0;
  const inputs = isWrong ? { domains: [], records: "" } : canonicalInputs(expansion);
  const manifest = await manifestOf(resource, provider, expansion.domains, undefined, messages);
  return {
    ...inputs,
    resources: "resources" in values ? values.resources : [],
    manifest: { ...manifest, text: textDigest(inputs) },
  };
}
