import { deepEqual, equal } from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { ZoneFileResult } from "../../provider/dns/zone-file";
import { loadZoneFile, repositoryRoot, type ZoneSourceOptions } from "../../provider/resources/zone-files";
import { zoneSource } from "../../provider/resources/zone-source";
import { renderAll, textOf } from "../../provider/problems";
import { fixtures, messages, shown } from "./support";

const secrets = Array.from({ length: 50 }, (_, i) => `hunter-${i}-s3cret`);
const lines = (line: (secret: string) => string) => secrets.map(line);
const quotes = ({ problems, notes }: ZoneFileResult) =>
  [...problems.map(textOf), ...notes.map(({ text }) => text)].join().includes("hunter");

describe("the source of a Zone", () => {
  it("has no apexNs but true or false", () => {
    const inputs = { domain: "example.com", text: "@ NS ns1.example.net.", apexNs: "yes" };
    const { errors } = zoneSource(inputs, { folder: ".", defaultLine: "默认" });
    deepEqual(renderAll(errors), ['apexNs: "yes" is not valid [word.unknown]\n  help: write true or false']);
  });
});

describe("a zone file on disk", () => {
  let outside: string;
  let root: string;

  beforeEach(() => {
    outside = realpathSync(mkdtempSync(join(tmpdir(), "zones-")));
    root = join(outside, "repository");
    mkdirSync(root);
  });
  afterEach(() => rmSync(outside, { recursive: true }));

  const write = (files: Record<string, string | Uint8Array>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  const load = (path: string, more: Partial<ZoneSourceOptions> = {}) =>
    loadZoneFile(path, { domain: "example.com", root, defaultLine: "默认", ...more });
  const said = (...given: Parameters<typeof load>) =>
    messages(load(...given)).map((message) => message.replaceAll(outside, "OUTSIDE"));

  it("includes others, each from its own folder, and takes origin and owner up again", () => {
    const result = load("nested/main.zone", { root: fixtures });
    deepEqual(messages(result), []);
    deepEqual(shown(result), [
      "300 www.example.com. A 192.0.2.1",
      "300 www.example.com. A 192.0.2.10",
      "300 printer.office.example.com. A 192.0.2.11",
      "60 bench.lab.office.example.com. A 192.0.2.13",
      "60 copier.office.example.com. A 192.0.2.12",
      "60 www.example.com. A 192.0.2.2",
      "60 mail.example.com. A 192.0.2.3",
    ]);
    deepEqual(result.records[3]?.position, { file: "nested/hosts/deep.zone", line: 3, column: 1 });
  });

  it("is seen from the program's folder, which may lie below the root", () => {
    write({
      "infra/zones/a.zone": "www A 192.0.2.1\n$INCLUDE b.zone",
      "infra/zones/b.zone": "w A 192.0.2.1",
    });
    const folder = join(root, "infra");
    deepEqual(
      load("zones/a.zone", { folder }).records.map(({ position }) => position.file),
      ["infra/zones/a.zone", "infra/zones/b.zone"],
    );
    equal(said("../../secret", { folder }).length, 1);
  });

  it("is found above the program's folder, in the Pulumi project or the repository, whichever is higher", () => {
    const folder = join(root, "infra/program");
    const rootWith = (...marks: string[]) => {
      rmSync(root, { recursive: true });
      for (const mark of ["zones/a.zone", "infra/program/index.ts", ...marks])
        write({ [mark]: "www A 192.0.2.1" });
      return relative(root, repositoryRoot(folder));
    };
    equal(rootWith(), "infra/program");
    for (const name of ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]) {
      equal(rootWith(`infra/${name}`), "infra");
      equal(rootWith(name), "");
    }
    equal(rootWith("Pulumi.yaml", "infra/.git"), "");
    equal(rootWith("Pulumi.yaml", "infra/Pulumi.yaml"), "infra");
    equal(rootWith(".git/HEAD", "infra/Pulumi.yaml"), "");
    const inputs = { domain: "example.com", file: "../../zones/a.zone" };
    const codes = () => zoneSource(inputs, { folder, defaultLine: "默认" }).errors.map(({ code }) => code);
    deepEqual(codes(), []);
    rootWith("infra/Pulumi.yaml");
    deepEqual(codes(), ["path.refused"]);
  });

  it("may be named by its whole path, and through symbolic links inside the root", () => {
    write({ "zones/a.zone": "www A 192.0.2.1" });
    symlinkSync("zones/a.zone", join(root, "link.zone"));
    equal(load(join(root, "zones/a.zone")).records.length, 1);
    equal(load("link.zone").records[0]?.position.file, "zones/a.zone");
    symlinkSync(root, join(outside, "root"));
    equal(load("zones/a.zone", { root: join(outside, "root") }).records.length, 1);
  });

  it("is refused behind a broken link and outside of the repository, whether it exists or not", () => {
    write({ "../secret": "www A 192.0.2.1" });
    mkdirSync(join(root, "zones"));
    const links = {
      a: join(outside, "secret"),
      b: "../missing",
      c: join(outside, "missing"),
      "zones/d": "../../missing",
      "zones/e": "../b",
      folder: "..",
      nowhere: "../no-folder",
      f: "gone",
      g: "g",
    };
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
    const paths = [
      ...["../secret", "../missing", "a", "b", "c", "zones/d", "zones/e", "f", "f/x", "g"],
      ...["folder/secret", "folder/missing", "folder/deep/missing", "nowhere/x"],
    ];
    write({ "a.zone": [...paths.map((path) => `$INCLUDE ${path}`), "www A 192.0.2.2"].join("\n") });
    const refused = (path: string) => `path.refused ${path} OUTSIDE/repository`;
    deepEqual(
      said("a.zone"),
      paths.map((path, i) => `a.zone:${i + 1}:10: ${refused(path)}`),
    );
    deepEqual(shown(load("a.zone")), ["default www.example.com. A 192.0.2.2"]);
    for (const path of paths) deepEqual(said(path), [refused(path)]);
    deepEqual(said("none/x"), ["path.missing none/x the root"]);
  });

  it("is refused if it is hidden, or in a hidden folder", () => {
    const hidden = [".env", ".git/config", "zones/.npmrc", "a/.b/c.zone"];
    for (const path of hidden) write({ [path]: "www A 192.0.2.1" });
    symlinkSync("../.env", join(root, "zones/link.zone"));
    for (const path of [...hidden, ".missing", "zones/link.zone", "zones/../.env"]) {
      write({ "a.zone": `www A 192.0.2.1\n$INCLUDE ${path}` });
      const codes = [load(path), load("a.zone")].flatMap(({ problems }) => problems.map(({ code }) => code));
      deepEqual(codes, ["path.refused", "path.refused"], path);
    }
    equal(load("c.zone", { root: join(root, "a/.b") }).records.length, 1);
    equal(load("c.zone", { folder: join(root, "a/.b") }).records.length, 1);
  });

  it("that does not read as a zone file is named, and never quoted", () => {
    const files: Record<string, string[]> = {
      "words.txt": lines((secret) => secret),
      "quotes.txt": lines((secret) => `"${secret}`),
      "settings.txt": lines((secret) => `KEY=${secret}`),
      "spaces.txt": lines((secret) => `password = ${secret}`),
      "directives.txt": lines((secret) => `$${secret} ${secret}.example.com.`),
      "git.txt": ["[remote]", ...lines((secret) => `  url = https://${secret}@git.example`)],
      "map.yaml": lines((secret) => `${secret}: ${secret}`),
      "list.yaml": lines((secret) => `- !${secret} ${secret}`),
      "classes.txt": lines((secret) => `${secret} IN ${secret}`),
      "one-class.txt": ["secrets IN here", ...secrets],
    };
    const included: Record<string, string[]> = {
      "one-type.txt": ["what A secret", ...secrets],
      "types.txt": lines((secret) => `${secret} A ${secret}`),
      "one-record.txt": ["www A 192.0.2.1", ...secrets],
      "conflict.txt": ["hunter A 192.0.2.1", "hunter CNAME hunter", ...secrets],
      "notes.txt": ["@ NS hunter.example.", "hunter A 192.0.2.2", ...secrets],
      "many.txt": ["hunter A 192.0.2.2", ...secrets, ...secrets, ...secrets],
    };
    for (const [path, content] of Object.entries({ ...files, ...included })) {
      write({ [path]: content.join("\n") });
      for (const origin of ["", " other.example.", " sub"]) {
        write({ "a.zone": `www A 192.0.2.1\n$INCLUDE ${path}${origin}` });
        const result = load("a.zone");
        deepEqual(
          result.problems.map(({ code, parts }) => ({ code, parts })),
          [{ code: "file.no-zone", parts: { file: path } }],
          `${path}${origin}`,
        );
        deepEqual([result.records.length, quotes(result)], [1, false], path);
      }
      if (!(path in files)) continue;
      const result = load(path);
      deepEqual([result.problems.map(({ code }) => code), quotes(result)], [["file.no-zone"], false], path);
    }
  });

  it("shows the problems of an included zone file", () => {
    write({
      "hosts.zone": "www A 192.0.2.1\nmail A 1.2.3\nftp AA 192.0.2.2",
      "a.zone": "$INCLUDE hosts.zone",
    });
    deepEqual(
      load("a.zone").problems.map(({ code, path }) => `${path} ${code}`),
      ["hosts.zone:2:8 address.unfit", "hosts.zone:3:5 type.unknown"],
    );
  });

  it("includes an empty file only with a comment, because a script may have emptied it", () => {
    const files = {
      "empty.zone": "",
      "blank.zone": "\ufeff\r\n  \n\t\n",
      "comment.zone": "; none yet\n",
      "settings.zone": "$TTL 60\n",
    };
    const includes = Object.keys(files).map((path) => `$INCLUDE ${path}\n`);
    write({ ...files, "a.zone": `www A 192.0.2.1\n${includes.join("")}` });
    deepEqual(said("a.zone"), [
      "a.zone:2:10: file.empty empty.zone",
      "a.zone:3:10: file.empty blank.zone",
      "a.zone:4:10: include.comments comment.zone",
    ]);
  });

  it("that includes itself is refused with the whole circle", () => {
    write({ "a.zone": "$INCLUDE b/b.zone", "b/b.zone": "www A 192.0.2.1\n$INCLUDE ../a.zone" });
    deepEqual(said("a.zone"), ["b/b.zone:2:10: include.deep a.zone"]);
  });

  it("includes ten levels deep, and a thousand files", () => {
    for (let level = 0; level < 12; level++) write({ [`${level}.zone`]: `$INCLUDE ${level + 1}.zone` });
    deepEqual(said("0.zone"), ["10.zone:1:10: include.deep 11.zone"]);
    write({ "one.zone": "$TTL 60", "many.zone": "$INCLUDE one.zone\n".repeat(1005) });
    deepEqual(said("many.zone"), ["many.zone:1001:10: include.deep one.zone"]);
  });

  it("notes the marks of other tools with their lines, a note for each kind", () => {
    const cloudflare = (line: number) => `h${line} 1 IN A 192.0.2.1 ; cf_tags=cf-proxied:true,team:${line}`;
    const lines = Array.from({ length: 14 }, (_, i) => cloudflare(i + 1));
    const none = [
      "on A 192.0.2.3 ; cf_tags=cf-proxied:false",
      "c A 192.0.2.4 ; enabled: true",
      "; disabled=true",
    ];
    write({
      "a.zone": [...lines, "off A 192.0.2.2 ; old host, disabled:true", "$INCLUDE b.zone"].join("\n"),
      "b.zone": ["x A 192.0.2.5 ; enabled=false", ...none, "e A 192.0.2.6 ; AWS routing=WEIGHTED"].join("\n"),
    });
    deepEqual(
      load("a.zone").notes.map(({ text, position }) => [
        position.line,
        /^\S+(?=: )/.exec(text)?.[0],
        /line .*$/.exec(text)?.[0],
      ]),
      [
        [1, "a.zone", "line 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 4 more"],
        [15, "a.zone", "line 15"],
        [1, "b.zone", "line 1"],
        [5, "b.zone", "line 5"],
      ],
    );
  });

  it("without records is an error, because a script may have emptied it", () => {
    const files = {
      "empty.zone": "",
      "comments.zone": "; nothing\n$TTL 600\n",
      "soa.zone": "@ SOA ns1.example.com. admin.example.com. 1 2 3 4 5",
      // A file that was cut after its SOA record is no zone, with any notes and warnings.
      "service.zone": "@ SOA ns1 admin 1 2 3 4 5\n@ NS ns1.service.example.\n; line=x",
    };
    write({ ...files, "wrong.zone": "www A 1.2.3" });
    for (const file of Object.keys(files))
      deepEqual(said(file).slice(file === "service.zone" ? 1 : 0), [`file.empty ${file}`]);
    equal(said("wrong.zone").length, 1);
  });

  it("reports the problem of the file itself", () => {
    write({
      "big.zone": "; ".repeat(100),
      "latin.zone": Uint8Array.from([0x3b, 0x0a, 0x3b, 0xe4, 0x0a]),
      "wide.zone": Uint8Array.from([0xff, 0xfe, 0x3b, 0x00]),
      "a.zone": '$INCLUDE "no such.zone"',
    });
    const table: [path: string, message: string, more?: Partial<ZoneSourceOptions>][] = [
      ["missing.zone", "path.missing missing.zone the root"],
      ["a/../no.zone", "path.missing a/../no.zone the program's folder", { folder: join(root, "infra") }],
      [join(root, "no.zone"), "path.missing OUTSIDE/repository/no.zone the root"],
      [".", "file.unreadable . no regular file"],
      ["big.zone", "file.large big.zone 200 100", { maxBytes: 100 }],
      ["latin.zone", "latin.zone file.utf8 2"],
      ["wide.zone", "wide.zone file.utf8 1"],
      ["a.zone", "a.zone:1:10: path.missing no such.zone the root"],
    ];
    for (const [path, message, more] of table) deepEqual(said(path, more), [message]);
  });
});
