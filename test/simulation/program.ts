/**
 * Programs of stacks, and their edits between deployments. Names and values come from small pools, so that
 * resources, stacks and the console meet.
 */
import { expandSpecs, type Expansion } from "../../provider/dns";
import { groupBy } from "../../provider/support/collections";
import { canonicalInputs } from "../../provider/lifecycle/inputs";
import { declaredText, manifestInput } from "../../provider/lifecycle/manifest";
import type { Dice } from "./dice";

/** A record as a program writes it. */
export interface Spec {
  readonly name: string;
  readonly type: "A" | "CNAME" | "TXT" | "MX";
  readonly value: string;
  readonly priority?: number;
  readonly ttl?: number;
  /** Default: the default line. */
  readonly line?: string;
}

/** A resource of a program. A `Record` has one domain and one spec. */
export interface Declared {
  readonly name: string;
  readonly type: "Record" | "RecordBatch";
  readonly domains: readonly string[];
  readonly specs: readonly Spec[];
  readonly removal?: "verify" | "retain";
  readonly adopt?: boolean;
  readonly undeclared?: "report" | "remove";
  readonly sensitive?: boolean;
}

export type Program = readonly Declared[];

/** A secret value has a recognisable text. */
export const secretMark = "s3cr3t";

/** The line that records are on when they name none, and another that every plan has. */
const [defaultLine, otherLine] = ["默认", "电信"];
/** As accounts of either language name it. */
const defaultLines: ReadonlySet<string> = new Set([defaultLine, "Default", "default"]);

/**
 * A record's identity, without the product's functions: `www.example.com A 192.0.2.1`, with the line in
 * brackets unless it is the default one.
 */
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

/** Every record of a resource, with its TTL if declared. */
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

/** Each resource is expanded once, however often it is deployed. */
const expansions = new WeakMap<Declared, Expansion>();

function expanded(resource: Declared): Expansion {
  const { domains, specs } = resource;
  const known = expansions.get(resource);
  if (known !== undefined) return known;
  const secrets = new Set(specs.flatMap(({ value }, i) => (value.startsWith(secretMark) ? [i] : [])));
  const fresh = expandSpecs([...domains], [...specs], { defaultLine, secrets });
  expansions.set(resource, fresh);
  return fresh;
}

/**
 * The inputs of every resource as the SDK hands them to the engine.
 * @param manifest whether the program sends a manifest with each, as one in TypeScript does
 */
export function inputsOf(
  program: Program,
  manifest: boolean,
): { readonly resource: Declared; readonly inputs: Record<string, unknown> }[] {
  return program.map((resource) => {
    const { removal, adopt, undeclared, sensitive } = resource;
    const common = {
      __provider: `text of ${resource.type}`,
      ...(removal === undefined ? {} : { removal }),
      ...(adopt === undefined ? {} : { adopt }),
      ...(sensitive === true ? { sensitive } : {}),
    };
    const others = program.filter((other) => other !== resource).flatMap((other) => expanded(other).records);
    const declared = Object.fromEntries(
      [...groupBy(others, ({ domain }) => domain)].map(([zone, records]) => [zone, declaredText(records)]),
    );
    const sent = manifest ? { [manifestInput]: { declared } } : {};
    const [spec] = resource.specs;
    const [domain] = resource.domains;
    if (resource.type === "Record" && spec !== undefined && domain !== undefined) {
      return { resource, inputs: { domain, ...spec, ...common, ...sent } };
    }
    return {
      resource,
      inputs: {
        ...canonicalInputs(expanded(resource)),
        ...(undeclared === undefined ? {} : { undeclared }),
        ...common,
        ...sent,
      },
    };
  });
}

/** The names and domains of a stack, and the features of its programs. */
export interface Pool {
  readonly domains: readonly string[];
  readonly names: readonly string[];
  readonly secrets: boolean;
  readonly retain: boolean;
  /** Records on another line than the default one. */
  readonly lines: boolean;
  /** Resources that adopt nothing. */
  readonly strict: boolean;
  /** Batches with `undeclared: report`. */
  readonly report: boolean;
  /** Records move between `Record` and `RecordBatch`, batches between domains. */
  readonly moves: boolean;
  /** Records change their data, and aliases become addresses. */
  readonly full: boolean;
  /** Batches with `undeclared: remove`. */
  readonly removes: boolean;
}

const addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3"] as const;
const targets = ["one.example.org.", "two.example.org."] as const;
const texts: readonly [string, string] = ["v=spf1 -all", `${secretMark}-token-value`];
const ttls = [undefined, undefined, 600, 300] as const;

