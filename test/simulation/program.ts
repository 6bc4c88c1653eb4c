import type { RecordView } from "../../emulator";
import { expandSpecs, type Expansion } from "../../provider/dns";
import { groupBy } from "../../provider/support/collections";
import { defined } from "../../provider/support/defined";
import { canonicalInputs, textDigest } from "../../provider/lifecycle/inputs";
import { declaredText, manifestInput } from "../../provider/lifecycle/manifest";
import type { Dice } from "./dice";
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

export interface Declared {
  readonly name: string;
  readonly type: "Record" | "RecordBatch";
  readonly domains: readonly string[];
  readonly specs: readonly Spec[];
  readonly removal?: "verify" | "retain";
  readonly adopt?: boolean;
  readonly undeclared?: "report" | "remove";
  /** `NAME`, `NAME TYPE` or `* TYPE`. */
  readonly ignore?: readonly string[];
}

export type Program = readonly Declared[];

export const secretMark = "s3cr3t";

const [defaultLine, otherLine] = ["默认", "电信"];
const defaultLines: ReadonlySet<string> = new Set([defaultLine, "Default", "default"]);

/** Without the product's functions: `www.example.com A 192.0.2.1 [line]`. */
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

/** Whether the program names it for deletion: no resource declares it, and no `ignore` of its domain matches. */
export function isCleaned(program: Program, domain: string, what: string): boolean {
  const [host = "", type = ""] = what.split(" ");
  const name = relativeName(host, domain);
  const near = program.filter(({ domains }) => domains.includes(domain));
  const ignored = near.flatMap(({ ignore = [] }) => ignore).map((pattern) => pattern.split(" "));
  const isIgnored = ignored.some(
    ([host = "*", only = "*"]) => ["*", name].includes(host) && ["*", type].includes(only),
  );
  const removes = near.some(({ undeclared }) => undeclared === "remove");
  return what !== "" && removes && !isIgnored && !identitiesIn(program).has(what);
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
    const { removal, adopt, ignore, undeclared } = resource;
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
        : { ...canonical, ...defined({ undeclared, ignore }) };
    // The plugin makes the text of other languages, and its digest.
    const text = canonical && textDigest(canonical);
    const sent = { [manifestInput]: { ...defined({ text }), ...(manifest ? { declared } : {}) } };
    return { resource, inputs: { ...own, ...common, ...sent } };
  });
}

export interface Pool {
  readonly domains: readonly string[];
  readonly names: readonly string[];
  readonly has: (feature: Feature) => boolean;
}

const addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3"] as const;
const targets = ["one.example.org.", "two.example.org."] as const;
const texts: readonly [string, string] = ["v=spf1 -all", `${secretMark}-token-value`];
const ttls = [undefined, undefined, 600, 300] as const;

function someSpec(dice: Dice, pool: Pool): Spec {
  const name = dice.pick(pool.names);
  const ttl = dice.pick(ttls);
  const line = pool.has("lines") && dice.chance(0.3) ? otherLine : undefined;
  const rest = defined({ line, ttl });
  const kind = dice.next();
  if (kind < 0.6) return { name, type: "A", value: dice.pick(addresses), ...rest };
  if (kind < 0.75 && name !== "@") return { name, type: "CNAME", value: dice.pick(targets), ...rest };
  if (kind < 0.9)
    return { name, type: "TXT", value: dice.pick(pool.has("secrets") ? texts : texts.slice(0, 1)), ...rest };
  return { name, type: "MX", value: dice.pick(targets), priority: 10, ...rest };
}

