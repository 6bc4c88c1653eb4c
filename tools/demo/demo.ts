/** The demo (npm run demo). `--keep` leaves everything running in the stack `demo`. */
import { execFile } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import colors from "picocolors";
import { startEmulator, type Emulator } from "../../emulator";
import { ensureEngine, engineEnvironment } from "../engine/index";
import { main, root, say, script } from "../support/main";

const command = script("demo", "Deploys two domains to the emulator, edits them, and repairs them.")
  .option("--keep", "leave the emulator and the stack running, and print commands for another terminal")
  .parse();
const { keep = false } = command.opts<{ keep?: boolean }>();
const stack = keep ? "demo" : `demo-${process.pid}`;
const folder = join(root, ".work", stack);
const full = "LEGACYDNS_UNDOCUMENTED_OPERATIONS";

const chapter = (text: string): void => say(`\n${colors.bold(colors.cyan(`== ${text}`))}`);
const note = (text: string): void => say(colors.dim(text));

/** The engine's lines that the demo shows. */
const counts = /^ *(?:[-+~] )?\d+ (?:created|updated|unchanged|errored)$/;
const summaries = /^ *(?:\w+ "[^"]*": )?\S+\.\S+(?: and \d+ more domains?)?: \d/;
const recordLines = /^ +[-+] \S+\. (?:\d+ )?[A-Z]+ /;
const titles = /^ *(?:error: |\t\* )\S.* \[[\w.-]+\]$/;

