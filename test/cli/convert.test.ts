import { deepEqual, equal, match } from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readZoneFile } from "../../provider/dns/zone-file";
import { recordText } from "../../provider/dns";
import { isError } from "../../provider/problems";
import { cli, inFolder, type CliRun } from "./run";

type Files = Record<string, string>;

async function converted(
  files: Files,
  tell: (run: CliRun, folder: string) => void | Promise<void>,
  args: readonly string[] = [],
  named: readonly string[] = Object.keys(files),
) {
  await inFolder(async (folder) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const paths = named.map((name) => join(folder, name));
    const run = await cli(["convert", "--from", "octodns", "--out", join(folder, "out"), ...args, ...paths]);
    const local = (text: string) => text.replaceAll(`${folder}/`, "");
    await tell({ ...run, out: local(run.out), err: local(run.err) }, folder);
  });
}

const refusedWith =
  (...said: readonly RegExp[]) =>
  ({ code, err }: CliRun, folder: string) => {
    for (const each of said) match(err, each);
    deepEqual([code, existsSync(join(folder, "out"))], [1, false]);
  };

function declared(folder: string, domain: string) {
  const text = readFileSync(join(folder, "out", `${domain}.zone`), "utf8");
  const { records, problems } = readZoneFile(text, { file: domain, domain, defaultLine: "默认" });
  deepEqual(problems.filter(isError), []);
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
    converted({ "example.com.yaml": octodns }, (run, folder) => {
      equal(run.code, 0, run.err);
      deepEqual(declared(folder, "example.com").sort(), [
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
      match(run.err, /in the file as comments:\n {2}1: the service keeps the NS records of the apex itself/);
      match(
        run.err,
        /new Zone\("example\.com", \{ domain: "example\.com", file: "[^"]*\/example\.com\.zone" \}, \{ protect: true \}\);/,
      );
    }));

  it("lists omitted parts", () =>
    converted(
      {
        "config/example.com.yaml": `a: { type: A, value: 192.0.2.1, octodns: { ignored: true } }
b: { type: A, value: '192.0.2.2', octodns: { excluded: [x] } }
'':
  - { type: ALIAS, value: example.org. }
  - { type: A, value: 192.0.2.9, geo: { EU: [192.0.2.8] } }
t: { type: TXT, value: '{zone_name}' }
`,
        "config/shared.yaml": "",
      },
      (run, folder) => {
        equal(run.code, 0, run.err);
        deepEqual(declared(folder, "example.com"), [
          "example.com. A 192.0.2.9 900",
          "b.example.com. A 192.0.2.2 900",
          't.example.com. TXT "{zone_name}" 900',
        ]);
        deepEqual(
          [...run.err.matchAll(/^note: config\/(\S+?)(?::\d+)?: (.*)$/gm)].map(([, at, note]) => [at, note]),
          [
            ["example.com.yaml:1", "a A: left out, since it is ignored"],
            ["example.com.yaml:2", "b A: octodns.excluded is not converted"],
            ["example.com.yaml:4", "@ ALIAS: left out, since the service does not have this type"],
            ["example.com.yaml:5", "@ A: geo is not converted"],
            ["example.com.yaml:6", "t TXT: braces stay; replace a template by hand"],
            ["shared.yaml", "not read, since it is not a zone of octoDNS"],
          ],
        );
      },
      ["--ttl", "900"],
      ["config"],
    ));

  it("notes the marks of other tools in comments", () =>
    converted(
      {
        "example.com.yaml":
          "# disabled: true\na: { type: A, value: 192.0.2.1 } # cf_tags=cf-proxied:true\nb: { type: TXT, value: 'c#disabled:true' }\n",
      },
      ({ code, err }) => {
        equal(code, 0, err);
        deepEqual(
          [...err.matchAll(/^note: (\S+): (.*)$/gm)].map(([, at, note]) => [at, note]),
          [
            ["example.com.yaml:1:1", "a comment marks a record as disabled, but the record is declared"],
            ["example.com.yaml:2:34", "Cloudflare's mark cf_tags has no effect here"],
          ],
        );
      },
    ));

  it("reports all problems of all files with their positions, and then writes nothing", () =>
    converted(
      {
        "example.com.yaml":
          "a:\n  type: A\n  value: 192.0.2.256\nb:\n  type: MX\n  value: mx1.example.org.\nc: { type: CNAME, value: a.example.com. }\nd: { ttl: 60 }\n",
        "example.net.yaml": "a: [\n",
        "flow.example.yaml": "{\na: @x,\nb: { type: A }\n}\n",
        "closing.example.yaml": "a:\n  type: A\n  values: [\n    192.0.2.1\n  ]\n",
        "example.org.yaml": "a: @x\n\nb: { type: A, value: 192.0.2.1 }\n\nc: `y\n",
        "local.yaml": "a: { type: A, value: 192.0.2.1 }\n",
      },
      refusedWith(
        /example\.com\.yaml:3:10: value: "192\.0\.2\.256" is not an IPv4 address/,
        /example\.com\.yaml:6:10: b MX: the value has no preference that is a whole number/,
        /example\.com\.yaml:8:\d+: d: a record needs a type/,
        /example\.net\.yaml:2:1: cannot be read/,
        /flow\.example\.yaml:2:4: cannot be read/,
        /closing\.example\.yaml:5:3: cannot be read: .*; indent a closing bracket further than its name/,
        /local\.yaml: the zone is not certain/,
        /example\.org\.yaml:1:4: cannot be read/,
        /example\.org\.yaml:5:4: cannot be read/,
        /9 problems; nothing was written/,
      ),
    ));

  for (const [path, named, said] of [
    ["config/www.yaml", "config/www.yaml", /www\.yaml: the zone is not certain/],
    ["config/$example.com.yaml", "config/$example.com.yaml", /the zone is not certain/],
    ...["example.com.d/www.sub.de.yaml", "example.com.d"].map(
      (named) =>
        ["example.com.d/www.sub.de.yaml", named, /certain; if it is www\.sub\.de, add --zone/] as const,
    ),
    ["config/example.com./www.yaml", "config", /example\.com\.: a split folder is not read; `octodns-dump`/],
    ["config/example.com.yml", "config/example.com.yml", /the zone is not certain/],
    ...["etcd.io._0_base", "example.com.bak", "config.production"].flatMap((zone) =>
      [`config/${zone}.yaml`, "config"].map((path) => {
        const said = new RegExp(
          `config/${zone}.yaml: the zone is not certain; if it is ${zone}, add --zone ${zone}`,
        );
        return [`config/${zone}.yaml`, path, said] as const;
      }),
    ),
    ["config/shared.yaml", "config", /config: no zone of octoDNS is in this folder/],
  ] as const)
    it(`refuses ${named} with ${path}, whose zone is not certain`, () =>
      converted({ [path]: "a: { type: A, value: 192.0.2.1 }\n" }, refusedWith(said), [], [named]));

  it("reads zones of countries, of known and internationalised domains, and those that --zone names", () =>
    converted(
      Object.fromEntries(
        [
          "example.cc",
          "a.example.xyz",
          "例子.中国",
          "2.0.192.in-addr.arpa",
          "corp.internal",
          "b.internal",
        ].map((zone) => [`config/${zone}.yaml`, "a: { type: A, value: 192.0.2.1 }\n"]),
      ),
      (run, folder) => {
        equal(run.code, 0, run.err);
        equal(readdirSync(join(folder, "out")).length, 6);
      },
      ["--zone", "Corp.internal.", "--zone", "b.internal"],
      ["config"],
    ));

  for (const named of ["my.zones", "my.zones/example.com.yaml"])
    it(`reads a zone that --zone names in a folder with a dot: ${named}`, () =>
      converted(
        { "my.zones/example.com.yaml": "a: { type: A, value: 192.0.2.1 }\n" },
        (run) => equal(run.code, 0, run.err),
        ["--zone", "example.com"],
        [named],
      ));

  it("refuses the constructs of YAML that octoDNS resolves by itself, and names that may be relative", () =>
    converted(
      {
        "example.com.yaml": `a: { type: TXT, value: !include secret.yaml }
b: { <<: { type: A }, value: 192.0.2.1 }
c: *none
d: { type: CNAME, value: web.example.org }
`,
        "example.org.yaml": "d: { type: CNAME, value: web.example.org }\n",
      },
      refusedWith(
        /^error: example\.com\.yaml:1:\d+: the tag !include is not read here; `octodns-dump` writes/m,
        /^error: example\.com\.yaml:2:\d+: << is not read here/m,
        /^error: example\.com\.yaml:3:\d+: \*none stands for nothing before it/m,
        /^error: example\.org\.yaml:1:\d+: d CNAME: "web\.example\.org" has no dot at its end/m,
      ),
    ));

  const list = (count: number, item: (index: number) => string) =>
    Array.from({ length: count }, (_, n) => item(n));
  const records = `r: &r [${list(2000, (n) => `{ type: T${n} }`).join(", ")}]\n`;
  const bombs = {
    "of a long list": records + list(4000, (n) => `n${n}: *r\n`).join(""),
    "of aliases of aliases": [
      "a0: &a0 [x, x, x, x, x, x, x, x, x]",
      ...list(12, (n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`),
    ].join("\n"),
  };
  for (const [what, text] of Object.entries(bombs))
    it(`refuses many aliases ${what}, without expanding them`, () =>
      converted(
        { "example.com.yaml": text },
        refusedWith(
          /^error: example\.com\.yaml:1:1: its aliases stand for over 100,000 values/m,
          /1 problem;/,
        ),
      ));

  it("reads aliases of a shared list", () =>
    converted(
      {
        "example.com.yaml": `a: &a [{ type: A, values: &v [192.0.2.1, 192.0.2.2] }]\n${list(99, (n) => `n${n}: *a\n`).join("")}`,
      },
      (run, folder) => {
        equal(run.code, 0, run.err);
        equal(declared(folder, "example.com").length, 200);
      },
    ));

  it("overwrites nothing without --force, and reports that as JSON", async () => {
    const zone = "out/example.com.zone";
    const files = { "example.com.yaml": "a: { type: A, value: 192.0.2.1 }\n", [zone]: "mine\n" };
    const named = ["example.com.yaml"];
    const kept = ({ code, out }: CliRun, folder: string) => {
      const { ok: isOk, zones, problems } = JSON.parse(out) as Record<string, unknown>;
      deepEqual(
        [code, isOk, zones, problems],
        [
          1,
          false,
          [],
          [
            `--out: ${zone} already exists [output.exists]\n  help: overwrite it: --force\n  help: write another file: --out`,
          ],
        ],
      );
      equal(readFileSync(join(folder, zone), "utf8"), "mine\n");
    };
    await converted(files, kept, ["--json"], named);
    const written = ({ code, out }: CliRun, folder: string) => {
      const { zones } = JSON.parse(out) as Record<string, unknown>;
      deepEqual([code, zones], [0, [{ domain: "example.com", file: zone, records: 1, comments: [] }]]);
      deepEqual(readdirSync(join(folder, "out")), ["example.com.zone"]);
    };
    await converted(files, written, ["--json", "--force"], named);
  });

  it("reports the problems of its arguments", async () => {
    for (const [args, said] of [
      [["--from", "bind", "x"], /--from <tool>.*bind.*\n.*octodns/],
      [["--from", "octodns", "none.yaml"], /none\.yaml: there is no such file/],
    ] as const) {
      const run = await cli(["convert", ...args]);
      equal(run.code, 1);
      match(run.err, said);
    }
  });
});

interface RecordedCase {
  readonly title: string;
  readonly files: Files;
  readonly deployed?: readonly string[];
}

describe("convert, compared with octoDNS 1.18,", () => {
  const recorded = JSON.parse(readFileSync(join(__dirname, "fixtures", "octodns-1.18.json"), "utf8")) as {
    readonly cases: readonly RecordedCase[];
  };
  const refusedHere: ReadonlySet<string> = new Set([
    "a name is << in quotes",
    "a name is octal",
    "TTLs are octal, in base 60, hexadecimal, and in quotes",
    "a map merges another",
  ]);

  for (const { title, files, deployed } of recorded.cases) {
    const isRead = deployed !== undefined && !refusedHere.has(title);
    it(`${isRead ? "reads the records that octoDNS deploys" : "refuses the files"} if ${title}`, () =>
      converted(
        Object.fromEntries(Object.entries(files).map(([name, text]) => [`config/${name}`, text])),
        (run, folder) => {
          equal(run.code, isRead ? 0 : 1, run.err);
          if (isRead) deepEqual(declared(folder, "example.com").sort(), deployed);
          else match(run.err, /^error: config\S*?(:\d+:\d+)?: /m);
        },
        [],
        ["config"],
      ));
  }
});
