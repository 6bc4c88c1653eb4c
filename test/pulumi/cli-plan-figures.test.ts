/** What `plan` counts is what the next up does, edit by edit: each in a domain of its own, all of a stack in one run. */
import assert from "node:assert/strict";
import type { Emulator } from "../../emulator";
import { cli, type CliRun } from "../cli/run";
import { chosenDoor } from "../support/stack";
import { startService, zoneLines } from "../support/service";
import { says, story, type Story } from "../support/story";

interface Edit {
  readonly what: string;
  /** The program's resources before and after; `%` stands for the domain. */
  readonly before: string;
  readonly after: string;
  /** What somebody does in the console in between. */
  readonly console?: (emulator: Emulator, domain: string) => void;
  /** add, adopt, change, remove, stays, fails. */
  readonly figures: readonly [number, number, number, number, number, number];
  /** Of what the update decides: how many, and what it then adds, changes and removes. */
  readonly undecided?: readonly [number, number, number, number];
  /** How many records the engine does not come to. */
  readonly notBegun?: number;
}

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
/** Records whose value another resource tells, which an update of that one leaves unknown until then. */
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
    figures: [0, 0, 0, 0, 0, 0],
    undecided: [4, 0, 0, 0],
  },
  {
    what: "a Record's value known later that stays",
    before: lateRecord("1", "198.51.100.7"),
    after: lateRecord("2", "198.51.100.7"),
    figures: [0, 0, 0, 0, 0, 0],
    undecided: [1, 0, 0, 0],
  },
  {
    what: "a Record's secret value known later that stays",
    before: lateSecret("1", "hush-one"),
    after: lateSecret("2", "hush-one"),
    figures: [0, 0, 0, 0, 0, 0],
    undecided: [1, 0, 0, 0],
  },
  {
    what: "two specs known later that stay",
    before: lateSpecs("1", { p1: "198.51.100.1", p2: "198.51.100.2" }),
    after: lateSpecs("2", { p1: "198.51.100.1", p2: "198.51.100.2" }),
    figures: [0, 0, 0, 0, 0, 0],
    undecided: [2, 0, 0, 0],
  },
  ...["a", "another"].map((which): Edit => ({
    what: `${which} new batch of a spec known later`,
    before: "",
    after: `new dns.RecordBatch("%", { domains: "%", records: [new Balancer("lb-%", "1", "192.0.2.1").address.apply((value) => ({ name: "p1", type: "A", value, ttl: 600 }))] });`,
    figures: [1, 0, 0, 0, 0, 0],
  })),
  {
    what: "another name of a Record whose value is known later and stays",
    before: lateRecord("1", "198.51.100.7"),
    after: lateRecord("2", "198.51.100.7").replace('dns.Record("%"', 'dns.Record("new-%"'),
    figures: [1, 0, 0, 0, 0, 0],
    undecided: [1, -1, 0, 0],
  },
  {
    what: "another name of a Record whose name is known later, too",
    before: lateRecord("1", "198.51.100.7"),
    after: lateNamed.replace('dns.Record("%"', 'dns.Record("new-%"'),
    figures: [1, 0, 0, 0, 0, 0],
    undecided: [1, -1, 0, 0],
  },
  {
    what: "a value known later from one batch to another",
    before: late("1", base, { p1: "198.51.100.1" }),
    after:
      batch(base) +
      late("2", [], { p1: "198.51.100.1" }).replace('dns.RecordBatch("%"', 'dns.RecordBatch("new-%"'),
    figures: [1, 0, 0, 0, 0, 0],
    undecided: [1, -1, 0, 0],
  },
  {
    what: "a Record to a batch of a spec known later",
    before: record("198.51.100.7"),
    after: lateSpecs("1", { one: "198.51.100.7" }).replace('"www 600 A 192.0.2.1", ', ""),
    figures: [1, 0, 0, 0, 0, 0],
    undecided: [1, -1, 0, 0],
  },
  {
    what: "a value known later that stays, and one more",
    before: late("1", base, { p1: "198.51.100.1" }),
    after: late("2", base, { p1: "198.51.100.1", p2: "198.51.100.2" }),
    figures: [1, 0, 0, 0, 0, 0],
    undecided: [1, 0, 0, 0],
  },
];

