/** The figures of a plan equal the effect of the next up. Each edit has a domain of its own; one stack holds them all. */
import assert from "node:assert/strict";
import type { Emulator } from "../../emulator";
import { cli, type CliRun } from "../cli/run";
import { byBothFrontEnds, story, type Story } from "../support/story";

interface Edit {
  readonly what: string;
  /** The program's resources before and after; `%` stands for the domain. */
  readonly before: string;
  readonly after: string;
  /** An edit in the console between the two. */
  readonly console?: (emulator: Emulator, domain: string) => void;
  /** The outcome in full mode, in documented mode, or in both. A mode without an outcome has no such edit. */
  readonly full?: string;
  readonly documented?: string;
  readonly both?: string;
}

/**
 * The outcome of an edit: "create adopt update delete blocked retained", then if set the undecided records with those that the
 * update then creates, changes and deletes, then the number of creations that the engine does not begin.
 */
const outcomeOf = (text: string): readonly number[][] =>
  text.split(", ").map((part) => part.split(" ").map(Number));

const base = ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2", "txt 600 TXT one"];
const batch = (lines: readonly (string | object)[], more = "", name = "%"): string =>
  `new dns.RecordBatch("${name}", { domains: "%", records: ${JSON.stringify(lines)}${more} });`;
const record = (value: string): string =>
  `new dns.Record("%", { domain: "%", name: "one", type: "A", value: "${value}", ttl: 600 });`;
const live = (emulator: Emulator, domain: string): void =>
  void emulator.admin.addRecord(domain, { name: "live", type: "A", value: "192.0.2.7", ttl: 600 });
/** A batch with secrets, by name. */
const hush = (secrets: Readonly<Record<string, string>>, plain: string, name = "%"): string =>
  `new dns.RecordBatch("${name}", { domains: "%", records: ["s3 600 A ${plain}", ${Object.entries(secrets)
    .map(([name, value]) => `{ name: "${name}", type: "TXT", value: pulumi.secret("${value}"), ttl: 600 }`)
    .join(", ")}] });`;
const hushed = (name = "%"): string =>
  `new dns.Record("${name}", { domain: "%", name: "s1", type: "TXT", value: pulumi.secret("hush-one"), ttl: 600 });`;
/** Records with the output of another resource as value. An update of that resource makes it unknown. */
const balancer = `
  class Balancer extends pulumi.dynamic.Resource {
    constructor(name, token, ip) {
      const outs = (news) => ({ ...news, address: news.ip });
      super({ create: async (news) => ({ id: "1", outs: outs(news) }), update: async (_id, _olds, news) => ({ outs: outs(news) }) }, name, { token, ip, address: undefined });
    }
  }`;
const late = (token: string, lines: readonly string[], values: Readonly<Record<string, string>>): string =>
  `new dns.RecordBatch("%", { domains: "%", records: [...${JSON.stringify(lines)}, ...Object.entries(${JSON.stringify(values)}).map(([name, ip]) => ({ name, type: "A", value: new Balancer(name + "-%", "${token}", ip).address, ttl: 600 }))] });`;
const lateRecord = (token: string, ip: string): string =>
  `new dns.Record("%", { domain: "%", name: "one", type: "A", value: new Balancer("lb-%", "${token}", "${ip}").address, ttl: 600 });`;
const lateSecret = (token: string, text: string): string =>
  `new dns.Record("%", { domain: "%", name: "one", type: "TXT", value: pulumi.secret(new Balancer("lb-%", "${token}", "${text}").address), ttl: 600 });`;
/** Another record than {@link lateRecord} until its name is known. */
const lateNamed = lateRecord("2", "198.51.100.7")
  .replace(
    `name: "one", type: "A", value: `,
    `type: "A", ...((lb) => ({ name: lb.address.apply(() => "one"), value: lb.address }))(`,
  )
  .replace(".address, ttl", "), ttl");
const lateSpecs = (token: string, values: Readonly<Record<string, string>>): string =>
  `new dns.RecordBatch("%", { domains: "%", records: ["www 600 A 192.0.2.1", ...Object.entries(${JSON.stringify(values)}).map(([name, ip]) => new Balancer(name + "-%", "${token}", ip).address.apply((value) => ({ name, type: "A", value, ttl: 600 })))] });`;
const pair = (one: string, two: string): string =>
  [
    ["one", one],
    ["two", two],
  ]
    .map(
      ([name, value]) =>
        `new dns.Record("${name}-%", { domain: "%", name: "${value}", type: "A", value: "192.0.2.1", ttl: 600 });`,
    )
    .join(" ");
