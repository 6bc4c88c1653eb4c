/** `RecordBatch`: many records, in one domain or in many, as one resource. */
import * as pulumi from "@pulumi/pulumi";
import { expandSpecs, type Expansion } from "../dns";
import { packNotes, packRecords, type PlainRecords, type RecordBatchArgs } from "../lifecycle/inputs";
import { isPlain, optionErrors, readArguments, withoutImport, type InputNames } from "./arguments";
import { warnOfPlainToken } from "./configuration";
import { besides, declaredLater, defaultLineOf, errorsOf, Given, inputsOf, providerText, secretOrNothing, showErrors } from "./declared";
import { originOf } from "./origin";

const inputNames: InputNames<RecordBatchArgs> = { domains: true, records: true, removal: true, adopt: true, undeclared: true, ignore: true };

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
  /** From canonical text to TTL: `{ "www.example.com. A 192.0.2.1": 600 }`. */
  declare readonly records: pulumi.Output<{ readonly [text: string]: number | string }>;

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
    const plain = isPlain(domains) && isPlain(records);
    const given = new Given();
    const expand = (inDomains: unknown, specs: unknown, provider: object | undefined): Expansion =>
      expandSpecs(inDomains, specs, { defaultLine: defaultLineOf(provider), sensitive: !plain });
    const notes = origin?.notes === undefined ? {} : packNotes(origin.notes);
    const rest = { removal, adopt, undeclared, ignore, ...notes, ledger: undefined, __provider: providerText("RecordBatch") };
    const type = "pulumi-nodejs:dynamic/legacydns:RecordBatch";
    if (plain) {
      const known = given.provider.then((provider) => {
        const expansion = expand(domains, records, provider);
        const problems = showErrors(resource, [...errors, ...errorsOf(resource, expansion, provider, false)]);
        return { in: expansion.domains, problems };
      });
      const beside = known.then((its) => besides(resource, its.in, given, undeclared !== undefined));
      // With problems nothing is planned, and what is wrong may not even be text.
      const inputs = {
        domains: known.then(({ problems }) => (problems === undefined ? domains : [])),
        records: known.then(({ problems }) => (problems === undefined ? packRecords(records as PlainRecords) : "")),
        problems: known.then(({ problems }) => problems),
      };
      super(type, name, { ...inputs, ...inputsOf(pulumi.output(beside)), ...rest }, opts);
      given.constructed(this);
      return;
    }
    void given.provider.then((provider) => declaredLater(resource, isPlain(domains) ? expand(domains, [], provider).domains : undefined, provider));
    const known = pulumi.output({ domains, records });
    const later = known.apply(async (resolved) => {
      const provider = await given.provider;
      return showErrors(resource, errorsOf(resource, expand(resolved.domains, resolved.records, provider), provider, true));
    });
    // What is wrong whatever the outputs turn out to be does not wait for them: a preview may never know them.
    const problems = showErrors(resource, errors) ?? later;
    const beside = pulumi.output(domains).apply(async (resolved) => {
      const provider = await given.provider;
      return besides(resource, expand(resolved, [], provider).domains, given, undeclared !== undefined);
    });
    super(type, name, { domains, records, sensitive: secretOrNothing(known), problems, ...inputsOf(beside), ...rest }, opts);
    given.constructed(this);
  }
}
