import { deepEqual, equal, match } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Emulator, RecordInput, StartOptions } from "../../emulator";
import { createClient } from "../../provider/api";
import { systemClock } from "../../provider/support/clock";
import { readZoneFile } from "../../provider/dns/zone-file";
import { planRecords } from "../../provider/reconcile/plan/plan";
import { ZoneReader } from "../../provider/reconcile/zones/reader";
import { parseSettings } from "../../provider/settings";
import { recordOf } from "../support/service";
import { cli, codesIn, inFolder, refuses, withService, write, type CliRun } from "./run";
import { createOnly } from "../../provider/reconcile/declaration";
import { isError } from "../../provider/problems";

async function planOf(text: string, env: Record<string, string>) {
  const settings = parseSettings({ config: {}, env, explicit: false });
  const { defaultLine } = settings;
  const { records, problems } = readZoneFile(text, { file: "a", domain: "example.com", defaultLine });
  deepEqual(problems.filter(isError), []);
  const client = createClient({ settings });
  try {
    const { zone } = await new ZoneReader(client, settings, systemClock).get("example.com");
    return planRecords({
      records,
      zones: new Map([["example.com", zone]]),
      owned: new Set(),
      declaredElsewhere: () => false,
      adopt: true,
      may: createOnly,
    });
  } finally {
    await client.close();
  }
}

const kinds: ((n: number) => RecordInput)[] = [
  (n) => recordOf(`h${n} ${n % 5 === 0 ? 900 : 600} A 192.0.2.${n % 256}`),
  (n) => recordOf(`h${n}.deep AAAA 2001:db8::${n.toString(16)}`),
  (n) => recordOf(`c${n} CNAME www.example.net.`),
  (n) => ({ ...recordOf(`l${n} A 192.0.2.9`), line: n % 2 === 0 ? "电信" : "联通" }),
  (n) => recordOf(`t${n} TXT v=${n}; ${"x".repeat(n % 600)} say "hi" \\`),
  (n) => ({ ...recordOf(`m${n} MX mx.example.net.`), mx: 1 + (n % 20) }),
  (n) => recordOf(`_s${n}._tcp SRV 1 2 ${n} sip.example.net.`),
];

const www = recordOf("www A 192.0.2.1");
const zoneOf = (count: number) =>
  Array.from({ length: count }, (_, n) => kinds[n % kinds.length]?.(n) ?? www);

interface Scene {
  readonly service: Emulator;
  readonly folder: string;
  readonly env: Record<string, string>;
  run(...args: string[]): Promise<CliRun>;
}

type Domains = NonNullable<StartOptions["domains"]>;

const scene = (domains: Domains, tell: (scene: Scene) => Promise<void>) =>
  withService({ domains }, (env, service) =>
    inFolder((folder) => tell({ service, folder, env, run: (...args) => cli(["dump", ...args], env) })),
  );

const ofZone = (records: RecordInput[], tell: (scene: Scene) => Promise<void>) =>
  scene([{ name: "example.com", grade: "DP_Ultra", records }], (given) =>
    tell({ ...given, run: (...args) => given.run("example.com", ...args) }),
  );

/** The engine's option has the name of an input of the zone. */
const protectNote =
  "// The option `protect` keeps the engine from deleting the zone. The input `protect` has patterns of records.";

