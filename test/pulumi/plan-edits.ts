/** Edits of a program, with the figures of a plan and of the up that follows. `%` stands for the edit's domain. */
import type { Emulator } from "../../emulator";

/**
 * "create adopt update delete blocked retained". After a comma: the undecided records, and how many of them the update
 * creates, changes and deletes. After another: the creations that the engine does not begin.
 */
type Outcome = string;

export type Edit = readonly [
  title: string,
  before: string,
  after: string,
  outcome: Outcome | { readonly full?: Outcome; readonly documented?: Outcome },
  console?: (admin: Emulator["admin"], domain: string) => unknown,
];

const base = ["www 600 A 192.0.2.1", "api 600 A 192.0.2.2", "txt 600 TXT one"];
const plus = [...base, "new 600 A 192.0.2.9"];
const batch = (lines: readonly (string | object)[], more = "", name = "%") =>
  `new dns.RecordBatch("${name}", { domains: "%", records: ${JSON.stringify(lines)}${more} });`;
const recordOf = (name: string, inputs: string) =>
  `new dns.Record("${name}", { domain: "%", ttl: 600, ${inputs} });`;
const record = (value: string) => recordOf("%", `name: "one", type: "A", value: "${value}"`);

const secretSpec = (name: string, value: string) =>
  `name: "${name}", type: "TXT", value: pulumi.secret("${value}")`;
const hush = (secrets: Readonly<Record<string, string>>, plain = "192.0.2.3", name = "%") =>
  `new dns.RecordBatch("${name}", { domains: "%", records: ["s3 600 A ${plain}", ${Object.entries(secrets)
    .map(([label, value]) => `{ ${secretSpec(label, value)}, ttl: 600 }`)
    .join(", ")}] });`;
const hushed = (name = "%", label = "s1", value = "hush-one") => recordOf(name, secretSpec(label, value));

export const balancer = `
  class Balancer extends pulumi.dynamic.Resource {
    constructor(name, token, ip) {
      const outs = (news) => ({ ...news, address: news.ip });
      super({ create: async (news) => ({ id: "1", outs: outs(news) }), update: async (_id, _olds, news) => ({ outs: outs(news) }) }, name, { token, ip, address: undefined });
    }
  }`;
const lateBatch =
  (spec: (address: string) => string) =>
  (token: string, lines: readonly string[], values: Readonly<Record<string, string>>, name = "%") =>
    `new dns.RecordBatch("${name}", { domains: "%", records: [...${JSON.stringify(lines)},
      ...Object.entries(${JSON.stringify(values)}).map(([name, ip]) => ${spec(`new Balancer(name + "-%", "${token}", ip).address`)})] });`;
const late = lateBatch((address) => `({ name, type: "A", value: ${address}, ttl: 600 })`);
const lateSpecs = lateBatch(
  (address) => `${address}.apply((value) => ({ name, type: "A", value, ttl: 600 }))`,
);
const lateRecord = (token: string, ip: string, name = "%", label = "one") =>
  recordOf(name, `name: "${label}", type: "A", value: new Balancer("lb-%", "${token}", "${ip}").address`);
const lateSecret = (token: string, text: string, name = "%") =>
  recordOf(
    name,
    `name: "one", type: "TXT", value: pulumi.secret(new Balancer("lb-%", "${token}", "${text}").address)`,
  );
const lateNamed = recordOf(
  "new-%",
  `type: "A", ...((lb) => ({ name: lb.address.apply(() => "one"), value: lb.address }))(new Balancer("lb-%", "2", "198.51.100.1"))`,
);
const pair = (one: string, two: string) =>
  [one, two]
    .map((label, i) => recordOf(`${i}-%`, `name: "${label}", type: "A", value: "192.0.2.1"`))
    .join(" ");
const chained = (www: string, own?: string) =>
  `{ const web = ${batch([`www 600 A ${www}`])} ${own === undefined ? "" : record(own).replace("});", "}, { dependsOn: web });")} }`;

const ips = { p1: "198.51.100.1", p2: "198.51.100.2", p3: "198.51.100.3", p4: "198.51.100.4" };
const one = { p1: ips.p1 };
const six = ["a", "b", "c", "d", "e", "f"].map((name, i) => `${name} 600 A 192.0.2.${i + 1}`);
const none = "0 0 0 0 0 0";
/** The plan shows a creation and a deletion, and the up makes neither. */
const crossing = { full: "1 0 0 1 0 0, 0 -1 0 -1", documented: "1 0 0 0 1 0, 0 -1 0 0" };

