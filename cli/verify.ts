/**
 * `pulumi-legacydns verify`: asks the domains' own name servers whether they serve a stack's declared
 * records.
 */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Option, type Command } from "commander";
import { contactReminder, type Client } from "../provider/api";
import { ownerOf } from "../provider/dns";
import { append } from "../provider/support/collections";
import { count, errorText } from "../provider/support/text";
import { streamReporter } from "../provider/support/reporter";
import { environmentName, type Settings } from "../provider/settings";
import {
  baseUrlOption,
  defaultLineIn,
  domainOf,
  guarded,
  newCommand,
  printJson,
  settingsFor,
  withClient,
  wholeNumber,
} from "./command";
import { CommandError, explain } from "./errors";
import { afterFailure, pulumi, readable } from "./pulumi";
import { exitCodes, type Terminal } from "./terminal";
import type { Server } from "./verify/ask";
import { notAskedOf, recordSets, whyNotAsked } from "./verify/compare";
import { declaredRecords, type Declared, type DeclaredRecords } from "./verify/declared";
import { examine, type Examined, type Waiting } from "./verify/examine";
import { jsonOf, show, type Report } from "./verify/report";
import { ownServers, parseServer } from "./verify/servers";

interface Flags {
  readonly stack?: string;
  readonly cwd?: string;
  readonly domain?: readonly string[];
  readonly state?: string;
  readonly showSecrets?: boolean;
  readonly server?: readonly string[];
  readonly timeout: number;
  readonly wait?: number;
  readonly baseUrl?: string;
  readonly json?: boolean;
}

export function verifyCommand(terminal: Terminal): Command {
  const examples = [
    "pulumi-legacydns verify --stack prod",
    "pulumi-legacydns verify --stack prod --wait 120",
    "pulumi-legacydns verify --domain example.com --json",
    "pulumi stack export --file state.json && pulumi-legacydns verify --state state.json --server 192.0.2.53",
  ];
  return newCommand("verify", terminal, examples)
    .description(
      "Ask the domains' own name servers whether the records that a stack declares are served.\nExit code: 0 all served, 2 some are not, 1 trouble.",
    )
    .option("--stack <name>", "the stack (default: the selected one)")
    .option("--cwd <folder>", "the project's folder (default: this one)")
    .option("--domain <name...>", "only this domain; may be repeated")
    .addOption(
      new Option(
        "--state <file>",
        "a state that `pulumi stack export` wrote, in place of a stack's",
      ).conflicts("stack"),
    )
    .option("--show-secrets", "read records whose values are secret as well; they are not printed")
    .option(
      "--server <address...>",
      "ask this server, IP or IP:PORT, in place of the domains' own; may be repeated",
    )
    .option("--timeout <seconds>", "for one attempt of three", wholeNumber(1, 60), 3)
    .option(
      "--wait <seconds>",
      "ask again until every declared record is served, for so long at most",
      wholeNumber(1, 86400),
    )
    .addOption(baseUrlOption())
    .option("--json", "print JSON instead of a table")
    .action((flags: Flags) =>
      guarded(terminal, () => verify(terminal, flags), flags.json === true ? unread : undefined),
    );
}

function unread(troubles: readonly string[]): object {
  const result = { served: 0, unanswered: 0, differences: [], silent: [], onOtherLine: [] };
  return jsonOf({
    result,
    notAsked: [],
    warnings: [],
    troubles,
    servers: new Map(),
    total: 0,
    waited: undefined,
  });
}