function someSpec(dice: Dice, pool: Pool): Spec {
  const name = dice.pick(pool.names);
  const ttl = dice.pick(ttls);
  const line = pool.lines && dice.chance(0.3) ? { line: otherLine } : {};
  const rest = { ...line, ...(ttl === undefined ? {} : { ttl }) };
  const kind = dice.next();
  if (kind < 0.6) return { name, type: "A", value: dice.pick(addresses), ...rest };
  if (kind < 0.75 && name !== "@") return { name, type: "CNAME", value: dice.pick(targets), ...rest };
  if (kind < 0.9)
    return { name, type: "TXT", value: dice.pick(pool.secrets ? texts : texts.slice(0, 1)), ...rest };
  return { name, type: "MX", value: dice.pick(targets), priority: 10, ...rest };
}

/**
 * A program that the product and the service accept. Every record is declared once, no CNAME has other data
 * beside it, and a record on another line has one on the default line.
 */
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

function withSecrecy(resource: Declared): Declared {
  const { sensitive: _was, ...rest } = resource;
  return resource.specs.some(({ value }) => value.startsWith(secretMark))
    ? { ...rest, sensitive: true }
    : rest;
}

function someResource(dice: Dice, pool: Pool, name: string): Declared {
  const options = {
    ...(pool.retain && dice.chance(0.3) ? { removal: dice.pick(["verify", "retain"] as const) } : {}),
    ...(pool.strict && dice.chance(0.4) ? { adopt: false } : {}),
  };
  if (dice.chance(0.45)) {
    return withSecrecy({
      name,
      type: "Record",
      domains: [dice.pick(pool.domains)],
      specs: [someSpec(dice, pool)],
      ...options,
    });
  }
  const domains = dice.chance(0.3) ? [...pool.domains] : [dice.pick(pool.domains)];
  const specs = Array.from({ length: dice.between(1, 4) }, () => someSpec(dice, pool));
  const undeclared =
    pool.report && dice.chance(0.5)
      ? { undeclared: pool.removes && dice.chance(0.5) ? ("remove" as const) : ("report" as const) }
      : {};
  return withSecrecy({ name, type: "RecordBatch", domains, specs, ...options, ...undeclared });
}

/** A record moves: from a `Record` into a batch of its domain, out of a batch, or a whole batch to other domains. */
function moved(dice: Dice, pool: Pool, program: Program, at: number): Program {
  const resource = program[at];
  if (resource === undefined) return program;
  const others = program.filter((_, i) => i !== at);
  const [spec] = resource.specs;
  if (resource.type === "Record") {
    const batch = others.find(
      (each) =>
        each.type === "RecordBatch" && each.domains.length === 1 && each.domains[0] === resource.domains[0],
    );
    if (batch === undefined || spec === undefined) return program;
    return others.map((each) =>
      each === batch ? withSecrecy({ ...batch, specs: [...batch.specs, spec] }) : each,
    );
  }
  if (dice.chance(0.5))
    return [...others, { ...resource, domains: pool.domains.filter(() => dice.chance(0.5)) }].filter(
      ({ domains }) => domains.length > 0,
    );
  const rest = resource.specs.filter((each) => each !== spec);
  if (spec === undefined || rest.length === 0 || program.length > 3) return program;
  const { undeclared: _undeclared, ...options } = resource;
  const singles = resource.domains.map((domain, i) =>
    withSecrecy({
      ...options,
      name: `${resource.name}-s${i}`,
      type: "Record",
      domains: [domain],
      specs: [spec],
    }),
  );
  return [...others, withSecrecy({ ...resource, specs: rest }), ...singles];
}

/** An edit that only changes and removals can follow: each keeps the resources. */
function edited(dice: Dice, pool: Pool, resource: Declared): Declared {
  const spec = dice.pick(resource.specs);
  const others = resource.specs.filter((each) => each !== spec);
  const put = (to: Partial<Spec>): Declared => ({
    ...resource,
    specs: resource.specs.map((each) => (each === spec ? { ...each, ...to } : each)),
  });
  const { line, ttl } = spec;
  const rest = { ...(line === undefined ? {} : { line }), ...(ttl === undefined ? {} : { ttl }) };
  switch (dice.between(0, 6)) {
    case 0: // another value
      return spec.type === "A"
        ? put({ value: dice.pick(addresses) })
        : spec.type === "TXT"
          ? put({ value: `text ${dice.between(1, 3)}` })
          : put({ value: dice.pick(targets) });
    case 1: // another TTL, of all
      return { ...resource, specs: resource.specs.map((each) => ({ ...each, ttl: dice.pick([300, 900]) })) };
    case 2: // another priority
      return spec.type === "MX"
        ? put({ priority: dice.pick([5, 10, 20]) })
        : put({ ttl: dice.pick([300, 600, 900]) });
    case 3: // the same value for all addresses
      return {
        ...resource,
        specs: resource.specs
          .filter(
            (each, i) =>
              each.type !== "A" ||
              resource.specs.findIndex(
                ({ type, name, line: on }) => type === "A" && name === each.name && on === each.line,
              ) === i,
          )
          .map((each) => (each.type === "A" ? { ...each, value: addresses[0] } : each)),
      };
    case 4: {
      // an alias becomes addresses, and back
      const elsewhere = others.filter((each) => each.name !== spec.name || each.line !== line);
      if (spec.type === "CNAME")
        return {
          ...resource,
          specs: [
            ...elsewhere,
            ...addresses
              .slice(0, resource.type === "Record" ? 1 : dice.between(1, 3))
              .map((value): Spec => ({ name: spec.name, type: "A", value, ...rest })),
          ],
        };
      return spec.name === "@"
        ? resource
        : {
            ...resource,
            specs: [...elsewhere, { name: spec.name, type: "CNAME", value: dice.pick(targets), ...rest }],
          };
    }
    case 5: // another name
      return put({ name: dice.pick(pool.names) });
    default: // several addresses at one name
      return resource.type === "Record"
        ? resource
        : {
            ...resource,
            specs: [...resource.specs, { name: spec.name, type: "A", value: dice.pick(addresses), ...rest }],
          };
  }
}

