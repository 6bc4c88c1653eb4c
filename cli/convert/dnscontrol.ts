/**
 * The JSON that `dnscontrol print-ir` prints: domains with their records. Names are relative to the domain.
 * Three forms are read (https://github.com/DNSControl/dnscontrol, models/record.go).
 *
 * Version 4 has `target`, and a field for each other part, such as `mxpreference`. It omits numbers that
 * are 0.
 *
 * Versions 5.0 to 5.8 have `rdata` as an object with a field for each part.
 *
 * Version 5.9 has `rdata` as a text in the form of a zone file.
 */
import { unquote } from "../../provider/dns";
import { count } from "../../provider/support/text";
import { fail, type Conversion, foreign, sharedType, specData, type SharedType } from "./conversion";
import type { Part } from "./document";

/** Type → the fields of its data in 4.x, and in the `rdata` of 5.0 to 5.8. */
const fields: Readonly<Record<SharedType, readonly [legacy: string, rdata: string]>> = {
  A: ["target", "Addr"],
  AAAA: ["target", "Addr"],
  CAA: ["caaflag caatag target", "Flag Tag Value"],
  CNAME: ["target", "Target"],
  DNAME: ["target", "Target"],
  MX: ["mxpreference target", "Preference Mx"],
  NS: ["target", "Ns"],
  PTR: ["target", "Ptr"],
  SRV: ["srvpriority srvweight srvport target", "Priority Weight Port Target"],
  TXT: ["target", "Txt"],
};
const texts = new Set(["target", "caatag"]);

const newer = ". This is not the form of dnscontrol 4.x to 5.9; for a newer one, update pulumi-legacydns";

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
  const [legacy = [], names = []] = fields[type].map((each) => each.split(" "));
  if (rdata?.scalar?.type === "text") return presented(rdata.scalar.text, type);
  if (rdata !== undefined)
    return names.map((name) => joined(rdata.get(name)) ?? fail(`its rdata has no ${name}${newer}`));
  if (record.textOf("target") === undefined) fail(`the record has neither rdata nor target${newer}`);
  // From 4.26 on every record has `filepos`, and only numbers that are 0 are missing.
  const omitsZeros = record.get("filepos") !== undefined;
  return legacy.map((name) => {
    const zero = omitsZeros && !texts.has(name) ? "0" : undefined;
    return record.textOf(name) ?? zero ?? fail(`the record has no ${name}; print with 4.26 or newer${newer}`);
  });
}

/** A text or a number; the strings of a TXT record joined. */
function joined(part: Part | undefined): string | undefined {
  const all = (part?.items ?? [part]).map((each) => each?.text);
  const text = all.includes(undefined) ? undefined : all.join("");
  // 5.0 to 5.8 cut a text after 255 octets, even within a character.
  if (text?.includes("\ufffd") === true)
    fail("a character of the text is lost here; print with dnscontrol 5.9 or newer");
  return text;
}

function presented(text: string, type: SharedType): string[] {
  const { length } = fields[type][1].split(" ");
  const words = type === "TXT" ? [text] : text.split(" ");
  const rest = words.slice(length - 1).join(" ");
  const last = type === "TXT" || type === "CAA" ? unquote(rest) : rest;
  if (last === undefined || words.length < length || (type !== "CAA" && words.length > length))
    fail(`the rdata ${JSON.stringify(text)} cannot be read${newer}`);
  return [...words.slice(0, length - 1), last];
}
