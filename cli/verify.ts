/**
 * `pulumi-legacydns verify`: asks the domains' own name servers whether they serve a stack's declared
 * records.
 */
import { InvalidArgumentError, Option, type Command } from "commander";
import { listRecords, type Client } from "../provider/api";
import { fromLive, ownerOf, recordKey, type DeclaredEntry } from "../provider/dns";
import { messageOf, reason } from "../provider/problems";
import { append, domainsOf } from "../provider/support/collections";
import { defaultLineIn, domainOf, guarded, newCommand, printJson, withClient, wholeNumber } from "./command";
import { CommandError, explain } from "./errors";
import { readInput } from "./files";
import { serviceOptions, sharedOption } from "./options";
import { pulumiOutput } from "./pulumi";
import { settingsIfGiven, type ServiceChoice } from "./settings";
import { exitCodes, type Terminal } from "./terminal";
import { ownServers, parseServer, type Server, type Servers } from "./verify/ask";
import { recordSets } from "./verify/compare";
import { declaredRecords, type DeclaredRecords } from "./verify/declared";
import { examine, type Examined } from "./verify/examine";
import { jsonOf, show } from "./verify/report";

interface Flags extends ServiceChoice {
  readonly domain?: readonly string[];
  readonly state?: string;
  readonly server?: readonly Server[];
  readonly timeout: number;
  /** Seconds. True without a number. */
  readonly wait?: number | true;
  readonly onlyDeclared?: boolean;
  readonly json?: boolean;
}

export function createCommand(terminal: Terminal): Command {
  return newCommand("verify", terminal, {
    purpose: "ask the domains' own name servers whether the records that a stack declares are served",
    exits: ["answers as declared", "an error", "other answers"],
    examples: [
      "pulumi-legacydns verify --stack prod --wait 5m",
      "pulumi-legacydns verify --domain example.com --json",
      "pulumi stack export --file state.json && pulumi-legacydns verify --state state.json --server 192.0.2.53",
    ],
    options: serviceOptions,
  })
    .addOption(sharedOption("domain", " (default: all)"))
    .addOption(
      new Option(
        "--state <file>",
        "a state that `pulumi stack export` wrote, in place of a stack's",
      ).conflicts("stack"),
    )
    .option(
      "--server <address...>",
      "ask this server, IP or IP:PORT, in place of the domains' own; may be repeated",
      (text: string, before: readonly Server[] = []) => [...before, parseServer(text)],
    )
    .option("--timeout <seconds>", "for one attempt of three", wholeNumber(1, 60), 3)
    .addOption(
      new Option(
        "--wait [duration]",
        "ask again until the servers answer as declared, for so long at most (default: 10m)",
      ).argParser(seconds),
    )
    .option("--only-declared", "allow further records of a declared name and type")
    .addOption(sharedOption("json"))
    .action((flags: Flags) => guarded(terminal, flags.json, () => verify(terminal, flags), withProblems));
}

function withProblems(problems: readonly string[]): object {
  const found = { served: 0, unanswered: 0, differences: [], silent: [], onOtherLine: [] };
  return jsonOf({ found, chosen: [], servers: new Map(), warnings: [], problems });
}

