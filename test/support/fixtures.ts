/**
 * The files that each version of the package wrote for ten typical stacks, in test/fixtures/VERSION/STACK/. The program is
 * in `stack.json`, the engine's export in `state.json`, and the journal in `journal.jsonl`. The service after the last up
 * is in `service.json`, which changes with the emulator's settings. Every later version reads the others, so none is ever
 * deleted or edited. A new version adds a folder:
 * `PULUMI_LEGACYDNS_WRITE_FIXTURES=VERSION npx mocha test/pulumi/fixtures.test.ts`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Admin, Emulator, StartOptions } from "../../emulator";
import { digest } from "../../provider/dns";
import { bare } from "./native";
import { hideZones } from "./service";

export interface FixtureStack {
  readonly frontEnd: "dynamic" | "native";
  /** The programs that were deployed one after the other. The last one is the program of the fixture. */
  readonly programs: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly service?: StartOptions;
  /** Before the last up. */
  readonly prepare?: (admin: Admin) => void;
  /** A refresh follows, so that the next up may delete undeclared records. */
  readonly refresh?: true;
  /** The last up fails, and its state has an open write. */
  readonly open?: true;
}

const fullMode = {
  env: { LEGACYDNS_UNDOCUMENTED_OPERATIONS: "true", LEGACYDNS_CONFIRMED_DOMAINS: "example.com" },
  service: { settings: { undocumented: true } },
};
const email = "agency@example.org";
const live = [
  { name: "www", type: "A", value: "192.0.2.1", ttl: 600 },
  { name: "@", type: "TXT", value: "v=spf1 -all", ttl: 3600 },
];
const batch = (...records: readonly string[]): string =>
  `new dns.RecordBatch("web", { domains: "example.com", records: ${JSON.stringify(records)} });`;
const record = (resource: string, more: object): string =>
  `new dns.Record(${JSON.stringify(resource)}, ${JSON.stringify({ domain: "example.com", type: "A", ...more })});\n`;

export const stacks: Readonly<Record<string, FixtureStack>> = {
  documented: {
    frontEnd: "dynamic",
    programs: [
      `new dns.RecordBatch("web", { domains: ["example.com", "example.net"], records: [
        { name: ["@", "www"], type: "A", value: ["192.0.2.1", "192.0.2.2"], ttl: 600 },
        { type: "MX", value: "mx1.example.org", priority: 10 },
        { name: "_sip._tcp", type: "SRV", value: "10 5 5060 sip.example.org" },
        { type: "CAA", value: '0 issue "ca.example.org"' },
        { name: "bücher", type: "A", value: "192.0.2.8", ttl: "default" },
        { name: "bücher", type: "A", value: "192.0.2.9", line: "电信", ttl: "default" },
        "txt 3600 TXT Mixed Case ; and \\"quotes\\"",
      ] });`,
    ],
  },
  full: {
    ...fullMode,
    frontEnd: "native",
    programs: [
      batch("www 600 A 192.0.2.1", "old 600 A 192.0.2.2", "api 600 A 192.0.2.3"),
      batch("www 60 A 192.0.2.1", "api 600 A 192.0.2.4"),
    ],
  },
  adopted: {
    frontEnd: "dynamic",
    service: { domains: [{ name: "example.com", records: live }] },
    programs: [batch("www 600 A 192.0.2.1", "@ 3600 TXT v=spf1 -all", "new 600 A 192.0.2.5")],
  },
  secret: {
    frontEnd: "native",
    programs: [
      `new dns.Record("key", { domain: "example.com", name: "key", type: "TXT", value: pulumi.secret("not really secret"), ttl: 600 });
      new dns.RecordBatch("web", { domains: "example.com", records: [
        { name: "two", type: "TXT", value: pulumi.secret("neither is this"), ttl: 600 }, "www 600 A 192.0.2.1" ] });`,
    ],
  },
  open: {
    frontEnd: "dynamic",
    env: { LEGACYDNS_JOB_TIMEOUT: "1" },
    programs: [batch("www 600 A 192.0.2.1"), batch("www 600 A 192.0.2.1", "late 600 A 192.0.2.2")],
    prepare: (admin) => {
      admin.addFault({ kind: "dropped", operation: "Batch.Record.Create", when: "after", count: 1 });
      hideZones(admin);
    },
    open: true,
  },
  share: {
    frontEnd: "dynamic",
    env: fullMode.env,
    service: { ...fullMode.service, accounts: [{ email: "owner@example.com" }, { email }] },
    programs: [
      `new dns.DomainShare("agency", { domain: "example.com", email: "${email}", mode: "rw", subDomain: "shop" });`,
    ],
  },
  single: {
    frontEnd: "native",
    programs: [
      record("www", { name: "www", value: "192.0.2.1" }) +
        record("api", { name: "api", value: "192.0.2.2", ttl: 60, removal: "retain" }) +
        record("mail", { type: "MX", value: "mx1.example.org", priority: 10 }) +
        record("line", { name: "www", value: "192.0.2.3", line: "联通" }),
    ],
  },
  moved: {
    ...fullMode,
    frontEnd: "dynamic",
    programs: [
      record("before", { name: "www", value: "192.0.2.1" }) + batch("a 600 A 192.0.2.2", "b 600 A 192.0.2.3"),
      record("after", { name: "b", value: "192.0.2.3", ttl: 600 }) +
        batch("a 600 A 192.0.2.2", "www A 192.0.2.1"),
    ],
  },
  cleared: {
    ...fullMode,
    frontEnd: "dynamic",
    service: {
      ...fullMode.service,
      domains: [{ name: "example.com", records: [...live, { name: "_acme", type: "TXT", value: "x" }] }],
    },
    programs: [
      `new dns.Zone("zone", { domain: "example.com", records: ["www 600 A 192.0.2.1", "shop 600 A 192.0.2.6"],
        undeclared: "remove", ignore: ["_acme*"], protect: ["www A"], absent: ["old A"] });`,
    ],
    refresh: true,
  },
  file: {
    frontEnd: "native",
    programs: [
      `${bare}
      require("node:fs").writeFileSync(__dirname + "/zone.txt", "$TTL 600\\n@ A 192.0.2.20\\nwww A 192.0.2.20\\n");
      new Zone("zone", { domain: "example.com", file: "zone.txt", maxTtl: 3600 });
      new Zone("parked", { domain: "example.net", text: "$TTL 600\\n@ A 192.0.2.21\\n" });`,
    ],
  },
};

