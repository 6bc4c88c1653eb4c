/** `pulumi-legacydns account`: the account's domains in one table, from the service's list of domains. */
import type { Command } from "commander";
import { listDomains, LoginError, ServiceError, type Client } from "../provider/api";
import { count, number } from "../provider/support/text";
import { visibleLine } from "../provider/support/visible";
import { accountOf, domainRows, type DomainRow } from "./account/rows";
import { managingStacks } from "./account/stacks";
import { guarded, newCommand, printJson, withClient } from "./command";
import { explain } from "./errors";
import { serviceOptions } from "./options";
import { settingsFor, type ServiceChoice } from "./settings";
import { table } from "./table";
import { exitCodes, log, painted, type Part, type Terminal } from "./terminal";

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
  }).action((flags: Flags) => guarded(terminal, flags.json, () => account(terminal, flags)));
}

async function account(terminal: Terminal, flags: Flags): Promise<number> {
  const settings = await settingsFor(terminal, flags);
  const print = (line: Part): void => {
    if (!flags.json) terminal.out.line(line);
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
  if (flags.json)
    printJson(terminal, {
      ok: true,
      url: settings.baseUrl,
      account: owner ?? null,
      counters: counters ?? {},
      domains: rows,
      problems: [],
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
    printTable(terminal, rows);
    const records = rows.reduce((sum, row) => sum + (row.records ?? 0), 0);
    const { green, yellow } = terminal.out.colours;
    const total = `${count(rows.length, "domain")}, ${count(records, "record")}`;
    const isFine = attention === 0;
    print(
      painted`\n${isFine ? green(total) : yellow(`${total}; ${count(attention, "domain")} to attend to`)}`,
    );
  }
  return attention > 0 ? exitCodes.differences : exitCodes.fine;
}

type Column = readonly [title: string, cell: (row: DomainRow) => string];

/** A domain with several findings has a line for each. */
function printTable(terminal: Terminal, rows: readonly DomainRow[]): void {
  if (rows.length === 0) return;
  const all: readonly Column[] = [
    ["domain", ({ domain }) => domain],
    ["records", ({ records }) => (records === null ? "" : number(records))],
    [status, ({ findings: [first = "fine"] }) => first],
    ["package", (row) => row.package],
    ["package ends", ({ packageEnds }) => packageEnds ?? ""],
    ["shared by", ({ sharedBy }) => sharedBy ?? ""],
    ["stack", ({ stacks }) => (stacks === null ? "" : stacks.join(", ") || "none")],
  ];
  const columns = all.filter(([, cell]) => rows.some((row) => cell(row) !== ""));
  const titles = columns.map(([title]) => title);
  const lines = rows.flatMap((row) => {
    const more = row.findings.slice(1);
    const moreCells = more.map((finding) => titles.map((title) => (title === status ? finding : "")));
    const lineCells = [columns.map(([, cell]) => cell(row)), ...moreCells];
    return lineCells.map((cells) => ({ cells, isFine: row.findings.length === 0 }));
  });
  const cells = lines.map((each) => each.cells);
  const [head = "", ...texts] = table(titles, cells, [titles.indexOf("records")]);
  const { bold, yellow } = terminal.out.colours;
  terminal.out.line(painted`\n${bold(head)}`);
  for (const [i, text] of texts.entries()) terminal.out.line(lines[i]?.isFine ? text : yellow(text));
}

const status = "status";
