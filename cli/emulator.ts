/** `pulumi-legacydns emulator`. */
import { basename, dirname, resolve } from "node:path";
import { InvalidArgumentError, type Command } from "commander";
import { z } from "zod";
import {
  defaultLine,
  isLoopback,
  seedSchema,
  startEmulator,
  type Call,
  type DomainInput,
  type Emulator,
  type SettingsInput,
  type StartOptions,
} from "../emulator";
import { loadZoneFile, repositoryRoot } from "../provider/resources/zone-files";
import { isError, messageOf, reason, type PlacedReason, type RecordLine } from "../provider/problems";
import { append, split } from "../provider/support/collections";
import { errorText } from "../provider/support/text";
import { guarded, newCommand, wholeNumber } from "./command";
import { codeOf, CommandError, usage } from "./errors";
import { readInput } from "./files";
import { namedFile, sharedOption } from "./options";
import { exitCodes, log, Painted, painted, type Colours, type Part, type Terminal } from "./terminal";

export function createCommand(terminal: Terminal): Command {
  const port = wholeNumber(0, 65_535);
  return newCommand("emulator", terminal, {
    purpose: "run the emulator: the ten operations over HTTP, a DNS server, faults and a console",
    exits: ["ended by SIGINT or SIGTERM", "an error"],
    examples: [
      "pulumi-legacydns emulator --domain example.com --dns-port 5353",
      "pulumi-legacydns emulator --file zones/example.com.zone --index-delay 2",
    ],
  })
    .addOption(sharedOption("domain", " (default: example.com)").argParser(domains))
    .addOption(sharedOption("file"))
    .option("--port <number>", "HTTP port, 0 for a free one", port, 8053)
    .option("--dns-port <number>", "DNS port (UDP and TCP), 0 for a free one (default: no DNS)", port)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--token <token>", "login token of the account (default: a random one)")
    .option(
      "--index-delay <seconds>",
      "until Record.List shows a record (default: 30)",
      wholeNumber(0, 86_400),
    )
    .option("--undocumented", "also answer the undocumented operations, which change and remove")
    .option("--seed <number>", "decides ids and random faults", wholeNumber(0, 4_294_967_295), 1)
    .option("--snapshot <file>", "JSON file of settings, accounts, domains and records")
    .addOption(sharedOption("json", "; one line, instead of the banner"))
    .option("--quiet", "do not log calls")
    .action((flags: Flags) => guarded(terminal, false, () => run(terminal, flags)));
}

interface Flags
  extends
    Pick<SettingsInput, "indexDelay" | "undocumented">,
    Pick<StartOptions, "port" | "dnsPort" | "seed" | "token"> {
  readonly domain?: readonly string[];
  readonly file?: readonly string[];
  readonly host: string;
  readonly snapshot?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

function domains(text: string, before: readonly string[] = []): string[] {
  if (/^[^\s.]+(\.[^\s.]+)+\.?$/.test(text)) return [...before, text];
  throw new InvalidArgumentError("write a domain name such as example.com");
}

async function run(terminal: Terminal, flags: Flags): Promise<number> {
  const colours = terminal.err.colours;
  const warn = (text: string): void => {
    log(terminal, "warning", [text]);
  };
  const onCall = (call: Call): void => terminal.err.line(callLine(call, colours));
  const options = { ...(await startOptions(flags, warn)), onCall: flags.quiet ? undefined : onCall };
  const emulator = await startEmulator(options).catch((error: unknown) => {
    throw explained(error);
  });
  // Before the output: its reader may stop the process at once.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  terminal.out.write(
    flags.json ? `${JSON.stringify(facts(emulator))}\n` : banner(emulator, terminal.out.colours),
  );
  if (!isLoopback(flags.host))
    warn(
      `--host ${flags.host} opens the emulator to other machines, which can change every zone under /_admin without a token`,
    );
  await stopped;
  await emulator.close();
  return exitCodes.fine;
}

async function startOptions(flags: Flags, warn: (warning: string) => void): Promise<StartOptions> {
  const { domain = [], file: files = [], port, dnsPort, host, token, seed, ...rest } = flags;
  const { snapshot: file, json: _json, quiet: _quiet, ...chosen } = rest;
  if (token === "")
    throw new CommandError(usage("emulator", "--token is empty", "leave it out for a random one"));
  const state = file === undefined ? undefined : await readState(file);
  const settings = { ...state?.settings, ...chosen };
  const domains = [...(state?.domains ?? []), ...readZones(files, settings, warn), ...domain];
  return {
    port,
    dnsPort,
    host,
    token,
    seed,
    settings,
    accounts: state?.accounts,
    domains: domains.length > 0 ? domains : undefined,
  };
}