const six = ["a", "b", "c", "d", "e", "f"].map((name, i) => `${name} 600 A 192.0.2.${i + 1}`);
const ips = { p1: "198.51.100.1", p2: "198.51.100.2", p3: "198.51.100.3", p4: "198.51.100.4" };
/** More of a zone than a run may remove. */
const decidedLater: Edit[] = [
  {
    what: "values known later that stay",
    before: late("1", six, ips),
    after: late("2", six, ips),
    both: "0 0 0 0 0 0, 4 0 0 0",
  },
  {
    what: "a Record's value known later that stays",
    before: lateRecord("1", "198.51.100.7"),
    after: lateRecord("2", "198.51.100.7"),
    both: "0 0 0 0 0 0, 1 0 0 0",
  },
  {
    what: "a Record's secret value known later that stays",
    before: lateSecret("1", "hush-one"),
    after: lateSecret("2", "hush-one"),
    both: "0 0 0 0 0 0, 1 0 0 0",
  },
  {
    what: "two specs known later that stay",
    before: lateSpecs("1", { p1: "198.51.100.1", p2: "198.51.100.2" }),
    after: lateSpecs("2", { p1: "198.51.100.1", p2: "198.51.100.2" }),
    both: "0 0 0 0 0 0, 2 0 0 0",
  },
  ...["a", "another"].map((which): Edit => ({
    what: `${which} new batch of a spec known later`,
    before: "",
    after: `new dns.RecordBatch("%", { domains: "%", records: [new Balancer("lb-%", "1", "192.0.2.1").address.apply((value) => ({ name: "p1", type: "A", value, ttl: 600 }))] });`,
    both: "1 0 0 0 0 0",
  })),
  {
    what: "a value known later that stays, and one more",
    before: late("1", base, { p1: "198.51.100.1" }),
    after: late("2", base, { p1: "198.51.100.1", p2: "198.51.100.2" }),
    both: "1 0 0 0 0 0, 1 0 0 0",
  },
];

/** A value known later that moves between resources: the plan shows a creation and a deletion, and the up does neither. */
const crossing = { full: "1 0 0 1 0 0, 0 -1 0 -1", documented: "1 0 0 0 1 0, 0 -1 0 0" };
const decidedElsewhere: Edit[] = [
  {
    what: "another name of a Record whose value is known later and stays",
    before: lateRecord("1", "198.51.100.7"),
    after: lateRecord("2", "198.51.100.7").replace('dns.Record("%"', 'dns.Record("new-%"'),
    ...crossing,
  },
  {
    what: "another name of a Record whose name is known later, too",
    before: lateRecord("1", "198.51.100.7"),
    after: lateNamed.replace('dns.Record("%"', 'dns.Record("new-%"'),
    ...crossing,
  },
  {
    what: "a value known later from one batch to another",
    before: late("1", base, { p1: "198.51.100.1" }),
    after:
      batch(base) +
      late("2", [], { p1: "198.51.100.1" }).replace('dns.RecordBatch("%"', 'dns.RecordBatch("new-%"'),
    // In full mode, the first batch may be updated before the value is known (docs/full.md).
    documented: crossing.documented,
  },
  {
    what: "a Record to a batch of a spec known later",
    before: record("198.51.100.7"),
    after: lateSpecs("1", { one: "198.51.100.7" }).replace('"www 600 A 192.0.2.1", ', ""),
    ...crossing,
  },
];