async function pulumi(env: NodeJS.ProcessEnv, command: string, ...shown: RegExp[]): Promise<void> {
  if (shown.length > 0) say(colors.green(`$ pulumi ${command}`));
  const color = colors.isColorSupported ? "always" : "never";
  const args = ["-C", root, "--non-interactive", "--color", color, ...command.split(" ")];
  const { failed, output } = await new Promise<{ failed: boolean; output: string }>((done) =>
    execFile("pulumi", args, { env, maxBuffer: 1 << 26 }, (error, out, err) =>
      done({ failed: error !== null, output: `${out}${err}` }),
    ),
  );
  if (failed !== shown.includes(titles))
    throw new Error(`pulumi ${command} ended ${failed ? "with an error" : "well"}:\n${output}`);
  const lines = output.split("\n").map((line) => line.trimEnd());
  // A preview with --diff shows the refresh first.
  const from = lines.findIndex((line) => stripVTControlCharacters(line).includes("Stack: (same)"));
  const indent = /^(?:\s|\u001b\[[\d;]*m)*/;
  const said = new Set<string>();
  for (const line of lines.slice(Math.max(0, from))) {
    const plain = stripVTControlCharacters(line);
    if (said.has(plain.trim()) || !shown.some((pattern) => pattern.test(plain))) continue;
    said.add(plain.trim());
    say(line.replace(indent, (blanks) => `      ${blanks.replace(/\s/g, "")}`));
  }
}

async function lookUps(emulator: Emulator): Promise<void> {
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${emulator.dnsPort ?? 0}`]);
  const show = (name: string, type: string, answer: readonly string[]): void =>
    say(`  ${name.padEnd(32)} ${type.padEnd(4)} ${[...answer].sort().join(", ")}`);
  for (const label of ["www", "anything.preview", "xn--caf-dma"]) {
    const name = `${label}.example.com`;
    show(name, "A", await resolver.resolve4(name));
  }
  const exchanges = await resolver.resolveMx("example.net");
  show(
    "example.net",
    "MX",
    exchanges.map(({ priority, exchange }) => `${priority} ${exchange}`),
  );
  const key = "mail2026._domainkey.example.com";
  const [strings = []] = await resolver.resolveTxt(key);
  show(key, "TXT", [`${strings.length} strings, ${strings.join("").length} bytes in all`]);
}

function editTheConsole({ admin }: Emulator): void {
  admin.removeRecord("example.com", { name: "status", type: "CNAME" });
  note("  removed   status.example.com. CNAME");
  admin.disableRecord("example.com", { name: "mail", type: "A" });
  note("  disabled  mail.example.com. A");
  admin.setRecord("example.com", { name: "*.preview", type: "A" }, { ttl: 60 });
  note("  changed   *.preview.example.com. A, TTL 300 to 60");
}

async function story(env: NodeJS.ProcessEnv, { admin, ...emulator }: Emulator): Promise<void> {
  const live = (): number => admin.zone("example.com").length + admin.zone("example.net").length;
  const calls = (): string => {
    const each = Object.entries(admin.counts()).map(([operation, n]) => `${n} ${operation}`);
    admin.clearCalls();
    return each.length === 0 ? "no call to the service" : each.join(", ");
  };
  await pulumi(env, `stack init ${stack}`);

  chapter("Two domains, deployed");
  await pulumi(env, "up --yes --skip-preview", summaries, counts);
  say(`  ${live()} records live, with ${calls()}`);

  chapter("DNS answers");
  await lookUps({ admin, ...emulator });

  chapter("A second up: nothing to do");
  await pulumi(env, "up --yes --skip-preview", summaries, counts);
  say(`  ${calls()}`);

  chapter("Edits in the service's console");
  const declared = admin.zoneText("example.com").join("\n");
  editTheConsole({ admin, ...emulator });

  chapter("A preview shows the drift");
  await pulumi(env, "preview --refresh --diff", summaries, recordLines);
  calls();

  chapter("Documented mode creates the missing record and ends with an error for the others");
  await pulumi(env, "up --refresh --yes --skip-preview", titles, counts);
  say(`  ${calls()}`);

  chapter("Full mode repairs the others");
  admin.set({ undocumented: true });
  note(`  ${full}=true`);
  await pulumi({ ...env, [full]: "true" }, "up --refresh --yes --skip-preview", summaries, counts);
  say(`  ${calls()}`);
  if (admin.zoneText("example.com").join("\n") !== declared) throw new Error("the zone is not as declared");
  say(`  ${live()} records live, all as declared`);
}

async function demo(): Promise<void> {
  say(colors.bold(colors.cyan("== The Pulumi engine and the emulator")));
  const engine = await ensureEngine({ say: (line) => note(`  ${line}`) });
  const emulator = await startEmulator({
    domains: ["example.com", "example.net"],
    dnsPort: 0,
    settings: { indexDelay: 2 },
  });
  const service = {
    LEGACYDNS_BASE_URL: emulator.url,
    LEGACYDNS_LOGIN_TOKEN: emulator.token,
    LEGACYDNS_INDEX_DELAY: "2",
    LEGACYDNS_CONTACT: "demo@example.com",
    LEGACYDNS_STATE_DIR: join(folder, "state"),
  };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "backend"), { recursive: true });
  const own = engineEnvironment(engine, { home: join(folder, "home"), backend: join(folder, "backend") });
  try {
    say(`  example.com and example.net at ${emulator.url}, DNS at 127.0.0.1:${emulator.dnsPort ?? 0}`);
    await story({ ...own, ...service }, emulator);
    if (keep) await goOn(emulator, own, service);
  } finally {
    await emulator.close();
    if (!keep)
      for (const path of [folder, join(root, ".work", `Pulumi.${stack}.yaml`)])
        rmSync(path, { recursive: true, force: true });
  }
}

async function goOn(
  emulator: Emulator,
  own: NodeJS.ProcessEnv,
  service: Readonly<Record<string, string>>,
): Promise<void> {
  chapter("Go on by hand: paste this into another terminal, in this folder");
  const path = (own["PATH"] ?? "").split(":")[0] ?? "";
  say(`export PATH="${path}:$PATH"`);
  for (const [name, value] of Object.entries({ ...own, ...service, [full]: "true" }))
    if (/^(PULUMI|LEGACYDNS)_/.test(name)) say(`export ${name}=${JSON.stringify(value)}`);
  say(`pulumi stack select ${stack}

The service's console, for a browser: ${colors.cyan(emulator.consoleUrl ?? "")}
Change or remove records there. Then, in that terminal:
  pulumi preview --refresh --diff    shows the drift
  pulumi up --refresh                repairs it

Or edit examples/quickstart/zone.ts and run \`pulumi up\`; \`LEGACYDNS_REMOVAL=retain pulumi destroy\` ends it.`);
  note(`This is full mode (docs/full.md). For documented mode, set ${full}=false.`);
  note("The emulator runs until Ctrl-C.");
  await new Promise((stopped) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stopped);
  });
}

main(command, demo);
