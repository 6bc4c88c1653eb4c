/** `pulumi-legacydns account`: the account's domains in one table, from the service's list of domains. */
import type { Command } from "commander";
import { listDomains, LoginError, ServiceError, type Client } from "../provider/api";
import { count } from "../provider/support/text";
import { visibleLine } from "../provider/support/visible";
import { accountOf, domainRows, type DomainRow } from "./account/rows";
import { managingStacks } from "./account/stacks";
import { guarded, newCommand, printJson, withClient } from "./command";
import { explain } from "./errors";
import { serviceOptions } from "./options";
import { settingsFor, type ServiceChoice } from "./settings";
import { table } from "./table";
import { coloursOf, exitCodes, log, painted, type Part, type Terminal } from "./terminal";

interface Flags extends ServiceChoice {
  readonly json?: boolean;
}

export function createCommand(terminal: Terminal): Command {
  return newCommand("account", terminal, {
    purpose: "show whether the service is supported, whose token this is, and all domains of the account",
    exits: ["no domain has a finding", "an error", "a domain has a finding"],
    examples: [
      "pulumi-legacydns account",
      "pulumi-legacydns account --json | jq -r '.domains[] | select(.findings != []) | .domain'",
    ],
    options: [...serviceOptions, "json"],
  }).action((flags: Flags) =>
    guarded(
      terminal,
      () => account(terminal, flags),
      flags.json === true ? (problems) => ({ version: 1, ok: false, problems }) : undefined,
    ),
  );
}

async function account(terminal: Terminal, flags: Flags): Promise<number> {
  const settings = await settingsFor(terminal, flags);
  const print = (line: Part): void => {
    if (flags.json !== true) terminal.out.write(painted`${line}\n`);
  };
  const supported = `${settings.baseUrl} is a supported service`;
  const { counters, domains } = await withClient(terminal, settings, async (client: Client) => {
    try {
      return await listDomains(client);
    } catch (error) {
      // A code of the service, in the service's own envelope.
      if (error instanceof ServiceError || error instanceof LoginError) print(supported);
      throw error;
    }
  });
  const { stacks, problems } = await managingStacks(terminal, flags);
  log(terminal, "warning", problems.flatMap(explain));
  const owner = accountOf(domains, counters);
  const rows = domainRows(domains, owner, stacks, terminal.clock.wall());
  const attention = rows.filter(({ findings }) => findings.length > 0).length;
  if (flags.json === true)
    printJson(terminal, {
      ...{ version: 1, ok: true, url: settings.baseUrl, account: owner ?? null, counters: counters ?? {} },
      ...{ domains: rows, problems: [] },
    });
  else {
    print(supported);
    print(
      owner === undefined
        ? "the account's address is not known"
        : `the token belongs to ${visibleLine(owner)}`,
    );
    const shared = counters?.sharedByMe ?? 0;
    if (shared > 0) print(`the account shares ${count(shared, "domain")} with others`);
    if (rows.length > 0) print("");
    printTable(terminal, rows);
    const records = rows.reduce((sum, row) => sum + (row.records ?? 0), 0);
    const outcome = attention === 0 ? "" : `; ${count(attention, "domain")} to attend to`;
    print(`\n${count(rows.length, "domain")}, ${count(records, "record")}${outcome}`);
  }
  return attention > 0 ? exitCodes.differences : exitCodes.fine;
}

type Column = readonly [title: string, cell: (row: DomainRow) => string];

function printTable(terminal: Terminal, rows: readonly DomainRow[]): void {
  if (rows.length === 0) return;
  const all: readonly Column[] = [
    ["domain", ({ domain }) => domain],
    ["records", ({ records }) => (records === null ? "" : records.toLocaleString("en-US"))],
    ["status", ({ findings }) => (findings.length === 0 ? "fine" : findings.join(", "))],
    ["package", (row) => row.package],
    ["package ends", ({ packageEnds }) => packageEnds ?? ""],
    ["shared by", ({ sharedBy }) => sharedBy ?? ""],
    ["stack", ({ stacks }) => (stacks === null ? "" : stacks.join(", ") || "none")],
  ];
  const columns = all.filter(([, cell]) => rows.some((row) => cell(row) !== ""));
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row)));
  const lines = table(
    columns.map(([title]) => title),
    cells,
    [1],
  );
  const { bold, yellow } = coloursOf(terminal, terminal.out);
  for (const [i, line] of lines.entries()) {
    const needsAttention = (rows[i - 1]?.findings.length ?? 0) > 0;
    terminal.out.write(painted`${i === 0 ? bold(line) : needsAttention ? yellow(line) : line}\n`);
  }
}