/** Moved records stay, even if their equality is unknown in the preview. Records with retainOnDelete stay. */
const moves: Edit[] = [
  {
    what: "a batch taken out that has retainOnDelete",
    before: batch(base).replace(" });", " }, { retainOnDelete: true });"),
    after: "",
    both: "0 0 0 0 0 3",
  },
  {
    what: "another name of a batch with a secret",
    before: hush({ s1: "hush-one" }, "192.0.2.3"),
    after: hush({ s1: "hush-one" }, "192.0.2.3", "other-%"),
    both: "0 0 0 0 0 0",
  },
  {
    what: "a secret from a batch to a Record",
    before: hush({ s1: "hush-one" }, "192.0.2.3"),
    after: hush({}, "192.0.2.3") + hushed(),
    both: "0 0 0 0 0 0",
  },
  {
    what: "the only record of a batch, a secret, to a Record",
    before: hush({ s1: "hush-one" }, "192.0.2.3").replace('"s3 600 A 192.0.2.3", ', ""),
    after: batch([]) + hushed(),
    both: "0 0 0 0 0 0",
  },
  {
    what: "all of a batch with a secret to another batch",
    before: hush({ s1: "hush-one" }, "192.0.2.3"),
    after: batch([]) + hush({ s1: "hush-one" }, "192.0.2.3", "other-%"),
    both: "0 0 0 0 0 0",
  },
  {
    what: "another name of a Record with a secret",
    before: hushed(),
    after: hushed("other-%"),
    both: "0 0 0 0 0 0",
  },
  {
    what: "a secret of a Record that becomes an open line of a batch",
    before: hushed(),
    after: batch(["s1 600 TXT hush-one"]),
    both: "0 0 0 0 0 0",
  },
  {
    what: "an open line of a batch that goes, and becomes another's secret",
    before: hush({}, "192.0.2.3") + batch(["s1 600 TXT hush-one"], "", "two-%"),
    after: hush({ s1: "hush-one" }, "192.0.2.3"),
    both: "0 0 0 0 0 0",
  },
  {
    what: "an open line of a batch that stays, and becomes another's secret",
    before: hush({}, "192.0.2.3") + batch(["s1 600 TXT hush-one", "s2 600 A 192.0.2.4"], "", "two-%"),
    after: batch(["s2 600 A 192.0.2.4"], "", "two-%") + hush({ s1: "hush-one" }, "192.0.2.3"),
    both: "0 0 0 0 0 0",
  },
  {
    what: "two secrets of a batch that goes, at two names, to two Records",
    before: hush({ s1: "hush-one", s2: "hush-two" }, "192.0.2.3"),
    after:
      batch(["s3 600 A 192.0.2.3"], "", "rest-%") +
      hushed() +
      hushed("two-%").replace("s1", "s2").replace("hush-one", "hush-two"),
    both: "0 0 0 0 0 0",
  },
];
const plus = [...base, "new 600 A 192.0.2.9"];
const changedInConsole = (emulator: Emulator, domain: string): void =>
  void emulator.admin.setRecord(domain, { name: "www", type: "A" }, { value: "192.0.2.77" });
const removedInConsole = (emulator: Emulator, domain: string): void =>
  void emulator.admin.removeRecord(domain, { name: "www", type: "A" });

const oneRemovedInConsole = (emulator: Emulator, domain: string): void =>
  void emulator.admin.removeRecord(domain, { name: "one", type: "A" });
const replacedInConsole = (emulator: Emulator, domain: string): void =>
  void emulator.admin.setRecord(domain, { name: "one", type: "A" }, { value: "192.0.2.2" });
const doubledInConsole = (emulator: Emulator, domain: string): void =>
  void emulator.admin.addRecord(
    domain,
    { name: "www", type: "A", value: "192.0.2.1", ttl: 600 },
    { force: true },
  );

/** A batch, and a Record that depends on it. */
const chained = (www: string, own?: string): string =>
  `{ const web = ${batch([`www 600 A ${www}`])} ${own === undefined ? "" : record(own).replace("});", "}, { dependsOn: web });")} }`;

