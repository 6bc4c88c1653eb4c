/**
 * `pulumi-legacydns verify`: asks the domains' own name servers whether they serve a stack's declared
 * records.
 */
import { Option, type Command } from "commander";
import type { Client } from "../provider/api";
import { ownerOf } from "../provider/dns";
import { messageOf, reason } from "../provider/problems";
import { append, domainsOf } from "../provider/support/collections";
import { count } from "../provider/support/text";
import { streamReporter } from "../provider/support/reporter";
import {
  baseUrlOption,
  defaultLineIn,
  domainOf,
  folderOption,
  guarded,
  newCommand,
  printJson,
  settingsFor,
  stackOption,
  withClient,
  wholeNumber,
} from "./command";
import { CommandError, explain } from "./errors";
import { readInput } from "./files";
import { engineFailure, pulumi, type StackChoice } from "./pulumi";
import { exitCodes, type Terminal } from "./terminal";
import type { Server } from "./verify/ask";
import { recordSets, whyNotAsked } from "./verify/compare";
import { declaredRecords, type Declared, type DeclaredRecords } from "./verify/declared";
import { examine, type Examined, type Waiting } from "./verify/examine";
import { jsonOf, show, type Report } from "./verify/report";
import { ownServers, parseServer } from "./verify/servers";

interface Flags extends StackChoice {
  readonly domain?: readonly string[];
  readonly state?: string;
  readonly showSecrets?: boolean;
  readonly server?: readonly Server[];
  readonly timeout: number;
  readonly wait?: number;
  readonly baseUrl?: string;
  readonly json?: boolean;
}

export function createCommand(terminal: Terminal): Command {
  const examples = [
    "pulumi-legacydns verify --stack prod --wait 120",
    "pulumi-legacydns verify --domain example.com --json",
    "pulumi stack export --file state.json && pulumi-legacydns verify --state state.json --server 192.0.2.53",
  ];
  return newCommand("verify", terminal, examples)
    .description(
      "ask the domains' own name servers whether the records that a stack declares are served\n\nExit code: 0 all served, 2 some are not, 1 trouble",
    )
    .option(...stackOption)
    .option(...folderOption)
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
      (text: string, before: readonly Server[] = []) => [...before, parseServer(text)],
    )
    .option("--timeout <seconds>", "for one attempt of three", wholeNumber(1, 60), 3)
    .option(
      "--wait <seconds>",
      "ask again until every declared record is served, for so long at most",
      wholeNumber(1, 86400),
    )
    .option(...baseUrlOption)
    .option("--json", "print JSON instead of a table")
    .action((flags: Flags) =>
      guarded(terminal, () => verify(terminal, flags), flags.json === true ? withTroubles : undefined),
    );
}

function withTroubles(troubles: readonly string[]): object {
  const result = { served: 0, unanswered: 0, differences: [], silent: [], onOtherLine: [] };
  const none = { notAsked: [], warnings: [], servers: new Map(), total: 0, waited: undefined };
  return jsonOf({ result, troubles, ...none });
}

async function verify(terminal: Terminal, flags: Flags): Promise<number> {
  const { server: fixed, wait, baseUrl, json } = flags;
  const hasUrl = baseUrl !== undefined || (terminal.env["LEGACYDNS_BASE_URL"] ?? "") !== "";
  const settings = fixed === undefined && hasUrl ? settingsFor(terminal, baseUrl) : undefined;
  const declared = await read(terminal, flags, settings?.defaultLine ?? defaultLineIn(terminal.env));
  const scope = scopeOf(declared, flags.domain?.map(domainOf));
  const find = (client?: Client): Promise<Servers> => findServers(scope, fixed, client);
  const servers = await (settings === undefined ? find() : withClient(terminal, settings, find));
  const asked = scope.chosen.filter(({ record }) => servers.has(record.domain));
  const begin = terminal.clock.now();
  const total = asked.filter(({ record }) => whyNotAsked(record) === undefined).length;
  const found = await examine(
    recordSets(asked),
    (domain) => servers.get(domain) ?? [],
    flags.timeout * 1000,
    wait === undefined ? undefined : waiting(terminal, wait, total),
  );
  const waited = wait === undefined ? undefined : Math.round((terminal.clock.now() - begin) / 1000);
  const report = reportOf(scope, servers, found, waited);
  if (json === true) printJson(terminal, jsonOf(report));
  else show(terminal, report);
  if (found.differences.some(({ kind }) => kind === "missing")) return exitCodes.differences;
  return scope.troubles.length > 0 ? exitCodes.trouble : exitCodes.fine;
}