function facts(emulator: Emulator) {
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

function banner(emulator: Emulator, { bold, cyan }: Colours): Painted {
  const { url, adminUrl, consoleUrl, dns, token, domains } = facts(emulator);
  const { indexDelay, undocumented } = emulator.admin.settings();
  const first = domains[0]?.name ?? "example.com";
  const edit = JSON.stringify({ domain: first, name: "www", type: "A", value: "192.0.2.1" });
  const host = dns === null ? null : dns.slice(0, dns.lastIndexOf(":"));
  const lines: Part[] = [
    painted`${bold("The emulator")} is running. Stop it with Ctrl-C.`,
    "",
    painted`  console   ${consoleUrl === null ? "only where it listens on loopback" : cyan(consoleUrl)}`,
    painted`  base URL  ${cyan(url)}`,
    painted`  DNS       ${dns === null ? "not served; --dns-port turns it on" : cyan(dns)}`,
    `  token     ${token}`,
    `  domains   ${domains.map(({ id, name }) => `${name} (${id})`).join(", ")}`,
    "",
    "Point the provider at it:",
    "",
    `  export LEGACYDNS_BASE_URL=${url}`,
    `  export LEGACYDNS_LOGIN_TOKEN=${token}`,
    "  export LEGACYDNS_CONTACT=you@example.com",
    ...(indexDelay === 30 ? [] : [`  export LEGACYDNS_INDEX_DELAY=${indexDelay}`]),
    ...(undocumented ? ["  export LEGACYDNS_UNDOCUMENTED_OPERATIONS=true"] : []),
    "",
    `Edit a zone as in the service's console: ${consoleUrl === null ? "" : "open its address in a browser, or "}paste`,
    "",
    `  curl -s ${adminUrl}/record/add -d '${edit}'`,
    ...(host === null ? [] : [`  dig @${host} -p ${emulator.dnsPort ?? ""} www.${first} A`]),
    "",
    "",
  ];
  return Painted.join(lines, "\n");
}

function callLine(call: Call, { dim, green, red, yellow }: Colours): Painted {
  const { params, code: answered } = call;
  const job = params["job_id"] === undefined ? "" : `job ${params["job_id"]}`;
  const subject = params["domain"] ?? params["domain_id"] ?? "";
  const code = answered === null ? yellow("not executed") : answered === "1" ? green("1") : red(answered);
  const fault = call.fault === null ? "" : yellow(`  fault: ${call.fault}`);
  const agent = call.goodUserAgent === false ? yellow("  User-Agent is not Name/Version (contact)") : "";
  return painted`${dim(call.at.slice(11, 19))}  ${call.operation.padEnd(19)}  ${(subject || job).padEnd(20)}  ${code}${fault}${agent}`;
}

const otherHost = "name an address of this machine: --host";
const listenHints: Readonly<Record<string, string>> = {
  EADDRINUSE: "choose another port, or 0 for a free one",
  EACCES: "choose a port above 1023",
  EADDRNOTAVAIL: otherHost,
  ENOTFOUND: otherHost,
};

function explained(error: unknown): unknown {
  if (error instanceof z.ZodError)
    return new CommandError(reason("emulator.settings", undefined, faultsIn(error)));
  const code = codeOf(error);
  const hint = listenHints[code];
  if (hint === undefined) return error;
  const {
    port,
    address,
    hostname = "this host",
  } = error as Partial<Record<"port" | "address" | "hostname", string>>;
  const where = `${address ?? hostname}${port === undefined ? "" : `:${port}`}`;
  return new CommandError(reason("emulator.address", { address: where, code, hint }));
}

async function readState(file: string): Promise<z.output<typeof seedSchema>> {
  const text = await readInput("--snapshot", file);
  try {
    return seedSchema.parse(JSON.parse(text));
  } catch (error) {
    const parts = { path: file, what: "an emulator", make: "curl -s URL/_admin/snapshot > FILE" };
    throw new CommandError({ ...reason("state.unfit", parts, faultsIn(error)), path: "--snapshot" });
  }
}

function faultsIn(error: unknown): RecordLine[] {
  if (!(error instanceof z.ZodError)) return [{ text: errorText(error) }];
  return error.issues.map(({ path, message }) =>
    path.length === 0 ? { text: message } : { text: z.core.toDotPath(path), note: message },
  );
}

/** @throws CommandError with the problems of all files */
function readZones(
  args: readonly string[],
  settings: SettingsInput,
  warn: (warning: string) => void,
): DomainInput[] {
  const problems: PlacedReason[] = [];
  const domains = args.flatMap((arg): DomainInput[] => {
    const named = namedFile("emulator", arg);
    if ("problem" in named) {
      problems.push(named.problem);
      return [];
    }
    const { domain, file } = named;
    const folder = dirname(resolve(file));
    const options = { domain, defaultLine: defaultLine(settings), folder, root: repositoryRoot(folder) };
    const read = loadZoneFile(basename(file), options);
    const [errors, warnings] = split(read.problems, isError);
    append(problems, errors);
    for (const each of warnings) warn(messageOf(each));
    const records = read.records.map(({ ttl, priority: mx, name, type, value, line }) => ({
      name,
      type,
      value,
      line,
      mx,
      ...(ttl === "default" ? {} : { ttl }),
    }));
    return [{ name: domain, records }];
  });
  if (problems.length > 0) throw new CommandError(...problems);
  return domains;
}