export function isSound(program: Program): boolean {
  const seen = new Set<string>();
  const places = new Map<string, string>();
  const wanted: string[] = [];
  for (const resource of program) {
    if (resource.specs.length === 0) return false;
    for (const { domain, spec, identity: id } of declaredIn(resource)) {
      if (seen.has(id)) return false;
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

const patterns = ["old", "www", "api A", "* CNAME", "* A"] as const;
const someIgnore = (dice: Dice) => ({ ignore: [dice.pick(patterns)] });

function someResource(dice: Dice, pool: Pool, name: string): Declared {
  const options = {
    ...(pool.has("retain") && dice.chance(0.3) && { removal: dice.pick(["verify", "retain"] as const) }),
    ...(pool.has("strict") && dice.chance(0.4) && { adopt: false }),
  };
  const domains = [dice.pick(pool.domains)];
  if (dice.chance(0.45)) return { name, type: "Record", domains, specs: [someSpec(dice, pool)], ...options };
  const undeclared =
    pool.has("full") && !pool.has("second") && dice.chance(0.5) ? ("remove" as const) : ("report" as const);
  return {
    name,
    type: "RecordBatch",
    domains: dice.chance(0.3) ? [...pool.domains] : domains,
    specs: Array.from({ length: dice.between(1, 4) }, () => someSpec(dice, pool)),
    ...options,
    ...(pool.has("report") && dice.chance(0.5) && { undeclared, ...(dice.chance(0.5) && someIgnore(dice)) }),
  };
}

interface Place {
  readonly dice: Dice;
  readonly pool: Pool;
  readonly program: Program;
  readonly resource: Declared;
  readonly spec: Spec;
  readonly rest: readonly Spec[];
}

type Edit = (place: Place) => readonly Declared[] | undefined;

const withSpecs = ({ resource }: Place, specs: readonly Spec[]): Declared => ({ ...resource, specs });
const mapped = (place: Place, change: (spec: Spec) => Spec) => [
  withSpecs(place, place.resource.specs.map(change)),
];
const put = (place: Place, to: Partial<Spec>) =>
  mapped(place, (each) => (each === place.spec ? { ...each, ...to } : each));
function apart({ resource }: Place, specs: readonly Spec[], mark: string): Declared[] {
  const { undeclared: _undeclared, ignore: _ignore, ...options } = resource;
  return declaredIn({ ...resource, specs }).map(({ domain, spec }, i) => ({
    ...options,
    name: `${resource.name}-${mark}${i}`,
    type: "Record",
    domains: [domain],
    specs: [spec],
  }));
}
const siblingOf = ({ program, resource }: Place) =>
  program.find(
    ({ type, domains }, i) =>
      program[i] !== resource &&
      type === "RecordBatch" &&
      domains.length === 1 &&
      domains[0] === resource.domains[0],
  );

const edits: readonly Edit[] = [
  ({ dice, pool, program, resource }) =>
    program.length > 3 ? undefined : [resource, someResource(dice, pool, `n${dice.between(0, 99)}`)],
  () => [],
  ({ dice, resource }) => [{ ...resource, name: `${resource.name.slice(0, 2)}${dice.between(0, 9)}` }],
  (place) =>
    place.resource.type === "Record"
      ? undefined
      : [withSpecs(place, [...place.resource.specs, someSpec(place.dice, place.pool)])],
  (place) => (place.rest.length === 0 ? undefined : [withSpecs(place, place.rest)]),
  (place) => [withSpecs(place, [...place.rest, someSpec(place.dice, place.pool)])],
  (place) => [withSpecs(place, [...place.rest, someSpec(place.dice, place.pool)])],
  (place) => put(place, { ttl: place.dice.pick([300, 600, 900]) }),
  ({ dice, resource }) =>
    resource.undeclared === undefined ? undefined : [{ ...resource, ...someIgnore(dice) }],
  (place) => {
    const { resource } = place;
    if (resource.type === "Record") return [{ ...resource, type: "RecordBatch" }];
    const singles = apart(place, resource.specs, "");
    return singles.length > 4 ? undefined : singles;
  },
  (place) => {
    const { resource, rest, spec } = place;
    const sibling = siblingOf(place);
    if (sibling === undefined || rest.length === 0 || resource.domains.length > 1) return undefined;
    return [withSpecs(place, rest), { ...sibling, specs: [...sibling.specs, spec] }];
  },
];

const move: Edit = (place) => {
  const { dice, pool, program, resource, rest, spec } = place;
  if (resource.type === "Record") {
    const batch = siblingOf(place);
    return batch === undefined ? undefined : [{ ...batch, specs: [...batch.specs, spec] }];
  }
  if (dice.chance(0.5)) {
    const domains = pool.domains.filter(() => dice.chance(0.5));
    return domains.length === 0 ? [] : [{ ...resource, domains }];
  }
  if (rest.length === 0 || program.length > 3) return undefined;
  return [withSpecs(place, rest), ...apart(place, [spec], "s")];
};

const changes: readonly Edit[] = [
  (place) => {
    const { dice, spec } = place;
    if (spec.type === "A") return put(place, { value: dice.pick(addresses) });
    if (spec.type === "TXT") return put(place, { value: `text ${dice.between(1, 3)}` });
    return put(place, { value: dice.pick(targets) });
  },
  (place) => mapped(place, (each) => ({ ...each, ttl: place.dice.pick([300, 900]) })),
  (place) => (place.spec.type === "MX" ? put(place, { priority: place.dice.pick([5, 10, 20]) }) : undefined),
  (place) => {
    const isFirst = (spec: Spec, i: number, specs: readonly Spec[]) =>
      spec.type !== "A" ||
      specs.findIndex(({ type, name, line }) => type === "A" && name === spec.name && line === spec.line) ===
        i;
    const kept = place.resource.specs.filter(isFirst);
    return [
      withSpecs(
        place,
        kept.map((each) => (each.type === "A" ? { ...each, value: addresses[0] } : each)),
      ),
    ];
  },
  (place) => {
    const { dice, resource, spec } = place;
    const { priority: _priority, ...fields } = spec;
    const elsewhere = place.rest.filter((each) => each.name !== spec.name || each.line !== spec.line);
    const most = resource.type === "Record" ? 1 : dice.between(1, 3);
    if (spec.type === "CNAME") {
      const hosts = addresses.slice(0, most).map((value): Spec => ({ ...fields, type: "A", value }));
      return [withSpecs(place, [...elsewhere, ...hosts])];
    }
    if (spec.name === "@") return undefined;
    return [withSpecs(place, [...elsewhere, { ...fields, type: "CNAME", value: dice.pick(targets) }])];
  },
  (place) => put(place, { name: place.dice.pick(place.pool.names) }),
  (place) => {
    const { priority: _priority, ...fields } = place.spec;
    if (place.resource.type === "Record") return undefined;
    const host: Spec = { ...fields, type: "A", value: place.dice.pick(addresses) };
    return [withSpecs(place, [...place.resource.specs, host])];
  },
];

function tried(make: () => Program | undefined): Program | undefined {
  for (let i = 0; i < 12; i += 1) {
    const program = make();
    if (program !== undefined && isSound(program)) return program;
  }
  return undefined;
}

export function firstProgram(dice: Dice, pool: Pool): Program {
  const count = dice.between(1, 3);
  const [domain = "", name = ""] = [pool.domains[0], pool.names[0]];
  const specs: readonly Spec[] = [{ name, type: "A", value: addresses[0] }];
  return (
    tried(() => Array.from({ length: count }, (_, i) => someResource(dice, pool, `r${i}`))) ?? [
      { name: "r0", type: "Record", domains: [domain], specs },
    ]
  );
}

export function nextProgram(dice: Dice, pool: Pool, program: Program): Program {
  const made = tried(() => {
    if (program.length === 0) return firstProgram(dice, pool);
    const resource = dice.pick(program);
    const spec = dice.pick(resource.specs);
    const rest = resource.specs.filter((each) => each !== spec);
    const all = pool.has("moves") ? [...edits, move, move, move] : edits;
    const edit = dice.pick(pool.has("full") && dice.chance(0.6) ? changes : all);
    const edited = edit({ dice, pool, program, resource, spec, rest });
    if (edited === undefined) return undefined;
    const names = new Set(edited.map(({ name }) => name));
    if (names.size < edited.length) return undefined;
    return [...program.filter((each) => each !== resource && !names.has(each.name)), ...edited];
  });
  return made ?? program;
}