const edits: Edit[] = [
  { what: "a record more", before: batch(base), after: batch(plus), both: "1 0 0 0 0 0" },
  {
    what: "a record less",
    before: batch(base),
    after: batch(base.slice(1)),
    full: "0 0 0 1 0 0",
    documented: "0 0 0 0 1 0",
  },
  {
    what: "another value",
    before: batch(base),
    after: batch(["www 600 A 192.0.2.8", ...base.slice(1)]),
    full: "0 0 1 0 0 0",
    documented: "1 0 0 0 1 0",
  },
  {
    what: "another TTL",
    before: batch(base),
    after: batch(["www 300 A 192.0.2.1", ...base.slice(1)]),
    full: "0 0 1 0 0 0",
  },
  {
    what: "an alias that becomes two addresses",
    before: batch(["www 600 CNAME a.example.net."]),
    after: batch(["www 600 A 192.0.2.1", "www 600 A 192.0.2.2"]),
    full: "1 0 1 0 0 0",
  },
  {
    what: "a record that is live already",
    before: batch(base),
    after: batch([...base, "live 600 A 192.0.2.7"]),
    console: live,
    both: "0 1 0 0 0 0",
  },
  {
    what: "another name of the resource, and a record more",
    before: batch(base),
    after: batch(plus, "", "other-%"),
    both: "1 0 0 0 0 0",
  },
  {
    what: "the resource taken out",
    before: batch(base),
    after: "",
    full: "0 0 0 3 0 0",
    documented: "0 0 0 0 3 0",
  },
  {
    what: "a record more, and another changed in the console",
    before: batch(base),
    after: batch(plus),
    console: changedInConsole,
    full: "1 0 1 0 0 0",
    documented: "2 0 0 0 1 0",
  },
  {
    what: "a record more, and another removed in the console",
    before: batch(base),
    after: batch(plus),
    console: removedInConsole,
    both: "2 0 0 0 0 0",
  },
  {
    what: "a record less, under retain",
    before: batch(base),
    after: batch(base.slice(1), ', removal: "retain"'),
    both: "0 0 0 0 0 1",
  },
  {
    what: "another value of a Record",
    before: record("192.0.2.1"),
    after: record("192.0.2.2"),
    full: "0 0 1 0 0 0",
    documented: "1 0 0 0 1 0",
  },
  {
    what: "another value beside a secret that changes, and a new secret",
    before: hush({ s1: "hush-one" }, "192.0.2.3"),
    after: hush({ s1: "hush-two", s2: "hush-new" }, "192.0.2.33"),
    full: "1 0 2 0 0 0",
    documented: "3 0 0 0 2 0",
  },
  {
    what: "a value known later that differs, and a record less",
    before: late("1", base, { p1: "198.51.100.1" }),
    after: late("2", base.slice(1), { p1: "198.51.100.9" }),
    full: "0 0 0 1 0 0, 1 0 1 0",
  },
  {
    what: "a record more, and another made a second time in the console",
    before: batch(base),
    after: batch(plus),
    console: doubledInConsole,
    full: "1 0 0 1 0 0",
  },
  {
    what: "another name of a Record whose value is known later",
    before: lateRecord("1", "198.51.100.7"),
    after: lateRecord("2", "198.51.100.7").replace('"one"', '"other"'),
    full: "0 0 1 0 0 0",
  },
  {
    what: "two Records that exchange their records",
    before: pair("x", "y"),
    after: pair("y", "x"),
    full: "0 0 0 0 0 0",
  },
  {
    what: "a Record and a batch that exchange a record",
    before: pair("x", "y") + batch(["z 600 A 192.0.2.1"]),
    after: pair("z", "y") + batch(["x 600 A 192.0.2.1"]),
    full: "0 0 0 0 0 0",
  },
  {
    what: "a batch that goes with two secrets, one of which a Record declares",
    before: hush({ s1: "hush-one", s2: "hush-two" }, "192.0.2.3"),
    after: batch(["s3 600 A 192.0.2.3"], "", "rest-%") + hushed(),
    full: "0 0 0 1 0 0",
  },
  {
    what: "a batch that goes with a secret, at whose name a Record declares another",
    before: hush({ s1: "hush-two" }, "192.0.2.3"),
    after: batch(["s3 600 A 192.0.2.3"], "", "rest-%") + hushed(),
    full: "1 0 0 1 0 0",
  },
  {
    what: "a batch that goes with two secrets, one of which was removed in the console",
    before:
      batch(["s4 600 A 192.0.2.4"], "", "rest-%") + hush({ s1: "hush-one", s2: "hush-two" }, "192.0.2.3"),
    after: batch(["s4 600 A 192.0.2.4", "s5 600 A 192.0.2.5"], "", "rest-%"),
    console: (emulator, domain) => void emulator.admin.removeRecord(domain, { name: "s1", type: "TXT" }),
    full: "1 0 0 2 0 0",
  },
  {
    what: "a Record taken out that was changed in the console, and a record more",
    before: record("192.0.2.1") + batch(base),
    after: batch(plus),
    console: replacedInConsole,
    full: "1 0 0 1 0 0",
    documented: "1 0 0 0 1 0",
  },
  {
    what: "a Record taken out that was removed in the console, beside a batch as it was",
    before: record("192.0.2.1") + batch(base),
    after: batch(base),
    console: oneRemovedInConsole,
    both: "0 0 0 0 0 0",
  },
  {
    what: "a batch taken out of which a record was changed in the console, and another value",
    before: batch(base) + record("192.0.2.1"),
    after: record("192.0.2.2"),
    console: changedInConsole,
    full: "0 0 1 3 0 0",
    documented: "1 0 0 0 4 0",
  },
  {
    what: "a Record that goes, changed in the console, at whose name a secret is declared that is known later",
    before:
      record("192.0.2.1").replace(/type: "A", value: "[^"]*"/, 'type: "TXT", value: "open"') + batch(base),
    after: batch(plus) + lateSecret("1", "hush-late").replace('dns.Record("%"', 'dns.Record("new-%"'),
    console: (emulator, domain) =>
      void emulator.admin.setRecord(domain, { name: "one", type: "TXT" }, { value: "hush-live" }),
    full: "2 0 0 1 0 0",
  },
  {
    what: "another value of a Record that was removed in the console",
    before: record("192.0.2.1"),
    after: record("192.0.2.2"),
    console: oneRemovedInConsole,
    documented: "1 0 0 0 0 0",
  },
  {
    what: "another value of a Record that has it in the console already",
    before: record("192.0.2.1"),
    after: record("192.0.2.2"),
    console: replacedInConsole,
    documented: "0 0 0 0 0 0",
  },
  {
    what: "a Record more that depends on a batch of which a value changes",
    before: chained("192.0.2.1"),
    after: chained("192.0.2.2", "192.0.2.3"),
    documented: "2 0 0 0 1 0, 0 0 0 0, 1",
  },
  {
    what: "another value of a Record that depends on such a batch",
    before: chained("192.0.2.1", "192.0.2.3"),
    after: chained("192.0.2.2", "192.0.2.4"),
    documented: "2 0 0 0 2 0, 0 0 0 0, 1",
  },
  {
    what: "a Record's value known later that differs",
    before: lateRecord("1", "198.51.100.7"),
    after: lateRecord("2", "198.51.100.8"),
    documented: "0 0 0 0 0 0, 1 1 0 0",
  },
  ...decidedLater,
  ...decidedElsewhere,
  ...moves,
];

