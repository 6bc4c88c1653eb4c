import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { RecordInput } from "../../emulator";
import { createClient } from "../../provider/api";
import { systemClock } from "../../provider/support/clock";
import { readYamlZone, readZoneFile } from "../../provider/dns/zone-file";
import { planRecords, type Plan } from "../../provider/reconcile/plan/plan";
import { ZoneReader } from "../../provider/reconcile/zones/reader";
import { parseSettings } from "../../provider/settings";
import { cli, inFolder, refuses, withService } from "./run";
import { createOnly } from "../../provider/reconcile/declaration";
import { isError } from "../../provider/problems";

/** The changes that an `up` of the file would make to the zone, planned from its own listing. */
async function planOf(text: string, form: string, env: Record<string, string>): Promise<Plan> {
  const settings = parseSettings({ config: {}, env, explicit: false });
  const options = { file: "a", domain: "example.com", defaultLine: settings.defaultLine };
  const read = form === "yaml" ? readYamlZone(text, options) : readZoneFile(text, options);
  assert.deepEqual(read.problems.filter(isError), []);
  const client = createClient({ settings });
  try {
    const { zone } = await new ZoneReader(client, settings, systemClock).get("example.com");
    const never = (): boolean => false;
    return planRecords({
      records: read.records,
      zones: new Map([["example.com", zone]]),
      owned: new Set(),
      declaredElsewhere: never,
      adopt: true,
      may: createOnly,
    });
  } finally {
    await client.close();
  }
}

const kinds: ((n: number) => RecordInput)[] = [
  (n) => ({ name: `h${n}`, type: "A", value: `192.0.2.${n % 256}`, ttl: n % 5 === 0 ? 900 : 600 }),
  (n) => ({ name: `h${n}.deep`, type: "AAAA", value: `2001:db8::${(n % 65536).toString(16)}` }),
  (n) => ({ name: `c${n}`, type: "CNAME", value: "www.example.net." }),
  (n) => ({ name: `l${n}`, type: "A", value: "192.0.2.9", line: n % 2 === 0 ? "电信" : "联通" }),
  (n) => ({ name: `t${n}`, type: "TXT", value: `v=${n}; ${"x".repeat(n % 600)} say "hi" \\` }),
  (n) => ({ name: `m${n}`, type: "MX", value: "mx.example.net.", mx: 1 + (n % 20) }),
  (n) => ({ name: `_s${n}._tcp`, type: "SRV", value: `1 2 ${n % 65536} sip.example.net.` }),
];

function zoneOf(count: number): RecordInput[] {
  return Array.from(
    { length: count },
    (_, n) => kinds[n % kinds.length]?.(n) ?? { name: `h${n}`, type: "A", value: "192.0.2.1" },
  );
}

