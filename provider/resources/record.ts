import { unknownValue } from "../lifecycle/lifecycle";
import * as pulumi from "../support/sdk";
import { absoluteWithin, canonicalDomain, expandRecord, hostName, type Ttl } from "../dns";
import { defined } from "../support/defined";
import { isPlain, optionErrors, readResource, resolveValues, type InputNames } from "./arguments";
import type { RecordArgs } from "./inputs";
import type { Manifest } from "../lifecycle/manifest";
import type { Problem } from "../problems";
import { through } from "./front-end";
import { defaultLineOf, manifestOf, note, providerOf, scopeOf, type Constructed } from "./program";

const inputNames: InputNames<RecordArgs> = {
  domain: true,
  name: true,
  type: true,
  value: true,
  ttl: true,
  priority: true,
  line: true,
  removal: true,
  adopt: true,
};

/**
 * One record. An equal live record is adopted. Records that are created at the same time share a job. Beyond a few
 * dozen records, use `RecordBatch`, because the engine writes its state once per resource. TypeScript also exports the
 * class as `DnsRecord`, because `Record` hides a type of the language.
 */
export class Record extends pulumi.CustomResource {
  /** The zone, as A-labels. */
  declare readonly domain: pulumi.Output<string>;
  /** Relative to the domain; `@` is the domain itself. */
  declare readonly name: pulumi.Output<string>;
  /** The type, in upper case. */
  declare readonly type: pulumi.Output<string>;
  /** Canonical: targets are absolute with the dot, addresses follow RFC 5952. */
  declare readonly value: pulumi.Output<string>;
  /** Seconds, or `default`. */
  declare readonly ttl: pulumi.Output<Ttl>;
  /** The priority; undefined for a type without one. */
  declare readonly priority: pulumi.Output<number | undefined>;
  /** The line's name; undefined on the default line. */
  declare readonly line: pulumi.Output<string | undefined>;
  /**
   * The service's record id, known after the record is created or adopted. A recreated record has another id.
   */
  declare readonly recordId: pulumi.Output<string>;
  /**
   * The record's absolute host name, as A-labels and without the final dot: `www.example.com`. A preview
   * knows it if it knows domain and name.
   */
  declare readonly fqdn: pulumi.Output<string>;

  /** @throws never: problems are shown in the preview, all at once */
  constructor(name: string, args: RecordArgs, options?: pulumi.CustomResourceOptions) {
    const {
      resource,
      args: given,
      errors,
      opts: own,
    } = readResource("Record", name, args, inputNames, options);
    const { domain, name: host, type, value, ttl, priority, line, removal, adopt } = given;
    const relative = isPlain(host) ? host : nameWithin(host, domain);
    const fields = { domain, name: relative, type, value, ttl, priority, line };
    const isKnown = isPlain(fields);
    const self: Constructed = {};
    const manifest = prepare(resource, fields, [...errors, ...optionErrors({ removal, adopt })], self);
    const isSecret = isKnown ? undefined : pulumi.isSecret(pulumi.output(fields));
    const sensitive = isSecret?.then((is) => is || undefined);
    const frontEnd = through(
      "Record",
      name,
      { ...fields, ...defined({ removal, adopt, sensitive }), recordId: undefined },
      manifest,
      own,
    );
    super(frontEnd.type, name, frontEnd.inputs, frontEnd.opts);
    self.resource = this;
    let fqdn: pulumi.Output<string> | undefined;
    const wholeName = (): pulumi.Output<string> =>
      pulumi.all([this.domain, this.name]).apply(([domain, host]) => hostName(host, domain));
    Object.defineProperty(this, "fqdn", { enumerable: true, get: () => (fqdn ??= wholeName()) });
  }
}

async function prepare(
  resource: string,
  fields: { readonly domain: unknown },
  errors: readonly Problem[],
  own: Constructed,
): Promise<Manifest> {
  note(resource, errors);
  const provider = await providerOf(own);
  const scope = scopeOf(provider);
  const zone = typeof fields.domain === "string" ? canonicalDomain(fields.domain) : undefined;
  const isKnown = isPlain(fields);
  if (!isKnown) scope.unknown.set(resource, zone && "domain" in zone ? [zone.domain] : undefined);
  const { values, secret } = isKnown ? { values: fields, secret: false } : await resolveValues(fields);
  const { record, problems } = expandRecord(
    { domain: undefined, type: undefined, value: undefined, ...values },
    { defaultLine: defaultLineOf(provider), unknown: unknownValue, sensitive: secret },
  );
  const records = record === undefined ? [] : [record];
  note(resource, scope.errorsOf(resource, { records, problems }));
  const domains = records.map(({ domain }) => domain);
  return manifestOf(resource, provider, domains, record?.name);
}

/** A name from another resource. One that ends with the domain is absolute, with or without the final dot. */
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