interface StackOf {
  readonly stack: Pick<Story["stack"], "env" | "folder">;
}

function ours({ stack }: StackOf, ...args: string[]): Promise<CliRun> {
  const env = Object.fromEntries(
    Object.entries(stack.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return cli([...args, "--cwd", stack.folder, "--stack", "test"], env);
}

/** The environment of full mode. */
const full = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" };

interface PlanJson {
  readonly domains: readonly (Figures & { readonly unchanged: number })[];
  readonly errors: readonly { readonly code: string; readonly text: string }[];
  readonly warnings: readonly string[];
  readonly unfinished: readonly string[];
}

async function jsonOf(told: StackOf): Promise<PlanJson> {
  const { out } = await ours(told, "plan", "--json");
  assert.doesNotMatch(out, /hush/);
  return JSON.parse(out) as PlanJson;
}

function withEnv({ stack }: StackOf, env: Readonly<Record<string, string>>): StackOf {
  return { stack: { folder: stack.folder, env: { ...stack.env, ...env } } };
}

interface Figures {
  readonly domain: string;
  readonly create: number;
  readonly adopt: number;
  readonly update: number;
  readonly delete: number;
  readonly blocked: number;
  readonly retained: number;
  readonly undecided: number;
  readonly lines: readonly {
    readonly sign: string;
    readonly text: string;
    readonly ttl: string;
    readonly was?: { readonly text: string; readonly ttl: string };
    readonly duplicate?: boolean;
  }[];
}

const noFigures: Figures = {
  domain: "",
  create: 0,
  adopt: 0,
  update: 0,
  delete: 0,
  blocked: 0,
  retained: 0,
  undecided: 0,
  lines: [],
};

/** A zone's records as a plan's lines have them. */
function textsOf(emulator: Emulator, domain: string): string[] {
  return emulator.admin
    .zone(domain, { hold: false })
    .map(
      ({ name, type, value }) =>
        `${name}.${domain}. ${type} ${type === "TXT" ? JSON.stringify(value) : value}`,
    );
}

/** The effect on a zone: records created, changed, removed. */
function done(
  emulator: Emulator,
  domain: string,
  before: ReadonlyMap<number, string>,
): [number, number, number] {
  const now = zoneOf(emulator, domain);
  const ids = [...now.keys()];
  return [
    ids.filter((id) => !before.has(id)).length,
    ids.filter((id) => before.has(id) && before.get(id) !== now.get(id)).length,
    [...before.keys()].filter((id) => !now.has(id)).length,
  ];
}

function zoneOf(emulator: Emulator, domain: string): Map<number, string> {
  return new Map(
    emulator.admin
      .zone(domain, { hold: false })
      .map((r) => [r.id, `${r.name} ${r.type} ${r.value} ${r.ttl}`]),
  );
}

describe("a plan with the real engine", function () {
  this.timeout(300_000);

  for (const [mode, env] of [
    ["full", full],
    ["documented", {}],
  ] as const) {
    const cases = edits.flatMap((edit) => {
      const outcome = edit[mode] ?? edit.both;
      return outcome === undefined ? [] : [{ ...edit, outcome: outcomeOf(outcome) }];
    });
    it(`has the figures of the up that follows for ${cases.length} edits in ${mode} mode`, async () => {
      const domains = cases.map((_, i) => `e${i}.example`);
      const program = (side: "before" | "after"): string =>
        [balancer, ...cases.map((edit, i) => edit[side].replaceAll("%", domains[i] ?? ""))].join("\n");
      await story(
        {
          program: program("before"),
          env,
          service: { domains, settings: { undocumented: mode === "full" } },
        },
        async (told) => {
          const { emulator, stack, up } = told;
          await up();
          for (const [i, { console }] of cases.entries()) console?.(emulator, domains[i] ?? "");
          stack.program(program("after"));
          const plan = await ours(told, "plan", "--json");
          assert.equal(plan.code, 0, plan.out + plan.err);
          assert.doesNotMatch(plan.out, /hush/);
          const found = (JSON.parse(plan.out) as PlanJson).domains;
          const before = new Map(domains.map((domain) => [domain, zoneOf(emulator, domain)]));
          const were = new Map(domains.map((domain) => [domain, textsOf(emulator, domain)]));
          const run = await stack.up("--continue-on-error");
          assert.equal(run.code === 0, mode === "full", run.output);
          assert.doesNotMatch(run.output, /hush/);
          const wrong = cases.flatMap(
            ({ what, outcome: [figures = [], undecided = [], [notBegun = 0] = []] }, i) => {
              const [later = 0, adds = 0, changes = 0, removes = 0] = undecided;
              const [create = 0, , update = 0, deletes = 0] = figures;
              const domain = domains[i] ?? "";
              const zone = found.find((each) => each.domain === domain) ?? noFigures;
              const counted = [
                zone.create,
                zone.adopt,
                zone.update,
                zone.delete,
                zone.blocked,
                zone.retained,
              ];
              const effect = done(emulator, domain, before.get(domain) ?? new Map());
              const lines = zone.lines.map(({ sign, text }) => `${sign} ${text}`);
              const pairs = [
                [`${[...counted, zone.undecided]}`, `${[...figures, later]}`],
                [`${effect}`, `${[create + adds - notBegun, update + changes, deletes + removes]}`],
              ];
              return pairs.flatMap(([is, should], at) =>
                is === should ? [] : [`${what}: ${at === 0 ? "plan" : "up"} ${is}, not ${should}: ${lines}`],
              );
            },
          );
          assert.deepEqual(wrong, [], run.output);
          const shown = cases.flatMap(({ what, outcome }, i) => {
            if ((outcome[1]?.[1] ?? 0) !== 0) return [];
            const domain = domains[i] ?? "";
            const now = textsOf(emulator, domain);
            const lines = found.find((each) => each.domain === domain)?.lines ?? [];
            return lines
              .filter(
                ({ sign, text, duplicate }) =>
                  /[-!.]/.test(sign) && !/\[(?:secret|not shown|changed)/.test(text) && duplicate !== true,
              )
              .map(({ sign, text, was = { text } }) => {
                const isLive = were.get(domain)?.includes(was.text) === true;
                return isLive && now.includes(was.text) === (sign !== "-")
                  ? ""
                  : `${what}: ${sign} ${was.text}`;
              })
              .filter((each) => each !== "");
          });
          assert.deepEqual(shown, []);
        },
      );
    });
  }

  for (const mode of ["full", "documented"]) {
    it(`plans shares in ${mode} mode`, async () => {
      const people = ["a", "b", "c", "d"].map((name) => `${name}@example.org`);
      const [none, same, other, moved] = people;
      const share = (email = "", more: object = {}, name = email): string =>
        `new dns.DomainShare("${name}", ${JSON.stringify({ domain: "example.com", email, mode: "r", ...more })});`;
      const isFull = mode === "full";
      const program = [
        ...(isFull ? [share(none)] : []),
        share(same),
        share(other),
        share(moved, { subDomain: "shop", from: "@" }),
      ].join("\n");
      await story(
        {
          program,
          env: isFull ? full : {},
          service: {
            accounts: [{ email: "owner@example.com" }, ...people.map((email) => ({ email }))],
            settings: { undocumented: isFull },
          },
        },
        async (told) => {
          const { admin } = told.emulator;
          for (const [email = "", mode] of [
            [same, "r"],
            [other, "rw"],
            [moved, "r"],
          ] as const)
            admin.addShare("example.com", { email, mode });
          const planned = async (): Promise<readonly string[]> =>
            (await jsonOf(told)).domains.flatMap(({ lines }) =>
              lines
                .map(({ sign, text, was, ttl }) => `${sign} ${text} ${was ? `${was.ttl} => ` : ""}${ttl}`)
                .sort(),
            );
          const changed = (email = "", was: string, ttl: string): string =>
            `~ share with ${email} ${was} => ${ttl}`;
          const unknown = "(mode not known)";
          assert.deepEqual(
            await planned(),
            isFull
              ? [
                  `+ share with ${none} r`,
                  `= share with ${same} r`,
                  changed(other, "rw", "r"),
                  changed(moved, "r", "r on shop"),
                ]
              : [
                  changed(same, unknown, "r"),
                  changed(other, unknown, "r"),
                  changed(moved, unknown, "r on shop"),
                ],
          );
          await told.up();
          told.stack.program(program.replaceAll('dns.DomainShare("', 'dns.DomainShare("again-'));
          assert.deepEqual(await planned(), []);
          await told.up();
          assert.equal(admin.shares("example.com").length, isFull ? 4 : 3);
          if (!isFull) return;
          admin.removeShare("example.com", other ?? "");
          told.stack.program(
            [
              share(none, { mode: "rw" }),
              share(other, { mode: "rw" }),
              share(moved?.toUpperCase(), { subDomain: "shop" }, moved),
            ]
              .join("\n")
              .replaceAll('dns.DomainShare("', 'dns.DomainShare("again-'),
          );
          assert.deepEqual(await planned(), [
            `+ share with ${other} rw`,
            `- share with ${same} r`,
            changed(none, "r", "rw"),
          ]);
          await told.up();
          assert.deepEqual(
            admin
              .shares("example.com")
              .map(({ email }) => email)
              .sort(),
            [none, other, moved],
          );
        },
      );
    });
  }

  it("hides the e-mail of a share that is secret", async () => {
    const share = (email: string): string =>
      `new dns.DomainShare("mate", { domain: "example.com", email: ${email}, mode: "r" });`;
    await story(
      {
        program: share('pulumi.secret("mate@example.org")'),
        config: { "legacydns:undocumentedOperations": "true" },
        service: {
          accounts: [{ email: "owner@example.com" }, { email: "mate@example.org" }],
          settings: { undocumented: true },
        },
      },
      async (told) => {
        assert.match((await ours(told, "plan")).out, /^ {2}\+ share with \[secret\] +r\n/m);
        await told.up();
        told.stack.program(share('"mate@example.org"'));
        assert.match((await ours(told, "plan")).out, /No change to any zone\.\n$/);
      },
    );
  });

  it("lists the errors of all resources, plans the others, and is the same each time", async () => {
    const declared = (name: string, fields: object = {}): string =>
      `new dns.Record("${name}", ${JSON.stringify({ domain: "example.com", name, type: "A", value: "192.0.2.1", ttl: 600, ...fields })}`;
    const many = (name: string, more: object): string =>
      `new dns.RecordBatch("${name}", ${JSON.stringify({ domains: "example.com", records: [`${name} 600 A 192.0.2.1`], ...more })});`;
    await story({ program: `${declared("old")});${many("batch", {})}` }, async (told) => {
      await told.up();
      told.stack
        .program(`${declared("old")}, { transforms: [({ props, opts }) => ({ props: { ...props, ttl: "1x" }, opts })] });
        ${declared("free", { removal: "delete" })});${many("batch", { removal: "delete" })}${many("other", { undeclared: "remove" })}
        new dns.RecordBatch("two", { domains: ["e.example", "f.example"], records: ["www A 192.0.2.1"] });
        new dns.DomainShare("share", { domain: "h.example", email: "mate@example.com", mode: "r" });
        ${declared("fine")});`);
      const [plan, again] = [await jsonOf(told), await jsonOf(told)];
      assert.deepEqual(again, plan);
      assert.deepEqual(
        plan.errors.map(({ code, text }) => [code, /^\w+ "\w+"/.exec(text)?.[0]]),
        [
          ["zone.refused", 'DomainShare "share"'],
          ["removal.not-allowed", 'Record "free"'],
          ["ttl.text", 'Record "old"'],
          ["removal.not-allowed", 'RecordBatch "batch"'],
          ["undeclared.not-allowed", 'RecordBatch "other"'],
          ["zone.refused", 'RecordBatch "two"'],
          ["zone.refused", 'RecordBatch "two"'],
        ],
      );
      assert.deepEqual(
        plan.domains.map(({ domain, create }) => [domain, create]),
        [["example.com", 1]],
      );
      assert.equal((await ours(told, "plan")).code, 1);
    });
  });

  it("reports a safety gate once for all resources of a domain", async () => {
    const program = (ttl: number): string =>
      [0, 1, 2]
        .map(
          (i) =>
            `new dns.RecordBatch("b${i}", { domains: "example.com", records: ${JSON.stringify(["one", "two", "three", "four"].map((name, n) => `${name}${i} ${n < 2 ? ttl : 600} A 192.0.2.${n}`))} });`,
        )
        .join("\n");
    await story(
      { program: program(600), env: full, service: { settings: { undocumented: true } } },
      async (told) => {
        await told.up();
        told.stack.program(program(300));
        const { errors } = await jsonOf(told);
        assert.deepEqual(
          errors.map(({ code, text }) => [code, text.includes("0 to delete, 6 to update, 12 live: 50 %")]),
          [["zone.gated", true]],
        );
      },
    );
  });

  for (const mode of ["full", "documented"]) {
    it(`leaves out records that the service refused and records that are gone in ${mode} mode`, async () => {
      const isFull = mode === "full";
      const batches = ["com", "net"].map((end) =>
        batch(["f1 600 A 192.0.2.1", "f2 1 A 192.0.2.2", "f3 600 A 192.0.2.3"], "", end).replaceAll(
          "%",
          `example.${end}`,
        ),
      );
      await story(
        {
          program: batches.join("\n"),
          env: { LEGACYDNS_LIMITS: "off", ...(isFull ? full : {}) },
          service: { settings: { undocumented: isFull } },
        },
        async (told) => {
          const failed = await told.failing("--continue-on-error");
          assert.match(failed.output, /\[write\.refused\]\s+f2\.example\.com\. A 192\.0\.2\.2/);
          told.emulator.admin.removeRecord("example.net", { name: "f3", type: "A" });
          told.stack.program("");
          const listed = async (env: Readonly<Record<string, string>>): Promise<string[]> =>
            (await jsonOf(withEnv(told, env))).domains.flatMap(({ lines }) =>
              lines.map(({ sign, text }) => `${sign} ${text.split(" A ")[0]}`),
            );
          const lines = (sign: string): string[] =>
            ["f1.example.com.", "f3.example.com.", "f1.example.net."].map((name) => `${sign} ${name}`);
          assert.deepEqual(await listed({}), lines(isFull ? "-" : "!"));
          assert.deepEqual(await listed({ LEGACYDNS_REMOVAL: "retain" }), lines("."));
          const before = zoneOf(told.emulator, "example.com");
          const run = await told.stack.up("--continue-on-error");
          assert.equal(run.code === 0, isFull, run.output);
          assert.deepEqual(done(told.emulator, "example.com", before), [0, 0, isFull ? 2 : 0]);
        },
      );
    });
  }

  byBothFrontEnds("shows a pending deletion until its record is gone", async (frontEnd) => {
    const program = (value: string): string => record(value).replaceAll("%", "example.com");
    await story({ frontEnd, program: program("192.0.2.1") }, async (told) => {
      await told.up();
      told.stack.program(program("192.0.2.2"));
      await told.failing();
      const pending = await jsonOf(told);
      assert.deepEqual(
        pending.domains.map(({ lines }) => lines.map(({ sign, text }) => `${sign} ${text}`)),
        [["! one.example.com. A 192.0.2.1"]],
      );
      assert.equal(pending.unfinished.length, 1);
      told.emulator.admin.removeRecord("example.com", { name: "one", type: "A", value: "192.0.2.1" });
      assert.deepEqual(
        (await jsonOf(told)).domains.map(({ lines }) => lines),
        [[]],
      );
      await told.up();
      assert.match((await ours(told, "plan")).out, /No change to any zone\./);
    });
  });

  it("shows the state of a zone that cannot be read", async () => {
    await story({ program: batch(base).replaceAll("%", "example.com") }, async (told) => {
      await told.up();
      told.stack.program("");
      const plan = await jsonOf(withEnv(told, { LEGACYDNS_LOGIN_TOKEN: "1,wrong" }));
      assert.equal(plan.domains[0]?.blocked, 3);
      assert.match(plan.warnings.join(), /example\.com: the zone was not read/);
    });
  });
});
