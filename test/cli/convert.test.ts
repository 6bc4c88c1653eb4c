import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readZoneFile } from "../../provider/dns/zone-file";
import { recordText } from "../../provider/dns";
import { isError } from "../../provider/problems";
import { cli, type CliRun } from "./run";

/** Runs `convert` over files in a folder of their own. */
async function converted(
  from: string,
  files: Readonly<Record<string, string>>,
  tell: (run: CliRun, folder: string) => void | Promise<void>,
  ...args: string[]
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "legacydns-convert-"));
  try {
    const paths = Object.entries(files).map(([name, text]) => {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    });
    const run = await cli(["convert", "--from", from, "--out", join(folder, "out"), ...args, ...paths]);
    await tell(
      { ...run, out: run.out.replaceAll(`${folder}/`, ""), err: run.err.replaceAll(`${folder}/`, "") },
      folder,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a written zone file declares: text and TTL. */
function declared(folder: string, domain: string): string[] {
  const text = readFileSync(join(folder, "out", `${domain}.zone`), "utf8");
  const { records, problems } = readZoneFile(text, { file: domain, domain, defaultLine: "默认" });
  assert.deepEqual(problems.filter(isError), []);
  return records.map((record) => `${recordText(record)} ${String(record.ttl)}`);
}

const octodns = `---
'':
  - type: A
    ttl: 300
    values: [192.0.2.1, 192.0.2.2]
  - type: MX
    values:
      - { exchange: mx1.example.org., preference: 10 }
      - { value: mx2.example.org., priority: 20 }
  - type: NS
    values: [ns1.example.org.]
  - type: CAA
    value: { flags: 0, tag: issue, value: letsencrypt.org }
  - { type: TXT, values: ['v=spf1 -all', 'v=DKIM1\\; k=rsa\\; p=MII'] }
www:
  type: CNAME
  ttl: 60
  value: example.com.
_sip._tcp:
  type: SRV
  value: { priority: 10, weight: 60, port: 5060, target: sip.example.org. }
www.example.com: { type: A, value: 192.0.2.3 }
`;

describe("convert, from octoDNS", () => {
  it("writes every type that the service has, with lists, escapes and the default TTL", () =>
    converted("octodns", { "example.com.yaml": octodns }, (run, folder) => {
      assert.equal(run.code, 0, run.err);
      assert.deepEqual(declared(folder, "example.com").sort(), [
        "_sip._tcp.example.com. SRV 10 60 5060 sip.example.org. 3600",
        "example.com. A 192.0.2.1 300",
        "example.com. A 192.0.2.2 300",
        'example.com. CAA 0 issue "letsencrypt.org" 3600',
        "example.com. MX 10 mx1.example.org. 3600",
        "example.com. MX 20 mx2.example.org. 3600",
        'example.com. TXT "v=DKIM1; k=rsa; p=MII" 3600',
        'example.com. TXT "v=spf1 -all" 3600',
        "www.example.com. CNAME example.com. 60",
        "www.example.com.example.com. A 192.0.2.3 3600",
      ]);
      assert.match(run.err, /1 as a comment: the service keeps the NS records of the apex itself/);
      assert.match(
        run.err,
        /new Zone\("example\.com", \{ domain: "example\.com", file: "zones\/example\.com\.zone" \}, \{ protect: true \}\);/,
      );
    }));

  it("tells what it leaves out, and joins the files of a folder", () =>
    converted(
      "octodns",
      {
        "config/example.com./a.yaml":
          "a:\n  type: A\n  value: 192.0.2.1\n  octodns: { ignored: true }\nb:\n  type: A\n  value: 192.0.2.2\n  octodns: { excluded: [x], lenient: true }\n",
        "config/example.com./$example.com.yaml":
          "'':\n  - type: ALIAS\n    value: example.org.\n  - type: A\n    value: 192.0.2.9\n    geo: { EU: [192.0.2.8] }\n",
      },
      (run, folder) => {
        assert.equal(run.code, 0, run.err);
        assert.deepEqual(declared(folder, "example.com"), [
          "example.com. A 192.0.2.9 900",
          "b.example.com. A 192.0.2.2 900",
        ]);
        for (const said of [
          /a\.yaml:4:\d+: a A: left out, since octodns\.ignored/,
          /a\.yaml:8:\d+: b A: octodns\.excluded has no meaning/,
          /\$example\.com\.yaml:3:\d+: @ ALIAS: left out/,
          /\$example\.com\.yaml:6:\d+: @ A: geo is not converted/,
        ])
          assert.match(run.err, said);
      },
      "--ttl",
      "900",
    ));

  it("tells all problems of all files with their places, and then writes nothing", () =>
    converted(
      "octodns",
      {
        "example.com.yaml":
          "a:\n  type: A\n  value: 192.0.2.256\nb:\n  type: MX\n  value: mx1.example.org.\nc: { type: CNAME, value: a.example.com. }\nd: { ttl: 60 }\n",
        "example.net.yaml": "a: [\n",
        "local.yaml": "a: { type: A, value: 192.0.2.1 }\n",
      },
      (run, folder) => {
        assert.equal(run.code, 1);
        for (const said of [
          /example\.com\.yaml:3:10: value: "192\.0\.2\.256" is no IPv4 address/,
          /example\.com\.yaml:6:10: b MX: this value cannot be read/,
          /example\.com\.yaml:8:\d+: d: a record needs a type/,
          /example\.net\.yaml:2:1: cannot be read/,
          /local\.yaml:1:\d+: "local" is a single label/,
        ])
          assert.match(run.err, said);
        assert.match(run.err, /5 problems; nothing was written/);
        assert.equal(existsSync(join(folder, "out")), false);
      },
    ));

  it("overwrites nothing without --force, and tells it as JSON", async () => {
    await converted(
      "octodns",
      { "example.com.yaml": "a: { type: A, value: 192.0.2.1 }\n", "out/example.com.zone": "mine\n" },
      async (run, folder) => {
        assert.equal(run.code, 1);
        const source = join(folder, "example.com.yaml");
        writeFileSync(join(folder, "out/example.com.zone"), "mine\n");
        const again = await cli([
          "convert",
          "--from",
          "octodns",
          "--out",
          join(folder, "out"),
          "--json",
          source,
        ]);
        assert.equal(again.code, 1);
        const said = JSON.parse(again.out) as { ok: boolean; zones: unknown[]; problems: string[] };
        assert.deepEqual(
          [said.ok, said.zones, said.problems],
          [false, [], [`${join(folder, "out/example.com.zone")} exists already; --force overwrites it`]],
        );
        assert.equal(readFileSync(join(folder, "out/example.com.zone"), "utf8"), "mine\n");
        const forced = await cli([
          "convert",
          "--from",
          "octodns",
          "--out",
          join(folder, "out"),
          "--json",
          "--force",
          source,
        ]);
        assert.equal(forced.code, 0, forced.err);
        assert.deepEqual((JSON.parse(forced.out) as { zones: unknown[] }).zones, [
          { domain: "example.com", file: join(folder, "out/example.com.zone"), records: 1, comments: [] },
        ]);
        assert.deepEqual(readdirSync(join(folder, "out")), ["example.com.zone"]);
      },
    );
  });

  it("names what is wrong with its arguments", async () => {
    for (const [args, said] of [
      [["--from", "bind", "x"], /--from must be octodns, dnscontrol, terraform, not "bind"/],
      [["--from", "octodns", "--to", "json", "x"], /--to must be zone or yaml/],
      [["--from", "octodns", "none.yaml"], /none\.yaml: there is no such file/],
      [["--from", "octodns", tmpdir()], /this is a folder/],
    ] as const) {
      const run = await cli(["convert", ...args]);
      assert.equal(run.code, 1);
      assert.match(run.err, said);
    }
  });
});

const ir = {
  registrars: [],
  dns_providers: [],
  domains: [
    {
      name: "example.com",
      records: [
        { type: "A", name: "@", ttl: 300, target: "192.0.2.1" },
        { type: "MX", name: "@", ttl: 300, mxpreference: 10, target: "mx1.example.org." },
        {
          type: "SRV",
          name: "_sip._tcp",
          ttl: 300,
          srvpriority: 10,
          srvport: 5060,
          target: "sip.example.org.",
        },
        { type: "CAA", name: "@", caatag: "issue", target: "letsencrypt.org" },
        { type: "TXT", name: "q", ttl: 60, target: 'say "hi"; \\o/' },
        { type: "TXT", name: "old", ttl: 60, target: "", txtstrings: ["a", "b"] },
        { type: "CF_REDIRECT", name: "r", target: "x,y" },
      ],
    },
  ],
};

describe("convert, from dnscontrol", () => {
  it("writes what print-ir prints, and tells types of its own", () =>
    converted("dnscontrol", { "ir.json": JSON.stringify(ir, null, 2) }, (run, folder) => {
      assert.equal(run.code, 0, run.err);
      assert.deepEqual(declared(folder, "example.com").sort(), [
        "_sip._tcp.example.com. SRV 10 0 5060 sip.example.org. 300",
        "example.com. A 192.0.2.1 300",
        'example.com. CAA 0 issue "letsencrypt.org" 300',
        "example.com. MX 10 mx1.example.org. 300",
        'old.example.com. TXT "ab" 60',
        'q.example.com. TXT "say \\"hi\\"; \\\\o/" 60',
      ]);
      assert.match(run.err, /ir\.json:\d+:\d+: r CF_REDIRECT: left out/);
    }));

  it("refuses targets that may be relative, and files of another kind", async () => {
    await converted(
      "dnscontrol",
      {
        "ir.json":
          '{ "domains": [{ "name": "example.com", "records": [\n{ "type": "CNAME", "name": "www", "target": "web" }] }] }',
      },
      (run) => {
        assert.equal(run.code, 1);
        assert.match(run.err, /ir\.json:2:1: www CNAME: "web" has no dot at its end/);
      },
    );
    await converted("dnscontrol", { "ir.json": "[]" }, (run) =>
      assert.match(run.err, /ir\.json:1:1: this is no output of `dnscontrol print-ir`/),
    );
  });
});

const record = {
  domain: "example.com",
  sub_domain: "www",
  record_type: "A",
  record_line: "默认",
  value: "192.0.2.1",
  mx: 0,
  ttl: 600,
  status: "ENABLE",
};

describe("convert, from Terraform", () => {
  const shown = {
    format_version: "1.0",
    values: {
      root_module: {
        resources: [
          { mode: "managed", type: "x_record", values: record },
          { mode: "data", type: "x_records", values: record },
          { mode: "managed", type: "bucket", values: { name: "b" } },
        ],
        child_modules: [
          {
            resources: [
              {
                mode: "managed",
                type: "x_record",
                values: { ...record, sub_domain: "@", record_type: "MX", value: "mx1.example.org.", mx: 10 },
              },
              {
                mode: "managed",
                type: "x_record",
                values: { ...record, record_line: "电信", value: "192.0.2.7" },
              },
            ],
          },
        ],
      },
    },
  };
  const state = {
    version: 4,
    resources: [
      { mode: "managed", type: "y_domain", instances: [{ attributes: { id: "7", domain: "example.com" } }] },
      {
        mode: "managed",
        type: "y_record",
        instances: [
          {
            attributes: {
              domain_id: "7",
              sub_domain: "www",
              record_type: "A",
              record_line: "默认",
              value: "192.0.2.1",
              ttl: "600",
            },
          },
          {
            attributes: {
              domain_id: "7",
              sub_domain: "off",
              record_type: "A",
              value: "192.0.2.2",
              status: "disable",
            },
          },
        ],
      },
    ],
  };

  it("knows records by their attributes, in modules and on lines, and leaves the rest alone", () =>
    converted("terraform", { "show.json": JSON.stringify(shown) }, (run, folder) => {
      assert.equal(run.code, 0, run.err);
      assert.deepEqual(declared(folder, "example.com").sort(), [
        "example.com. MX 10 mx1.example.org. 600",
        "www.example.com. A 192.0.2.1 600",
        "www.example.com. A 192.0.2.7 [电信] 600",
      ]);
      assert.match(run.err, /1 resource that is no record of the service is left out/);
    }));

  it("reads a state file, with domains by their ids, and leaves out what is switched off", () =>
    converted("terraform", { "terraform.tfstate": JSON.stringify(state) }, (run, folder) => {
      assert.equal(run.code, 0, run.err);
      assert.deepEqual(declared(folder, "example.com"), ["www.example.com. A 192.0.2.1 600"]);
      assert.match(run.err, /off A: left out, since it is switched off/);
    }));

  it("refuses a plan, a record whose domain nobody names, and any other file", async () => {
    await converted(
      "terraform",
      { "plan.json": '{ "format_version": "1.0", "planned_values": {} }' },
      (run) => assert.match(run.err, /this is a plan/),
    );
    await converted(
      "terraform",
      { "a.json": JSON.stringify({ version: 4, resources: state.resources.slice(1) }) },
      (run) => assert.match(run.err, /names its domain by the id 7/),
    );
    await converted("terraform", { "a.json": "{}" }, (run) =>
      assert.match(run.err, /neither a state of Terraform/),
    );
    await converted("terraform", { "a.json": '{ "version": 4, "resources": [] }' }, (run) => {
      assert.equal(run.code, 1);
      assert.match(run.err, /no zone is in there/);
    });
  });
});
