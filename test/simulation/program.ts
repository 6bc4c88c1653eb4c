import type { RecordView } from "../../emulator";
import { digest, expandSpecs, type Expansion } from "../../provider/dns";
import { groupBy } from "../../provider/support/collections";
import { defined } from "../../provider/support/defined";
import { canonicalInputs, textDigest } from "../../provider/lifecycle/batch-text";
import { declaredText, manifestInput } from "../../provider/lifecycle/manifest";
import type { Feature } from "./troubles";

export interface Spec {
  readonly name: string;
  readonly type: "A" | "CNAME" | "TXT" | "MX";
  readonly value: string;
  readonly priority?: number;
  readonly ttl?: number;
  readonly line?: string;
  /** How the program spells it, if not as above. */
  readonly written?: { readonly name?: string; readonly value?: string };
}

/** `NAME`, `NAME TYPE` or `* TYPE`. */
type Pattern = string;

export interface Declared {
  readonly name: string;
  readonly type: "Record" | "RecordBatch";
  readonly domains: readonly string[];
  readonly specs: readonly Spec[];
  readonly removal?: "verify" | "retain";
  readonly adopt?: boolean;
  readonly undeclared?: "report" | "remove";
  readonly ignore?: readonly Pattern[];
  readonly absent?: readonly Pattern[];
  readonly protect?: readonly Pattern[];
}

export type Program = readonly Declared[];

export const secretMark = "s3cr3t";

const defaultLine = "默认";
const defaultLines: ReadonlySet<string> = new Set([defaultLine, "Default", "default"]);

/** Written without the product's functions, so that it does not share their errors: `www.example.com A 192.0.2.1 [line]`. */
export function identity(
  domain: string,
  record: { name: string; type: string; value: string; mx?: number | undefined; line?: string },
): string {
  const dotted =
    (record.type === "CNAME" || record.type === "MX") && !record.value.endsWith(".")
      ? `${record.value}.`
      : record.value;
  const at = record.name === "" || record.name === "@" ? domain : `${record.name}.${domain}`;
  const data = record.type === "MX" ? `${record.mx ?? 10} ${dotted}` : dotted;
  const line = record.line === undefined || defaultLines.has(record.line) ? "" : ` [${record.line}]`;
  return `${at} ${record.type} ${data}${line}`;
}

/** A resource of a stack. */
export function keyOf({ type, name }: Pick<Declared, "type" | "name">): string {
  return `${type} ${name}`;
}

export function declaredIn(
  resource: Declared,
): { readonly domain: string; readonly spec: Spec; readonly identity: string }[] {
  return resource.domains.flatMap((domain) =>
    resource.specs.map((spec) => ({
      domain,
      spec,
      identity: identity(domain, { ...spec, mx: spec.priority }),
    })),
  );
}

export function identitiesIn(program: Program): ReadonlySet<string> {
  return new Set(program.flatMap(declaredIn).map((each) => each.identity));
}

export function isAsDeclared({ ttl }: Spec, view: RecordView | undefined): boolean {
  return view?.enabled === true && (ttl ?? view.ttl) === view.ttl;
}

export function isIn(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

export function relativeName(host: string, domain: string): string {
  return host === domain ? "@" : host.slice(0, -domain.length - 1);
}

export function isMatched(patterns: readonly Pattern[], domain: string, what: string): boolean {
  const [host = "", type = ""] = what.split(" ");
  const name = relativeName(host, domain);
  return patterns
    .map((pattern) => pattern.split(" "))
    .some(([at = "*", only = "*"]) => ["*", name].includes(at) && ["*", type].includes(only));
}

/** Whether the program names it for deletion: no resource declares it, and no `ignore` of its domain matches. */
export function isCleaned(program: Program, domain: string, what: string, hasRefreshed: boolean): boolean {
  const near = program.filter(({ domains }) => domains.includes(domain));
  const isNamed = near.some(
    ({ absent = [], undeclared }) =>
      (hasRefreshed && undeclared === "remove") || isMatched(absent, domain, what),
  );
  return what !== "" && isNamed && !isIgnored(program, domain, what) && !identitiesIn(program).has(what);
}

export function isIgnored(program: Program, domain: string, what: string): boolean {
  const near = program.filter(({ domains }) => domains.includes(domain));
  return near.some(({ ignore = [] }) => isMatched(ignore, domain, what));
}

function asWritten({ written, ...spec }: Spec): Spec {
  return { ...spec, ...written };
}

const isSecret = ({ value }: Spec) => value.startsWith(secretMark);

const expansions = new WeakMap<Declared, Expansion>();

function expanded(resource: Declared): Expansion {
  const { domains, specs } = resource;
  const known = expansions.get(resource);
  if (known !== undefined) return known;
  const secrets = new Set(specs.flatMap((spec, i) => (isSecret(spec) ? [i] : [])));
  const fresh = expandSpecs([...domains], specs.map(asWritten), { defaultLine, secrets });
  expansions.set(resource, fresh);
  return fresh;
}

export function inputsOf(
  program: Program,
  manifest: boolean,
): { readonly resource: Declared; readonly inputs: Record<string, unknown> }[] {
  return program.map((resource) => {
    const { removal, adopt, ignore, undeclared, absent, protect } = resource;
    const common = {
      __provider: `text of ${resource.type}`,
      ...defined({
        removal,
        adopt,
        sensitive: (resource.type === "Record" && resource.specs.some(isSecret)) || undefined,
      }),
    };
    const others = program.filter((other) => other !== resource).flatMap((other) => expanded(other).records);
    const declared = Object.fromEntries(
      [...groupBy(others, ({ domain }) => domain)].map(([zone, records]) => [zone, declaredText(records)]),
    );
    const [spec] = resource.specs;
    const [domain] = resource.domains;
    const canonical = resource.type === "Record" ? undefined : canonicalInputs(expanded(resource));
    const own =
      canonical === undefined
        ? { domain, ...(spec && asWritten(spec)) }
        : { ...canonical, ...defined({ undeclared, ignore, absent, protect }) };
    // The plugin makes the text of other languages, and its digest.
    const text = canonical && textDigest(canonical);
    const urn = digest(keyOf(resource));
    const sent = { [manifestInput]: { ...defined({ text, urn }), ...(manifest ? { declared } : {}) } };
    return { resource, inputs: { ...own, ...common, ...sent } };
  });
}

export interface Pool {
  readonly domains: readonly string[];
  readonly names: readonly string[];
  readonly has: (feature: Feature) => boolean;
}

export function isSound(program: Program): boolean {
  const seen = new Set<string>();
  const places = new Map<string, string>();
  const wanted: string[] = [];
  for (const resource of program) {
    if (resource.specs.length === 0) return false;
    for (const { domain, spec, identity: id } of declaredIn(resource)) {
      if (seen.has(id) || isMatched(resource.absent ?? [], domain, id)) return false;
      seen.add(id);
      const place = `${spec.name}.${domain} ${spec.line ?? ""}`;
      if (spec.line !== undefined) wanted.push(`${spec.name}.${domain} `);
      const kind = spec.type === "CNAME" ? id : "other data";
      if ((places.get(place) ?? kind) !== kind) return false;
      places.set(place, kind);
    }
  }
  return wanted.every((place) => places.has(place));
}