type Servers = ReadonlyMap<string, readonly Server[]>;

interface Scope {
  readonly chosen: readonly Declared[];
  readonly domains: readonly string[];
  readonly warnings: string[];
  readonly troubles: string[];
}

function scopeOf({ records, notes }: DeclaredRecords, wanted: readonly string[] | undefined): Scope {
  const held = domainsOf(records.map(({ record }) => record)).sort();
  const strange = wanted?.filter((domain) => !held.includes(domain)) ?? [];
  if (strange.length > 0)
    throw new CommandError(
      reason(
        "state.empty",
        undefined,
        strange.map((text) => ({ text, note: "not in the state" })),
      ),
    );
  // An empty state is probably the wrong stack. A pipeline must not pass with it.
  const troubles = records.length === 0 && notes.length === 0 ? [messageOf(reason("state.empty"))] : [];
  const domains = wanted ?? held;
  const chosen = records.filter(({ record }) => domains.includes(record.domain));
  return { chosen, domains, warnings: [...notes], troubles };
}

function reportOf(
  { chosen, warnings, troubles }: Scope,
  servers: Servers,
  found: Examined,
  waited: number | undefined,
): Report {
  let { unanswered } = found;
  const notAsked = chosen.flatMap(({ record }) => {
    const { name, domain, type } = record;
    const why = whyNotAsked(record);
    if (why !== undefined) return [{ name: ownerOf(name, domain), type, reason: why }];
    if (!servers.has(domain)) unanswered += 1;
    return [];
  });
  for (const { server, reason: why, failed, answered } of found.silent) {
    const address = server.name.includes(server.address) ? "" : ` (${server.address})`;
    const detail = `${why} (${failed} of ${failed + answered} questions)`;
    const text = messageOf(reason("server.silent", { server: `${server.name}${address}`, detail }));
    (unanswered > 0 ? troubles : warnings).push(text);
  }
  for (const { record, line } of found.onOtherLine) {
    const { name, domain, type } = record.record;
    warnings.push(
      `${ownerOf(name, domain)} ${type}: the servers answer this machine with records of the line ${line}`,
    );
  }
  const result = { ...found, unanswered };
  return { result, notAsked, warnings, troubles, servers, total: chosen.length, waited };
}

/** Reports the missing records once a minute. */
function waiting({ clock, err }: Terminal, seconds: number, total: number): Waiting {
  const reporter = streamReporter(err);
  const begin = clock.now();
  let reported = -Infinity;
  return {
    clock,
    until: begin + seconds * 1000,
    progress: (served, pending) => {
      if (clock.now() - reported < 60_000) return;
      reported = clock.now();
      const [first] = pending;
      const waited = Math.round((clock.now() - begin) / 1000);
      const more = pending.length > 1 ? ` and ${pending.length - 1} more` : "";
      const name = first === undefined ? "" : `${ownerOf(first.name, first.domain)} ${first.type}${more}`;
      reporter.info(
        `${served} of ${total} records are served; waiting for ${count(total - served, "record")}: ${name} (${waited} of ${seconds} s)`,
      );
    },
  };
}

async function read(terminal: Terminal, flags: Flags, defaultLine: string): Promise<DeclaredRecords> {
  const { state, showSecrets } = flags;
  if (state !== undefined)
    return declaredRecords(await readInput("--state", state), `--state ${state}`, defaultLine);
  const secrets = showSecrets === true ? ["--show-secrets"] : [];
  const run = await pulumi(terminal, flags, ["stack", "export", ...secrets]);
  if (run.code === 0) return declaredRecords(run.out, "what pulumi stack export printed", defaultLine);
  throw new CommandError(engineFailure("pulumi stack export", run));
}

async function findServers(
  { domains, warnings, troubles }: Scope,
  fixed: readonly Server[] | undefined,
  client: Client | undefined,
): Promise<Servers> {
  const servers = new Map<string, readonly Server[]>();
  await Promise.all(
    domains.map(async (domain) => {
      try {
        servers.set(domain, fixed ?? (await ownServers(domain, client, warnings)));
      } catch (error) {
        append(troubles, explain(error));
      }
    }),
  );
  return servers;
}
