import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cli, inFolder, type CliRun } from "./run";

type Files = Readonly<Record<string, string>>;

interface Finding {
  readonly level: string;
  readonly code: string | null;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly details: readonly string[];
}

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** @param args paths that begin with `./` are in the folder */
async function checked(
  files: Files,
  args: readonly string[],
  tell: (run: CliRun, folder: string) => void | Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await inFolder(async (given) => {
    const folder = realpathSync(given);
    write(folder, files);
    const placed = args.map((arg) => (arg.startsWith(".") ? join(folder, arg) : arg));
    const set = Object.entries(env).map(([name, value]) => [name, value.replace("FOLDER", folder)]);
    const run = await cli(["check", ...placed], Object.fromEntries(set) as Record<string, string>);
    const local = (text: string) => text.replaceAll(`${folder}/`, "").replaceAll(folder, ".");
    await tell({ ...run, out: local(run.out), err: local(run.err) }, folder);
  });
}

const findingsIn = ({ out }: CliRun) => (JSON.parse(out) as { findings: Finding[] }).findings;
const places = (run: CliRun) =>
  findingsIn(run).map(
    ({ level, code, file, line, column }) => `${file}:${line}:${column} ${level} ${code ?? "-"}`,
  );
type Zones = { domain: string; file: string; records: number }[];
const zonesIn = ({ out }: CliRun) =>
  (JSON.parse(out) as { zones: Zones }).zones.map((each) => `${each.file} ${each.domain} ${each.records}`);

const bind = `$ORIGIN example.com.
@ 600 IN SOA ns1 hostmaster 1 2h 15m 1w2d 5m
@ IN NS ns1.service.example.
www A 192.0.2.1
`;