const fixtures = resolve(__dirname, "../fixtures");
const versions = existsSync(fixtures) ? readdirSync(fixtures).sort() : [];

interface StoredStack extends Required<Pick<FixtureStack, "frontEnd" | "env">> {
  readonly program: string;
  readonly open: boolean;
}
type Value = Readonly<Record<string, unknown>>;
export interface Stored {
  readonly type: string;
  readonly id: string;
  readonly urn: string;
  readonly inputs: Value;
  readonly outputs: Value;
}

export class Fixture {
  private readonly folder: string;

  constructor(
    readonly version: string,
    readonly name: string,
  ) {
    this.folder = join(fixtures, version, name);
  }

  /** As it was written: `stacks` may change. */
  get stack(): StoredStack {
    return this.read("stack.json") as StoredStack;
  }

  get stateFile(): string {
    return join(this.folder, "state.json");
  }

  private read(file: string): unknown {
    return JSON.parse(readFileSync(join(this.folder, file), "utf8"));
  }

  /** The service as it was, with the same ids. */
  get service(): StartOptions {
    return this.read("service.json") as StartOptions;
  }

  /** @returns the provider's resources, with plain secrets */
  resources(): Stored[] {
    const { deployment } = this.read("state.json") as { deployment: { resources: Stored[] } };
    return deployment.resources
      .filter(({ type }) => /^(pulumi-nodejs:dynamic\/|legacydns:index:)(?!Zone\b.*\$)/.test(type))
      .filter((each) => "id" in each)
      .map((each) => ({ ...each, inputs: opened(each.inputs), outputs: opened(each.outputs) }));
  }

  /** Writes the journal to the state folder, in the file for this service. */
  restoreJournal(stateDir: string, baseUrl: string): void {
    const journal = join(stateDir, "journal");
    mkdirSync(journal, { recursive: true, mode: 0o700 });
    const text = readFileSync(join(this.folder, "journal.jsonl"));
    if (text.length > 0)
      writeFileSync(join(journal, `${digest(baseUrl)}.${"0".repeat(18)}.jsonl`), text, { mode: 0o600 });
  }

  write(stack: FixtureStack, state: string, stateDir: string, { admin }: Emulator): void {
    mkdirSync(this.folder, { recursive: true });
    const { frontEnd, env = {}, programs, open = false } = stack;
    const stored: StoredStack = { frontEnd, env, program: programs.at(-1) ?? "", open };
    writeFileSync(join(this.folder, "stack.json"), `${JSON.stringify(stored, undefined, 2)}\n`);
    const journal = join(stateDir, "journal");
    const files = existsSync(journal) ? readdirSync(journal).sort() : [];
    const lines = files.map((file) => readFileSync(join(journal, file), "utf8"));
    // Each run's notes have numbers of their own, so several files would contradict each other.
    writeFileSync(join(this.folder, "journal.jsonl"), lines.at(-1) ?? "");
    writeFileSync(this.stateFile, state);
    writeFileSync(join(this.folder, "service.json"), `${JSON.stringify(admin.snapshot(), undefined, 2)}\n`);
  }
}

/** The engine's marks of secrets → the values. */
function opened(props: Value): Value {
  return Object.fromEntries(
    Object.entries(props).map(([name, value]) => [
      name,
      typeof value === "object" && value !== null && "plaintext" in value
        ? (JSON.parse(String(value.plaintext)) as unknown)
        : value,
    ]),
  );
}

export const allFixtures = versions.flatMap((version) =>
  readdirSync(join(fixtures, version)).map((name) => new Fixture(version, name)),
);
