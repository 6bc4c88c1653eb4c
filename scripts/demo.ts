/**
 * The demo (npm run demo). `--verbose` shows all lines of the engine, `--log FILE` appends them to a file.
 * `--keep` leaves everything running in the stack `demo`, or in that of `--stack NAME`.
 */
import { spawn } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import colors from "picocolors";
import { startEmulator, type Emulator } from "../emulator";
import { differences, digested, failures, nothing, summary, type Digest } from "./demo/digest";
import { ensureEngine, engineEnvironment } from "./engine/index";
import { main, root } from "./support/main";

const {
  keep,
  verbose,
  log,
  stack: asked,
} = parseArgs({
  options: {
    keep: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    log: { type: "string" },
    stack: { type: "string" },
  },
}).values;
const stack = asked ?? (keep ? "demo" : `demo-${process.pid}`);
const folder = join(root, ".work", stack);
const full = "LEGACYDNS_UNDOCUMENTED_OPERATIONS";

const say = (text = ""): void => void process.stdout.write(`${text}\n`);
let chapters = 0;
const chapter = (text: string): void =>
  say(`${chapters++ === 0 ? "" : "\n"}${colors.bold(colors.cyan(`== ${text}`))}`);
const note = (text: string): void => say(colors.dim(text));

function pulumi(env: NodeJS.ProcessEnv, digest: Digest, ...args: string[]): Promise<number> {
  const color = colors.isColorSupported ? "always" : "never";
  const command = colors.green(`$ pulumi ${args.join(" ")}`);
  if (verbose || digest !== nothing) say(command);
  const child = spawn("pulumi", ["-C", root, "--non-interactive", "--color", color, ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    if (verbose) process.stdout.write(chunk.toString().replace(/^(?=.)/gm, "  "));
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  return new Promise((done, failed) => {
    child.on("error", failed);
    child.on("close", (code) => {
      if (!verbose) digested(output, digest).forEach((line) => say(`  ${line}`));
      if (log !== undefined) appendFileSync(log, `${command}\n${output}`);
      done(code ?? 1);
    });
  });
}

async function must(env: NodeJS.ProcessEnv, digest: Digest, ...args: string[]): Promise<void> {
  const code = await pulumi(env, digest, ...args);
  if (code !== 0)
    throw new Error(
      `pulumi ${args[0] ?? ""} ended with ${code}, which the demo did not expect${verbose ? "" : "; npm run demo -- --verbose shows all that it printed"}`,
    );
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

function calls(emulator: Emulator): string {
  const counts = Object.entries(emulator.admin.counts());
  return counts.length === 0
    ? "no call to the service"
    : counts.map(([operation, n]) => `${n} ${operation}`).join(", ");
}

function live({ admin }: Emulator): number {
  return admin.zone("example.com").length + admin.zone("example.net").length;
}

async function story(env: NodeJS.ProcessEnv, emulator: Emulator): Promise<void> {
  await must(env, nothing, "stack", "init", stack);

  chapter("Two domains, deployed");
  await must(env, summary, "up", "--yes", "--skip-preview");
  say(`  ${live(emulator)} records live, with ${calls(emulator)}`);

  chapter("DNS answers");
  await lookUps(emulator);

  chapter("A second up: nothing to do");
  emulator.admin.clearCalls();
  await must(env, summary, "up", "--yes", "--skip-preview");
  say(`  ${calls(emulator)}`);

  chapter("Edits in the service's console");
  const declared = emulator.admin.zoneText("example.com");
  editTheConsole(emulator);

  chapter("A preview shows the drift");
  await must(env, differences, "preview", "--refresh", "--diff");

  chapter("Documented mode creates the missing record and ends with an error for the others");
  emulator.admin.clearCalls();
  await pulumi(env, failures, "up", "--refresh", "--yes", "--skip-preview");
  say(`  ${calls(emulator)}`);

  chapter("Full mode repairs the others");
  emulator.admin.set({ undocumented: true });
  emulator.admin.clearCalls();
  note(`  ${full}=true`);
  await must({ ...env, [full]: "true" }, summary, "up", "--refresh", "--yes", "--skip-preview");
  say(`  ${calls(emulator)}`);
  if (emulator.admin.zoneText("example.com").join("\n") !== declared.join("\n"))
    throw new Error("the zone is not as declared");
  say(`  ${live(emulator)} records live, all as declared`);
}

async function demo(): Promise<void> {
  chapter("The Pulumi engine and the emulator");
  const engine = await ensureEngine({
    say: (line) => (verbose || !line.includes("there is no") ? note(`  ${line}`) : undefined),
  });
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
  const env = { ...process.env, ...own, ...service };
  try {
    say(`  example.com and example.net at ${emulator.url}, DNS at 127.0.0.1:${emulator.dnsPort ?? 0}`);

    await story(env, emulator);
    if (keep) await goOn(emulator, own, service);
  } finally {
    await emulator.close();
    if (!keep) {
      rmSync(folder, { recursive: true, force: true });
      rmSync(join(root, ".work", `Pulumi.${stack}.yaml`), { force: true });
    }
  }
}

async function goOn(
  emulator: Emulator,
  own: NodeJS.ProcessEnv,
  service: Record<string, string>,
): Promise<void> {
  chapter("Go on by hand: paste this into another terminal, in this folder");
  const path = (own["PATH"] ?? "").split(":")[0] ?? "";
  say(`export PATH="${path}:$PATH"`);
  for (const [name, value] of Object.entries({ ...own, ...service, [full]: "true" }))
    if (/^(PULUMI|LEGACYDNS)_/.test(name)) say(`export ${name}=${JSON.stringify(value)}`);
  say(`pulumi stack select ${stack}`);
  say(`\nThe service's console, for a browser: ${colors.cyan(emulator.consoleUrl ?? "")}`);
  say("Change or remove records there. Then, in that terminal:");
  say("  pulumi preview --refresh --diff    shows the drift");
  say("  pulumi up --refresh                repairs it");
  say(
    "\nOr edit examples/quickstart/zone.ts and run `pulumi up`; `LEGACYDNS_REMOVAL=retain pulumi destroy` ends it.",
  );
  note(`This is full mode (docs/full.md). For documented mode, set ${full}=false.`);
  note("The emulator runs until Ctrl-C.");
  await new Promise<void>((resolveStop) => {
    process.once("SIGINT", resolveStop);
    process.once("SIGTERM", resolveStop);
  });
}

main("demo", demo);
