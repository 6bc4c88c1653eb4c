/** Import by typed ids. */
import { canonicalDomain, expandRecord, quote, recordText, zoneText, type DeclaredEntry } from "../../dns";
import type { Host } from "../../lifecycle/host";
import type { Props } from "../../lifecycle/lifecycle";
import { recordForm } from "../../lifecycle/record";
import { isEmail, scopeOf } from "../../lifecycle/share-inputs";
import type { LiveEntry } from "../../reconcile/zones/zone";
import { diagnosticOf, reason, type RecordLine } from "../../problems";
import { Refusal } from "../../problems/refusal";
import { shareText } from "../../reconcile/shares";
import { warnOf } from "../../support/reporter";

const grammars = {
  Record: [
    "DOMAIN/NAME/TYPE/VALUE, such as example.com/www/A/192.0.2.1 or example.com/@/MX/10 mx1.example.org",
    "DOMAIN/RECORDID, such as example.com/1234567",
  ],
  RecordBatch: [
    "DOMAIN, such as example.com",
    "several with commas between them, such as example.com,example.net",
  ],
  Zone: ["DOMAIN, such as example.com"],
  DomainShare: [
    "DOMAIN/EMAIL/MODE, such as example.com/partner@example.net/rw",
    "DOMAIN/EMAIL/MODE/LABEL for a share of one host label",
    "in full mode, MODE is optional: DOMAIN/EMAIL or DOMAIN/EMAIL//LABEL",
  ],
} as const;

function wrong(type: keyof typeof grammars, id: string, why: string): Refusal {
  const hint = grammars[type].map((form) => `write ${form}`).join("\n");
  return new Refusal([reason("import.id", { given: JSON.stringify(id), type, hint }, [{ text: why }])]);
}

function notImported(domain: string, text: string, hint: string, note?: string): Refusal {
  return new Refusal([reason("import.none", { domain, hint }, [{ text, ...(note && { note }) }])]);
}

function domainOf(type: keyof typeof grammars, id: string, written: string): string {
  const read = canonicalDomain(written);
  if ("problem" in read) throw wrong(type, id, diagnosticOf(read.problem).title);
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
    throw notImported(
      domain,
      rest.join("/"),
      `list its records: pulumi-legacydns dump ${domain}`,
      "not live",
    );
  const { record, ttl, hold, enabled } = entry;
  if (hold)
    throw notImported(domain, recordText(record), "leave it out of the program", "the service's own record");
  if (!enabled)
    throw notImported(
      domain,
      recordText(record),
      "enable it in the service's console",
      `record ${entry.id}, disabled`,
    );
  const value = record.type === "TXT" ? quote(record.value) : record.value;
  const { settings } = host;
  const given = recordForm.inputs({ ...record, value, ttl });
  return recordForm.check(given, { settings, olds: recordForm.inputs({}) }).inputs.props;
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
  if (record === undefined) throw wrong("Record", id, "its parts are not a record");
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
    const disabled: RecordLine[] = [];
    for (const { record, id: recordId, ttl, hold, enabled } of zone.entries) {
      if (hold) continue;
      if (enabled) records.push({ ...record, ttl });
      else disabled.push({ text: recordText(record), note: `record ${recordId}` });
    }
    if (disabled.length > 0) warnOf(reporter, [reason("import.disabled", { domain }, disabled)]);
  }
  return { domains, records: zoneText({ records, unknowns: [] }) };
}

/** The documented API lists no modes. */
export async function importedShare(id: string, { settings, shares }: Host): Promise<Props> {
  const [written = "", email = "", mode = "", ...label] = id.split("/");
  const domain = domainOf("DomainShare", id, written);
  const isFull = settings.undocumentedOperations;
  if (!isEmail(email)) throw wrong("DomainShare", id, `${JSON.stringify(email)} is not an e-mail address`);
  if (mode !== "r" && mode !== "rw" && !(isFull && mode === ""))
    throw wrong("DomainShare", id, "its mode is neither r (read only) nor rw (read and modify)");
  const scope = scopeOf(label.join("/"));
  const inputs = { domain, email, mode, ...(scope === undefined ? {} : { subDomain: scope }) };
  if (!isFull) return inputs;
  const found = await shares.find({ domain, email, scope, ...(mode !== "" && { mode }) });
  if (found === undefined)
    throw notImported(domain, shareText({ domain, email, scope }), "share it in the service's console");
  return { ...inputs, mode: found.mode };
}
