/** The dice choose a first program, and edits of a program. */
import { defined } from "../../provider/support/defined";
import type { Dice } from "./dice";
import {
  declaredIn,
  isSound,
  secretMark,
  type Declared,
  type Pool,
  type Program,
  type Spec,
} from "./program";

const otherLine = "电信";
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

const patterns = ["old", "www", "api A", "* CNAME", "* A"] as const;
const someIgnore = (dice: Dice) => ({ ignore: [dice.pick(patterns)] });

function someGuards(dice: Dice, pool: Pool): Partial<Declared> {
  return {
    ...(!pool.has("second") && dice.chance(0.15) && { absent: [dice.pick(patterns)] }),
    ...(dice.chance(0.3) && { protect: [dice.pick(patterns)] }),
  };
}

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
    ...(pool.has("report") && someGuards(dice, pool)),
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
  const {
    undeclared: _undeclared,
    ignore: _ignore,
    absent: _absent,
    protect: _protect,
    ...options
  } = resource;
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
  ({ dice, pool, resource }) =>
    resource.type === "Record" || !pool.has("report")
      ? undefined
      : [{ ...resource, ...someGuards(dice, pool) }],
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
