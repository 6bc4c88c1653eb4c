import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { cli, codesIn, inFolder, write, type CliRun, type Files } from "./run";

/** @param args paths that begin with `./` are in the folder of the files */
const checked = (files: Files, args: readonly string[], env: Files = {}): Promise<CliRun> =>
  inFolder(async (given) => {
    const folder = realpathSync(given);
    write(folder, files);
    const placed = args.map((arg) => (arg.startsWith(".") ? join(folder, arg) : arg));
    const run = await cli(["check", ...placed], { GITHUB_WORKSPACE: folder, ...env });
    const local = (text: string) => text.replaceAll(`${folder}/`, "").replaceAll(folder, ".");
    return { ...run, out: local(run.out), err: local(run.err) };
  });

interface Report {
  readonly findings: readonly {
    readonly level: string;
    readonly code: string | null;
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly message: string;
    readonly details: readonly string[];
  }[];
  readonly zones: readonly { readonly domain: string; readonly file: string; readonly records: number }[];
}

/** The report on the files, or on the paths among `args`. */
async function reported(files: Files, args = Object.keys(files).map((name) => `./${name}`), env: Files = {}) {
  const { code, out } = await checked(files, ["--json", ...args], env);
  const { findings, zones } = JSON.parse(out) as Report;
  return {
    code,
    findings,
    places: findings.map(
      ({ level, code, file, line, column }) => `${file}:${line}:${column} ${level} ${code ?? "-"}`,
    ),
    zones: zones.map(({ file, domain, records }) => `${file} ${domain} ${records}`),
  };
}

const bind = `$ORIGIN example.com.
@ 600 IN SOA ns1 hostmaster 1 2h 15m 1w2d 5m
@ IN NS ns1.service.example.
www A 192.0.2.1
`;
const www = "www A 192.0.2.1\n";
const octodns = "www: { type: A, value: 192.0.2.1 }\n";
const inFormOf = (name: string) => (/ya?ml$/.test(name) ? octodns : www);