async function verify(terminal: Terminal, flags: Flags): Promise<number> {
  const { server: fixed, json } = flags;
  const wait = flags.wait === true ? 600 : flags.wait;
  const settings = fixed === undefined ? await settingsIfGiven(terminal, flags) : undefined;
  const { records, notes, expects } = await read(
    terminal,
    flags,
    settings?.defaultLine ?? defaultLineIn(terminal.env),
  );
  const domains = domainsIn(records, flags.domain?.map(domainOf));
  const chosen = records.filter(({ domain }) => domains.includes(domain));
  const warnings = [...notes];
  // An empty state is probably the wrong stack. A pipeline must not pass with it.
  const problems = records.length === 0 && notes.length === 0 ? [messageOf(reason("state.empty"))] : [];
  const find = async (client?: Client): Promise<Servers> => {
    const found = await Promise.all(
      domains.map(async (domain): Promise<[string, readonly Server[]][]> => {
        try {
          return [[domain, fixed ?? (await ownServers(domain, client, warnings))]];
        } catch (error) {
          append(problems, explain(error));
          return [];
        }
      }),
    );
    return new Map(found.flat());
  };
  const servers = await (settings === undefined ? find() : withClient(terminal, settings, find));
  const begin = terminal.clock.now();
  const sets = recordSets(chosen, servers, flags.onlyDeclared ? () => true : expects);
  const examined = await examine(terminal, sets, flags.timeout * 1000, wait);
  const found = await withIds(terminal, flags, examined, warnings);
  const waited = wait === undefined ? undefined : Math.round((terminal.clock.now() - begin) / 1000);
  append(found.unanswered > 0 ? problems : warnings, silenceIn(found));
  for (const { record, line } of found.onOtherLine)
    warnings.push(
      `${ownerOf(record.name, record.domain)} ${record.type}: the servers answer this machine with records of the line ${line}`,
    );
  const verification = { found, chosen, servers, warnings, problems, waited };
  if (json) printJson(terminal, jsonOf(verification));
  else show(terminal, verification);
  if (found.differences.some(({ kind }) => kind !== "ttl")) return exitCodes.differences;
  return problems.length > 0 ? exitCodes.trouble : exitCodes.fine;
}

/** Lists the zones of further records, if the service is known. */
async function withIds(
  terminal: Terminal,
  flags: Flags,
  found: Examined,
  warnings: string[],
): Promise<Examined> {
  const further = found.differences.flatMap((each) => each.further ?? []);
  if (further.length === 0) return found;
  const ids = new Map<string, string>();
  try {
    const settings = await settingsIfGiven(terminal, flags);
    if (settings === undefined) return found;
    await withClient(terminal, settings, async (client) => {
      for (const domain of domainsOf(further))
        for (const { id, ...live } of (await listRecords(client, { domain })).records)
          ids.set(recordKey(fromLive({ domain, ...live }, settings)), id);
    });
  } catch (error) {
    append(warnings, explain(error));
  }
  const differences = found.differences.map(({ further, ...each }) =>
    further === undefined
      ? each
      : { ...each, ids: further.flatMap((record) => ids.get(recordKey(record)) ?? []) },
  );
  return { ...found, differences };
}

/** `90`, `90s`, `10m`, `2h`. */
function seconds(text: string): number {
  const [, number = "", unit = "s"] = /^(\d{1,5})([smh]?)$/.exec(text) ?? [];
  const found = Number(number) * ({ s: 1, m: 60, h: 3600 }[unit] ?? 1);
  if (found >= 1 && found <= 86400) return found;
  throw new InvalidArgumentError("write a time from 1s to 24h, such as 90s or 10m");
}

function domainsIn(
  records: readonly DeclaredEntry[],
  wanted: readonly string[] | undefined,
): readonly string[] {
  const held = domainsOf(records).sort();
  const strange = wanted?.filter((domain) => !held.includes(domain)) ?? [];
  if (strange.length === 0) return wanted ?? held;
  const lines = strange.map((text) => ({ text, note: "not in the state" }));
  throw new CommandError(reason("state.empty", undefined, lines));
}

function silenceIn({ silent }: Examined): string[] {
  return silent.map(({ server: { name, address }, reason: why, failed, answered }) => {
    const server = name.includes(address) ? name : `${name} (${address})`;
    const detail = `${why} (${failed} of ${failed + answered} questions)`;
    return messageOf(reason("server.silent", { server, detail }));
  });
}

async function read(terminal: Terminal, flags: Flags, defaultLine: string): Promise<DeclaredRecords> {
  const { state } = flags;
  if (state !== undefined)
    return declaredRecords(await readInput("--state", state), `--state ${state}`, defaultLine);
  const text = await pulumiOutput(terminal, flags, ["stack", "export"]);
  return declaredRecords(text, "what pulumi stack export printed", defaultLine);
}