type Console = NonNullable<Edit[4]>;
const edited =
  (name: string, value: string, type = "A"): Console =>
  (admin, domain) =>
    admin.setRecord(domain, { name, type }, { value });
const removed =
  (name: string, type = "A"): Console =>
  (admin, domain) =>
    admin.removeRecord(domain, { name, type });
const added =
  (name: string, value: string): Console =>
  (admin, domain) =>
    admin.addRecord(domain, { name, type: "A", value, ttl: 600 }, { force: true });

export const edits: readonly Edit[] = [
  ["a record more", batch(base), batch(plus), "1 0 0 0 0 0"],
  ["a record less", batch(base), batch(base.slice(1)), { full: "0 0 0 1 0 0", documented: "0 0 0 0 1 0" }],
  [
    "another value",
    batch(base),
    batch(["www 600 A 192.0.2.8", ...base.slice(1)]),
    { full: "0 0 1 0 0 0", documented: "1 0 0 0 1 0" },
  ],
  ["another TTL", batch(base), batch(["www 300 A 192.0.2.1", ...base.slice(1)]), { full: "0 0 1 0 0 0" }],
  [
    "an alias that becomes two addresses",
    batch(["www 600 CNAME a.example.net."]),
    batch(["www 600 A 192.0.2.1", "www 600 A 192.0.2.2"]),
    { full: "1 0 1 0 0 0" },
  ],
  [
    "a record that is live already",
    batch(base),
    batch([...base, "live 600 A 192.0.2.7"]),
    "0 1 0 0 0 0",
    added("live", "192.0.2.7"),
  ],
  ["a renamed resource, and a record more", batch(base), batch(plus, "", "other-%"), "1 0 0 0 0 0"],
  [
    "a deleted resource",
    batch(base) + record("192.0.2.1"),
    record("192.0.2.1"),
    { full: "0 0 0 3 0 0", documented: "0 0 0 0 3 0" },
  ],
  [
    "a record more, and another changed in the console",
    batch(base),
    batch(plus),
    { full: "1 0 1 0 0 0", documented: "2 0 0 0 1 0" },
    edited("www", "192.0.2.77"),
  ],
  [
    "a record more, and another doubled in the console",
    batch(base),
    batch(plus),
    { full: "1 0 0 1 0 0" },
    added("www", "192.0.2.1"),
  ],
  ["a record less, under retain", batch(base), batch(base.slice(1), ', removal: "retain"'), "0 0 0 0 0 1"],
  [
    "another value of a Record",
    record("192.0.2.1"),
    record("192.0.2.2"),
    { full: "0 0 1 0 0 0", documented: "1 0 0 0 1 0" },
  ],
  [
    "another value, another secret, and a new secret",
    hush({ s1: "hush-one" }),
    hush({ s1: "hush-two", s2: "hush-new" }, "192.0.2.33"),
    { full: "1 0 2 0 0 0", documented: "3 0 0 0 2 0" },
  ],
  [
    "a Record and a batch that exchange a record",
    pair("x", "y") + batch(["z 600 A 192.0.2.1"]),
    pair("z", "y") + batch(["x 600 A 192.0.2.1"]),
    { full: none },
  ],
  [
    "a deleted batch with a secret, and a Record with another secret at its name",
    hush({ s1: "hush-two" }),
    batch(["s3 600 A 192.0.2.3"], "", "rest-%") + hushed(),
    { full: "1 0 0 1 0 0" },
  ],
  [
    "a deleted batch with two secrets, one of them removed in the console",
    batch(["s4 600 A 192.0.2.4"], "", "rest-%") + hush({ s1: "hush-one", s2: "hush-two" }),
    batch(["s4 600 A 192.0.2.4", "s5 600 A 192.0.2.5"], "", "rest-%"),
    { full: "1 0 0 2 0 0" },
    removed("s1", "TXT"),
  ],
  [
    "a deleted Record that was removed in the console",
    record("192.0.2.1") + batch(base),
    batch(base),
    none,
    removed("one"),
  ],
  [
    "a deleted Record that was changed in the console, and a record more",
    record("192.0.2.1") + batch(base),
    batch(plus),
    { full: "1 0 0 1 0 0", documented: "1 0 0 0 1 0" },
    edited("one", "192.0.2.2"),
  ],
  [
    "a deleted batch with a record that was changed in the console, and another value",
    batch(base) + record("192.0.2.1"),
    record("192.0.2.2"),
    { full: "0 0 1 3 0 0", documented: "1 0 0 0 4 0" },
    edited("www", "192.0.2.77"),
  ],
  [
    "a deleted Record that was changed in the console, and a secret known later at its name",
    recordOf("%", 'name: "one", type: "TXT", value: "open"') + batch(base),
    batch(plus) + lateSecret("1", "hush-late", "new-%"),
    { full: "2 0 0 1 0 0" },
    edited("one", "hush-live", "TXT"),
  ],
  [
    "another value of a Record that was removed in the console",
    record("192.0.2.1"),
    record("192.0.2.2"),
    { documented: "1 0 0 0 0 0" },
    removed("one"),
  ],
  [
    "another value of a Record that has it in the console already",
    record("192.0.2.1"),
    record("192.0.2.2"),
    { documented: none },
    edited("one", "192.0.2.2"),
  ],
  [
    "a new Record that depends on a batch with another value",
    chained("192.0.2.1"),
    chained("192.0.2.2", "192.0.2.3"),
    { documented: "2 0 0 0 1 0, 0 0 0 0, 1" },
  ],

  // More of a zone than a run may remove.
  ["values known later that stay", late("1", six, ips), late("2", six, ips), `${none}, 4 0 0 0`],
  [
    "a Record's secret value known later that stays",
    lateSecret("1", "hush-one"),
    lateSecret("2", "hush-one"),
    `${none}, 1 0 0 0`,
  ],
  ["a new batch of a spec known later", "", lateSpecs("1", [], one), "1 0 0 0 0 0"],
  [
    "a value known later that stays, and one more",
    late("1", base, one),
    late("2", base, { p1: ips.p1, p2: ips.p2 }),
    "1 0 0 0 0 0, 1 0 0 0",
  ],
  [
    "a value known later that differs, and a record less",
    late("1", base, one),
    late("2", base.slice(1), { p1: "198.51.100.9" }),
    { full: "0 0 0 1 0 0, 1 0 1 0" },
  ],
  [
    "a Record's value known later that differs",
    lateRecord("1", ips.p1),
    lateRecord("2", ips.p2),
    { documented: `${none}, 1 1 0 0` },
  ],
  [
    "another label of a Record whose value is known later",
    lateRecord("1", ips.p1),
    lateRecord("2", ips.p1, "%", "other"),
    { full: "0 0 1 0 0 0" },
  ],
  [
    "a renamed Record whose value is known later",
    lateRecord("1", ips.p1),
    lateRecord("2", ips.p1, "new-%"),
    crossing,
  ],
  ["a renamed Record whose name and value are known later", lateRecord("1", ips.p1), lateNamed, crossing],
  [
    "a value known later from one batch to another",
    late("1", base, one),
    batch(base) + late("2", [], one, "new-%"),
    // In full mode, the first batch may be updated before the value is known (docs/full.md).
    { documented: crossing.documented },
  ],
  [
    "a Record to a batch of a spec known later",
    record(ips.p1),
    lateSpecs("1", [], { one: ips.p1 }),
    crossing,
  ],

  // Moved records stay, even if their equality is unknown in the preview.
  [
    "a deleted batch with retainOnDelete",
    batch(base).replace(" });", " }, { retainOnDelete: true });"),
    "",
    "0 0 0 0 0 3",
  ],
  [
    "a renamed batch with a secret",
    hush({ s1: "hush-one" }),
    hush({ s1: "hush-one" }, "192.0.2.3", "other-%"),
    none,
  ],
  ["a secret from a batch to a Record", hush({ s1: "hush-one" }), hush({}) + hushed(), none],
  ["a Record's secret to an open line of a batch", hushed(), batch(["s1 600 TXT hush-one"]), none],
  [
    "an open line of a batch to another batch's secret",
    hush({}) + batch(["s1 600 TXT hush-one", "s2 600 A 192.0.2.4"], "", "two-%"),
    batch(["s2 600 A 192.0.2.4"], "", "two-%") + hush({ s1: "hush-one" }),
    none,
  ],
];
