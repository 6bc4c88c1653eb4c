/**
 * `pulumi-legacydns emulator`: the service in a box at the command line. It
 * says what to paste to use it, and logs each call as a line.
 */
import { readFile } from "node:fs/promises";
import type { WriteStream } from "node:tty";
import { Command } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { errorText } from "../provider/words";
import { visibleOnTerminal } from "../provider/support/visible";
import { seedSchema, shapes, startEmulator, type Call, type Emulator, type StartOptions } from "../emulator";

/** Colour only where a person looks, whatever a build server says about itself. */
const colours = (stream: WriteStream): ReturnType<typeof pc.createColors> =>
  // isTTY is undefined on a pipe, and createColors takes undefined for a question to the environment.
  pc.createColors(Boolean(stream.isTTY) && (process.env["NO_COLOR"] ?? "") === "");
const out = colours(process.stdout);
const log = colours(process.stderr);

interface Flags {
  readonly domain?: readonly string[];
  readonly port: string;
  readonly dnsPort?: string;
  readonly host: string;
  readonly basePath: string;
  readonly token?: string;
  readonly indexDelay?: string;
  readonly identical?: string;
  readonly jobMs?: string;
  readonly lineNames?: string;
  readonly answers?: string;
  readonly withoutHold?: boolean;
  readonly undocumented?: boolean;
  readonly seed: string;
  readonly state?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Every problem of the options at once, one line each. */
class BadOptions extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

/** The `emulator` command. */
export function emulatorCommand(): Command {
  return new Command("emulator")
    .description(
      "Run the service in a box: the ten operations over HTTP, a DNS server, faults and a console.",
    )
    .option("--domain <name...>", "a domain of the account; may be repeated (default: example.com)")
    .option("--port <number>", "HTTP port, 0 for a free one", "8053")
    .option("--dns-port <number>", "DNS port (UDP and TCP), 0 for a free one; without it no DNS is served")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--base-path <path>", "path before the operation's name", "")
    .option("--token <token>", "login token of the account (default: a random one)")
    .option("--index-delay <seconds>", "until Record.List shows a new record (default: 30)")
    .option(
      "--identical <refuse|accept>",
      "what a job does with a record that exists already (default: refuse)",
    )
    .option("--job-ms <milliseconds>", "time a job takes for one record (default: 2)")
    .option("--line-names <chinese|english>", "names of the resolution lines (default: chinese)")
    .option(`--answers <${shapes.join("|")}>`, "the shape of the answers (default: documented)")
    .option("--without-hold", "list the service's own NS records without their mark")
    .option(
      "--undocumented",
      "also answer the operations that change and remove, which the document does not have",
    )
    .option("--seed <number>", "ids and the dice follow from it", "1")
    .option("--state <file>", "JSON file of accounts, domains and records, such as a snapshot")
    .option("--json", "print one line of JSON instead of the banner")
    .option("--quiet", "do not log calls")
    .action(async (flags: Flags) => {
      try {
        await run(flags);
      } catch (error) {
        process.stderr.write(visibleOnTerminal(`${explain(error)}\n`));
        process.exitCode = 1;
      }
    });
}

async function run(flags: Flags): Promise<void> {
  const options = await readOptions(flags);
  const onCall =
    flags.quiet === true
      ? undefined
      : (call: Call): void => void process.stderr.write(visibleOnTerminal(`${callLine(call)}\n`));
  const emulator = await startEmulator({ ...options, onCall });
  // Listened for before anything is said: whoever has read the facts may end it at once.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => {
        resolve();
      });
  });
  process.stdout.write(flags.json === true ? `${JSON.stringify(facts(emulator))}\n` : banner(emulator));
  await stopped;
  await emulator.close();
}