async function verify(terminal: Terminal, flags: Flags): Promise<number> {
  const { wait } = flags;
  const timeout = flags.timeout * 1000;
  const fixed = flags.server?.map(parseServer);
  const wanted = flags.domain?.map(domainOf);
  const settings = fixed === undefined ? await serviceSettings(terminal, flags) : undefined;
  const scope = scopeOf(
    await read(terminal, flags, settings?.defaultLine ?? defaultLineIn(terminal.env)),
    wanted,
  );
  const find = (client?: Client): Promise<Map<string, readonly Server[]>> =>
    findServers(scope, fixed, client);
  const servers =
    settings === undefined
      ? await find()
      : await withClient(terminal, settings, find, flags.state === undefined ? contactReminder : undefined);
  const asked = scope.chosen.filter(({ record }) => servers.has(record.domain));
  const patience =
    wait === undefined ? undefined : waiting(terminal, wait, asked.length - notAskedOf(asked).length);
  const found = await examine(recordSets(asked), (domain) => servers.get(domain) ?? [], {
    timeout,
    attempts: 3,
    concurrency: 20,
    random: () => randomBytes(8).toString("hex"),
    ...(patience === undefined ? {} : { waiting: patience }),
  });
  const report = reportOf(scope, servers, found, patience?.waited());
  if (flags.json === true) printJson(terminal, jsonOf(report));
  else show(terminal, report);
  if (found.differences.some(({ kind }) => kind === "missing")) return exitCodes.differences;
  return scope.troubles.length > 0 ? exitCodes.trouble : exitCodes.fine;
}

interface Scope {
  readonly chosen: readonly Declared[];
  readonly domains: readonly string[];
  readonly warnings: string[];
  readonly troubles: string[];
}

/**
 * The declared records of the wanted domains.
 * @throws CommandError if a wanted domain has none
 */
function scopeOf({ records, notes }: DeclaredRecords, wanted: readonly string[] | undefined): Scope {
  const isWanted = (domain: string): boolean => wanted === undefined || wanted.includes(domain);
  const domainsOf = (some: readonly Declared[]): string[] =>
    [...new Set(some.map(({ record }) => record.domain))].sort();
  const chosen = records.filter(({ record }) => isWanted(record.domain));
  const domains = domainsOf(chosen);
  const strange = wanted?.filter((domain) => !domains.includes(domain)) ?? [];
  if (strange.length > 0) {
    const held = domainsOf(records).join(", ");
    throw new CommandError(
      `${strange.join(", ")}: no record of it is declared; the state declares ${held === "" ? "none at all" : `records of ${held}`}`,
    );
  }
  const warnings = notes
    .filter(({ domains: of }) => of.length === 0 || of.some(isWanted))
    .map(({ text }) => text);
  // An empty state is probably the wrong stack. A pipeline must not pass with it.
  const empty =
    "the state declares no record at all: choose the stack with --stack, or run `pulumi up` first";
  return {
    chosen,
    domains,
    warnings,
    troubles: records.length === 0 && warnings.length === 0 ? [empty] : [],
  };
}

function reportOf(
  { chosen, warnings, troubles }: Scope,
  servers: ReadonlyMap<string, readonly Server[]>,
  found: Examined,
  waited: number | undefined,
): Report {
  const serverless = chosen.filter(
    ({ record }) => !servers.has(record.domain) && whyNotAsked(record) === undefined,
  ).length;
  const unanswered = found.unanswered + serverless;
  for (const { server, reason, questions, answered } of found.silent) {
    const address = server.name.includes(server.address) ? "" : ` (${server.address})`;
    const text = `${server.name}${address}: ${reason} (${questions} of ${questions + answered} questions)`;
    (unanswered > 0 ? troubles : warnings).push(text);
  }
  for (const { record, line } of found.onOtherLine) {
    const { name, domain, type } = record.record;
    warnings.push(
      `${ownerOf(name, domain)} ${type}: the servers take this machine to be on the line ${line}, and answer that line's records`,
    );
  }
  const result = { ...found, unanswered };
  return { result, notAsked: notAskedOf(chosen), warnings, troubles, servers, total: chosen.length, waited };
}

/**
 * Waits for at most `seconds`. A terminal shows the missing records as one live line, a log as a line per
 * minute.
 */