/** What moves stays as it is, also where nobody may see that it is the same; what the engine keeps stays. */
const moves: Edit[] = [
  {
    what: "a batch taken out that has retainOnDelete",
    before: batch(base).replace(" });", " }, { retainOnDelete: true });"),
    after: "",
    figures: [0, 0, 0, 0, 3, 0],
  },
  {
    what: "another name of a batch with a secret",
    before: hush({ s1: "hush-one" }, "192.0.2.3"),
    after: hush({ s1: "hush-one" }, "192.0.2.3", "other-%"),
    figures: [0, 0, 0, 0, 0, 0],
  },
  {
    what: "a secret from a batch to a Record",
    before: hush({ s1: "hush-one" }, "192.0.2.3"),
    after: hush({}, "192.0.2.3") + hushed(),
    figures: [0, 0, 0, 0, 0, 0],
  },
  {
    what: "the only record of a batch, a secret, to a Record",
    before: hush({ s1: "hush-one" }, "192.0.2.3").replace('"s3 600 A 192.0.2.3", ', ""),
    after: batch([]) + hushed(),
    figures: [0, 0, 0, 0, 0, 0],
  },
  {
    what: "all of a batch with a secret to another batch",
    before: hush({ s1: "hush-one" }, "192.0.2.3"),
    after: batch([]) + hush({ s1: "hush-one" }, "192.0.2.3", "other-%"),
    figures: [0, 0, 0, 0, 0, 0],
  },
  {
    what: "another name of a Record with a secret",
    before: hushed(),
    after: hushed("other-%"),
    figures: [0, 0, 0, 0, 0, 0],
  },
  {
    what: "a secret of a Record that becomes an open line of a batch",
    before: hushed(),
    after: batch(["s1 600 TXT hush-one"]),
    figures: [0, 0, 0, 0, 0, 0],
  },
  {
    what: "an open line of a batch that goes, and becomes another's secret",
    before: hush({}, "192.0.2.3") + batch(["s1 600 TXT hush-one"], "", "two-%"),
    after: hush({ s1: "hush-one" }, "192.0.2.3"),
    figures: [0, 0, 0, 0, 0, 0],
  },
  {
    what: "an open line of a batch that stays, and becomes another's secret",
    before: hush({}, "192.0.2.3") + batch(["s1 600 TXT hush-one", "s2 600 A 192.0.2.4"], "", "two-%"),
    after: batch(["s2 600 A 192.0.2.4"], "", "two-%") + hush({ s1: "hush-one" }, "192.0.2.3"),
    figures: [0, 0, 0, 0, 0, 0],
  },
  {
    what: "two secrets of a batch that goes, at two names, to two Records",
    before: hush({ s1: "hush-one", s2: "hush-two" }, "192.0.2.3"),
    after:
      batch(["s3 600 A 192.0.2.3"], "", "rest-%") +
      hushed() +
      hushed("two-%").replace("s1", "s2").replace("hush-one", "hush-two"),
    figures: [0, 0, 0, 0, 0, 0],
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

const full: Edit[] = [
  { what: "a record more", before: batch(base), after: batch(plus), figures: [1, 0, 0, 0, 0, 0] },
  { what: "a record less", before: batch(base), after: batch(base.slice(1)), figures: [0, 0, 0, 1, 0, 0] },
  {
    what: "another value",
    before: batch(base),
    after: batch(["www 600 A 192.0.2.8", ...base.slice(1)]),
    figures: [0, 0, 1, 0, 0, 0],
  },
  {
    what: "another TTL",
    before: batch(base),
    after: batch(["www 300 A 192.0.2.1", ...base.slice(1)]),
    figures: [0, 0, 1, 0, 0, 0],
  },
  {
    what: "an alias that becomes two addresses",
    before: batch(["www 600 CNAME a.example.net."]),
    after: batch(["www 600 A 192.0.2.1", "www 600 A 192.0.2.2"]),
    figures: [1, 0, 1, 0, 0, 0],
  },
  {
    what: "a record that is live already",
    before: batch(base),
    console: live,
    after: batch([...base, "live 600 A 192.0.2.7"]),
    figures: [0, 1, 0, 0, 0, 0],
  },
  {
    what: "another name of the resource, and a record more",
    before: batch(base),
    after: batch(plus, "", "other-%"),
    figures: [1, 0, 0, 0, 0, 0],
  },
  { what: "the resource taken out", before: batch(base), after: "", figures: [0, 0, 0, 3, 0, 0] },
  {
    what: "a record more, and another changed in the console",
    before: batch(base),
    console: changedInConsole,
    after: batch(plus),
    figures: [1, 0, 1, 0, 0, 0],
  },
  {
    what: "a record more, and another removed in the console",
    before: batch(base),
    console: removedInConsole,
    after: batch(plus),
    figures: [2, 0, 0, 0, 0, 0],
  },
  {
    what: "a record less, under retain",
    before: batch(base),
    after: batch(base.slice(1), ', removal: "retain"'),
    figures: [0, 0, 0, 0, 1, 0],
  },
  {
    what: "another value of a Record",
    before: record("192.0.2.1"),
    after: record("192.0.2.2"),
    figures: [0, 0, 1, 0, 0, 0],
  },
  {
    what: "another value beside a secret that changes, and a new secret",
    before: hush({ s1: "hush-one" }, "192.0.2.3"),
    after: hush({ s1: "hush-two", s2: "hush-new" }, "192.0.2.33"),
    figures: [1, 0, 2, 0, 0, 0],
  },
  {
    what: "a value known later that differs, and a record less",
    before: late("1", base, { p1: "198.51.100.1" }),
    after: late("2", base.slice(1), { p1: "198.51.100.9" }),
    figures: [0, 0, 0, 1, 0, 0],
    undecided: [1, 0, 1, 0],
  },
  {
    what: "a record more, and another made a second time in the console",
    before: batch(base),
    console: doubledInConsole,
    after: batch(plus),
    figures: [1, 0, 0, 1, 0, 0],
  },
  {
    what: "another name of a Record whose value is known later",
    before: lateRecord("1", "198.51.100.7"),
    after: lateRecord("2", "198.51.100.7").replace('"one"', '"other"'),
    figures: [0, 0, 1, 0, 0, 0],
  },
  {
    what: "two Records that exchange their records",
    before: pair("x", "y"),
    after: pair("y", "x"),
    figures: [0, 0, 0, 0, 0, 0],
  },
  {
    what: "a Record and a batch that exchange a record",
    before: pair("x", "y") + batch(["z 600 A 192.0.2.1"]),
    after: pair("z", "y") + batch(["x 600 A 192.0.2.1"]),
    figures: [0, 0, 0, 0, 0, 0],
  },
  {
    what: "a batch that goes with two secrets, one of which a Record declares",
    before: hush({ s1: "hush-one", s2: "hush-two" }, "192.0.2.3"),
    after: batch(["s3 600 A 192.0.2.3"], "", "rest-%") + hushed(),
    figures: [0, 0, 0, 1, 0, 0],
  },
  {
    what: "a batch that goes with a secret, at whose name a Record declares another",
    before: hush({ s1: "hush-two" }, "192.0.2.3"),
    after: batch(["s3 600 A 192.0.2.3"], "", "rest-%") + hushed(),
    figures: [1, 0, 0, 1, 0, 0],
  },
  {
    what: "a batch that goes with two secrets, one of which was removed in the console",
    before:
      batch(["s4 600 A 192.0.2.4"], "", "rest-%") + hush({ s1: "hush-one", s2: "hush-two" }, "192.0.2.3"),
    console: (emulator, domain) => void emulator.admin.removeRecord(domain, { name: "s1", type: "TXT" }),
    after: batch(["s4 600 A 192.0.2.4", "s5 600 A 192.0.2.5"], "", "rest-%"),
    figures: [1, 0, 0, 2, 0, 0],
  },
  {
    what: "a Record taken out that was changed in the console, and a record more",
    before: record("192.0.2.1") + batch(base),
    console: replacedInConsole,
    after: batch(plus),
    figures: [1, 0, 0, 1, 0, 0],
  },
  {
    what: "a Record taken out that was removed in the console, beside a batch as it was",
    before: record("192.0.2.1") + batch(base),
    console: oneRemovedInConsole,
    after: batch(base),
    figures: [0, 0, 0, 0, 0, 0],
  },
  {
    what: "a batch taken out of which a record was changed in the console, and another value",
    before: batch(base) + record("192.0.2.1"),
    console: changedInConsole,
    after: record("192.0.2.2"),
    figures: [0, 0, 1, 3, 0, 0],
  },
  {
    what: "a Record that goes, changed in the console, at whose name a secret is declared that is known later",
    before:
      record("192.0.2.1").replace(/type: "A", value: "[^"]*"/, 'type: "TXT", value: "open"') + batch(base),
    console: (emulator, domain) =>
      void emulator.admin.setRecord(domain, { name: "one", type: "TXT" }, { value: "hush-live" }),
    after: batch(plus) + lateSecret("1", "hush-late").replace('dns.Record("%"', 'dns.Record("new-%"'),
    figures: [2, 0, 0, 0, 0, 0],
    undecided: [1, 0, 0, 1],
  },
  ...decidedLater,
  ...moves,
];

const documented: Edit[] = [
  { what: "a record more", before: batch(base), after: batch(plus), figures: [1, 0, 0, 0, 0, 0] },
  { what: "a record less", before: batch(base), after: batch(base.slice(1)), figures: [0, 0, 0, 0, 1, 1] },
  {
    what: "another value",
    before: batch(base),
    after: batch(["www 600 A 192.0.2.8", ...base.slice(1)]),
    figures: [1, 0, 0, 0, 1, 1],
  },
  {
    what: "another value of a Record",
    before: record("192.0.2.1"),
    after: record("192.0.2.2"),
    figures: [1, 0, 0, 0, 1, 1],
  },
  {
    what: "another value beside a secret that changes, and a new secret",
    before: hush({ s1: "hush-one" }, "192.0.2.3"),
    after: hush({ s1: "hush-two", s2: "hush-new" }, "192.0.2.33"),
    figures: [3, 0, 0, 0, 2, 2],
  },
  {
    what: "a record that is live already",
    before: batch(base),
    console: live,
    after: batch([...base, "live 600 A 192.0.2.7"]),
    figures: [0, 1, 0, 0, 0, 0],
  },
  { what: "the resource taken out", before: batch(base), after: "", figures: [0, 0, 0, 0, 3, 3] },
  {
    what: "a record less, under retain",
    before: batch(base),
    after: batch(base.slice(1), ', removal: "retain"'),
    figures: [0, 0, 0, 0, 1, 0],
  },
  {
    what: "a record more, and another changed in the console",
    before: batch(base),
    console: changedInConsole,
    after: batch(plus),
    figures: [2, 0, 0, 0, 1, 1],
  },
  {
    what: "a record more, and another removed in the console",
    before: batch(base),
    console: removedInConsole,
    after: batch(plus),
    figures: [2, 0, 0, 0, 0, 0],
  },
  {
    what: "another name of the resource, and a record more",
    before: batch(base),
    after: batch(plus, "", "other-%"),
    figures: [1, 0, 0, 0, 0, 0],
  },
  {
    what: "another value of a Record that was removed in the console",
    before: record("192.0.2.1"),
    console: oneRemovedInConsole,
    after: record("192.0.2.2"),
    figures: [1, 0, 0, 0, 0, 0],
  },
  {
    what: "another value of a Record that has it in the console already",
    before: record("192.0.2.1"),
    console: replacedInConsole,
    after: record("192.0.2.2"),
    figures: [0, 1, 0, 0, 0, 0],
  },
  {
    what: "a Record taken out that was changed in the console, and a record more",
    before: record("192.0.2.1") + batch(base),
    console: replacedInConsole,
    after: batch(plus),
    figures: [1, 0, 0, 0, 1, 1],
  },
  {
    what: "a Record taken out that was removed in the console, beside a batch as it was",
    before: record("192.0.2.1") + batch(base),
    console: oneRemovedInConsole,
    after: batch(base),
    figures: [0, 0, 0, 0, 0, 0],
  },
  {
    what: "a batch taken out of which a record was changed in the console, and another value",
    before: batch(base) + record("192.0.2.1"),
    console: changedInConsole,
    after: record("192.0.2.2"),
    figures: [1, 0, 0, 0, 4, 4],
  },
  {
    what: "a Record more that depends on a batch of which a value changes",
    before: chained("192.0.2.1"),
    after: chained("192.0.2.2", "192.0.2.3"),
    figures: [1, 0, 0, 0, 1, 1],
    notBegun: 1,
  },
  {
    what: "another value of a Record that depends on such a batch",
    before: chained("192.0.2.1", "192.0.2.3"),
    after: chained("192.0.2.2", "192.0.2.4"),
    figures: [1, 0, 0, 0, 1, 1],
    notBegun: 2,
  },
  {
    what: "a Record's value known later that differs",
    before: lateRecord("1", "198.51.100.7"),
    after: lateRecord("2", "198.51.100.8"),
    figures: [0, 0, 0, 0, 0, 0],
    undecided: [1, 1, 0, 0],
  },
  ...decidedLater,
  ...moves,
];

function ours(
  { stack }: { readonly stack: Pick<Story["stack"], "env" | "folder"> },
  ...args: string[]
): Promise<CliRun> {
  const env = Object.fromEntries(
    Object.entries(stack.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return cli([...args, "--cwd", stack.folder, "--stack", "test"], env);
}

interface Figures {
  readonly domain: string;
  readonly add: number;
  readonly adopt: number;
  readonly change: number;
  readonly remove: number;
  readonly stays: number;
  readonly fails: number;
  readonly undecided: number;
  readonly notBegun: number;
  readonly lines: readonly {
    readonly sign: string;
    readonly text: string;
    readonly ttl: string;
    readonly was?: string;
    readonly before?: { readonly text: string };
  }[];
}

/** A zone's records as a plan's lines have them. */
function textsOf(emulator: Emulator, domain: string): string[] {
  return emulator.admin
    .zone(domain, { hold: false })
    .map(
      ({ name, type, value }) =>
        `${name}.${domain}. ${type} ${type === "TXT" ? JSON.stringify(value) : value}`,
    );
}

/** What became of a zone: records made, changed, removed. */
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

describe("the figures of plan", function () {
  this.timeout(300_000);

  for (const [mode, edits, env] of [
    ["full", full, { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" }],
    ["documented", documented, {}],
  ] as const) {
    it(`are those of the up that follows, in ${mode} mode, for ${edits.length} edits`, async () => {
      const domains = edits.map((_, i) => `e${i}.example`);
      const program = (side: "before" | "after"): string =>
        [balancer, ...edits.map((edit, i) => edit[side].replaceAll("%", domains[i] ?? ""))].join("\n");
      await story(
        {
          program: program("before"),
          env,
          service: { domains, settings: { undocumented: mode === "full" } },
        },
        async (told) => {
          const { emulator, stack, up } = told;
          await up();
          for (const [i, { console }] of edits.entries()) console?.(emulator, domains[i] ?? "");
          stack.program(program("after"));
          const plan = await ours(told, "plan", "--json");
          assert.equal(plan.code, 0, plan.out + plan.err);
          assert.doesNotMatch(plan.out, /hush/);
          const found = (JSON.parse(plan.out) as { domains: Figures[] }).domains;
          const before = new Map(domains.map((domain) => [domain, zoneOf(emulator, domain)]));
          const were = new Map(domains.map((domain) => [domain, textsOf(emulator, domain)]));
          const run = await stack.up("--continue-on-error");
          assert.equal(run.code === 0, mode === "full", run.output);
          assert.doesNotMatch(run.output, /hush/);
          for (const [
            i,
            { what, figures, undecided: [later, adds, changes, removes] = [0, 0, 0, 0], notBegun: waits = 0 },
          ] of edits.entries()) {
            const domain = domains[i] ?? "";
            const {
              add = 0,
              adopt = 0,
              change = 0,
              remove = 0,
              stays = 0,
              fails = 0,
              undecided = 0,
              notBegun = 0,
            } = found.find((each) => each.domain === domain) ?? {};
            assert.deepEqual([undecided, notBegun], [later, waits], `${what}: ${plan.out}`);
            assert.deepEqual([add, adopt, change, remove, stays, fails], figures, `${what}: ${plan.out}`);
            // What is told to go, or to stay, is what was live; a secret's text is not told.
            const open = (found.find((each) => each.domain === domain)?.lines ?? []).filter(
              ({ text, ttl }) => !/\[(?:secret|not shown)\]/.test(text) && !ttl.includes("duplicate"),
            );
            const now = textsOf(emulator, domain);
            for (const { sign, text, before: was = { text } } of open) {
              if (sign === "-" || sign === "!")
                assert.ok(
                  were.get(domain)?.includes(was.text) === true && now.includes(was.text) === (sign === "!"),
                  `${what}: ${sign} ${was.text} of ${were.get(domain)?.join("; ")}`,
                );
            }
            assert.deepEqual(
              done(emulator, domain, before.get(domain) ?? new Map()),
              [add + adds, change + changes, remove + removes],
              `${what}: ${run.output}`,
            );
          }
          if (mode === "full") assert.doesNotMatch(plan.out, /removal: verify/);
          assert.equal(
            plan.out.includes(
              "where the update finds another record than the live one that `?` marks, the up fails: the service's documented interface can neither change nor remove a record",
            ),
            mode === "documented",
            plan.out,
          );
        },
      );
    });
  }

  for (const mode of ["full", "documented"]) {
    it(`tell of a share whether it is made, changed, or live already, in ${mode} mode`, async () => {
      const people = ["a", "b", "c", "d"].map((name) => `${name}@example.org`);
      const [none, same, other, moved] = people;
      const share = (email = "", more: object = {}, name = email): string =>
        `new dns.DomainShare("${name}", ${JSON.stringify({ domain: "example.com", email, mode: "r", ...more })});`;
      const isFull = mode === "full";
      const env = isFull ? { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" } : {};
      const service = {
        accounts: [{ email: "owner@example.com" }, ...people.map((email) => ({ email }))],
        settings: { undocumented: isFull },
      };
      const program = [
        ...(isFull ? [share(none)] : []),
        share(same),
        share(other),
        share(moved, { subDomain: "shop", from: "@" }),
      ].join("\n");
      await story({ program, env, service }, async (told) => {
        const { admin } = told.emulator;
        for (const [email = "", mode] of [
          [same, "r"],
          [other, "rw"],
          [moved, "r"],
        ] as const)
          admin.addShare("example.com", { email, mode });
        const planned = async (): Promise<readonly unknown[]> => {
          const { domains } = JSON.parse((await ours(told, "plan", "--json")).out) as { domains: Figures[] };
          return domains.flatMap(({ add, adopt, change, remove, lines }) => [
            [add, adopt, change, remove],
            ...lines
              .map(
                ({ sign, text, was, ttl }) =>
                  `${sign} ${text} ${was === undefined ? "" : `${was} => `}${ttl}`,
              )
              .sort(),
          ]);
        };
        const writes = (): (number | undefined)[] =>
          ["Domainshare.Create", "Domainshare.Modify", "Domainshare.Remove"].map(
            (name) => admin.counts()[name],
          );
        const changed = (email = "", was: string, ttl: string): string =>
          `~ share with ${email} ${was} => ${ttl}`;
        const unknown = "(mode not known)";
        assert.deepEqual(
          await planned(),
          isFull
            ? [
                [1, 1, 2, 0],
                `+ share with ${none} r`,
                `= share with ${same} r`,
                changed(other, "rw", "r"),
                changed(moved, "r", "r on shop"),
              ]
            : [
                [0, 0, 3, 0],
                changed(same, unknown, "r"),
                changed(other, unknown, "r"),
                changed(moved, unknown, "r on shop"),
              ],
        );
        await told.up();
        assert.deepEqual(writes(), isFull ? [1, 2, undefined] : [undefined, 3, undefined]);
        // Another name alone is no change. The documented interface looks for `moved` where it has been, too.
        told.stack.program(program.replaceAll('dns.DomainShare("', 'dns.DomainShare("again-'));
        assert.deepEqual(await planned(), [[0, 0, 0, 0]]);
        await told.up();
        assert.deepEqual(writes(), isFull ? [undefined, undefined, undefined] : [undefined, 4, undefined]);
        assert.equal(admin.shares("example.com").length, isFull ? 4 : 3);
        // Of what changes in the program a host looks whether it is there.
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
          [1, 0, 1, 1],
          `+ share with ${other} rw`,
          `- share with ${same} r`,
          changed(none, "r", "rw"),
        ]);
        await told.up();
        assert.deepEqual(writes(), [1, 1, 1]);
      });
    });
  }

  it("leave a share out whose e-mail becomes a secret, or is one no more, and tell a new one by the stack's settings", async () => {
    const share = (email: string): string =>
      `new dns.DomainShare("mate", { domain: "example.com", email: ${email}, mode: "r" });`;
    const [open, hidden] = ['"mate@example.org"', 'pulumi.secret("mate@example.org")'];
    await story(
      {
        program: share(hidden),
        config: { "legacydns:undocumentedOperations": "true" },
        service: {
          accounts: [{ email: "owner@example.com" }, { email: "mate@example.org" }],
          settings: { undocumented: true },
        },
      },
      async (told) => {
        assert.match((await ours(told, "plan")).out, /^ {2}\+ share with \[secret\] +r\n/m);
        await told.up();
        for (const email of [open, hidden]) {
          told.stack.program(share(email));
          assert.match((await ours(told, "plan")).out, /No change to any zone\.\n$/);
          await told.up();
          assert.equal(told.emulator.admin.counts()["Domainshare.Modify"], undefined);
        }
      },
    );
  });

  it("are partial where something is refused, name all that is refused, and are the same each time", async () => {
    const domains = ["a.example", "b.example", "c.example", "d.example"];
    let alias = "old.example.net";
    let pool = ["pool 600 A 192.0.2.1", "pool 600 A 192.0.2.2"];
    let unknown = "";
    const program = (edit: (domain: string) => readonly (string | object)[]): string =>
      [
        ...domains.map((domain) => batch(edit(domain)).replaceAll("%", domain)),
        `new dns.Record("alias", { domain: "a.example", name: "alias", type: "CNAME", value: "${alias}", ttl: 600 });`,
        batch(pool, "", "pool-%").replaceAll("%", "b.example"),
        unknown,
      ].join("\n");
    await story({ program: program(() => base), service: { domains } }, async (told) => {
      await told.up();
      alias = "new.example.net";
      // Domains that the account does not hold: two of one batch, one of a record, one of a share.
      unknown = `new dns.RecordBatch("two", { domains: ["e.example", "f.example"], records: ["www A 192.0.2.1"] });
        new dns.Record("one", { domain: "g.example", name: "www", type: "A", value: "192.0.2.1" });
        new dns.DomainShare("share", { domain: "h.example", email: "mate@example.com", mode: "r" });`;
      told.stack.program(
        program((domain) =>
          domain === "b.example" || domain === "c.example"
            ? ["www 300 A 192.0.2.1", ...base.slice(1)]
            : domain === "d.example"
              ? [
                  ...plus,
                  { name: "line", type: "A", value: "192.0.2.9", line: "天空" },
                  "api A 192.0.2.2",
                ].filter((line) => line !== base[1])
              : plus,
        ),
      );
      told.emulator.admin.clearCalls();
      const plans = [await ours(told, "plan"), await ours(told, "plan")];
      const [first] = plans;
      assert.equal(first?.code, 1);
      assert.equal(plans[1]?.out, first?.out);
      for (const domain of ["b.example", "c.example"])
        assert.match(
          first?.out ?? "",
          new RegExp(
            `RecordBatch "${domain}": www\\.${domain}\\. A 192\\.0\\.2\\.1: record \\d+ is live with TTL 600, and 300 is declared`,
          ),
        );
      assert.match(
        first?.out ?? "",
        /Partial figures, since something is refused: 2 to add, 0 to change, 0 to remove, 4 refused\./,
      );
      // Of d.example, that is the record whose line the domain does not have; a TTL that is left out stays as it is.
      assert.match(
        first?.out ?? "",
        /\nd\.example {2}\+ 1 {2}x 1 refused {2}3 unchanged\n {2}x line\.d\.example\. A 192\.0\.2\.9 \[天空\] +default \(refused\)\n {2}\+ new\.d\.example\. A 192\.0\.2\.9 +600\n\n/,
      );
      for (const [resource, domain] of [
        ['RecordBatch "two"', "e.example"],
        ['RecordBatch "two"', "f.example"],
        ['Record "one"', "g.example"],
        ['DomainShare "share"', "h.example"],
      ]) {
        assert.match(
          first?.out ?? "",
          new RegExp(`${resource}: \\w+\\.\\w+ of ${domain}: the domain is wrong`),
        );
      }
      // An alias that cannot become another is one record that stays, and the ways out are those that the preview tells.
      const ways = /let the provider change it: [^\n]*? made the record/;
      // The engine ends a preview at the first resource that is refused.
      unknown = "";
      told.stack.program(program(() => base));
      const preview = await told.stack.preview();
      assert.equal(ways.exec(first?.out ?? "")?.[0], ways.exec(preview.output)?.[0], first?.out);
      assert.match(preview.output, ways);
      assert.equal(
        first?.out.split("\n").filter((line) => /^ {2}[-~+!x] alias\.a\.example/.test(line)).length,
        1,
        first?.out,
      );
      // Addresses that an alias cannot take the place of stand in its refusal, and nowhere with ways out of their own.
      [alias, pool] = ["old.example.net", ["pool 600 CNAME www.b.example."]];
      told.stack.program(program(() => base));
      const { out } = await ours(told, "plan");
      assert.match(
        out,
        /pool\.b\.example\. CNAME www\.b\.example\.: 2 records at the same name and line exclude it \(a CNAME stands alone\): pool\.b\.example\. A 192\.0\.2\.\d \(record \d+\); pool\.b\.example\. A 192\.0\.2\.\d \(record \d+\); /,
      );
      assert.doesNotMatch(out, /(?:^| {2}! )pool\.b\.example|no longer declared/m);
      assert.equal(told.emulator.admin.counts()["Batch.Record.Create"], undefined);
    });
  });

  it("are those of the others where resources are refused for what no constructor knows: a transform's text, an option that the settings do not allow", async () => {
    const declared = (name: string, fields: object = {}): string =>
      `new dns.Record("${name}", ${JSON.stringify({ domain: "example.com", name, type: "A", value: "192.0.2.1", ttl: 600, ...fields })}`;
    const wrong = (name: string): string =>
      `${declared(name)}, { transforms: [({ props, opts }) => ({ props: { ...props, ttl: "1x" }, opts })] });`;
    const many = (name: string, more: object): string =>
      `new dns.RecordBatch("${name}", ${JSON.stringify({ domains: "example.com", records: [`${name} 600 A 192.0.2.1`], ...more })});`;
    await story({ program: `${declared("old")});${many("batch", {})}` }, async (told) => {
      await told.up();
      told.stack
        .program(`${wrong("old")}${wrong("new")}${declared("free", { removal: "delete" })});${many("batch", { removal: "delete" })}${many("other", { undeclared: "remove" })}
        new dns.Zone("net", { domain: "example.net", removal: "delete", records: "www 600 A 192.0.2.1" });${declared("fine")});${declared("gone", { domain: "gone.example" })});`);
      const [plan, again] = [await ours(told, "plan"), await ours(told, "plan")];
      assert.equal(again.out, plan.out);
      const refused = plan.out
        .split("\n")
        .flatMap(
          (line) =>
            /^ {2}\* (\w+ "\w+": \w+: "\w+" (?:is text|needs)|\w+ "\w+": .* the domain is wrong)/.exec(
              line,
            )?.[1] ?? [],
        );
      const removal = (resource: string, option = 'removal: "delete"'): string =>
        `${resource}: ${option} needs`;
      assert.deepEqual(refused, [
        removal('Record "free"'),
        'Record "gone": Record.List of gone.example: the domain is wrong',
        'Record "new": ttl: "1x" is text',
        'Record "old": ttl: "1x" is text',
        removal('RecordBatch "batch"'),
        removal('RecordBatch "other"', 'undeclared: "remove"'),
        removal('Zone "net"'),
      ]);
      assert.match(
        plan.out,
        /^example\.com {2}\+ 1 {2}2 unchanged\n {2}\+ fine\.example\.com\. A 192\.0\.2\.1 +600\n\nRefused\n/,
      );
      assert.match(
        plan.out,
        /\nPartial figures, since something is refused: 1 to add, 0 to change, 0 to remove\. /,
      );
    });
  });

  it("are those of the others where resources of another language are wrong, with all problems at once", async () => {
    // As programs in every language but TypeScript have them: no class of the package is there to look at the inputs.
    const plain = (type: string, name: string, inputs: object): string =>
      `new pulumi.CustomResource("legacydns:index:${type}", "${name}", ${JSON.stringify(inputs)});`;
    const record = (name: string, more: object = {}): string =>
      plain("Record", name, {
        domain: "example.com",
        name,
        type: "A",
        value: "192.0.2.9",
        ttl: 600,
        ...more,
      });
    const zone = (value: string): string =>
      plain("Zone", "zone", { domain: "example.net", records: [`www 600 A ${value}`] });
    await story(
      { door: "native", plugin: true, program: record("old") + zone("192.0.2.1") },
      async (told) => {
        await told.up();
        told.stack
          .program(`${record("old", { vaule: "x" })}${record("new", { value: "1.2" })}${record("fine")}${zone("192.0.2")}
        ${plain("RecordBatch", "batch", { domains: ["example.com"], records: ["x A 1.2"] })}${plain("Zone", "gone", { domain: "gone.example", records: ["www A 192.0.2.1"] })}${plain("DomainShare", "share", { domain: "example.com", email: "x", mode: "r" })}`);
        const [plan, again] = [await ours(told, "plan"), await ours(told, "plan")];
        assert.equal(again.out, plan.out);
        const refused = plan.out
          .split("\n")
          .flatMap((line) => /^ {2}\* (.*?)(?:;| \(13|$)/.exec(line)?.[1] ?? []);
        assert.deepEqual(refused, [
          'DomainShare "share": email: "x" is no e-mail address',
          'Record "new": value: "1.2" is no IPv4 address',
          'Record "old": vaule: unknown input',
          'RecordBatch "batch": records[0]: "1.2" is no IPv4 address',
          'Zone "gone": Record.List of gone.example: the domain is wrong',
          'Zone "zone": records[0]: "192.0.2" is no IPv4 address',
        ]);
        assert.match(
          plan.out,
          /^example\.com {2}\+ 1 {2}1 unchanged\n {2}\+ fine\.example\.com\. A 192\.0\.2\.9 +600\n\nexample\.net {2}1 unchanged\n\nRefused\n/,
        );
      },
    );
  });

  it("tell once what stays where the value of a Record becomes a secret", async () => {
    const text = (value: string): string =>
      `new dns.Record("text", { domain: "example.com", name: "text", type: "TXT", value: ${value}, ttl: 600 });`;
    await story({ program: text('"plain"') }, async (told) => {
      await told.up();
      told.stack.program(text('pulumi.secret("hidden")'));
      const { out } = await ours(told, "plan");
      assert.match(
        out,
        /^example\.com {2}\+ 1 {2}! 1 stays, and the up fails {2}0 unchanged\n {2}! text\.example\.com\. TXT "plain" +600 \(.*\)\n {2}\+ text\.example\.com\. TXT \[secret\] +600\n/,
      );
      assert.equal(out.split("an up will end with an error").length, 2, out);
    });
  });

  it("tell once what a safety gate refuses of several resources, with all that these do", async () => {
    const program = (ttl: number): string =>
      [0, 1, 2]
        .flatMap((i) =>
          ["a.example", "b.example"].map(
            (domain) =>
              `new dns.RecordBatch("${i}-${domain}", { domains: "${domain}", records: ${JSON.stringify(["one", "two", "three", "four"].map((name, n) => `${name}${i} ${n < 2 ? ttl : 600} A 192.0.2.${n}`))} });`,
          ),
        )
        .join("\n");
    await story(
      {
        program: program(600),
        env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
        service: { domains: ["a.example", "b.example"], settings: { undocumented: true } },
      },
      async (told) => {
        await told.up();
        told.stack.program(program(300));
        const [plan, again] = [await ours(told, "plan"), await ours(told, "plan")];
        const refused = ["a.example", "b.example"].map(
          (domain) =>
            `  * ${domain}: this run would remove 0 and change 6 of its 12 records (50 %), more than 30 % (maxChangeShare). Nothing of this was done. If that is meant: \`LEGACYDNS_CONFIRMED_DOMAINS=a.example,b.example pulumi up\`\n`,
        );
        assert.ok(plan.out.includes(`\nRefused\n${refused.join("")}\nPartial figures`), plan.out);
        assert.equal(again.out, plan.out);
        const { problems } = JSON.parse((await ours(told, "plan", "--json")).out) as { problems: object[] };
        assert.deepEqual(
          problems.map((each) => Object.keys(each).join()),
          ["code,text", "code,text"],
        );
      },
    );
  });

  it("count each record of a refusal that names ten of them, and the diff has every one", async () => {
    const names = Array.from({ length: 15 }, (_, i) => `h${i}`);
    const records = (ttl: number, ...more: readonly string[]): string =>
      batch([...names.map((name) => `${name} ${ttl} A 192.0.2.1`), ...more]).replaceAll("%", "example.com");
    await story({ program: records(600, "cdn 600 CNAME old.example.net.") }, async (told) => {
      await told.up();
      told.stack.program(records(900, "cdn 600 A 192.0.2.2", "cdn 600 A 192.0.2.3", "cdn 600 A 192.0.2.4"));
      const preview = await told.stack.runWith({}, "preview", "--suppress-progress");
      assert.notEqual(preview.code, 0);
      const ten = String.raw`(h\d+\.example\.com\. A 192\.0\.2\.1 \(record \d+\); ){10}`;
      says(
        preview,
        new RegExp(
          `error: 15 records \\(${ten}and 5 more\\): live with TTL 600, and 900 is declared; .*\\. The diff of \`pulumi-legacydns plan\` shows every one, marked x`,
        ),
      );
      says(
        preview,
        /\n {4}3 records \(cdn\.\S+ A 192\.0\.2\.2; cdn\.\S+ A 192\.0\.2\.3; cdn\.\S+ A 192\.0\.2\.4\): a record at the same name and line excludes them \(a CNAME stands alone\): cdn\.example\.com\. CNAME old\.example\.net\. \(record \d+\); .*change it into one of them, in one step, in the service's console, and the next `pulumi up` makes the others; or /,
      );
      const plan = await ours(told, "plan");
      assert.deepEqual(
        names.filter(
          (name) =>
            !new RegExp(`^ {2}x ${name}\\.example\\.com\\. A 192\\.0\\.2\\.1 .*refused`, "m").test(plan.out),
        ),
        [],
        plan.out,
      );
      assert.equal(plan.out.match(/^ {2}\* RecordBatch "example\.com": /gm)?.length, 2, plan.out);
      const { domains, problems } = JSON.parse((await ours(told, "plan", "--json")).out) as {
        domains: { refused: number; lines: { sign: string }[] }[];
        problems: { code: string }[];
      };
      // One live CNAME keeps three records from being made: each of them is refused.
      assert.deepEqual(
        domains.map(({ refused, lines }) => [refused, lines.filter(({ sign }) => sign === "x").length]),
        [[18, 18]],
      );
      assert.deepEqual(problems.map(({ code }) => code).sort(), ["live.blocked", "live.ttl"]);
      // What somebody has changed in the console, an up ends with.
      told.stack.program(records(600, "cdn 600 CNAME old.example.net."));
      for (const name of names) told.emulator.admin.disableRecord("example.com", { name, type: "A" });
      const failed = await told.stack.runWith(
        {},
        "up",
        "--yes",
        "--skip-preview",
        "--refresh",
        "--suppress-progress",
      );
      assert.notEqual(failed.code, 0);
      says(
        failed,
        new RegExp(
          `15 records \\(${ten}and 5 more\\): live but disabled; .*\\. The diff of \`pulumi-legacydns plan\` shows every one\\n`,
        ),
      );
      const drifted = await ours(told, "plan");
      assert.deepEqual(
        names.filter((name) => !new RegExp(`^ {2}[!] ${name}\\.example\\.com\\. A `, "m").test(drifted.out)),
        [],
        drifted.out,
      );
    });
  });

  for (const mode of ["full", "documented"]) {
    it(`leave out what the service refused to make, and what is gone, of what is taken out of the program, in ${mode} mode`, async () => {
      const keep = (lines: readonly string[]): string =>
        batch(lines, "", "keep").replaceAll("%", "example.net");
      const batches = ["com", "net"].map((end) =>
        batch(["f1 600 A 192.0.2.1", "f2 1 A 192.0.2.2", "f3 600 A 192.0.2.3"], "", end).replaceAll(
          "%",
          `example.${end}`,
        ),
      );
      const env = {
        LEGACYDNS_LIMITS: "off",
        ...(mode === "full" ? { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" } : {}),
      };
      await story(
        {
          program: [keep(["keep 600 A 192.0.2.1"]), ...batches].join("\n"),
          env,
          service: { settings: { undocumented: mode === "full" } },
        },
        async (told) => {
          const failed = await told.failing("--continue-on-error");
          assert.match(failed.output, /f2\.example\.com\. A 192\.0\.2\.2: refused by the service/);
          // Of example.net another resource has the zone read, so that the plan knows what is gone.
          told.emulator.admin.removeRecord("example.net", { name: "f3", type: "A" });
          told.stack.program(keep(["keep 600 A 192.0.2.1", "other 600 A 192.0.2.1"]));
          const plan = await ours(told, "plan", "--json");
          const found = (JSON.parse(plan.out) as { domains: (Figures & { lines: { text: string }[] })[] })
            .domains;
          const figures = found.map(({ domain, add, remove, stays, fails, lines }) => [
            domain,
            add,
            remove,
            stays,
            fails,
            lines.map(({ text }) => text.split(".")[0]).join(" "),
          ]);
          assert.deepEqual(
            figures,
            mode === "full"
              ? [
                  ["example.com", 0, 2, 0, 0, "f1 f3"],
                  ["example.net", 1, 1, 0, 0, "f1 other"],
                ]
              : [
                  ["example.com", 0, 0, 2, 2, "f1 f3"],
                  ["example.net", 1, 0, 1, 1, "f1 other"],
                ],
            plan.out,
          );
          assert.doesNotMatch(plan.out, /f2\.example/);
          const retain = await ours(
            { stack: { env: { ...told.stack.env, LEGACYDNS_REMOVAL: "retain" }, folder: told.stack.folder } },
            "plan",
          );
          assert.match(
            retain.out,
            /3 records no longer declared, left in the zone \(removal: retain\): f1\.example\.com\. A 192\.0\.2\.1; f3\.example\.com\. A 192\.0\.2\.3; f1\.example\.net\. A 192\.0\.2\.1\n/,
          );
          const before = ["example.com", "example.net"].map((domain) => zoneOf(told.emulator, domain));
          const run = await told.stack.up("--continue-on-error");
          assert.equal(run.code === 0, mode === "full", run.output);
          assert.doesNotMatch(run.output, /f2\.example/);
          assert.deepEqual(
            ["example.com", "example.net"].map((domain, i) =>
              done(told.emulator, domain, before[i] ?? new Map()),
            ),
            mode === "full"
              ? [
                  [0, 0, 2],
                  [1, 0, 1],
                ]
              : [
                  [0, 0, 0],
                  [1, 0, 0],
                ],
          );
        },
      );
    });
  }

  it("look whether what is still to be deleted is live", async () => {
    const program = (value: string): string => record(value).replaceAll("%", "example.com");
    await story({ program: program("192.0.2.1") }, async (told) => {
      const planned = async (...args: string[]): Promise<string> => (await ours(told, "plan", ...args)).out;
      await told.up();
      told.stack.program(program("192.0.2.2"));
      await told.failing();
      const pending = await planned();
      assert.match(pending, /! one\.example\.com\. A 192\.0\.2\.1 +600 \(stays as it is, and the up fails\)/);
      assert.match(
        pending,
        /was replaced, and is still to be deleted: each up tries at its end, and fails as long as it is live and cannot be removed\n/,
      );
      told.emulator.admin.removeRecord("example.com", { name: "one", type: "A", value: "192.0.2.1" });
      for (const args of [[], ["--refresh"]]) {
        const gone = await planned(...args);
        assert.doesNotMatch(gone, /still answered|the up fails/);
        assert.match(
          gone,
          /one\.example\.com\. A 192\.0\.2\.1 was replaced, and is still to be deleted: it is not live any more, and an up lets go of it\n/,
        );
      }
      await told.up();
      assert.match(await planned(), /No change to any zone\./);
    });
  });

  it("name what an up that failed has left over, as the next up lets go of it", async () => {
    let single = "192.0.2.6";
    const program = (first: readonly string[], second?: readonly string[]): string =>
      [
        record(single),
        batch(first, "", "first"),
        ...(second === undefined ? [] : [batch(second, "", "second")]),
      ]
        .join("\n")
        .replaceAll("%", "example.com");
    await story(
      {
        program: program(
          ["w1 600 A 192.0.2.1", "w2 600 A 192.0.2.2"],
          ["v1 600 A 192.0.2.3", "v2 600 A 192.0.2.4"],
        ),
      },
      async (told) => {
        await told.up();
        single = "192.0.2.7";
        told.stack.program(program(["w2 600 A 192.0.2.2"], ["v2 600 A 192.0.2.4"]));
        await told.failing("--continue-on-error");
        const retain = { ...told.stack.env, LEGACYDNS_REMOVAL: "retain" };
        const planned = async (): Promise<string> =>
          (await ours({ stack: { env: retain, folder: told.stack.folder } }, "plan")).out;
        const both = await planned();
        assert.match(both, /! w1\.example\.com\. A 192\.0\.2\.1 +600 \(stays\)/);
        assert.match(both, /! one\.example\.com\. A 192\.0\.2\.6 +600 \(stays\)/);
        assert.match(
          both,
          /Record "example\.com": one\.example\.com\. A 192\.0\.2\.6 was replaced, and is still to be deleted: an up lets go of it, and leaves it in the zone/,
        );
        assert.match(both, /0 to add, 0 to change, 0 to remove, 3 stay\./);
        // One more is made by an up that fails: the engine keeps the inputs, and only the outputs know of it.
        told.stack.program(program(["w2 600 A 192.0.2.2"], ["v2 600 A 192.0.2.4", "v3 600 A 192.0.2.5"]));
        await told.failing("--continue-on-error");
        told.stack.program(program(["w2 600 A 192.0.2.2"]));
        const gone = await planned();
        assert.match(gone, /! v3\.example\.com\. A 192\.0\.2\.5 +600 \(stays\)/);
        assert.match(gone, /0 to remove, 5 stay\./);
        const run = await told.stack.runWith(
          { LEGACYDNS_REMOVAL: "retain" },
          "up",
          "--yes",
          "--skip-preview",
        );
        assert.equal(run.code, 0, run.output);
        for (const name of ["one", "w1", "v1", "v2", "v3"])
          assert.match(
            run.output,
            new RegExp(
              `${name}\\.example\\.com\\. A [^;\\n]*(;.*)?: .*left in the zone \\(removal: retain\\)`,
            ),
          );
      },
    );
  });

  it("say what the gates refuse of what is taken out of the program, also where it is all of it, unless the domain is named", async () => {
    const program = `new dns.RecordBatch("web", { domains: "example.com", records: ${JSON.stringify(Array.from({ length: 11 }, (_, n) => `h${n} 600 A 192.0.2.${n}`))} });`;
    await story(
      {
        program,
        env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
        service: { settings: { undocumented: true } },
      },
      async (told) => {
        await told.up();
        told.stack.program("");
        const note =
          /example\.com: the up checks the removal of 11 records against maxChangeShare \(30 %\) and refuses it\. If it is meant, name the domain: (`|&#96;)LEGACYDNS(_|&#95;)CONFIRMED(_|&#95;)DOMAINS=example\.com pulumi up(`|&#96;)/;
        for (const format of ["text", "markdown", "html", "json"]) {
          const plan = await ours(told, "plan", "--format", format);
          assert.deepEqual([plan.code, note.test(plan.out)], [0, true], plan.out);
          if (format === "text")
            assert.match(plan.out, /0 to add, 0 to change, 0 to remove, 11 stay \(the up fails\)\.\n$/);
        }
        // Where the service does not tell how large the zone is, the up may refuse it.
        const unread = await ours(
          {
            stack: {
              folder: told.stack.folder,
              env: { ...told.stack.env, LEGACYDNS_LOGIN_TOKEN: "1,wrong" },
            },
          },
          "plan",
        );
        assert.deepEqual(
          [unread.code, note.test(unread.out.replace("may refuse", "refuses"))],
          [0, true],
          unread.out,
        );
        assert.match(unread.out, /and may refuse it\. [^]*\n0 to add, 0 to change, 11 to remove\.\n$/);
        const refused = await told.failing();
        assert.match(
          refused.output,
          /this run would remove 11 and change 0 of its 11 records \(100 %\), more than 30 % \(maxChangeShare\)/,
        );
        const env = { LEGACYDNS_CONFIRMED_DOMAINS: "example.com" };
        const plan = await ours(
          { stack: { folder: told.stack.folder, env: { ...told.stack.env, ...env } } },
          "plan",
        );
        assert.match(plan.out, /0 to add, 0 to change, 11 to remove\.\n$/);
        assert.doesNotMatch(plan.out, /maxChangeShare/);
        const run = await told.stack.runWith(env, "up", "--yes", "--skip-preview");
        assert.equal(run.code, 0, run.output);
        assert.deepEqual(zoneOf(told.emulator, "example.com").size, 0);
        // Where another resource changes there, its preview has read the zone.
        for (let n = 0; n < 20; n++)
          told.emulator.admin.addRecord("example.com", {
            name: `live${n}`,
            type: "A",
            value: `192.0.2.${n}`,
          });
        const keep = (ttl: number): string =>
          `new dns.RecordBatch("keep", { domains: "example.com", records: ["keep ${ttl} A 192.0.2.1"] });`;
        told.stack.program(
          `${keep(600)} for (let n = 0; n < 4; n++) new dns.Record(\`x\${n}\`, { domain: "example.com", name: \`x\${n}\`, type: "A", value: "192.0.2.1", ttl: 600 });`,
        );
        await told.up();
        told.stack.program(keep(300));
        const known = await ours(told, "plan");
        assert.match(known.out, /0 to add, 1 to change, 4 to remove\.\n$/);
        assert.doesNotMatch(known.out, /maxChangeShare/);
      },
    );
  });

  it("are by the settings of the last up, and by the environment, where nothing is declared any more", async () => {
    const other =
      "class Other extends pulumi.dynamic.Resource { constructor() { super({ create: async () => ({ id: '1', outs: {} }) }, 'other', {}); } } new Other();";
    await story(
      {
        program: batch(base.slice(1)).replaceAll("%", "example.com"),
        service: { settings: { undocumented: true } },
      },
      async (told) => {
        await told.up();
        await told.stack.must("config", "set", "legacydns:undocumentedOperations", "true");
        told.stack.program("");
        const plan = await ours(told, "plan");
        assert.match(plan.out, /^example\.com {2}! 2 stay, and the up fails {2}0 unchanged\n/, plan.out);
        assert.match(
          plan.out,
          /\* legacydns:undocumentedOperations does not count as the stack has it now: the program declares no resource of this provider any more, so the up runs with the settings of the last up\. Use the environment: `LEGACYDNS_UNDOCUMENTED_OPERATIONS=true pulumi up`\n/,
        );
        // Where the service does not tell, the state does.
        assert.doesNotMatch(plan.out, /has not read/);
        const unread = await ours(
          {
            stack: {
              folder: told.stack.folder,
              env: { ...told.stack.env, LEGACYDNS_LOGIN_TOKEN: "1,wrong" },
            },
          },
          "plan",
        );
        assert.match(
          unread.out,
          /\* this plan has not read the zone of example\.com, where the program declares nothing any more: what is told to stay there may be gone already\n/,
        );
        says(await told.failing(), "still live, though not declared");
        const env = { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" };
        const full = await ours(
          { stack: { folder: told.stack.folder, env: { ...told.stack.env, ...env } } },
          "plan",
        );
        assert.match(full.out, /0 to add, 0 to change, 2 to remove\.\n$/);
        assert.doesNotMatch(full.out, /does not count/);
        // Another dynamic resource brings today's settings to the host that deletes.
        const isDynamic = chosenDoor !== "native";
        if (isDynamic) {
          told.stack.program(other);
          assert.match((await ours(told, "plan")).out, /0 to add, 0 to change, 2 to remove\.\n$/);
        }
        const run = await told.stack.runWith(isDynamic ? {} : env, "up", "--yes", "--skip-preview");
        assert.equal(run.code, 0, run.output);
        assert.deepEqual(zoneOf(told.emulator, "example.com").size, 0);
      },
    );
  });

  it("count what a safety gate refuses among what stays, and the up then fails", async () => {
    const hosts = (count: number, from = 0): string =>
      JSON.stringify(Array.from({ length: count }, (_, n) => `h${n + from} 600 A 192.0.2.${n + from}`));
    const of = (name: string, records: string): string =>
      `new dns.RecordBatch("${name}", { domains: "example.com", records: ${records} });`;
    await story(
      {
        program: of("goes", hosts(12)) + of("rest", hosts(8, 100)),
        env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
        service: { settings: { undocumented: true } },
      },
      async (told) => {
        await told.up();
        told.stack.program(of("rest", hosts(9, 100)));
        const plan = await ours(told, "plan");
        assert.match(
          plan.out,
          /^example\.com {2}\+ 1 {2}! 12 stay, and the up fails {2}8 unchanged\n/,
          plan.out,
        );
        assert.match(
          plan.out,
          /\* example\.com: the up checks the removal of 12 records against maxChangeShare \(30 %\) and refuses it\./,
        );
        assert.match(plan.out, /1 to add, 0 to change, 0 to remove, 12 stay \(the up fails\)\.\n$/);
        says(await told.failing(), /this run would remove 12 and change 0 of its 2[01] records/);
        assert.equal(zoneOf(told.emulator, "example.com").size, 21);
      },
    );
  });

  it("tell what the engine deletes before a safety gate stops the rest, and what `deletedWith` leaves", async () => {
    const hosts = (name: string, count: number): string =>
      JSON.stringify(Array.from({ length: count }, (_, n) => `${name}${n} 600 A 192.0.2.${n}`));
    const of = (name: string, count: number, options: string): string =>
      `new dns.RecordBatch("${name}", { domains: "example.com", records: ${hosts(name, count)} }, ${options});`;
    const one = (name: string, options: string): string =>
      `new dns.Record("${name}", { domain: "example.com", name: "${name}", type: "A", value: "192.0.2.1", ttl: 600 }, ${options});`;
    const rest = of("rest", 7, "{}");
    const app = `class App extends pulumi.ComponentResource { constructor(name) { super("my:index:App", name); const web = ${of("web", 5, "{ parent: this }")} ${one("api", "{ parent: this, dependsOn: web }")} } } new App("app");`;
    const pair = `const host = ${one("host", "{}")} ${one("with", "{ deletedWith: host }")}`;
    await story(
      {
        program: rest + app + pair,
        env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
        service: { settings: { undocumented: true } },
      },
      async (told) => {
        await told.up();
        const after = async (program: string, ...texts: RegExp[]): Promise<string[]> => {
          told.stack.program(program);
          const { out } = await ours(told, "plan");
          for (const text of texts) assert.match(out, text);
          const before = zoneLines(told.emulator, "example.com");
          await told.stack.up("--continue-on-error");
          const now = zoneLines(told.emulator, "example.com");
          assert.deepEqual(
            out.split("\n").flatMap((line) => /^ {2}- (\w+)\.example\.com\. /.exec(line)?.[1] ?? []),
            before.filter((line) => !now.includes(line)).map((line) => line.split(" ")[0]),
            out,
          );
          return now;
        };
        await after(
          rest + app,
          /^ {2}! with\.example\.com\. A 192\.0\.2\.1 +600 \(stays\)$/m,
          /\* no longer declared, left as it is \(deletedWith\): with\.example\.com\. A 192\.0\.2\.1\n/,
          /1 to remove, 1 stays\.\n/,
        );
        const left = await after(
          rest,
          /^example\.com {2}- 1 {2}! 5 stay, and the up fails {2}7 unchanged$/m,
          /the removal of 6 records against maxChangeShare \(30 %\) and refuses it after a part: 1 record of resources that depend on the others goes first\. If it is meant/,
        );
        assert.equal(left.length, 13);
      },
    );
  });

  it("count the last MX and the NS of the apex among what stays, and not an MX beside which another is live", async () => {
    const [mail, ns] = [
      ["mail", "@ 600 MX 10 mx.example.net."],
      ["ns", "@ 600 NS ns9.example.net."],
    ].map(([name, line]) => batch([line ?? ""], "", name));
    const web = (...more: readonly string[]): string =>
      batch(["www 600 A 192.0.2.1", "api 600 A 192.0.2.2", ...more], "", "web");
    const of = (...resources: readonly (string | undefined)[]): string =>
      resources.join(" ").replaceAll("%", "example.com");
    await story(
      {
        program: of(web(), mail, ns),
        env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
        service: { settings: { undocumented: true } },
      },
      async (told) => {
        await told.up();
        const { admin } = told.emulator;
        for (const [left, what, gate, ...more] of [
          [ns, /would remove the last MX record of the apex/, "the last MX record"],
          [
            mail,
            /would remove or change 1 NS record of the apex/,
            "the NS records of the apex",
            "new 600 A 192.0.2.9",
          ],
        ] as const) {
          told.stack.program(of(web(...more), left));
          const plan = await ours(told, "plan");
          assert.match(
            plan.out,
            new RegExp(
              `\\* example\\.com: the up checks the removal of 1 record against ${gate} and refuses it\\.`,
            ),
          );
          assert.match(plan.out, /0 to change, 0 to remove, 1 stays \(the up fails\)\.\n$/);
          says(await told.failing(), what);
        }
        admin.addRecord("example.com", {
          name: "@",
          type: "MX",
          value: "mx2.example.net.",
          ttl: 600,
          mx: 20,
        });
        // One that is switched off receives no mail.
        admin.disableRecord("example.com", { name: "@", type: "MX", value: "mx2.example.net." });
        told.stack.program(of(web("new 600 A 192.0.2.9"), ns));
        assert.match((await ours(told, "plan")).out, /the last MX record and refuses it\./);
        admin.removeRecord("example.com", { name: "@", type: "MX", value: "mx2.example.net." });
        admin.addRecord("example.com", {
          name: "@",
          type: "MX",
          value: "mx3.example.net.",
          ttl: 600,
          mx: 19,
        });
        assert.match((await ours(told, "plan")).out, /0 to add, 0 to change, 1 to remove\.\n$/);
        await told.up();
        assert.deepEqual(
          textsOf(told.emulator, "example.com").filter((text) => text.includes(" MX ")),
          ["@.example.com. MX mx3.example.net."],
        );
      },
    );
  });

  it("count what stopped runs have removed, as the up does", async () => {
    const keep = (ttl: number): string =>
      `new dns.RecordBatch("keep", { domains: "example.com", records: ["keep ${ttl} A 192.0.2.1"] });`;
    const program = (count: number, ttl = 600): string =>
      `${keep(ttl)} for (let n = 0; n < ${count}; n++) new dns.Record(\`h\${n}\`, { domain: "example.com", name: \`h\${n}\`, type: "A", value: "192.0.2.1", ttl: 600 });`;
    await story(
      {
        program: program(40),
        env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
        service: { settings: { undocumented: true } },
      },
      async (told) => {
        await told.up();
        told.stack.program(program(20, 500));
        const stepwise = { ...told.stack.env, PULUMI_PARALLEL: "4" };
        assert.match(
          (await ours({ stack: { folder: told.stack.folder, env: stepwise } }, "plan")).out,
          /the removal of 20 records, beside 1 other record that it removes or changes, against maxChangeShare \(30 %\) and refuses it after a part: /,
        );
        told.stack.program(program(20));
        await told.failing("--parallel", "4");
        const left = zoneOf(told.emulator, "example.com").size - 21;
        const missing = 20 - left;
        assert.ok(
          left > 0 && left < 10,
          `${left} are left, too few or too many to reach the share by themselves`,
        );
        const beside = `beside ${missing} that runs of the last day removed before this gate stopped them,`;
        const quiet = await ours(told, "plan");
        assert.match(
          quiet.out,
          new RegExp(
            `\\* example\\.com: the up checks the removal of ${left} records, ${beside} against maxChangeShare \\(30 %\\) and refuses it\\.`,
          ),
        );
        told.stack.program(program(20, 300));
        const read = await ours(told, "plan");
        assert.match(
          read.out,
          new RegExp(
            `\\* example\\.com: the up checks the removal of ${left} records, beside 1 other record that it removes or changes and ${beside.replace("beside ", "")} against maxChangeShare \\(30 %\\) and refuses it\\.`,
          ),
        );
        assert.match(
          read.out,
          new RegExp(`0 to add, 1 to change, 0 to remove, ${left} stay \\(the up fails\\)\\.\\n$`),
        );
        says(
          await told.failing(),
          new RegExp(
            `this run would remove \\w* ?\\w* ?${left} and change 1 of its 41 records, ${missing} of which runs of the last day removed`,
          ),
        );
        assert.equal(zoneOf(told.emulator, "example.com").size, 21 + left);
        const env = { LEGACYDNS_CONFIRMED_DOMAINS: "example.com" };
        assert.match(
          (await ours({ stack: { folder: told.stack.folder, env: { ...told.stack.env, ...env } } }, "plan"))
            .out,
          new RegExp(`0 to add, 0 to change, ${left} to remove\\.\\n$`),
        );
      },
    );
  });

  it("tell a pending deletion by the settings that hold now, and count records that are known later", async () => {
    const later = `
      class Certificate extends pulumi.dynamic.Resource {
        constructor(name) {
          super({ create: async () => ({ id: "1", outs: { owner: "_abc.example.com.", target: "x1.acme.example.org." } }) }, name, { owner: undefined, target: undefined });
        }
      }
      const cert = new Certificate("cert");
      new dns.RecordBatch("net", { domains: "example.net", records: ["a 600 A 192.0.2.1", { name: cert.owner.apply(() => "_net"), type: "CNAME", value: cert.target, ttl: 600 }] });
      new dns.Record("later", { domain: "example.com", name: cert.owner, type: "CNAME", value: cert.target, ttl: 600 });
      new dns.Record("value", { domain: "example.com", name: "v", type: "CNAME", value: cert.target, ttl: 600 });`;
    const one = (value: string): string => record(value).replaceAll("%", "example.com");
    await story(
      { program: one("192.0.2.1"), service: { settings: { undocumented: true } } },
      async (told) => {
        await told.up();
        told.stack.program(one("192.0.2.2"));
        await told.failing();
        await told.stack.must("config", "set", "legacydns:undocumentedOperations", "true");
        const pending = await ours(told, "plan");
        assert.match(
          pending.out,
          /Record "example\.com": one\.example\.com\. A 192\.0\.2\.1 was replaced, and is still to be deleted: an up removes it at its end/,
        );
        assert.match(pending.out, /0 to add, 0 to change, 1 to remove\.\n$/);
        told.stack.program(one("192.0.2.2") + later);
        const plan = await ours(told, "plan", "--json");
        const found = (JSON.parse(plan.out) as { domains: (Figures & { later: number })[] }).domains;
        assert.deepEqual(
          found.map(({ domain, add, later: open, remove, stays }) => [domain, add, open, remove, stays]),
          [
            ["example.com", 2, 2, 1, 0],
            ["example.net", 2, 1, 0, 0],
          ],
          plan.out,
        );
        const before = zoneOf(told.emulator, "example.com");
        const { output } = await told.up();
        assert.match(output, /deleted original/);
        assert.deepEqual(done(told.emulator, "example.com", before), [2, 0, 1]);
        assert.equal(zoneOf(told.emulator, "example.net").size, 2);
      },
    );
  });

  it("leave out a record that moved in an up that failed before it deleted the resource", async () => {
    const program = (com: readonly string[], net: readonly string[], more = ""): string =>
      `new dns.RecordBatch("com", { domains: "example.com", records: ${JSON.stringify(com)} }); new dns.RecordBatch("net", { domains: "example.net", records: ${JSON.stringify(net)} }); ${more}`;
    const single =
      'new dns.Record("two", { domain: "example.net", name: "two", type: "A", value: "192.0.2.2" });';
    await story(
      { program: program(["a 600 A 192.0.2.1", "b 600 A 192.0.2.1"], ["one 600 A 192.0.2.1"], single) },
      async (told) => {
        await told.up();
        told.stack.program(program(["a 600 A 192.0.2.1"], ["one 600 A 192.0.2.1", "two 600 A 192.0.2.2"]));
        await told.failing();
        told.emulator.admin.removeRecord("example.com", { name: "b", type: "A" });
        const plan = await ours(told, "plan");
        assert.match(
          plan.out,
          /^example\.com {2}1 unchanged\n\nexample\.net {2}2 unchanged\n\nNot finished by an earlier up\n/,
          plan.out,
        );
        assert.match(
          (await told.up()).output,
          /two\.example\.net\. A 192\.0\.2\.2: taken over by RecordBatch "net"/,
        );
      },
    );
  });

  it("leave out a secret that moved in an up that failed, and one that is declared again", async () => {
    const broken =
      "class Broken extends pulumi.dynamic.Resource { constructor(opts) { super({ create: async () => { throw new Error('broken'); } }, 'broken', {}, opts); } }";
    const secrets = (name: string): string =>
      hush({ k1: "hush-one", k2: "hush-two" }, "192.0.2.3", name).replaceAll("%", "example.com");
    await story(
      {
        program: secrets("one"),
        env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
        service: { settings: { undocumented: true } },
      },
      async (told) => {
        await told.up();
        told.stack.program(`${broken} const two = ${secrets("two")} new Broken({ dependsOn: [two] });`);
        await told.failing();
        told.stack.program(secrets("two"));
        const plan = await ours(told, "plan");
        assert.match(plan.out, /^example\.com {2}3 unchanged\n/, plan.out);
        assert.doesNotMatch(plan.out, /hush|\[secret\]/);
        const before = zoneOf(told.emulator, "example.com");
        await told.up();
        assert.deepEqual(done(told.emulator, "example.com", before), [0, 0, 0]);
      },
    );
    const secret = (value: string): string =>
      `new dns.Record("r3", { domain: "example.com", name: "r3", type: "TXT", value: pulumi.secret("${value}"), ttl: 600 });`;
    await story({ program: secret("hush-a") }, async (told) => {
      await told.up();
      told.stack.program(secret("hush-b"));
      await told.failing();
      told.stack.program(secret("hush-a"));
      const plan = await ours(told, "plan");
      assert.match(
        plan.out,
        /^example\.com {2}! 1 stays, and the up fails {2}1 unchanged\n {2}! r3\.example\.com\. TXT \[secret\] +600 \(stays as it is, and the up fails\)\n/,
        plan.out,
      );
      const { output } = await told.failing();
      assert.equal(
        new Set(
          Array.from(output.matchAll(/\(record (\d+)\) still live, though not declared/g), ([, id]) => id),
        ).size,
        1,
        output,
      );
      assert.match(output, /r3\.example\.com\. TXT #\S+: taken over by Record "r3"/);
      assert.equal(zoneOf(told.emulator, "example.com").size, 2);
    });
  });

  it("count what moves to another account as made there and removed here, and what moves to another provider of one account as unchanged", async () => {
    const second = await startService({ seed: 7, settings: { undocumented: true } });
    try {
      const settings =
        "indexDelay: 0, requestsPerSecond: 1000, stateDir: process.env.LEGACYDNS_STATE_DIR, undocumentedOperations: true";
      const providers = `
        const there = new dns.Provider("there", { baseUrl: "${second.url}", loginTokenEnv: "OTHER_LOGIN_TOKEN", ${settings} });
        const here = new dns.Provider("here", { baseUrl: process.env.LEGACYDNS_BASE_URL, loginTokenEnv: "LEGACYDNS_LOGIN_TOKEN", ${settings} });`;
      const records = (name: string, options: string, more = ""): string =>
        `${providers} new dns.RecordBatch("${name}", { domains: "example.com", records: [${more}"acc1 A 192.0.2.1", { name: "acc2", type: "TXT", value: pulumi.secret("hush-one") }] }, ${options});`;
      await story(
        {
          program: records("own", "{}", '"acc3 A 192.0.2.3", "acc4 A 192.0.2.4", '),
          env: { OTHER_LOGIN_TOKEN: second.token, LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
          service: { settings: { undocumented: true } },
        },
        async (told) => {
          await told.up();
          told.stack.program(records("also", "{ provider: here }"));
          // What is gone already is not removed, whichever provider's host has read the zone.
          told.emulator.admin.removeRecord("example.com", { name: "acc3", type: "A" });
          const same = await ours(told, "plan");
          assert.match(
            same.out,
            /^example\.com {2}- 1 {2}2 unchanged\n {2}- acc4\.example\.com\. A 192\.0\.2\.4 +600\n/,
            same.out,
          );
          const before = zoneOf(told.emulator, "example.com");
          await told.up();
          assert.deepEqual(done(told.emulator, "example.com", before), [0, 0, 1]);
          told.stack.program(records("theirs", "{ provider: there }"));
          const moved = await ours(told, "plan");
          assert.match(moved.out, /2 to add, 0 to change, 2 to remove\.\n$/, moved.out);
          await told.up();
          assert.deepEqual(
            [zoneOf(told.emulator, "example.com").size, zoneOf(second, "example.com").size],
            [0, 2],
          );
        },
      );
    } finally {
      await second.close();
    }
  });

  it("count as removed and made anew what a batch gives up before the program declares it elsewhere", async () => {
    const db = (lines: readonly string[], more = ""): string =>
      `const db = new dns.RecordBatch("db", { domains: "example.com", records: ${JSON.stringify(lines)} }); ${more}`;
    const late = `db.entries.apply(() => { new dns.RecordBatch("late", { domains: "example.com", records: ["p9 A 192.0.2.9"] }); new dns.Record("late2", { domain: "example.com", name: "p8", type: "A", value: "192.0.2.8" }); });`;
    await story(
      {
        program: db(["p1 A 192.0.2.1", "p9 A 192.0.2.9", "p8 A 192.0.2.8"]),
        env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
        service: { settings: { undocumented: true } },
      },
      async (told) => {
        await told.up();
        told.stack.program(db(["p1 A 192.0.2.1"], late));
        const plan = await ours(told, "plan");
        assert.match(
          plan.out,
          /^example\.com {2}\+ 2 {2}- 2 {2}1 unchanged\n[^]*2 to add, 0 to change, 2 to remove\.\n$/,
          plan.out,
        );
        const before = zoneOf(told.emulator, "example.com");
        await told.up();
        assert.deepEqual(done(told.emulator, "example.com", before), [2, 0, 2]);
      },
    );
  });

  it("say of deleteBeforeReplace that nothing is made where the deletion fails", async () => {
    const program = (value: string): string =>
      `new dns.Record("first", { domain: "example.com", name: "a", type: "A", value: "${value}" }, { deleteBeforeReplace: true });`;
    await story({ program: program("192.0.2.1") }, async (told) => {
      await told.up();
      told.stack.program(program("192.0.2.2"));
      const plan = await ours(told, "plan");
      assert.match(
        plan.out,
        /\* with deleteBeforeReplace the deletion comes first; where it fails nothing is made in its place, though the figures count it, and the engine never ends `pulumi up --continue-on-error`: Record "first"\. Take the option out\n/,
      );
      const before = zoneOf(told.emulator, "example.com");
      await told.failing();
      assert.deepEqual(done(told.emulator, "example.com", before), [0, 0, 0]);
    });
  });

  it("do not count what the console has removed, also where another provider of the account declares in the domain, and where nothing else is declared", async () => {
    const other = `const other = new dns.Provider("other", { loginTokenEnv: "LEGACYDNS_LOGIN_TOKEN", baseUrl: process.env.LEGACYDNS_BASE_URL, contact: "you@example.com", indexDelay: 0, stateDir: process.env.LEGACYDNS_STATE_DIR });`;
    const one = (domain: string, name: string, value: string, more = ""): string =>
      `new dns.Record("${name}-${domain}", { domain: "${domain}", name: "${name}", type: "A", value: "${value}" }${more});`;
    const program = (value: string): string =>
      other +
      one("example.com", "theirs", "192.0.2.9", ", { provider: other }") +
      one("example.com", "own", value);
    await story({ program: program("192.0.2.1") + one("example.net", "last", "192.0.2.3") }, async (told) => {
      await told.up();
      told.stack.program(program("192.0.2.2"));
      const before = await ours(told, "plan");
      says(
        { code: before.code, output: before.out },
        "1 to add, 0 to change, 0 to remove, 2 stay (the up fails).",
      );
      assert.doesNotMatch(before.out, /has not read/);
      await told.failing("--continue-on-error");
      told.emulator.admin.removeRecord("example.com", { name: "own", type: "A", value: "192.0.2.1" });
      told.emulator.admin.removeRecord("example.net", { name: "last", type: "A" });
      const after = await ours(told, "plan");
      says(
        { code: after.code, output: after.out },
        /Record "own-example\.com": own\.example\.com\. A 192\.0\.2\.1 .*it is not live any more/,
        /example\.com {2}2 unchanged/,
      );
      assert.doesNotMatch(after.out, /example\.net/);
      await told.up();
    });
  });

  it("say what the engine does not begin where the up fails", async () => {
    const web = (lines: readonly string[], more = ""): string =>
      `const web = new dns.RecordBatch("web", { domains: "example.com", records: ${JSON.stringify(lines)}, removal: "verify" }); ${more}`;
    const gone = `new dns.Record("gone", { domain: "example.com", name: "gone", type: "A", value: "192.0.2.3" });`;
    const after = `new dns.Record("after", { domain: "example.com", name: "after", type: "A", value: "192.0.2.4" }, { dependsOn: web });`;
    await story(
      {
        program: web(["w1 A 192.0.2.1", "w2 A 192.0.2.2"], gone),
        env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true" },
        service: { settings: { undocumented: true } },
      },
      async (told) => {
        await told.up();
        told.stack.program(web(["w1 A 192.0.2.1"], after));
        const plan = await ours(told, "plan");
        assert.match(
          plan.out,
          /0 to add, 0 to change, 1 to remove, 1 stays \(the up fails\), 1 not begun\.\n$/,
          plan.out,
        );
        assert.match(
          plan.out,
          /\* the up does not begin what depends on a resource that fails: Record "after"\n/,
        );
        assert.match(
          plan.out,
          /\* the up fails, and the figures are those of `pulumi up --continue-on-error`: without it the engine may begin nothing more, and no deletion, once a resource has failed\n/,
        );
        const before = zoneOf(told.emulator, "example.com");
        await told.failing();
        assert.deepEqual(done(told.emulator, "example.com", before), [0, 0, 0]);
        await told.failing("--continue-on-error");
        assert.deepEqual(done(told.emulator, "example.com", before), [0, 0, 1]);
      },
    );
  });
});