describe("pulumi-legacydns import", () => {
  for (const form of ["zone", "yaml"]) {
    for (const count of [0, 1, 100, 101, 3001]) {
      it(`writes ${count} records as ${form}, all of which an up adopts without a write`, async () => {
        await withService(
          { domains: [{ name: "example.com", grade: "DP_Ultra", records: zoneOf(count) }] },
          async (env, service) => {
            await inFolder(async (folder) => {
              const out = join(folder, `example.com.${form}`);
              const run = await cli(["import", "example.com", "--out", out], env);
              assert.equal(run.code, 0, run.err);
              assert.deepEqual(Object.keys(service.admin.counts()), ["Record.List"]);
              const plan = await planOf(readFileSync(out, "utf8"), form, env);
              assert.deepEqual([plan.create, plan.obstacles, plan.adopted.length], [[], [], count]);
              assert.deepEqual(readdirSync(folder), [`example.com.${form}`]);
            });
          },
        );
      });
    }
  }

  const odd: RecordInput[] = [
    { name: "www", type: "A", value: "192.0.2.1" },
    { name: "www", type: "A", value: "192.0.2.2", line: "电信" },
    { name: "off", type: "A", value: "192.0.2.3", enabled: false },
    { name: "go", type: "URL", value: "https://example.net/" },
    { name: "go2", type: "URL", value: "https://example.net/" },
  ];

  it("prints the omitted records with reasons on standard error, and a program on standard output", async () => {
    await withService({ domains: [{ name: "example.com", records: odd }] }, async (env) => {
      await inFolder(async (folder) => {
        const out = join(folder, "example.com.zone");
        const run = await cli(["import", "example.com", "--out", out], env);
        const [first, ...rest] = run.err.split("\n");
        assert.equal(first, `example.com: 2 records written to ${out}; an up adopts all without a write`);
        assert.match(
          rest.join("\n"),
          /^ {2}left out: 2 NS records of the service itself\n {2}3 records not declared, but in the file as comments:\n {4}2: a master file has no type URL; a YAML file may hold it\n {4}1: disabled\n$/,
        );
        assert.equal(
          run.out,
          `import { Zone } from "pulumi-legacydns";\n\nnew Zone("example.com", { domain: "example.com", file: "${relative("", out)}" }, { protect: true });\n`,
        );
        const text = readFileSync(out, "utf8");
        assert.match(text, /^; not declared \(disabled, id \d+\): off 600 IN A 192\.0\.2\.3$/m);
        assert.match(text, /^www .* A .*192\.0\.2\.2 ; line=电信$/m);
      });
    });
  });

  it("prints the file on standard output without --out", async () => {
    await withService({ domains: [{ name: "example.com", records: odd }] }, async (env) => {
      const run = await cli(["import", "example.com", "--to", "yaml"], env);
      assert.equal(run.code, 0);
      assert.match(run.out, /^domain: example\.com\nrecords:$/m);
      assert.match(run.err, /file: "zones\/example\.com\.yaml"/);
    });
  });

  it("declares NS records that were added to the apex, with apexNs in the program", async () => {
    const records: RecordInput[] = [{ type: "NS", value: "ns.example.net." }];
    await withService({ domains: [{ name: "example.com", records }] }, async (env) => {
      const run = await cli(["import", "example.com"], env);
      assert.match(run.out, /^@ 600 IN NS ns\.example\.net\.$/m);
      assert.match(run.err, /file: "zones\/example\.com\.zone", apexNs: true \}/);
    });
  });

  it("lists records that exclude others at the top, so that the rest can be declared", async () => {
    await withService(
      { domains: [{ name: "example.com", records: [{ name: "www", type: "A", value: "192.0.2.1" }] }] },
      async (env, service) => {
        service.admin.addRecord(
          "example.com",
          { name: "www", type: "CNAME", value: "example.net." },
          { force: true, indexed: true },
        );
        const run = await cli(["import", "example.com"], env);
        assert.equal(run.code, 0, run.err);
        assert.match(
          run.out,
          /^; not declared \(it excludes other records of its name, id \d+\): www\.example\.com\. CNAME example\.net\.$/m,
        );
        const plan = await planOf(run.out, "zone", env);
        assert.deepEqual([plan.create, plan.obstacles], [[], []]);
      },
    );
  });

  it("overwrites with --force only", async () => {
    await withService({ domains: [{ name: "example.com", records: odd }] }, async (env, service) => {
      await inFolder(async (folder) => {
        const out = join(folder, "a.zone");
        writeFileSync(out, "mine");
        const refused = await cli(["import", "example.com", "--out", out], env);
        assert.deepEqual(
          [refused.code, refused.err],
          [
            1,
            `error: ${out} already exists [output.exists]\n  help: overwrite it: --force\n  help: write another file: --out\n`,
          ],
        );
        assert.equal(readFileSync(out, "utf8"), "mine");
        assert.deepEqual(service.admin.counts(), {});
        assert.equal((await cli(["import", "example.com", "--out", out, "--force"], env)).code, 0);
        assert.match(readFileSync(out, "utf8"), /\$ORIGIN example\.com\./);
      });
    });
  });

  it("prints a summary as JSON, in place of the zone's text", () =>
    withService(
      {
        domains: [
          {
            name: "example.com",
            records: [
              { name: "www", type: "A", value: "192.0.2.1" },
              { name: "off", type: "A", value: "192.0.2.2", enabled: false },
            ],
          },
        ],
      },
      (env) =>
        inFolder(async (folder) => {
          const out = join(folder, "example.com.zone");
          const run = await cli(["import", "example.com", "--json", "--out", out], env);
          assert.equal(run.code, 0, run.err);
          const { program, ...rest } = JSON.parse(run.out) as Record<string, unknown>;
          const zone = { domain: "example.com", file: out, form: "zone", records: 1, own: 2, apexNs: false };
          const zones = [{ ...zone, comments: [{ reason: "disabled", count: 1 }] }];
          assert.deepEqual(rest, { version: 1, ok: true, zones, problems: [] });
          assert.match(String(program), /^new Zone\("example\.com", /m);
          assert.match((await cli(["import", "example.com", "--json"], env)).err, /--json needs --out/);
        }),
    ));

  it("shows invisible characters in the zone, on the terminal and in JSON", async () => {
    const records = [
      { name: "a", type: "TXT", value: "a\u202eb" },
      { name: "off", type: "TXT", value: "c\u202ed", enabled: false },
    ];
    await withService({ domains: [{ name: "example.com", records }] }, async (env) => {
      const zone = (await cli(["import", "example.com"], env)).out;
      assert.match(zone, /"a\\226\\128\\174b"/);
      assert.match(zone, /^; not declared \(disabled.*"c\\226\\128\\174d"$/m);
      await inFolder(async (folder) => {
        const out = join(folder, "a\u202e.yaml");
        const run = await cli(["import", "example.com", "--json", "--out", out], env);
        assert.match(run.out, /\/a\\u202e\.yaml"/);
        const { zones } = JSON.parse(run.out) as { zones: { file: string }[] };
        assert.equal(zones[0]?.file, out);
        assert.match(readFileSync(out, "utf8"), /"a\\U0000202eb"/);
      });
    });
  });

  it("leaves no file if it cannot write", async () => {
    await withService({ domains: ["example.com"] }, async (env) => {
      await inFolder(async (folder) => {
        writeFileSync(join(folder, "file"), "");
        for (const place of [join(folder, "file", "a.zone"), join(folder, "file", "b", "a.zone")]) {
          const run = await cli(["import", "example.com", "--out", place], env);
          assert.equal(run.code, 1);
          assert.match(
            run.err,
            /^error: .*a\.zone cannot be written: (EEXIST|ENOTDIR) \[output\.unwritable\]\n/,
          );
        }
        rmSync(join(folder, "file"));
        const onFolder = await cli(["import", "example.com", "--force", "--out", folder], env);
        assert.equal(onFolder.code, 1);
        assert.match(onFolder.err, /^error: .* cannot be written: EISDIR \[output\.unwritable\]\n/);
        assert.deepEqual(readdirSync(folder), []);
      });
    });
  });

  refuses("import", [
    [
      "no domain",
      [],
      /^error: no domain is named \[command\.usage\]\n {2}help: every domain of the account: --all\n/,
    ],
    [
      "a domain beside --all",
      ["example.com", "--all"],
      /^error: --all and the domain "example\.com" exclude each other/,
    ],
    [
      "an unknown form",
      ["example.com", "--to", "json"],
      /^error: option '--to <form>' argument 'json' is invalid \[command\.usage\]\n {2}help: Allowed choices are zone, yaml\.$/m,
    ],
    [
      "YAML in a file that is read as a master file",
      ["example.com", "--to", "yaml", "--out", "a.zone"],
      /^error: --to yaml needs a name that ends in \.yaml or \.yml/,
    ],
    [
      "a master file in a file that is read as YAML",
      ["example.com", "--to", "zone", "--out", "a.yml"],
      /^error: --to zone needs a name that does not end in \.yaml or \.yml/,
    ],
    ["an empty name of a file", ["example.com", "--out", ""], /^error: --out is empty \[command\.usage\]\n/],
    [
      "an invisible character in an argument",
      ["example.com", "--to", "a\u202e"],
      /^error: option '--to <form>' argument 'a\\u202e' is invalid/,
    ],
  ]);

  it("reports that the account does not have a domain", async () => {
    await withService({}, async (env) => {
      const { code, err } = await cli(["import", "example.org"], env);
      assert.equal(code, 1);
      assert.match(err, /^error: Record\.List of example\.org: [^\n]+ \[zone\.refused\]\n/);
    });
  });
});

describe("pulumi-legacydns import --all", () => {
  const domains = [
    { name: "example.com", records: [{ name: "www", type: "A", value: "192.0.2.1" }] },
    { name: "empty.example" },
    { name: "apex.example", records: [{ type: "NS", value: "ns.example.net." }] },
  ] satisfies { name: string; records?: RecordInput[] }[];

  it("writes a file for each domain of the account, and prints one program that declares them", () =>
    withService({ domains }, (env, service) =>
      inFolder(async (folder) => {
        const run = await cli(["import", "--all", "--out", folder], env);
        assert.equal(run.code, 0, run.err);
        assert.deepEqual(readdirSync(folder), [
          "apex.example.zone",
          "empty.example.zone",
          "example.com.zone",
        ]);
        assert.deepEqual(service.admin.counts(), { "Domain.List": 1, "Record.List": 3 });
        const [first, , ...lines] = run.out.replaceAll(relative("", folder), "zones").split("\n");
        assert.equal(first, 'import { Zone } from "pulumi-legacydns";');
        const line = (domain: string, more = ""): string =>
          `new Zone("${domain}", { domain: "${domain}", file: "zones/${domain}.zone"${more} }, { protect: true });`;
        assert.deepEqual(lines, [
          line("apex.example", ", apexNs: true"),
          "// Write the first record into the file: a Zone takes an empty one for a mistake.",
          `// ${line("empty.example")}`,
          line("example.com"),
          "",
        ]);
        const plan = await planOf(readFileSync(join(folder, "example.com.zone"), "utf8"), "zone", env);
        assert.deepEqual([plan.create, plan.adopted.length], [[], 1]);
      }),
    ));

  it("imports the domains that match a pattern, and refuses a pattern without a match", () =>
    withService({ domains }, (env) =>
      inFolder(async (folder) => {
        const run = await cli(["import", "--all", "*.example", "--to", "yaml", "--out", folder], env);
        assert.equal(run.code, 0, run.err);
        assert.deepEqual(readdirSync(folder), ["apex.example.yaml", "empty.example.yaml"]);
        assert.match(run.out, /^new Zone\("empty\.example", /m);
        const none = await cli(["import", "--all", "*.org", "--out", folder], env);
        assert.equal(none.code, 1);
        assert.match(none.err, /^error: no domain of the account matches "\*\.org" \[import\.no-match\]\n/);
      }),
    ));

  it("overwrites with --force only, and checks that before it reads a zone", () =>
    withService({ domains }, (env, service) =>
      inFolder(async (folder) => {
        const file = join(folder, "example.com.zone");
        writeFileSync(file, "mine");
        const run = await cli(["import", "--all", "--out", folder, "--json"], env);
        const problems = [
          `${file} already exists [output.exists]\n  help: overwrite it: --force\n  help: write another file: --out`,
        ];
        assert.deepEqual([run.code, JSON.parse(run.out)], [1, { version: 1, ok: false, problems }]);
        assert.deepEqual(service.admin.counts(), { "Domain.List": 1 });
        assert.deepEqual(readdirSync(folder), ["example.com.zone"]);
        assert.equal((await cli(["import", "--all", "--out", folder, "--force"], env)).code, 0);
        assert.match(readFileSync(file, "utf8"), /\$ORIGIN example\.com\./);
      }),
    ));

  it("writes the other zones if one cannot be read, names that one, and ends with 1", () =>
    withService({ domains }, (env, service) =>
      inFolder(async (folder) => {
        service.admin.addFault({ kind: "code", operation: "Record.List", code: "-7", count: 1 });
        const run = await cli(["import", "--all", "--out", folder, "--json"], env);
        const { ok, zones, program, problems } = JSON.parse(run.out) as {
          ok: boolean;
          zones: { domain: string; file: string; form: string }[];
          program: string;
          problems: string[];
        };
        assert.deepEqual([run.code, ok, zones.length, problems.length], [1, false, 2, 1]);
        assert.deepEqual(
          zones.map(({ file }) => file),
          readdirSync(folder).map((name) => join(folder, name)),
        );
        for (const { name } of domains)
          assert.equal(program.includes(`"${name}"`), !problems.join().includes(name));
      }),
    ));
});