function tried(dice: Dice, make: () => Program): Program | undefined {
  for (let i = 0; i < 12; i += 1) {
    const program = make();
    if (isSound(program)) return program;
  }
  return undefined;
}

/** A first program of one to three resources. */
export function firstProgram(dice: Dice, pool: Pool): Program {
  const count = dice.between(1, 3);
  const made = tried(dice, () => Array.from({ length: count }, (_, i) => someResource(dice, pool, `r${i}`)));
  return (
    made ?? [
      {
        name: "r0",
        type: "Record",
        domains: [pool.domains[0] ?? ""],
        specs: [{ name: pool.names[0] ?? "www", type: "A", value: addresses[0] }],
      },
    ]
  );
}

/** The program after an edit. */
export function nextProgram(dice: Dice, pool: Pool, program: Program): Program {
  const change = (at: number, to: Declared): Program =>
    program.map((each, i) => (i === at ? withSecrecy(to) : each));
  const made = tried(dice, () => {
    const at = dice.between(0, Math.max(0, program.length - 1));
    const resource = program[at];
    if (resource === undefined) return firstProgram(dice, pool);
    const spec = dice.pick(resource.specs);
    const without = resource.specs.filter((each) => each !== spec);
    if (pool.full && dice.chance(0.6)) return change(at, edited(dice, pool, resource));
    switch (dice.between(0, pool.moves ? 12 : 9)) {
      case 0: // another resource
        return program.length > 3
          ? program
          : [...program, someResource(dice, pool, `n${dice.between(0, 9)}${at}`)];
      case 1: // one less
        return program.filter((_, i) => i !== at);
      case 2: // a new name for the same
        return change(at, { ...resource, name: `${resource.name.slice(0, 2)}${dice.between(0, 9)}` });
      case 3: // a record more
        return resource.type === "Record"
          ? program
          : change(at, { ...resource, specs: [...resource.specs, someSpec(dice, pool)] });
      case 4: // a record less
        return without.length === 0 ? program : change(at, { ...resource, specs: without });
      case 5: // another TTL
        return change(at, {
          ...resource,
          specs: resource.specs.map((each) =>
            each === spec ? { ...spec, ttl: dice.pick([300, 600, 900]) } : each,
          ),
        });
      case 6: // another record in its place
      case 7:
        return change(at, { ...resource, specs: [...without, someSpec(dice, pool)] });
      case 8: {
        // from Record to RecordBatch and back
        if (resource.type === "Record") return change(at, { ...resource, type: "RecordBatch" });
        const { undeclared: _undeclared, ...options } = resource;
        const singles = declaredIn(resource).map(({ domain, spec: each }, i): Declared =>
          withSecrecy({
            ...options,
            name: `${resource.name}-${i}`,
            type: "Record",
            domains: [domain],
            specs: [each],
          }),
        );
        return singles.length > 4 ? program : [...program.filter((_, i) => i !== at), ...singles];
      }
      case 10:
      case 11:
      case 12:
        return moved(dice, pool, program, at);
      default: {
        // a record goes to a sibling
        const other = program.findIndex(
          (each, i) =>
            i !== at &&
            each.type === "RecordBatch" &&
            each.domains.length === 1 &&
            each.domains[0] === resource.domains[0],
        );
        const sibling = program[other];
        if (sibling === undefined || without.length === 0 || resource.domains.length > 1) return program;
        return change(at, { ...resource, specs: without }).map((each, i) =>
          i === other ? withSecrecy({ ...sibling, specs: [...sibling.specs, spec] }) : each,
        );
      }
    }
  });
  const names = new Set((made ?? program).map(({ name, type }) => `${type} ${name}`));
  return made !== undefined && names.size === made.length ? made : program;
}
