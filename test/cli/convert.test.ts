import { deepEqual, equal, fail, match } from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readZoneFile } from "../../provider/dns/zone-file";
import { recordText } from "../../provider/dns";
import { isError } from "../../provider/problems";
import { cli, inFolder, refuses, write, type Files } from "./run";

const one = "a: { type: A, value: 192.0.2.1 }\n";

/** @returns the run, and the files that it leaves in its folder for zones, if that exists */
const converted = (
  files: Files,
  args: readonly string[] = [],
  named: readonly string[] = Object.keys(files),
) =>
  inFolder(async (folder) => {
    write(folder, files);
    const zones = join(folder, "out");
    const paths = named.map((name) => join(folder, name));
    const run = await cli(["convert", "--from", "octodns", "--out", zones, ...args, ...paths]);
    const local = (text: string) => text.replaceAll(`${folder}/`, "");
    const filesIn = (path: string) =>
      new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name), "utf8")]));
    const written = existsSync(zones) ? filesIn(zones) : undefined;
    return { code: run.code, out: local(run.out), err: local(run.err), written };
  });

async function reads(...args: Parameters<typeof converted>) {
  const run = await converted(...args);
  equal(run.code, 0, run.err);
  return run;
}

/** Refuses the files, with the place and the code of each problem. */
async function refusesFiles(problems: readonly string[], ...args: Parameters<typeof converted>) {
  const { code, err, written } = await converted(...args);
  const found = [...err.matchAll(/^error: (\S+): .* \[([\w.]+)\]$/gm)].map(
    ([, place, of]) => `${place} ${of}`,
  );
  deepEqual([code, found, written], [1, problems, undefined], err);
  return err;
}

/** The records in the zone file of example.com. */
function recordsOf({ written }: Awaited<ReturnType<typeof converted>>) {
  const text = written?.get("example.com.zone") ?? fail("no zone file");
  const options = { file: "a", domain: "example.com", defaultLine: "默认" };
  const { records, problems } = readZoneFile(text, options);
  deepEqual(problems.filter(isError), []);
  return records.map((record) => `${recordText(record)} ${String(record.ttl)}`);
}