/** Options from flags and state file; collects every problem before it gives up. */
async function readOptions(flags: Flags): Promise<StartOptions> {
  const problems: string[] = [];
  const integer = (name: string, text: string | undefined, low: number, high: number): number | undefined => {
    if (text === undefined) return undefined;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= low && value <= high) return value;
    problems.push(`--${name} must be a whole number from ${low} to ${high}, not ${text}`);
    return undefined;
  };
  const oneOf = <T extends string>(
    name: string,
    text: string | undefined,
    words: readonly T[],
  ): T | undefined => {
    const word = words.find((known) => known === text);
    if (text !== undefined && word === undefined)
      problems.push(`--${name} must be ${words.join(" or ")}, not ${text}`);
    return word;
  };
  const port = integer("port", flags.port, 0, 65535);
  const dnsPort = integer("dns-port", flags.dnsPort, 0, 65535);
  const seed = integer("seed", flags.seed, 0, 4294967295);
  const jobMs = integer("job-ms", flags.jobMs, 0, 3_600_000);
  const indexDelay = flags.indexDelay === undefined ? undefined : Number(flags.indexDelay);
  if (
    indexDelay !== undefined &&
    !(indexDelay >= 0 && flags.indexDelay?.trim() !== "" && Number.isFinite(indexDelay))
  ) {
    problems.push(`--index-delay must be a number of seconds from 0, not ${flags.indexDelay ?? ""}`);
  }
  const identical = oneOf("identical", flags.identical, ["refuse", "accept"]);
  const lineNames = oneOf("line-names", flags.lineNames, ["chinese", "english"]);
  const answers = oneOf("answers", flags.answers, shapes);
  if (flags.token === "") problems.push("--token must not be empty");
  const names = flags.domain ?? [];
  for (const name of names) {
    if (!/^[^\s.]+(\.[^\s.]+)+\.?$/.test(name)) problems.push(`--domain must be a domain name, not ${name}`);
  }
  const state = flags.state === undefined ? undefined : await readState(flags.state, problems);
  if (problems.length > 0) throw new BadOptions(problems);

  const described = [...(state?.domains ?? []), ...names];
  const settings = given({
    indexDelay,
    identical,
    jobMs,
    lineNames,
    answers,
    hold: flags.withoutHold === true ? false : undefined,
    undocumented: flags.undocumented,
  });
  return {
    accounts: state?.accounts,
    domains: described.length > 0 ? described : undefined,
    settings: { ...state?.settings, ...settings },
    token: flags.token,
    seed,
    host: flags.host,
    port,
    dnsPort,
    basePath: flags.basePath,
  };
}

async function readState(file: string, problems: string[]): Promise<z.output<typeof seedSchema> | undefined> {
  try {
    return seedSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    problems.push(`--state ${file} ${stateProblem(error)}`);
    return undefined;
  }
}

/** What is wrong with a state file, and what to do. */
function stateProblem(error: unknown): string {
  const form =
    "A state file is JSON with accounts, domains and settings; a running emulator writes one at /_admin/snapshot";
  if (error instanceof z.ZodError)
    return `is JSON, but no state file: ${z
      .prettifyError(error)
      .replaceAll(/\s*\n(?!✖)\s*/g, " ")
      .replaceAll("\n", "; ")
      .replaceAll("✖ ", "")}. ${form}`;
  if (error instanceof SyntaxError) return `is no JSON (${error.message}). ${form}`;
  switch ((error as NodeJS.ErrnoException).code ?? "") {
    case "ENOENT":
      return `cannot be read: there is no such file. Check the path, or leave --state out for an empty zone. ${form}`;
    case "EISDIR":
      return `cannot be read: it is a folder. Name the file in it. ${form}`;
    case "EACCES":
    case "EPERM":
      return `cannot be read: this user may not read it. Change its permissions, or name another file. ${form}`;
    default:
      return `cannot be read: ${errorText(error)}. ${form}`;
  }
}

/** Leaves out what was not given. */
function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Seconds; what a provider expects that is not told. */
const defaultIndexDelay = 30;

