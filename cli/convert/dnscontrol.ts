/**
 * The JSON that `dnscontrol print-ir` prints: domains with their records. Names are relative to the domain.
 * Version 4 has `target`, and a field for each other part; it omits numbers that are 0. Version 5.9 has
 * `rdata`, a text in the form of a zone file (https://github.com/DNSControl/dnscontrol, models/record.go).
 */
import { unquote } from "../../provider/dns";
import { count } from "../../provider/support/text";
import { fail, type Conversion, foreign, sharedType, specData, type SharedType } from "./conversion";
import type { Part } from "./document";

/** Type → the fields of its data in 4.x. */
const fields: Readonly<Record<SharedType, readonly string[]>> = {
  A: ["target"],
  AAAA: ["target"],
  CAA: ["caaflag", "caatag", "target"],
  CNAME: ["target"],
  DNAME: ["target"],
  MX: ["mxpreference", "target"],
  NS: ["target"],
  PTR: ["target"],
  SRV: ["srvpriority", "srvweight", "srvport", "target"],
  TXT: ["target"],
};
const texts = new Set(["target", "caatag"]);

const newer = ". This is the form of neither dnscontrol 4.26 nor 5.9";

export function convertDnscontrol(root: Part, conversion: Conversion): void {
  const domains = root.get("domains")?.items;
  if (domains === undefined)
    return conversion.error(
      root.position,
      "this is not the output of `dnscontrol print-ir`: it has no list of domains",
    );
  for (const entry of domains) {
    const at = entry.position;
    const domain = conversion.zone(entry.textOf("name") ?? "", at);
    const records = entry.get("records")?.items;
    if (domain === undefined) continue;
    if (records === undefined) {
      conversion.error(at, `${domain} has no list of records${newer}`);
      continue;
    }
    // Each split horizon is a zone of its own, with the same name.
    if (conversion.zones.get(domain)?.length !== 0)
      conversion.note(at, `${domain} is there more than once, with tags; tell its lines apart by hand`);
    for (const record of records) readRecord(record, domain, conversion);
    const described = records.filter((record) => (record.get("meta")?.fields?.size ?? 0) > 0).length;
    if (described > 0)
      conversion.note(at, `${domain}: metadata (meta) of ${count(described, "record")} is not converted`);
  }
}

function readRecord(record: Part, domain: string, conversion: Conversion): void {
  const at = record.position;
  const [written, name] = [record.textOf("type"), record.textOf("name")];
  if (written === undefined || name === undefined)
    return conversion.error(at, `a record needs a type and a name${newer}`);
  const label = `${name} ${written}`;
  const type = sharedType(written);
  if (type === undefined) return conversion.note(at, `${label}: ${foreign}`);
  const data = conversion.read(at, label, () =>
    // `--raw` prints the configuration's names, which may be relative.
    specData(type, partsOf(record, type), "print without --raw"),
  );
  if (data !== undefined)
    conversion.add(domain, { name, type, ...data, ttl: record.textOf("ttl"), position: at });
}

function partsOf(record: Part, type: SharedType): string[] {
  const rdata = record.find("rdata");
  if (rdata !== undefined)
    return typeof rdata.value === "string"
      ? presented(rdata.value, type)
      : fail(`its rdata is no text${newer}`);
  if (record.textOf("target") === undefined) fail(`the record has neither rdata nor target${newer}`);
  // From 4.26 on every record has `filepos`, and only numbers that are 0 are missing.
  const omitsZeros = record.get("filepos") !== undefined;
  return fields[type].map((name) => {
    const zero = omitsZeros && !texts.has(name) ? "0" : undefined;
    return record.textOf(name) ?? zero ?? fail(`the record has no ${name}${newer}`);
  });
}

function presented(text: string, type: SharedType): string[] {
  const { length } = fields[type];
  const words = type === "TXT" ? [text] : text.split(" ");
  const rest = words.slice(length - 1).join(" ");
  const last = type === "TXT" || type === "CAA" ? unquote(rest) : rest;
  if (last === undefined || words.length < length || (type !== "CAA" && words.length > length))
    fail(`the rdata ${JSON.stringify(text)} cannot be read${newer}`);
  return [...words.slice(0, length - 1), last];
}
