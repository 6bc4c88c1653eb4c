/** Import by typed ids. The live records become inputs that a program can declare unchanged. */
import {
  canonicalDomain,
  expandRecord,
  quote,
  recordText,
  zoneText,
  type DeclaredEntry,
} from "../provider/dns";
import type { Host } from "../provider/lifecycle/host";
import type { Props } from "../provider/lifecycle/lifecycle";
import { recordForm } from "../provider/lifecycle/record";
import { isEmail, scopeOf } from "../provider/lifecycle/share-inputs";
import { scopeText } from "../provider/reconcile/shares";
import type { LiveEntry } from "../provider/reconcile/zones/zone";
import { textOf } from "../provider/problems";

const grammars = {
  Record:
    "DOMAIN/NAME/TYPE/VALUE, such as example.com/www/A/192.0.2.1 or example.com/@/MX/10 mx1.example.org, or DOMAIN/RECORDID, such as example.com/1234567",
  RecordBatch:
    "DOMAIN, such as example.com, or several with commas between them, such as example.com,example.net",
  Zone: "DOMAIN, such as example.com",
  DomainShare:
    "DOMAIN/EMAIL/MODE, such as example.com/partner@example.net/rw, or DOMAIN/EMAIL/MODE/LABEL for a share of one host label",
} as const;

function wrong(type: keyof typeof grammars, id: string, why: string): Error {
  return new Error(`${JSON.stringify(id)} is no id of a ${type}: ${why}. Write ${grammars[type]}`);
}

function domainOf(type: keyof typeof grammars, id: string, written: string): string {
  const read = canonicalDomain(written);
  if ("problem" in read) throw wrong(type, id, textOf(read.problem));
  return read.domain;
}

export async function importedRecord(id: string, host: Host): Promise<Props> {
  const [written = "", ...rest] = id.split("/");
  const domain = domainOf("Record", id, written);
  const [number = ""] = rest;
  const isNumber = rest.length === 1 && /^\d+$/.test(number);
  if (!isNumber && rest.length < 3) throw wrong("Record", id, "it has too few parts");
  const { zone } = await host.reconciler.zones.get(domain);
  const entry = isNumber
    ? zone.entries.find((each) => each.id === number)
    : entryLike(id, domain, rest, zone.entries, host.settings.defaultLine);
  if (entry === undefined)
    throw new Error(
      `${domain} has no record ${JSON.stringify(rest.join("/"))}; getRecords and \`pulumi-legacydns import ${domain}\` tell what it has. The ids of a Record are ${grammars.Record}`,
    );
  const { record, ttl, hold, enabled } = entry;
  if (hold) throw new Error(`${recordText(record)} is the service's own and cannot be declared`);
  if (!enabled)
    throw new Error(
      `${recordText(record)} (id ${entry.id}) is disabled, and only what is served can be declared; enable it in the service's console first`,
    );
  const value = record.type === "TXT" ? quote(record.value) : record.value;
  return recordForm.check({ ...record, value, ttl }, { settings: host.settings, olds: {} }).inputs;
}

function entryLike(
  id: string,
  domain: string,
  [name = "", type = "", ...values]: readonly string[],
  entries: readonly LiveEntry[],
  defaultLine: string,
): LiveEntry | undefined {
  const value = values.join("/");
  const data = type.toUpperCase() === "TXT" ? quote(value) : value;
  const { record } = expandRecord({ domain, name, type, value: data }, { defaultLine });
  const text = record && recordText(record);
  const alike = entries.filter(({ record: { line: _line, ...plain } }) => recordText(plain) === text);
  if (record === undefined) throw wrong("Record", id, "its parts are no record");
  return alike.length > 1 ? alike.find((each) => each.record.line === undefined) : alike[0];
}

export async function importedBatch(
  type: "RecordBatch" | "Zone",
  id: string,
  { reconciler, reporter }: Host,
): Promise<Props> {
  const domains = [...new Set(id.split(",").map((each) => domainOf(type, id, each.trim())))].sort();
  if (type === "Zone" && domains.length > 1) throw wrong(type, id, "a Zone is one domain");
  const records: DeclaredEntry[] = [];
  for (const domain of domains) {
    const { zone } = await reconciler.zones.get(domain);
    for (const { record, id: recordId, ttl, hold, enabled } of zone.entries) {
      if (hold) continue;
      if (enabled) records.push({ ...record, ttl });
      else reporter.warn(`${recordText(record)} (id ${recordId}) is disabled and is left out`);
    }
  }
  return { domains, records: zoneText({ records, unknowns: [] }) };
}

/** The documented API lists no modes, so the id has it. */
export async function importedShare(id: string, { settings, shares }: Host): Promise<Props> {
  const [written = "", email = "", mode, ...label] = id.split("/");
  const domain = domainOf("DomainShare", id, written);
  if (!isEmail(email)) throw wrong("DomainShare", id, `${JSON.stringify(email)} is no e-mail address`);
  if (mode !== "r" && mode !== "rw")
    throw wrong("DomainShare", id, "its mode is neither r (read only) nor rw (read and modify)");
  const scope = scopeOf(label.join("/"));
  const inputs = { domain, email, mode, ...(scope === undefined ? {} : { subDomain: scope }) };
  if (!settings.undocumentedOperations) return inputs;
  const found = await shares.find({ domain, email, scope });
  if (found === undefined)
    throw new Error(`${scopeText(domain, scope)} is not shared with ${email}; see the service's console`);
  return { ...inputs, mode: found.mode };
}