function waiting(terminal: Terminal, seconds: number, total: number): Waiting & { waited(): number } {
  const { clock } = terminal;
  const reporter = streamReporter(terminal.err);
  const begin = clock.now();
  const waited = (): number => Math.round((clock.now() - begin) / 1000);
  let reported: number | undefined;
  return {
    clock,
    until: begin + seconds * 1000,
    progress: ({ served, pending }) => {
      const [first] = pending;
      const names =
        first === undefined
          ? ""
          : `: ${first.name} ${first.type}${pending.length > 1 ? ` and ${pending.length - 1} more` : ""}`;
      const text = `${served} of ${total} records are served; waiting for ${count(total - served, "record")}${names} (${waited()} of ${seconds} s)`;
      if (terminal.err.isTTY === true) reporter.progress(text);
      else if (reported === undefined || clock.now() - reported >= 60_000) {
        reported = clock.now();
        reporter.info(text);
      }
    },
    done: () => reporter.clear(),
    waited,
  };
}

/**
 * The settings for asking the service for the name servers; undefined if its address is unknown. A pipeline
 * has the token in the environment. The address and the contact may be in the stack's configuration.
 */
async function serviceSettings(terminal: Terminal, flags: Flags): Promise<Settings | undefined> {
  const { baseUrl, state } = flags;
  const isSet = (name: string): boolean => (terminal.env[environmentName(name)] ?? "").trim() !== "";
  const hasUrl = baseUrl !== undefined || isSet("baseUrl");
  const hasToken = isSet("loginToken") || isSet("loginTokenEnv");
  if (!hasToken && !hasUrl) return undefined;
  const wanted =
    state !== undefined || !hasToken
      ? []
      : [...(hasUrl ? [] : ["legacydns:baseUrl"]), ...(isSet("contact") ? [] : ["legacydns:contact"])];
  const config = Object.fromEntries(
    (await Promise.all(wanted.map((name) => configured(terminal, flags, name)))).flat(),
  );
  return hasUrl || config["legacydns:baseUrl"] !== undefined
    ? settingsFor(terminal, baseUrl, config)
    : undefined;
}

async function configured(terminal: Terminal, flags: Flags, name: string): Promise<[string, string][]> {
  const run = await pulumi(terminal, flags, ["config", "get", name]);
  const found = run.out.trim();
  return run.code === 0 && found !== "" ? [[name, found]] : [];
}

function whyUnread(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR")
    return "this is a folder; name the file that `pulumi stack export --file FILE` wrote";
  return errorText(error);
}

/** The declared records, from a file or from the engine's export of the stack. */
async function read(terminal: Terminal, flags: Flags, defaultLine: string): Promise<DeclaredRecords> {
  const { state } = flags;
  if (state !== undefined) {
    const text = await readFile(state, "utf8").catch((error: unknown) => {
      throw new CommandError(`--state ${state}: ${whyUnread(error)}`);
    });
    return declaredRecords(text, `--state ${state}`, defaultLine);
  }
  const run = await pulumi(terminal, flags, [
    "stack",
    "export",
    ...(flags.showSecrets === true ? ["--show-secrets"] : []),
  ]);
  if (run.code !== 0) {
    const output = readable(run.err === "" ? run.out : run.err);
    throw new CommandError(
      `the stack cannot be read: ${output}${/[.!?]$/.test(output) ? "" : "."} ${afterFailure(output, "pulumi stack export")}`,
    );
  }
  return declaredRecords(run.out, "what pulumi stack export printed", defaultLine);
}

async function findServers(
  { domains, warnings, troubles }: Scope,
  fixed: readonly Server[] | undefined,
  client: Client | undefined,
): Promise<Map<string, readonly Server[]>> {
  if (fixed !== undefined) return new Map(domains.map((domain) => [domain, fixed]));
  const servers = new Map<string, readonly Server[]>();
  await Promise.all(
    domains.map(async (domain) => {
      try {
        const found = await ownServers(domain, client);
        append(warnings, found.warnings);
        servers.set(domain, found.servers);
      } catch (error) {
        append(troubles, explain(error));
      }
    }),
  );
  return servers;
}
