/**
 * `pulumi-legacydns emulator`: the emulator. It prints commands that use it, and logs each call as a line.
 */
import type { WriteStream } from "node:tty";
import { Command } from "commander";
import pc from "picocolors";
import { z } from "zod";
import { errorText } from "../provider/support/text";
import { visibleOnTerminal } from "../provider/support/visible";
import { shapes, startEmulator, type Call, type Emulator } from "../emulator";
import { BadOptions, readOptions, type Flags } from "./emulator/options";

const colours = (stream: WriteStream): ReturnType<typeof pc.createColors> =>
  // isTTY is undefined on a pipe, and createColors(undefined) reads the environment.
  pc.createColors(Boolean(stream.isTTY) && (process.env["NO_COLOR"] ?? "") === "");
const out = colours(process.stdout);
const log = colours(process.stderr);

export function emulatorCommand(): Command {
  return new Command("emulator")
    .description("Run the emulator: the ten operations over HTTP, a DNS server, faults and a console.")
    .option("--domain <name...>", "a domain of the account; may be repeated (default: example.com)")
    .option(
      "--zone <file...>",
      "a zone file or YAML, named for its domain (example.com.zone) or given as DOMAIN=FILE; may be repeated",
    )
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
        say(explain(error));
        process.exitCode = 1;
      }
    });
}

function say(line: string): void {
  process.stderr.write(visibleOnTerminal(`${line}\n`));
}

async function run(flags: Flags): Promise<void> {
  const { options, warnings } = await readOptions(flags);
  const onCall = flags.quiet === true ? undefined : (call: Call): void => say(callLine(call));
  const emulator = await startEmulator({ ...options, onCall });
  // Registered before the output: a reader of the facts may stop the process at once.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => {
        resolve();
      });
  });
  process.stdout.write(flags.json === true ? `${JSON.stringify(facts(emulator))}\n` : banner(emulator));
  for (const warning of warnings) say(log.yellow(`warning: ${warning}`));
  await stopped;
  await emulator.close();
}

const defaultIndexDelay = 30;

interface Facts {
  readonly url: string;
  readonly adminUrl: string;
  /** For a browser; null if the emulator does not listen on loopback. */
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
    `${out.bold("The emulator")} is running. Stop it with Ctrl-C.`,
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