describe("check", () => {
  it("shows that SOA and apex NS of a zone in BIND's form are passed over, and ends with 0", async () => {
    const { code, out, err } = await checked({ "example.com.zone": bind }, ["./example.com.zone"]);
    deepEqual(
      out.split("\n").map((line) => line.split(":").slice(0, 4).join(":")),
      ["example.com.zone:2:1: note", "example.com.zone:3:1: note", ""],
    );
    match(out, /SOA[^]*ns1\.service\.example\./);
    deepEqual([code, err], [0, "1 zone, 1 record: 0 errors, 0 warnings, 2 notes\n"]);
  });

  it("reports all errors and zone checks of a zone file and its included files, at their places", async () => {
    const files = {
      "zones/example.com.zone":
        "www A 1.2.3\n@ MX 10 mail\n$INCLUDE parts/hosts.inc\nmail CNAME www\na CNAME www\na A 192.0.2.1\n",
      "zones/parts/hosts.inc": "ftp A 192.0.2.1\n x AA 192.0.2.1\nold A 10.0.0.1\n",
      "Pulumi.yaml": "",
    };
    const { code, places } = await reported(files, ["./zones/example.com.zone"]);
    deepEqual(places, [
      "zones/example.com.zone:1:7 error address.unfit",
      "zones/example.com.zone:2:1 warning mx-cname",
      "zones/example.com.zone:5:1 error cname.beside",
      "zones/parts/hosts.inc:2:2 error type.unknown",
      "zones/parts/hosts.inc:3:1 warning private-address",
    ]);
    equal(code, 1);
  });

  it("reports all errors, zone checks and notes of an octoDNS file, at their places", async () => {
    const text = `'':
  - { type: NS, values: [ns1.example.org.] }
  - type: MX
    values:
      - { preference: 10, exchange: mail.example.com. }
mail: { type: CNAME, value: www.example.com. }
www: { type: A, values: [192.0.2.1, 10.0.0.1, 192.0.2.300] }
x: { type: ALIAS, value: example.org. }
w: { value: 192.0.2.1 }
z:
  - { type: A, value: 192.0.2.1 }
  - { type: CNAME, value: example.org. }
`;
    const { findings, places } = await reported({ "example.com.yaml": text });
    deepEqual(places, [
      "example.com.yaml:2:26 note -",
      "example.com.yaml:5:9 warning mx-cname",
      "example.com.yaml:7:37 warning private-address",
      "example.com.yaml:7:47 error address.unfit",
      "example.com.yaml:8:4 note -",
      "example.com.yaml:9:4 error convert.unfit",
      "example.com.yaml:12:27 error cname.beside",
    ]);
    equal(findings.at(-1)?.details[0], "z.example.com. A 192.0.2.1  example.com.yaml:11:23");
  });

  it("reports missing names of a whole zone, and none beside an error", async () => {
    const zone = "@ MX 10 mail\n";
    const { code, places } = await reported({ "example.com.zone": zone });
    deepEqual([code, places], [0, ["example.com.zone:1:1 warning mx-missing"]]);
    const faulty = await reported({ "example.com.zone": `${zone}mail A 192.0.2\n` });
    deepEqual(faulty.places, ["example.com.zone:2:8 error address.unfit"]);
  });

  it("takes the zone from the file's name, if that is certain", async () => {
    const certain = [
      ...["example.com", "example.zone", "db.com", "xn--fsqu00a.xn--0zwm56d"].map((name) => [name, name]),
      ...["Example.COM.zone", "db.example.com", "example.com.yaml", "example.com.yml"].map((name) => [
        name,
        "example.com",
      ]),
      ...["example.com", "example.unusual", "db.example.com"].map((domain) => [`${domain}.zone`, domain]),
    ];
    for (const [name = "", domain = ""] of certain) {
      const { code, zones } = await reported({ [name]: inFormOf(name) });
      deepEqual([code, zones], [0, [`${name} ${domain} 1`]]);
    }
  });

  it("reports a file whose zone is not certain, and reads it with --zone", async () => {
    for (const name of [
      ...["main.txt", "zone", "com.yaml", "example.com.bak", "db.config.production", "example.unusual"],
      ...["etcd.io._0_base.zone", "Pulumi.prod.yaml", "example.com.d/www.example.com.yaml"],
    ]) {
      const files = { [name]: inFormOf(name) };
      const { code, places } = await reported(files);
      deepEqual([code, places], [1, [`${name}:1:1 error check.zone`]]);
      const named = await reported(files, ["--zone", "Example.com.", `./${name}`]);
      deepEqual([named.code, named.zones], [0, [`${name} example.com 1`]]);
    }
    for (const paths of [["./a.txt", "./b.txt"], ["./"]]) {
      const files = { "a.txt": www, "b.txt": www };
      const { code, out, err } = await checked(files, ["--zone", "example.com", ...paths]);
      deepEqual([code, out, codesIn(err)], [1, "", ["command.usage"]]);
    }
  });

  it("reads the zones of a folder without its subfolders, and names the files that it does not read", async () => {
    const folder = (files: Files) => reported(files, ["./"]);
    const zones = {
      "db.example.org": www,
      "db.example.id": www,
      "example.com.zone": `${www}@ A 192.0.2.2`,
      "example.net.yaml": octodns,
    };
    const others = {
      "README.md": "# Zones",
      "Pulumi.prod.yaml": "config: {}",
      "common.yaml": "",
      Makefile: "",
    };
    const rest = { ".hidden.com": "?", "old/example.com.zone": "?", "example.com.d/www.yaml": "?" };
    const read = await folder({ ...zones, ...others, ...rest });
    deepEqual(read.zones, [
      "db.example.id example.id 1",
      "db.example.org example.org 1",
      "example.com.zone example.com 2",
      "example.net.yaml example.net 1",
    ]);
    deepEqual(
      read.findings.map(({ level, message }) => `${level} ${message}`),
      ["note not read: Makefile, Pulumi.prod.yaml, README.md, common.yaml"],
    );
    equal(read.code, 0);
    for (const name of ["etcd.io._0_base.yaml", "_x.example.com.zone"]) {
      const { code, places } = await folder({ ...zones, [name]: "" });
      deepEqual([code, places], [1, [`${name}:1:1 error check.zone`]]);
    }
    for (const files of [others, {}]) {
      const { code, findings } = await folder(files as Files);
      deepEqual([code, findings.at(-1)?.code], [1, "check.nothing"]);
    }
    const { code, places } = await reported({}, ["./none"]);
    deepEqual([code, places], [1, ["none:1:1 error path.missing"]]);
  });

  it("takes the levels of zone checks from the environment; `refuse` is an error", async () => {
    const files = { "example.com.zone": "@ MX 10 mail\nold A 10.0.0.1" };
    for (const [levels, expected, found] of [
      ["refuse", 1, ["error mx-missing", "error private-address"]],
      ["mx-missing=refuse", 1, ["error mx-missing", "warning private-address"]],
      ["note", 0, ["note mx-missing", "note private-address"]],
      ["off, mx-single=warn", 0, ["warning mx-single"]],
    ] as const) {
      const { code, places } = await reported(files, undefined, { LEGACYDNS_CHECKS: levels });
      deepEqual([code, places.map((place) => place.replace(/^\S+ /, ""))], [expected, found], levels);
    }
    const wrong = await checked(files, ["./example.com.zone"], { LEGACYDNS_CHECKS: "loud" });
    deepEqual([wrong.code, codesIn(wrong.err)], [1, ["value.unfit"]]);
  });

  it("lists every error of a file, and the hint at a file of $GENERATE lines only", async () => {
    const broken = Array.from({ length: 150 }, (_, i) => `h${i} A x\n`).join("");
    const files = { "a.example.zone": broken, "b.example.zone": "$GENERATE 1-9 h$ A 192.0.2.$\n" };
    const codes = (await reported(files)).findings.map(({ code }) => code);
    deepEqual([codes.length, new Set(codes)], [151, new Set(["address.unfit", "word.unknown"])]);
  });

  it("needs no settings: neither a token nor an address is read", async () => {
    const wrong = { LEGACYDNS_BASE_URL: "not an address", LEGACYDNS_LOGIN_TOKEN: "not a token" };
    const { code, out } = await checked({ "example.com.zone": www }, ["./example.com.zone"], wrong);
    deepEqual([code, out], [0, ""]);
  });

  it("names the default line as the environment does", async () => {
    const files = { "example.com.zone": "www A 192.0.2.1 ; line=other\nwww A 192.0.2.1" };
    const { places } = await reported(files, undefined, { LEGACYDNS_DEFAULT_LINE: "other" });
    deepEqual(places, ["example.com.zone:2:1 error record.twice"]);
  });

  it("prints a help once, below the first finding that has it", async () => {
    const files = { "example.com.zone": "a A 1.2\nb A 1.3\n" };
    const { out } = await checked(files, ["./example.com.zone"]);
    deepEqual([out.match(/\[address\.unfit\]/g)?.length, out.match(/^ {2}help: /gm)?.length], [2, 1]);
  });

  it("writes annotations of GitHub with its escapes, and files as GitHub names them", async () => {
    const name = "zones/a,b:100%.txt";
    const args = ["--format", "github", "--zone", "example.com", `./${name}`];
    const { code, out } = await checked({ [name]: `${bind}x A 1.2.3\n@ MX 10 x%\n` }, args);
    const heads = out
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/(?<=title=\S+)::.*/, ""));
    const at = "file=zones/a%2Cb%3A100%25.txt,line=";
    deepEqual(
      [code, ...heads],
      [
        1,
        `::notice ${at}2,col=1,title=note`,
        `::notice ${at}3,col=1,title=note`,
        `::error ${at}5,col=5,title=address.unfit`,
        `::error ${at}6,col=9,title=label.unfit`,
      ],
    );
    match(out, /::"1\.2\.3" is not an IPv4 address%0Ahelp: /);
    match(out, /x%25/);
  });

  it("keeps a hostile file's text from the beginning of a line", async () => {
    const hostile = "a\n::error::EVIL\u001b[31m";
    const text = JSON.stringify({
      [hostile]: { type: "ALIAS", value: "x." },
      [`${hostile}b`]: { value: "x" },
    });
    for (const format of ["text", "github"]) {
      const args = ["--format", format, "./example.com.yaml"];
      const { code, out } = await checked({ "example.com.yaml": text }, args);
      equal(code, 1);
      match(out, /evil/);
      doesNotMatch(out, /^\s*::error::|\u001b/m);
    }
  });
});
