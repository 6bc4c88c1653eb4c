/** `RecordBatch`: many records, in one domain or in many, as one resource. */
import * as pulumi from "@pulumi/pulumi";
import { expandSpecs, type Expansion } from "../dns";
import { packNotes, packRecords, type PlainRecords, type RecordBatchArgs } from "../lifecycle/inputs";
import { isPlain, optionErrors, readArguments, withoutImport, type InputNames } from "./arguments";
import { warnOfPlainToken } from "./configuration";
import { declaredBeside, declaredLater, defaultLineOf, errorsOf, providerText, secretOrNothing, showErrors, unsureBeside } from "./declared";
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
    const given = readArguments(args, inputNames);
    const { opts, errors: unfit } = withoutImport(options, "a record");
    const { domains, removal, adopt, undeclared, ignore } = given.args;
    const records = origin?.records ?? given.args.records;
    const errors = [...(origin?.errors ?? []), ...given.errors, ...unfit, ...optionErrors({ removal, adopt, undeclared, ignore })];
    const plain = isPlain(domains) && isPlain(records);
    const expand = (inDomains: unknown, specs: unknown): Expansion =>
      expandSpecs(inDomains, specs, { defaultLine: defaultLineOf(), sensitive: !plain });
    const errorsIn = (expansion: Expansion): string[] => errorsOf(resource, expansion, opts?.provider, !plain);
    const notes = origin?.notes === undefined ? {} : packNotes(origin.notes);
    const rest = { removal, adopt, undeclared, ignore, ...notes, ledger: undefined, __provider: providerText("RecordBatch") };
    const type = "pulumi-nodejs:dynamic/legacydns:RecordBatch";
    if (plain) {
      const expansion = expand(domains, records);
      const problems = showErrors(resource, [...errors, ...errorsIn(expansion)]);
      const declared = declaredBeside(resource, expansion.domains, opts?.provider);
      // With problems nothing is planned, and what is wrong may not even be text.
      const packed = problems === undefined ? packRecords(records as PlainRecords) : "";
      const unsure = undeclared === undefined ? undefined : unsureBeside(resource, expansion.domains, opts?.provider);
      super(type, name, { domains: problems === undefined ? domains : [], records: packed, problems, declared, unsure, ...rest }, opts);
      return;
    }
    declaredLater(resource, isPlain(domains) ? expand(domains, []).domains : undefined, opts?.provider);
    const known = pulumi.output({ domains, records });
    const later = known.apply((resolved) => showErrors(resource, errorsIn(expand(resolved.domains, resolved.records))));
    // What is wrong whatever the outputs turn out to be does not wait for them: a preview may never know them.
    const problems = showErrors(resource, errors) ?? later;
    const declared = pulumi
      .output(domains)
      .apply((resolved) => declaredBeside(resource, expand(resolved, []).domains, opts?.provider));
    const unsure = undeclared === undefined ? undefined : pulumi
      .output(domains)
      .apply((resolved) => unsureBeside(resource, expand(resolved, []).domains, opts?.provider));
    super(type, name, { domains, records, sensitive: secretOrNothing(known), problems, declared, unsure, ...rest }, opts);
  }
}
