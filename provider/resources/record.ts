/** `Record`: one record of one domain. */
import * as pulumi from "../sdk";
import { absoluteWithin, canonicalDomain, expandRecord, hostName, nearest, type Ttl } from "../dns";
import type { RecordArgs } from "../lifecycle/inputs";
import { isPlain, optionErrors, present, readArguments, withoutImport, type InputNames } from "./arguments";
import type { News } from "../lifecycle/news";
import { unknownValue } from "../lifecycle/unknown";
import type { Problem } from "../problems";
import {
  besideRecord,
  declaredLater,
  defaultLineOf,
  errorsOf,
  Given,
  secretOrNothing,
  updates,
} from "./declared";
import { through, typeBy } from "./front-end";
import { problemsOf } from "./problems";
import { resolveValues, withEmptyOutputs } from "./resolved";

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
  /** The type, in upper case. */
  declare readonly type: pulumi.Output<string>;
  /** Canonical: targets are absolute with the dot, addresses as RFC 5952 has them. */
  declare readonly value: pulumi.Output<string>;
  /** Seconds, or `default`. */
  declare readonly ttl: pulumi.Output<Ttl>;
  /** The priority; undefined for a type that has none. */
  declare readonly priority: pulumi.Output<number | undefined>;
  /** The line's name; undefined on the default line. */
  declare readonly line: pulumi.Output<string | undefined>;
  /** The service's record id: known once the record is made or adopted. It changes where somebody makes the record anew. */
  declare readonly recordId: pulumi.Output<string>;
  /**
   * The record's whole host name, as A-labels and without the dot at its end: `www.example.com`. In a preview it is known
   * where domain and name are.
   */
  declare readonly fqdn: pulumi.Output<string>;

  /**
   * Declares one record of a domain.
   *
   * @example
   * new Record("www", { domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 600 });
   *
   * @param name the resource's name in the program.
   * @param args the domain, the type and the value at least; without a `name` it is the domain's own.
   * @throws never: problems are shown in the preview, all at once.
   */
  constructor(name: string, args: RecordArgs, options?: pulumi.CustomResourceOptions) {
    const resource = `Record ${JSON.stringify(name)}`;
    const read = readArguments(args, inputNames);
    const { opts, errors: unfit } = withoutImport(options, "a record");
    const { domain, name: host, type, value, ttl, priority, line, removal, adopt } = read.args;
    const fields = {
      domain,
      name: isPlain(host) ? host : nameWithin(host, domain),
      type,
      value,
      ttl,
      priority,
      line,
    };
    const errors = [...read.errors, ...unfit, ...optionErrors({ removal, adopt })];
    const meant = new Set(read.errors.map(({ path }) => nearest(path, Object.keys(inputNames))));
    // A field that was misspelt is not missing as well.
    const isLost = (field: string): boolean =>
      meant.has(field) &&
      Object.entries(fields).some(([name, given]) => name === field && given === undefined);
    const plain = isPlain(fields);
    const given = new Given();
    const values = plain ? undefined : resolveValues(fields);
    const tell = async (problems: readonly Problem[], zone: unknown = domain): Promise<News> => {
      const said = await problemsOf(
        { label: resource, type: typeBy("Record"), name, parent: opts?.parent },
        problems,
        values,
      );
      return {
        resource,
        updates: updates(),
        retained: opts?.retainOnDelete === true || undefined,
        problems: said,
        ...(said === undefined ? await besideRecord(resource, zone, given) : {}),
      };
    };
    const check = (input: object, secret: boolean, provider: object | undefined): Problem[] => {
      const spec = { domain: undefined, type: undefined, value: undefined, ...input };
      const { record, problems } = expandRecord(spec, {
        defaultLine: defaultLineOf(provider),
        unknown: unknownValue,
        sensitive: secret,
      });
      return errorsOf(
        resource,
        {
          records: record ? [record] : [],
          problems: withEmptyOutputs(
            problems.filter(({ path }) => !isLost(path)),
            fields,
          ),
        },
        provider,
      );
    };
    let sensitive: Promise<true | undefined> | undefined;
    let news = given.provider.then((provider) =>
      plain ? tell([...errors, ...check(fields, false, provider)]) : tell(errors),
    );
    if (values !== undefined) {
      const zone = typeof domain === "string" ? canonicalDomain(domain) : undefined;
      void given.provider.then((provider) =>
        declaredLater(resource, zone && "domain" in zone ? [zone.domain] : undefined, provider),
      );
      sensitive = secretOrNothing(pulumi.output(fields));
      // What is wrong whatever the outputs turn out to be does not wait for them.
      if (errors.length === 0)
        news = values.then(async (known) =>
          tell(
            check(known.values, known.secret, await given.provider),
            "domain" in known.values ? known.values.domain : undefined,
          ),
        );
    }
    const frontEnd = through(
      "Record",
      name,
      { ...fields, ...present({ removal, adopt, sensitive }), recordId: undefined },
      news,
      // The ledger names records by digests, on which guesses at a secret value could be tried.
      plain ? opts : pulumi.mergeOptions(opts, { additionalSecretOutputs: ["__ledger"] }),
    );
    super(frontEnd.type, name, frontEnd.inputs, frontEnd.opts);
    given.constructed(this);
    let fqdn: pulumi.Output<string> | undefined;
    const wholeName = (): pulumi.Output<string> =>
      pulumi.all([this.domain, this.name]).apply(([domain, host]) => hostName(host, domain));
    // A property of its own, which `export const www = new Record(…)` shows; worked out for those who ask.
    Object.defineProperty(this, "fqdn", { enumerable: true, get: () => (fqdn ??= wholeName()) });
  }
}

/** A name that another resource computes: what lies within the domain is absolute, with or without the dot. */
function nameWithin(
  name: RecordArgs["name"],
  domain: RecordArgs["domain"] | undefined,
): pulumi.Output<string | undefined> {
  return pulumi.all([name, domain]).apply(([host, zone]) => {
    const known = typeof zone === "string" ? canonicalDomain(zone) : undefined;
    return typeof host === "string" && known && "domain" in known
      ? absoluteWithin(host, new Set([known.domain]))
      : host;
  });
}
