/** `pulumi-legacydns limits`: the limits of a domain's package, and their usage. */
import type { Command } from "commander";
import type { PurviewEntry } from "../provider/api";
import { countedRecords, limitLabels, limitOfLabel, limitsOf, packageName, unlimited } from "../provider/dns";
import { listZone } from "../provider/reconcile/zones/listing";
import { domainOf, guarded, newCommand, print, printJson, withClient } from "./command";
import { serviceOptions } from "./options";
import { settingsFor, type ServiceChoice } from "./settings";
import { table } from "./table";
import { exitCodes, type Terminal } from "./terminal";

interface Flags extends ServiceChoice {
  readonly json?: boolean;
}

interface Row {
  readonly label: string;
  readonly name: string;
  readonly limit: number | boolean | string | null;
  readonly used?: number;
}

export function createCommand(terminal: Terminal): Command {
  return newCommand("limits", terminal, {
    purpose: "show what a domain's package allows, and how much of it is used",
    exits: ["printed", "an error"],
    examples: [
      "pulumi-legacydns limits example.com",
      "pulumi-legacydns limits example.com --json | jq '.limits[] | select(.used != null)'",
    ],
    options: [...serviceOptions, "json"],
  })
    .argument("<domain>", "the zone, for example example.com")
    .action((domain: string, flags: Flags) =>
      guarded(terminal, flags.json, () => limits(terminal, domainOf(domain), flags)),
    );
}

async function limits(terminal: Terminal, domain: string, flags: Flags): Promise<number> {
  const settings = await settingsFor(terminal, flags);
  const { listing, entries } = await withClient(terminal, settings, async (client) => {
    // One after the other: a token that is wrong must not fail twice, since failed logins are counted.
    const listing = await listZone(client, domain);
    return { listing, entries: await client.call("Domain.Purview", { domain }) };
  });
  const { grade = "" } = listing.domain;
  const name = grade === "" ? "a package that the service does not name" : packageName(grade);
  const rows = rowsOf(
    entries,
    listing.records.filter((record) => record.hold === false),
  );
  if (flags.json) printJson(terminal, { ok: true, domain, grade, package: name, limits: rows, problems: [] });
  else {
    const cells = rows.map((row) => [row.name, String(row.used ?? ""), limitText(row)]);
    print(terminal, [`${domain}: ${name}`, "", ...table(["limit", "used", "allowed"], cells, [1, 2])]);
  }
  return exitCodes.fine;
}

function rowsOf(entries: readonly PurviewEntry[], records: readonly { readonly type: string }[]): Row[] {
  const known = limitsOf(entries);
  const used = countedRecords(records);
  const documented = limitLabels.map(([label, key, name]): Row => {
    const value = entries.find((entry) => limitOfLabel(entry.name)?.[0] === label)?.value;
    const limit = known[key] ?? (typeof value === "string" ? value : null);
    const count = used[key];
    return { label, name, limit, ...(count !== undefined && { used: count }) };
  });
  const others = entries
    .filter((entry) => limitOfLabel(entry.name) === undefined)
    .map(({ name, value }): Row => ({ label: name, name, limit: value === unlimited ? null : value }));
  return [...documented, ...others];
}

const units: Readonly<Record<string, string>> = { "minimum TTL": "s", "days of domain lock": "days" };
const yesOrNo = new Set(["mixed wildcards", "enhanced lines", "province lines", "continent lines"]);

function limitText({ name, limit }: Row): string {
  if (limit === null) return yesOrNo.has(name) ? "unknown" : "unlimited";
  if (typeof limit === "boolean") return limit ? "yes" : "no";
  const unit = units[name];
  return unit === undefined ? String(limit) : `${limit} ${unit}`;
}
