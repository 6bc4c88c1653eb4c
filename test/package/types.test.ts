/** The compiler's errors for a wrong program, with this checkout's TypeScript and with the SDK's old one. */
import { deepEqual, fail, match, ok } from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type * as TypeScript from "typescript";

const root = resolve(__dirname, "../..");
const load = createRequire(__filename);
const sdk = dirname(load.resolve("@pulumi/pulumi/package.json"));
const compilers = {
  "the TypeScript of this checkout": "typescript",
  "the TypeScript 3.8 that a plain install gets": join(sdk, "vendor", "typescript@3.8.3", "typescript.js"),
};

const batch = (records: string): string =>
  `new RecordBatch("a", { domains: "example.com", records: ${records} });`;

const share = 'domain: "example.com", email: "a@example.org"';
const internals = '{}, { label: "x", errors: [] }';
const misspelt = /'vaule' does not exist in type.*Did you mean to write 'value'\?/;
const missing = /Property 'value' is missing in type .* required in type 'RecordSpec'/;
const tooMany = /Expected 2-3 arguments, but got 4/;

/** Wrong statements, each with its only error. */
const wrong: readonly (readonly [string, RegExp])[] = [
  [batch('[{ type: "A", vaule: "192.0.2.1" }]'), misspelt],
  [batch('[{ type: "A", value: "192.0.2.2", tll: 60 }]'), /'tll' does not exist in type/],
  [batch('[{ type: "A", value: "192.0.2.1", ttl: true }]'), /Type 'true' is not assignable/],
  [batch('[{ name: "x", type: "A" }]'), missing],
  [batch('["x"].map((name) => ({ name, type: "A", vaule: "192.0.2.1" }))'), missing],
  [
    batch('["x"].map((name) => ({ name, type: "A", value: 1 }))'),
    /Types of property 'value' are incompatible/,
  ],
  [
    'new RecordBatch("a", { domain: "example.com", records: [] });',
    /'domain' does not exist in type 'RecordBatchArgs'. Did you mean to write 'domains'\?/,
  ],
  ['new DnsRecord("a", { domain: "example.com", type: "A", vaule: "192.0.2.1" });', misspelt],
  ['new Zone("a", { domain: "example.com", records: [{ type: "A", vaule: "192.0.2.1" }] });', misspelt],
  [`new DomainShare("a", { ${share}, mode: "w" });`, /Type '"w"' is not assignable/],
  ['spf({ include: "example.org", al: "-all" });', /'al' does not exist in type 'SpfArgs'/],
  ['dmarc({ policy: "refuse" });', /Type '"refuse"' is not assignable/],
  [`new RecordBatch("a", { domains: "example.com", records: [] }, ${internals});`, tooMany],
  [`new DomainShare("a", { ${share}, mode: "r" }, ${internals});`, tooMany],
];

const right = `
new DnsRecord("a", { domain: "example.com", type: "A", value: "192.0.2.1", ttl: "1h" });
const names: Record<string, string> = { a: "显性URL" };
const specs: RecordSpec[] = [{ name: ["@", "www"], type: "A", value: ["192.0.2.1"], ttl: 600 }, { type: names.a, value: "https://example.net/" }];
new RecordBatch("b", { domains: ["example.com"], records: [...specs, "www 1h A 192.0.2.1"] });
new RecordBatch("d", { domains: "example.com", records: [...spf({ include: ["_spf.example.org"], all: "-all" }), dmarc({ policy: "none" }), ...caa({ issue: "none" }), dkim("s", ""), txt("a", "b", { ttl: "1h" }), ...mx(["10 mx1.example.org", { priority: 20, host: "mx2.example.org" }]), srv({ service: "sip", target: "sip.example.org", port: 5060 }), ...delegate("lab", ["ns1.example.org"])] });
new DnsRecord("e", { domain: "example.com", ...dmarc({ policy: "reject" }) });
new RecordBatch("f", { domains: "example.com", records: [output(specs[0]), Promise.resolve(specs[0]), secret("www A 192.0.2.1"), output({ name: "x", type: "A", value: output("192.0.2.1") }), { type: output("A"), value: [output("192.0.2.1"), "192.0.2.2"], ttl: output(60), name: secret("s") }, output<RecordSpec | string>("x A 192.0.2.1")] });
const inputs: Input<RecordSpec | string>[] = [];
new RecordBatch("j", { domains: "example.com", records: inputs });
new RecordBatch("g", { domains: "example.com", records: output(specs) });
new RecordBatch("h", { domains: "example.com", records: Promise.resolve([...specs, "www A 192.0.2.1"]) });
new RecordBatch("i", { domains: output(["example.com"]), records: output(specs).apply((all) => all.map((each) => ({ ...each, ttl: 60 }))) });
new Zone("c", { domain: "example.com", file: "zones/example.com.zone", shares: [{ email: "a@example.org", mode: "rw" }] });`;
const imports =
  'import { caa, delegate, dkim, dmarc, DnsRecord, DomainShare, mx, RecordBatch, RecordSpec, spf, srv, txt, Zone } from "pulumi-legacydns";\nimport { Input, output, secret } from "@pulumi/pulumi";\n';
const options = { module: 1, moduleResolution: 2, noEmit: true, types: ["node"] };

describe("the types", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), "legacydns-types-"));
    for (const [name, path] of Object.entries({
      "pulumi-legacydns": root,
      "@pulumi/pulumi": sdk,
      "@types/node": join(root, "node_modules/@types/node"),
    })) {
      const link = join(folder, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(path, link);
    }
    writeFileSync(join(folder, "wrong.ts"), `${imports}${wrong.map(([line]) => line).join("\n")}\n`);
    writeFileSync(join(folder, "right.ts"), `${imports}${right}\n`);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** The errors of each file. */
  function errorsOf(compiler: string, files: readonly string[], options: TypeScript.CompilerOptions) {
    const ts = load(compiler) as typeof TypeScript;
    const program = ts.createProgram(files, options);
    return files.map((file) => {
      const source = program.getSourceFile(file) ?? fail(file);
      const all = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      return all.map(({ start = 0, messageText }) => ({
        line: source.getLineAndCharacterOfPosition(start).line,
        text: ts.flattenDiagnosticMessageText(messageText, "\n"),
      }));
    });
  }

  for (const [name, path] of Object.entries(compilers))
    it(`name each mistake in one error, and accept a right program: ${name}`, () => {
      const files = ["wrong.ts", "right.ts"].map((file) => join(folder, file));
      const [found = [], none] = errorsOf(path, files, {
        ...options,
        strict: true,
        target: 7,
        skipLibCheck: true,
      });
      deepEqual(none, []);
      for (const [i, [statement, message]] of wrong.entries()) {
        const [first, ...others] = found.filter(({ line }) => line === i + 2);
        match(first?.text ?? "", message, statement);
        deepEqual(others, [], statement);
      }
    }).timeout(120_000);

  it("compile with tsc's old default target in every file of the package", () => {
    const files = readdirSync(join(root, "dist/provider"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".d.ts"))
      .map((path) => join(root, "dist/provider", path));
    const found = errorsOf("typescript", files, { ...options, target: 1 });
    ok(files.length > 100);
    deepEqual(found.flat(), []);
  }).timeout(120_000);
});
