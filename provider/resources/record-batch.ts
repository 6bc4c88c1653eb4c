/** `RecordBatch`: many records of one or many domains as one resource. */
import * as pulumi from "../sdk";
import { digest, expandSpecs, type Expansion } from "../dns";
import {
  handOver,
  packNotes,
  zoneEntries,
  type HandedOver,
  type RecordBatchArgs,
  type ZoneEntry,
} from "../lifecycle/inputs";
import type { News } from "../lifecycle/news";
import { unknownValue } from "../lifecycle/unknown";
import { isError, shown, type Problem } from "../problems";
import { isPlain, optionErrors, present, readArguments, withoutImport, type InputNames } from "./arguments";
import { besides, declaredLater, defaultLineOf, errorsOf, Given, updates } from "./declared";
import { through, typeBy } from "./front-end";
import { originOf } from "./origin";
import { problemsOf } from "./problems";
import { resolveInputs, withEmptyOutputs, type Resolved } from "./resolved";

const inputNames: InputNames<RecordBatchArgs> = {
  domains: true,
  records: true,
  removal: true,
  adopt: true,
  undeclared: true,
  ignore: true,
  checks: true,
};

/** What travels to the provider, once the values are known. */
interface Prepared extends HandedOver {
  readonly news: Promise<News>;
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
    const { domains, removal, adopt, undeclared, ignore, checks } = read.args;
    const records = origin?.records ?? read.args.records;
    const errors = [
      ...(origin?.errors ?? []),
      ...read.errors,
      ...unfit,
      ...optionErrors({ removal, adopt, undeclared, ignore, checks }),
    ];
    const given = new Given();
    const expand = (
      zones: unknown,
      specs: unknown,
      provider: object | undefined,
      of: Partial<Pick<Resolved, "secrets" | "computed">> = {},
    ): Expansion =>
      expandSpecs(zones, specs, { defaultLine: defaultLineOf(provider), unknown: unknownValue, ...of });
    const resolved = isPlain(domains) && isPlain(records) ? undefined : resolveInputs(domains, records);
    const tell = async (
      errors: readonly Problem[],
      notes: News,
      more: () => Promise<News>,
    ): Promise<News> => {
      const problems = await problemsOf(
        { label: resource, type: typeBy("RecordBatch"), name, parent: opts?.parent },
        errors,
        resolved,
      );
      return {
        resource,
        updates: updates(),
        ...notes,
        ...(problems === undefined ? await more() : { problems }),
      };
    };
    const prepare = (
      expansion: Expansion,
      said: readonly Problem[],
      provider: object | undefined,
    ): Prepared => {
      const warnings = expansion.problems
        .filter((problem) => !isError(problem))
        .map((problem) => `${resource}: ${shown(problem)}`);
      const all = [...said, ...errorsOf(resource, expansion, provider)];
      // With problems nothing is planned, and what is wrong may not even be text.
      const handed = all.length === 0 ? handOver(expansion) : { domains: [], records: "" };
      const news = tell(all, packNotes(origin?.notes ?? { warnings, notes: [] }), async () => ({
        text: digest(handed.records),
        ...(await besides(resource, expansion.domains, given)),
      }));
      return { ...handed, news };
    };
    const rest = present({ removal, adopt, undeclared, ignore, checks });
    if (resolved === undefined) {
      const prepared = given.provider.then((provider) =>
        prepare(origin?.records ?? expand(domains, records, provider), errors, provider),
      );
      const frontEnd = through(
        "RecordBatch",
        name,
        { ...inputsFrom(prepared), ...rest },
        prepared.then(({ news }) => news),
        opts,
      );
      super(frontEnd.type, name, frontEnd.inputs, frontEnd.opts);
      given.constructed(this);
      return;
    }
    void given.provider.then((provider) =>
      declaredLater(resource, isPlain(domains) ? expand(domains, [], provider).domains : undefined, provider),
    );
    const later = Promise.all([resolved, given.provider]).then(([values, provider]) => {
      const expansion = expand(values.domains, values.records, provider, {
        secrets: values.secrets,
        computed: values.computed,
      });
      return prepare(
        { ...expansion, problems: withEmptyOutputs(expansion.problems, { domains, records }) },
        [],
        provider,
      );
    });
    // What is wrong whatever the outputs turn out to be does not wait for them.
    const news =
      errors.length > 0
        ? tell(errors, {}, () => Promise.resolve({}))
        : later.then((prepared) => prepared.news);
    const secrets = later.then((prepared) => prepared.secrets);
    const inputs = {
      ...inputsFrom(later),
      secrets: pulumi.output(secrets.then((data) => (data === undefined ? undefined : pulumi.secret(data)))),
    };
    // The ledger names records by digests, on which guesses at a secret value could be tried.
    const own = {
      dependsOn: resolved.then(({ resources }) => [...resources]),
      additionalSecretOutputs: ["__ledger"],
    };
    const frontEnd = through(
      "RecordBatch",
      name,
      { ...inputs, ...rest },
      news,
      pulumi.mergeOptions(opts, own),
    );
    super(frontEnd.type, name, frontEnd.inputs, frontEnd.opts);
    given.constructed(this);
    this.given = {
      inputs: pulumi.output({ domains, records }),
      hasSecrets: secrets.then((data) => data !== undefined),
    };
  }

  /** The records as values; not known in a preview that does not know all of them, secret where one of them is. */
  get entries(): pulumi.Output<readonly ZoneEntry[]> {
    const secrets = pulumi.output(this.given?.hasSecrets.then((has) => (has ? this.secrets : undefined)));
    // Only to know whether all is known.
    const inputs = this.given?.inputs.apply(() => undefined);
    const known =
      parsed.get(this) ??
      pulumi
        .all([this.domains, this.records, secrets, inputs])
        .apply(([domains, records, data]) => zoneEntries(domains, records, data));
    parsed.set(this, known);
    return known;
  }
}

/** Beside the resources: an exported one shows its properties. */
const parsed = new WeakMap<RecordBatch, pulumi.Output<readonly ZoneEntry[]>>();

/** The inputs but for secrets; each waits for all of them. */
function inputsFrom(prepared: Promise<Prepared>): pulumi.Inputs {
  const of = async <K extends keyof HandedOver>(key: K): Promise<HandedOver[K]> => (await prepared)[key];
  return { domains: of("domains"), records: of("records"), sensitive: of("sensitive") };
}