describe("check", () => {
  it("shows that SOA and apex NS of a zone in BIND's form are passed over, and ends with 0", () =>
    checked({ "example.com.zone": bind }, ["./example.com.zone"], ({ code, out, err }) => {
      deepEqual(
        out.split("\n").map((line) => line.split(":").slice(0, 4).join(":")),
        ["example.com.zone:2:1: note", "example.com.zone:3:1: note", ""],
      );
      match(out, /SOA[^]*ns1\.service\.example\./);
      deepEqual([code, err], [0, "1 zone, 1 record: 0 errors, 0 warnings, 2 notes\n"]);
    }));

  it("reports all errors and zone checks of a zone file and its included files, at their places", () =>
    checked(
      {
        "zones/example.com.zone":
          "www A 1.2.3\n@ MX 10 mail\n$INCLUDE parts/hosts.inc\nmail CNAME www\na CNAME www\na A 192.0.2.1\n",
        "zones/parts/hosts.inc": "ftp A 192.0.2.1\n x AA 192.0.2.1\nold A 10.0.0.1\n",
        "Pulumi.yaml": "",
      },
      ["--json", "./zones/example.com.zone"],
      (run) => {
        deepEqual(places(run), [
          "zones/example.com.zone:1:7 error address.unfit",
          "zones/example.com.zone:2:1 warning mx-cname",
          "zones/example.com.zone:5:1 error cname.beside",
          "zones/parts/hosts.inc:2:2 error type.unknown",
          "zones/parts/hosts.inc:3:1 warning private-address",
        ]);
        equal(run.code, 1);
      },
    ));

  it("reports all errors, zone checks and notes of an octoDNS file, at their places", () =>
    checked(
      {
        "example.com.yaml": `'':
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
`,
      },
      ["--json", "./example.com.yaml"],
      (run) => {
        deepEqual(places(run), [
          "example.com.yaml:2:26 note -",
          "example.com.yaml:5:9 warning mx-cname",
          "example.com.yaml:7:37 warning private-address",
          "example.com.yaml:7:47 error address.unfit",
          "example.com.yaml:8:4 note -",
          "example.com.yaml:9:4 error convert.unfit",
          "example.com.yaml:12:27 error cname.beside",
        ]);
        const [beside] = findingsIn(run).at(-1)?.details ?? [];
        equal(beside, "z.example.com. A 192.0.2.1  example.com.yaml:11:23");
      },
    ));

  it("reports missing names of a whole zone, and none beside an error", async () => {
    const zone = "@ MX 10 mail\n";
    await checked({ "example.com.zone": zone }, ["--json", "./example.com.zone"], (run) => {
      deepEqual([run.code, places(run)], [0, ["example.com.zone:1:1 warning mx-missing"]]);
    });
    const faulty = `${zone}mail A 192.0.2\n`;
    await checked({ "example.com.zone": faulty }, ["--json", "./example.com.zone"], (run) => {
      deepEqual(places(run), ["example.com.zone:2:8 error address.unfit"]);
    });
  });

  it("takes the zone from the file's name, if that is certain", async () => {
    const octodns = "www: { type: A, value: 192.0.2.1 }\n";
    const certain = {
      "example.com.zone": "example.com",
      "Example.COM.zone": "example.com",
      "example.unusual.zone": "example.unusual",
      "db.example.com": "example.com",
      "db.example.com.zone": "db.example.com",
      "example.com": "example.com",
      "example.zone": "example.zone",
      "db.com": "db.com",
      "xn--fsqu00a.xn--0zwm56d": "xn--fsqu00a.xn--0zwm56d",
      "example.com.yaml": "example.com",
      "example.com.yml": "example.com",
    };
    for (const [name, domain] of Object.entries(certain)) {
      const text = /ya?ml$/.test(name) ? octodns : "www A 192.0.2.1\n";
      await checked({ [name]: text }, ["--json", `./${name}`], (run) => {
        deepEqual([run.code, zonesIn(run)], [0, [`${name} ${domain} 1`]], run.out);
      });
    }
  });

  it("reports a file whose zone is not certain, and reads it with --zone", async () => {
    const other = [
      "main.txt",
      "zone",
      "com.yaml",
      "example.com.bak",
      "db.config.production",
      "example.unusual",
    ];
    const split = "example.com.d/www.example.com.yaml";
    for (const name of [...other, "etcd.io._0_base.zone", "Pulumi.prod.yaml", split]) {
      const files = {
        [name]: name.endsWith("yaml") ? "www: { type: A, value: 192.0.2.1 }" : "www A 192.0.2.1",
      };
      await checked(files, ["--json", `./${name}`], (run) => {
        deepEqual([run.code, places(run)], [1, [`${name}:1:1 error check.zone`]]);
      });
      await checked(files, ["--json", "--zone", "Example.com.", `./${name}`], (run) => {
        deepEqual([run.code, zonesIn(run)], [0, [`${name} example.com 1`]], run.out);
      });
    }
    const files = { "a.txt": "www A 192.0.2.1", "b.txt": "www A 192.0.2.1" };
    for (const args of [["./a.txt", "./b.txt"], ["./"]])
      await checked(files, ["--zone", "example.com", ...args], ({ code, out, err }) => {
        deepEqual([code, out], [1, ""]);
        match(err, /\[command\.usage\]/);
      });
  });

  it("reads the zones of a folder without its subfolders, and names the files that it does not read", async () => {
    const zones = {
      "db.example.org": "www A 192.0.2.1",
      "db.example.id": "www A 192.0.2.1",
      "example.com.zone": "www A 192.0.2.1\n@ A 192.0.2.2",
      "example.net.yaml": "www: { type: A, value: 192.0.2.1 }",
    };
    const others = {
      "README.md": "# Zones",
      "Pulumi.prod.yaml": "config: {}",
      "common.yaml": "",
      Makefile: "",
    };
    const rest = { ".hidden.com": "?", "old/example.com.zone": "?", "example.com.d/www.yaml": "?" };
    await checked({ ...zones, ...others, ...rest }, ["--json", "./"], (run) => {
      deepEqual(zonesIn(run), [
        "db.example.id example.id 1",
        "db.example.org example.org 1",
        "example.com.zone example.com 2",
        "example.net.yaml example.net 1",
      ]);
      deepEqual(
        findingsIn(run).map(({ level, message }) => `${level} ${message}`),
        ["note not read: Makefile, Pulumi.prod.yaml, README.md, common.yaml"],
      );
      equal(run.code, 0);
    });
    for (const name of ["etcd.io._0_base.yaml", "_x.example.com.zone"])
      await checked({ ...zones, [name]: "" }, ["--json", "./"], (run) => {
        deepEqual([run.code, places(run)], [1, [`${name}:1:1 error check.zone`]]);
      });
    for (const [files, code] of [[others, "check.nothing"] as const, [{}, "check.nothing"] as const])
      await checked(files, ["--json", "./"], (run) => {
        deepEqual([run.code, findingsIn(run).at(-1)?.code], [1, code]);
      });
    await checked({}, ["--json", "./none"], (run) => {
      deepEqual([run.code, places(run)], [1, ["none:1:1 error path.missing"]]);
    });
  });

  it("takes the levels of zone checks from the environment; `refuse` is an error", async () => {
    const files = { "example.com.zone": "@ MX 10 mail\nold A 10.0.0.1" };
    const cases = [
      ["refuse", 1, ["error mx-missing", "error private-address"]],
      ["mx-missing=refuse", 1, ["error mx-missing", "warning private-address"]],
      ["note", 0, ["note mx-missing", "note private-address"]],
      ["off, mx-single=warn", 0, ["warning mx-single"]],
    ] as const;
    for (const [levels, code, found] of cases)
      await checked(
        files,
        ["--json", "./example.com.zone"],
        (run) => {
          deepEqual(
            [run.code, findingsIn(run).map(({ level, code }) => `${level} ${code ?? "-"}`)],
            [code, found],
            levels,
          );
        },
        { LEGACYDNS_CHECKS: levels },
      );
    await checked(
      files,
      ["./example.com.zone"],
      ({ code, err }) => {
        equal(code, 1);
        match(err, /^error: LEGACYDNS_CHECKS: .*\[value\.unfit\]/);
      },
      { LEGACYDNS_CHECKS: "loud" },
    );
  });

  it("lists every error of a file, and the hint at a file of $GENERATE lines only", () => {
    const broken = Array.from({ length: 150 }, (_, i) => `h${i} A x\n`).join("");
    return checked(
      { "a.example.zone": broken, "b.example.zone": "$GENERATE 1-9 h$ A 192.0.2.$\n" },
      ["--json", "./a.example.zone", "./b.example.zone"],
      (run) => {
        const codes = findingsIn(run).map((each) => each.code);
        deepEqual([codes.length, new Set(codes)], [151, new Set(["address.unfit", "word.unknown"])]);
      },
    );
  });

  it("needs no settings: neither a token nor an address is read", () =>
    checked(
      { "example.com.zone": "www A 192.0.2.1" },
      ["./example.com.zone"],
      ({ code, out }) => deepEqual([code, out], [0, ""]),
      {
        LEGACYDNS_BASE_URL: "not an address",
        LEGACYDNS_LOGIN_TOKEN: "not a token",
      },
    ));

  it("names the default line as the environment does", () =>
    checked(
      { "example.com.zone": "www A 192.0.2.1 ; line=other\nwww A 192.0.2.1" },
      ["--json", "./example.com.zone"],
      (run) => deepEqual(places(run), ["example.com.zone:2:1 error record.twice"]),
      { LEGACYDNS_DEFAULT_LINE: "other" },
    ));

  it("prints a help once, below the first finding that has it", () =>
    checked({ "example.com.zone": "a A 1.2\nb A 1.3\n" }, ["./example.com.zone"], ({ out }) => {
      deepEqual([out.match(/\[address\.unfit\]/g)?.length, out.match(/^ {2}help: /gm)?.length], [2, 1]);
    }));

  it("writes annotations of GitHub with its escapes, and files as GitHub names them", async () => {
    const name = "zones/a,b:100%.txt";
    const files = { [name]: `${bind}x A 1.2.3\n@ MX 10 x%\n` };
    const args = ["--format", "github", "--zone", "example.com", `./${name}`];
    const file = "zones/a%2Cb%3A100%25.txt";
    const heads = [
      `::notice file=${file},line=2,col=1,title=note::`,
      `::notice file=${file},line=3,col=1,title=note::`,
      `::error file=${file},line=5,col=5,title=address.unfit::`,
      `::error file=${file},line=6,col=`,
    ];
    const tell = ({ code, out }: CliRun) => {
      const lines = out.trimEnd().split("\n");
      deepEqual([code, lines.length], [1, heads.length]);
      for (const [index, head] of heads.entries()) equal(lines[index]?.slice(0, head.length), head);
      match(out, /::"1\.2\.3" is not an IPv4 address%0Ahelp: /);
      match(out, /x%25/);
    };
    await checked(files, args, tell, { GITHUB_WORKSPACE: "FOLDER" });
  });

  it("keeps a hostile file's text from the beginning of a line", async () => {
    const hostile = "a\n::error::EVIL\u001b[31m";
    const files = {
      "example.com.yaml": `${JSON.stringify(hostile)}: { type: ALIAS, value: x. }\n${JSON.stringify(`${hostile}b`)}: { value: x }\n`,
    };
    for (const format of ["text", "github"])
      await checked(files, ["--format", format, "./example.com.yaml"], ({ code, out }) => {
        equal(code, 1);
        match(out, /evil/);
        doesNotMatch(out, /^\s*::error::|\u001b/m);
      });
  });
});