describe("pulumi-legacydns dump", () => {
  for (const count of [0, 1, 3001])
    it(`writes ${count} records, all of which an up adopts without a write`, () =>
      ofZone(zoneOf(count), async ({ run, folder, env, service }) => {
        const out = join(folder, "example.com.zone");
        const { code, err } = await run("--out", out);
        equal(code, 0, err);
        deepEqual(Object.keys(service.admin.counts()), ["Record.List"]);
        const plan = await planOf(readFileSync(out, "utf8"), env);
        deepEqual([plan.create, plan.obstacles, plan.adopted.length], [[], [], count]);
        deepEqual(readdirSync(folder), ["example.com.zone"]);
      }));

  const odd = [
    www,
    { ...www, value: "192.0.2.2", line: "电信" },
    { ...recordOf("off A 192.0.2.3"), enabled: false },
    ...["go", "go2"].map((name) => recordOf(`${name} URL https://example.net/`)),
  ];

  it("prints the omitted records with reasons on standard error, and a program on standard output", () =>
    ofZone(odd, async ({ run, folder }) => {
      const file = join(folder, "example.com.zone");
      const { out, err } = await run("--out", file);
      const [written, left, ...comments] = err.trimEnd().split("\n");
      match(written ?? "", /^example\.com: 2 records /);
      match(left ?? "", / 2 NS records /);
      deepEqual(
        comments.map((line) => / {2}\d: .*?(URL|disabled)/.exec(line)?.[1]),
        [undefined, "URL", "disabled"],
      );
      equal(
        out,
        `import { Zone } from "pulumi-legacydns";\n\n${protectNote}\nnew Zone("example.com", { domain: "example.com", file: "${relative("", file)}" }, { protect: true });\n`,
      );
      const text = readFileSync(file, "utf8");
      match(text, /^; not declared \(disabled, id \d+\): off 600 IN A 192\.0\.2\.3$/m);
      match(text, /^www .* A .*192\.0\.2\.2 ; line=电信$/m);
    }));

  it("prints the file on standard output without --out", () =>
    ofZone(odd, async ({ run }) => {
      const { out, err } = await run();
      match(out, /^\$ORIGIN example\.com\.$/m);
      match(err, /file: "zones\/example\.com\.zone"/);
    }));

  it("lists records that exclude others at the top, so that the rest can be declared", () =>
    ofZone([www], async ({ run, service, env }) => {
      const alias = recordOf("www CNAME example.net.");
      service.admin.addRecord("example.com", alias, { force: true, indexed: true });
      const { out } = await run();
      match(
        out,
        /^; not declared \(it excludes other records of its name, id \d+\): www\.example\.com\. CNAME example\.net\.$/m,
      );
      const plan = await planOf(out, env);
      deepEqual([plan.create, plan.obstacles], [[], []]);
    }));

  it("overwrites with --force only", () =>
    ofZone(odd, async ({ run, service, folder }) => {
      const out = join(folder, "a.zone");
      write(folder, { "a.zone": "mine" });
      const refused = await run("--out", out);
      deepEqual([refused.code, codesIn(refused.err)], [1, ["output.exists"]]);
      equal(readFileSync(out, "utf8"), "mine");
      deepEqual(service.admin.counts(), {});
      equal((await run("--out", out, "--force")).code, 0);
      match(readFileSync(out, "utf8"), /\$ORIGIN example\.com\./);
    }));

  it("prints a summary as JSON, in place of the zone's text", () =>
    ofZone(odd.slice(0, 3), async ({ run, folder }) => {
      const file = join(folder, "example.com.zone");
      const { out } = await run("--json", "--out", file);
      const { program, ...rest } = JSON.parse(out);
      const zone = { domain: "example.com", file, records: 2, own: 2, apexNs: false };
      const zones = [{ ...zone, comments: [{ reason: "disabled", count: 1 }] }];
      deepEqual(rest, { version: 1, ok: true, zones, problems: [] });
      match(program, /^new Zone\("example\.com", /m);
      match((await run("--json")).err, /--out.* \[command\.usage\]$/m);
    }));

  it("shows invisible characters in the zone, on the terminal and in JSON", () =>
    ofZone(
      [recordOf("a TXT a\u202eb"), { ...recordOf("off TXT c\u202ed"), enabled: false }],
      async ({ run, folder }) => {
        const zone = (await run()).out;
        match(zone, /"a\\226\\128\\174b"/);
        match(zone, /^; not declared \(disabled.*"c\\226\\128\\174d"$/m);
        const file = join(folder, "a\u202e.zone");
        const { out } = await run("--json", "--out", file);
        match(out, /\/a\\u202e\.zone"/);
        equal(JSON.parse(out).zones[0].file, file);
        match(readFileSync(file, "utf8"), /"a\\226\\128\\174b"/);
      },
    ));

  it("leaves no file if it cannot write", () =>
    ofZone([], async ({ run, folder }) => {
      write(folder, { file: "" });
      for (const place of ["file/a.zone", "file/b/a.zone", ""]) {
        const { code, err } = await run("--force", "--out", join(folder, place));
        deepEqual([code, codesIn(err)], [1, ["output.unwritable"]]);
      }
      deepEqual(readdirSync(folder), ["file"]);
    }));

  refuses("dump", {
    "no domain": [[], "command.usage", ": --all\n"],
    "a domain beside --all": [["example.com", "--all"], "command.usage", '"example.com"'],
    "an empty name of a file": [["example.com", "--out", ""], "command.usage", "--out"],
    "an invisible character in an argument": [["example.com", "--a\u202e"], "command.usage", "'--a\\u202e'"],
  });
});

describe("pulumi-legacydns dump --all", () => {
  const domains: Domains = [
    { name: "example.com", records: [www] },
    "empty.example",
    { name: "apex.example", records: [recordOf("@ NS ns.example.net.")] },
  ];

  it("writes a file for each domain of the account, and prints one program that declares them", () =>
    scene(domains, async ({ run, folder, service, env }) => {
      const { out } = await run("--all", "--out", folder);
      const names = ["apex.example", "empty.example", "example.com"];
      deepEqual(
        readdirSync(folder),
        names.map((name) => `${name}.zone`),
      );
      deepEqual(service.admin.counts(), { "Domain.List": 1, "Record.List": 3 });
      const line = (domain: string, more = "") =>
        `new Zone("${domain}", { domain: "${domain}", file: "zones/${domain}.zone"${more} }, { protect: true });`;
      deepEqual(out.replaceAll(relative("", folder), "zones").split("\n"), [
        'import { Zone } from "pulumi-legacydns";',
        "",
        protectNote,
        line("apex.example", ", apexNs: true"),
        "// Write the first record into the file: a Zone takes an empty one for a mistake.",
        `// ${line("empty.example")}`,
        line("example.com"),
        "",
      ]);
      match(readFileSync(join(folder, "apex.example.zone"), "utf8"), /^@ .*IN NS ns\.example\.net\.$/m);
      const plan = await planOf(readFileSync(join(folder, "example.com.zone"), "utf8"), env);
      deepEqual([plan.create, plan.adopted.length], [[], 1]);
    }));

  it("dumps the domains that match a pattern, and refuses a pattern without a match", () =>
    scene(domains, async ({ run, folder }) => {
      const { out } = await run("--all", "*.example", "--out", folder);
      deepEqual(readdirSync(folder), ["apex.example.zone", "empty.example.zone"]);
      match(out, /^new Zone\("apex\.example", /m);
      const none = await run("--all", "*.org", "--out", folder);
      deepEqual([none.code, codesIn(none.err)], [1, ["dump.no-match"]]);
    }));

  it("checks that no file exists before it reads a zone", () =>
    scene(domains, async ({ run, folder, service }) => {
      write(folder, { "example.com.zone": "mine" });
      const { code, out } = await run("--all", "--out", folder, "--json");
      const { problems, ...rest } = JSON.parse(out);
      deepEqual([code, rest, problems.length], [1, { version: 1, ok: false }, 1]);
      match(problems[0], /example\.com\.zone .* \[output\.exists\]\n/);
      deepEqual(service.admin.counts(), { "Domain.List": 1 });
      deepEqual(readdirSync(folder), ["example.com.zone"]);
    }));

  it("writes the other zones if one cannot be read, names that one, and ends with 1", () =>
    scene(domains, async ({ run, folder, service }) => {
      service.admin.addFault({ kind: "code", operation: "Record.List", code: "-7", count: 1 });
      const { code, out } = await run("--all", "--out", folder, "--json");
      const { ok, zones, program, problems } = JSON.parse(out);
      deepEqual([code, ok, zones.length, problems.length], [1, false, 2, 1]);
      deepEqual(
        readdirSync(folder),
        zones.map(({ domain }: { domain: string }) => `${domain}.zone`),
      );
      for (const name of ["example.com", "empty.example", "apex.example"])
        equal(program.includes(`"${name}"`), !problems[0].includes(name));
    }));
});