interface Facts {
  readonly url: string;
  readonly adminUrl: string;
  /** For a browser; null where the emulator does not listen on loopback. */
  readonly consoleUrl: string | null;
  readonly dns: string | null;
  readonly token: string;
  readonly domains: readonly { readonly id: number; readonly name: string }[];
}

function facts(emulator: Emulator): Facts {
  const { hostname } = new URL(emulator.url);
  return {
    url: emulator.url,
    adminUrl: emulator.adminUrl,
    consoleUrl: emulator.consoleUrl,
    dns: emulator.dnsPort === null ? null : `${hostname}:${emulator.dnsPort}`,
    token: emulator.token,
    domains: emulator.admin.domains().map(({ id, name }) => ({ id, name })),
  };
}

function banner(emulator: Emulator): string {
  const { url, adminUrl, consoleUrl, dns, token, domains } = facts(emulator);
  const { indexDelay, undocumented } = emulator.admin.settings();
  const first = domains[0]?.name ?? "example.com";
  const edit = JSON.stringify({ domain: first, name: "www", type: "A", value: "192.0.2.1" });
  const host = dns === null ? null : dns.slice(0, dns.lastIndexOf(":"));
  return [
    `${out.bold("The service in a box")} is running. Stop it with Ctrl-C.`,
    "",
    `  console   ${consoleUrl === null ? "only where it listens on loopback" : out.cyan(consoleUrl)}`,
    `  base URL  ${out.cyan(url)}`,
    `  DNS       ${dns === null ? "not served; --dns-port turns it on" : out.cyan(dns)}`,
    `  token     ${token}`,
    `  domains   ${domains.map(({ id, name }) => `${name} (${id})`).join(", ")}`,
    "",
    "Point the provider at it:",
    "",
    `  export LEGACYDNS_BASE_URL=${url}`,
    `  export LEGACYDNS_LOGIN_TOKEN=${token}`,
    "  export LEGACYDNS_CONTACT=you@example.com",
    ...(indexDelay === defaultIndexDelay ? [] : [`  export LEGACYDNS_INDEX_DELAY=${indexDelay}`]),
    ...(undocumented ? ["  export LEGACYDNS_UNDOCUMENTED_OPERATIONS=true"] : []),
    "",
    `Edit a zone as in the service's console: ${consoleUrl === null ? "" : "open its address in a browser, or "}paste`,
    "",
    `  curl -s ${adminUrl}/record/add -d '${edit}'`,
    ...(host === null ? [] : [`  dig @${host} -p ${emulator.dnsPort ?? ""} www.${first} A`]),
    "",
    "",
  ].join("\n");
}

/** One call as a line: time, operation, domain, answer code, fault. */
function callLine(call: Call): string {
  const domain = call.params["domain"] ?? call.params["domain_id"] ?? "";
  const job = call.params["job_id"] === undefined ? "" : `job ${call.params["job_id"]}`;
  const code =
    call.code === null ? log.yellow("not executed") : call.code === "1" ? log.green("1") : log.red(call.code);
  const fault = call.fault === null ? "" : log.yellow(`  fault: ${call.fault}`);
  const agent = call.goodUserAgent === false ? log.yellow("  User-Agent is not Name/Version (contact)") : "";
  return `${log.dim(call.at.slice(11, 19))}  ${call.operation.padEnd(19)}  ${(domain || job).padEnd(20)}  ${code}${fault}${agent}`;
}

function explain(error: unknown): string {
  if (error instanceof BadOptions)
    return error.problems.map((problem) => log.red(`error: ${problem}`)).join("\n");
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === "EADDRINUSE") {
    return log.red(
      `error: port ${port ?? ""} on ${address ?? "this host"} is taken; choose another, or 0 for a free one`,
    );
  }
  if (code === "EACCES")
    return log.red(`error: port ${port ?? ""} needs rights that this process does not have`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return log.red(`error: cannot listen on ${address ?? "that host"}`);
  if (error instanceof z.ZodError) return log.red(`error: ${z.prettifyError(error)}`);
  return log.red(`error: ${errorText(error)}`);
}