const notesIn = (err: string) => [...err.matchAll(/^note: (.*)$/gm)].map(([, note]) => note);

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
  it("writes every type that the service has, with lists, escapes and the default TTL", async () => {
    const run = await reads({ "example.com.yaml": octodns });
    deepEqual(recordsOf(run).sort(), [
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
  });

  it("lists omitted parts", async () => {
    const files = {
      "config/example.com.yaml": `a: { type: A, value: 192.0.2.1, octodns: { ignored: true } }
b: { type: A, value: '192.0.2.2', octodns: { excluded: [x] } }
'':
  - { type: ALIAS, value: example.org. }
  - { type: A, value: 192.0.2.9, geo: { EU: [192.0.2.8] } }
t: { type: TXT, value: '{zone_name}' }
`,
      "config/shared.yaml": "",
    };
    const run = await reads(files, ["--ttl", "900"], ["config"]);
    deepEqual(recordsOf(run), [
      "example.com. A 192.0.2.9 900",
      "b.example.com. A 192.0.2.2 900",
      't.example.com. TXT "{zone_name}" 900',
    ]);
    deepEqual(notesIn(run.err), [
      "config/example.com.yaml:1:53: a A: left out, since it is ignored",
      "config/example.com.yaml:2:46: b A: octodns.excluded is not converted",
      "config/example.com.yaml:4:5: @ ALIAS: left out, since the service does not have this type",
      "config/example.com.yaml:5:34: @ A: geo is not converted",
      "config/example.com.yaml:6:24: t TXT: braces stay; replace a template by hand",
      "config/shared.yaml: not read, since it is not a zone of octoDNS",
    ]);
  });

  it("notes the marks of other tools in comments", async () => {
    const { err } = await reads({
      "example.com.yaml": `# disabled: true
a: { type: A, value: 192.0.2.1 } # cf_tags=cf-proxied:true
b: { type: TXT, value: 'c#disabled:true' }
`,
    });
    deepEqual(notesIn(err), [
      "example.com.yaml:1:1: a comment marks a record as disabled, but the record is declared",
      "example.com.yaml:2:34: Cloudflare's mark cf_tags has no effect here",
    ]);
  });

  it("reports all problems of all files with their positions, and then writes nothing", async () => {
    const err = await refusesFiles(
      [
        "example.com.yaml:6:10 convert.unfit",
        "example.com.yaml:8:4 convert.unfit",
        "example.net.yaml:2:1 convert.unfit",
        "flow.example.yaml:2:4 convert.unfit",
        "closing.example.yaml:5:3 convert.unfit",
        "example.org.yaml:1:4 convert.unfit",
        "example.org.yaml:5:4 convert.unfit",
        "local.yaml convert.unfit",
        "example.com.yaml:3:10 address.unfit",
      ],
      {
        "example.com.yaml":
          "a:\n  type: A\n  value: 192.0.2.256\nb:\n  type: MX\n  value: mx1.example.org.\nc: { type: CNAME, value: a.example.com. }\nd: { ttl: 60 }\n",
        "example.net.yaml": "a: [\n",
        "flow.example.yaml": "{\na: @x,\nb: { type: A }\n}\n",
        "closing.example.yaml": "a:\n  type: A\n  values: [\n    192.0.2.1\n  ]\n",
        "example.org.yaml": "a: @x\n\nb: { type: A, value: 192.0.2.1 }\n\nc: `y\n",
        "local.yaml": one,
      },
    );
    match(err, /5:3: .*; indent a closing bracket further than its name/);
    match(err, /^9 problems; nothing was written$/m);
  });

  const others = ["etcd.io._0_base", "example.com.bak", "config.production"].flatMap((zone) =>
    [`config/${zone}.yaml`, "config"].map((named) => ({ file: `config/${zone}.yaml`, named, zone })),
  );
  const split = "example.com.d/www.sub.de.yaml";
  const uncertain: readonly { file: string; named?: string; places?: readonly string[]; zone?: string }[] = [
    { file: "config/www.yaml" },
    { file: "config/$example.com.yaml" },
    { file: "config/example.com.yml" },
    { file: split, zone: "www.sub.de" },
    { file: split, named: "example.com.d", zone: "www.sub.de" },
    { file: "config/example.com./www.yaml", named: "config", places: ["config/example.com.", "config"] },
    { file: "config/shared.yaml", named: "config", places: ["config"] },
    ...others,
  ];
  for (const { file, named = file, places = [file], zone } of uncertain)
    it(`refuses ${named} with ${file}, whose zone is not certain`, async () => {
      const problems = places.map((place) => `${place} convert.unfit`);
      const err = await refusesFiles(problems, { [file]: one }, [], [named]);
      equal(/if it is (\S+), add --zone \1 /.exec(err)?.[1], zone);
    });

  it("reads zones of countries, of known and internationalised domains, and those that --zone names", async () => {
    const zones = [
      "example.cc",
      "a.example.xyz",
      "例子.中国",
      "2.0.192.in-addr.arpa",
      "corp.internal",
      "b.internal",
    ];
    const files = Object.fromEntries(zones.map((zone) => [`config/${zone}.yaml`, one]));
    const { written } = await reads(files, ["--zone", "Corp.internal.", "--zone", "b.internal"], ["config"]);
    equal(written?.size, 6);
  });

  for (const named of ["my.zones", "my.zones/example.com.yaml"])
    it(`reads a zone that --zone names in a folder with a dot: ${named}`, () =>
      reads({ "my.zones/example.com.yaml": one }, ["--zone", "example.com"], [named]));

  it("refuses the constructs of YAML that octoDNS resolves by itself, and names that may be relative", () =>
    refusesFiles(
      ["com.yaml:1:33", "com.yaml:2:6", "com.yaml:3:4", "org.yaml:1:26"].map(
        (place) => `example.${place} convert.unfit`,
      ),
      {
        "example.com.yaml": `a: { type: TXT, value: !include secret.yaml }
b: { <<: { type: A }, value: 192.0.2.1 }
c: *none
d: { type: CNAME, value: web.example.org }
`,
        "example.org.yaml": "d: { type: CNAME, value: web.example.org }\n",
      },
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
      refusesFiles(["example.com.yaml:1:1 convert.unfit"], { "example.com.yaml": text }));

  it("reads aliases of a shared list", async () => {
    const aliases = list(99, (n) => `n${n}: *a\n`).join("");
    const run = await reads({
      "example.com.yaml": `a: &a [{ type: A, values: &v [192.0.2.1, 192.0.2.2] }]\n${aliases}`,
    });
    equal(recordsOf(run).length, 200);
  });

  it("overwrites nothing without --force, and reports that as JSON", async () => {
    const zone = "out/example.com.zone";
    const files = { "example.com.yaml": one, [zone]: "mine\n" };
    const run = async (...args: string[]) => {
      const { code, out, written } = await converted(files, ["--json", ...args], ["example.com.yaml"]);
      return { code, written, ...JSON.parse(out) };
    };
    const refused = await run();
    deepEqual([refused.code, refused.ok, refused.zones, refused.problems.length], [1, false, [], 1]);
    match(refused.problems[0], /out\/example\.com\.zone .* \[output\.exists\]\n/);
    deepEqual(refused.written, new Map([["example.com.zone", "mine\n"]]));
    const forced = await run("--force");
    deepEqual(
      [forced.code, forced.zones],
      [0, [{ domain: "example.com", file: zone, records: 1, comments: [] }]],
    );
    deepEqual(recordsOf(forced), ["a.example.com. A 192.0.2.1 3600"]);
  });

  refuses("convert", {
    "another tool": [["--from", "bind", "x"], "command.usage", "'bind'", " octodns"],
    "a missing file": [["--from", "octodns", "none.yaml"], "convert.unfit", "none.yaml"],
  });
});

describe("convert, compared with octoDNS 1.18,", () => {
  const recorded = JSON.parse(readFileSync(join(__dirname, "fixtures", "octodns-1.18.json"), "utf8")) as {
    /** Each of example.com. */
    readonly cases: readonly {
      readonly title: string;
      readonly file: string;
      readonly deployed?: string[];
    }[];
  };
  const refusedHere: ReadonlySet<string> = new Set([
    "a name is << in quotes",
    "a name is octal",
    "TTLs are octal, in base 60, hexadecimal, and in quotes",
    "a map merges another",
  ]);

  for (const { title, file, deployed } of recorded.cases) {
    const isRead = deployed !== undefined && !refusedHere.has(title);
    it(`${isRead ? "reads the records that octoDNS deploys" : "refuses the file"} if ${title}`, async () => {
      const run = await converted({ "config/example.com.yaml": file }, [], ["config"]);
      equal(run.code, isRead ? 0 : 1, run.err);
      if (isRead) deepEqual(recordsOf(run).sort(), deployed);
      else match(run.err, /^error: config\S*?(:\d+:\d+)?: /m);
    });
  }
});
