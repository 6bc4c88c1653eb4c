/** `Record`: one record of one domain. */
import * as pulumi from "@pulumi/pulumi";
import { canonicalDomain, expandRecord, type Ttl } from "../dns";
import type { RecordArgs } from "../lifecycle/inputs";
import { isPlain, optionErrors, readArguments, withoutImport, type InputNames } from "./arguments";
import { warnOfPlainToken } from "./configuration";
import { declaredLater, defaultLineOf, errorsOf, Given, secretOrNothing, showErrors } from "./declared";
import { through } from "./door";

const inputNames: InputNames<RecordArgs> = {
  ...{ domain: true, name: true, type: true, value: true, ttl: true, priority: true, line: true },
  ...{ removal: true, adopt: true },
};

/**
 * One record. An equal record that is live already is adopted; many records are better served by `RecordBatch`.
 *
 * @example
 * new Record("www", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 });
 */
export class Record extends pulumi.CustomResource {
  /** The zone, as A-labels. */
  declare readonly domain: pulumi.Output<string>;
  /** Relative to the domain; `@` is the domain itself. */
  declare readonly name: pulumi.Output<string>;
  declare readonly type: pulumi.Output<string>;
  /** Canonical: targets are absolute with the dot, addresses as RFC 5952 has them. */
  declare readonly value: pulumi.Output<string>;
  /** Seconds, or `default`. */
  declare readonly ttl: pulumi.Output<Ttl>;
  declare readonly priority: pulumi.Output<number | undefined>;
  /** Undefined on the default line. */
  declare readonly line: pulumi.Output<string | undefined>;
  /** The service's record id. */
  declare readonly recordId: pulumi.Output<string>;

  /**
   * @param name the resource's name in the program.
   * @throws never: problems are shown in the preview, all at once.
   */
  constructor(name: string, args: RecordArgs, options?: pulumi.CustomResourceOptions) {
    warnOfPlainToken();
    const resource = `Record ${JSON.stringify(name)}`;
    const read = readArguments(args, inputNames);
    const { opts, errors: unfit } = withoutImport(options, "a record");
    const { domain, name: host, type, value, ttl, priority, line, removal, adopt } = read.args;
    const fields = { domain, name: host, type, value, ttl, priority, line };
    const errors = [...read.errors, ...unfit, ...optionErrors({ removal, adopt })];
    const plain = isPlain(fields);
    const given = new Given();
    const check = (input: typeof fields, provider: object | undefined): string[] => {
      const { record, problems } = expandRecord(input, { defaultLine: defaultLineOf(provider), sensitive: !plain });
      return errorsOf(resource, { records: record ? [record] : [], problems }, provider, !plain);
    };
    let problems: pulumi.Input<number | undefined>;
    let sensitive: Promise<true | undefined> | undefined;
    if (plain) problems = given.provider.then((provider) => showErrors(resource, [...errors, ...check(fields, provider)]));
    else {
      const known = pulumi.output(fields);
      const zone = typeof domain === "string" ? canonicalDomain(domain) : undefined;
      void given.provider.then((provider) => declaredLater(resource, zone && "domain" in zone ? [zone.domain] : undefined, provider));
      sensitive = secretOrNothing(known);
      const later = known.apply(async (resolved) => showErrors(resource, check(resolved, await given.provider)));
      // What is wrong whatever the outputs turn out to be does not wait for them: a preview may never know them.
      problems = showErrors(resource, errors) ?? later;
    }
    const inputs = { ...fields, removal, adopt, sensitive, problems, whole: given.whole, recordId: undefined, __ledger: undefined };
    const door = through(
      "Record",
      inputs,
      // The ledger names records by digests, on which guesses at a secret value could be tried.
      plain ? opts : pulumi.mergeOptions(opts, { additionalSecretOutputs: ["__ledger"] }),
    );
    super(door.type, name, door.inputs, door.opts);
    given.constructed(this);
  }
}
