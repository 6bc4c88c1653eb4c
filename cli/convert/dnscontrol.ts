/**
 * The JSON that `dnscontrol print-ir` prints: domains with their records, names relative to the domain. Three
 * forms are read (https://github.com/DNSControl/dnscontrol, models/record.go):
 *
 * - 4.x has `target` and a field for each other part, such as `mxpreference`. Numbers that are 0 are missing.
 * - 5.0 to 5.8 have `rdata`, an object with a field for each part.
 * - 5.9 has `rdata`, the data in the form of a zone file.
 */
import { quote, unquote } from "../../provider/dns";
import { ownText, type Conversion } from "./conversion";
import type { Part } from "./part";

export const dnscontrolTtl = 300;

/** The fields of `rdata` in 5.0 to 5.8, by type. */
const rdataFields = {
  A: ["Addr"],
  AAAA: ["Addr"],
  CNAME: ["Target"],
  DNAME: ["Target"],
  NS: ["Ns"],
  PTR: ["Ptr"],
  MX: ["Preference", "Mx"],
  SRV: ["Priority", "Weight", "Port", "Target"],
  CAA: ["Flag", "Tag", "Value"],
  TXT: ["Txt"],
} as const;

const legacyFields = {
  A: ["target"],
  AAAA: ["target"],
  CNAME: ["target"],
  DNAME: ["target"],
  NS: ["target"],
  PTR: ["target"],
  MX: ["mxpreference", "target"],
  SRV: ["srvpriority", "srvweight", "srvport", "target"],
  CAA: ["caaflag", "caatag", "target"],
  TXT: ["target"],
} as const;

type Type = keyof typeof rdataFields;

type Parts = { readonly parts: readonly string[] } | { readonly problem: string };

export function convertDnscontrol(root: Part, conversion: Conversion): void {
  const domains = root.get("domains")?.items();
  if (domains === undefined)
    return conversion.error(
      root.position,
      "this is no output of `dnscontrol print-ir`: it has no list of domains",
    );
  for (const entry of domains) {
    const name = entry.get("name")?.text();
    const records = entry.get("records");
    const domain =
      name === undefined
        ? conversion.error(entry.position, "the domain has no name")
        : conversion.zone(name, entry.position);
    if (domain === undefined) continue;
    if (records === undefined) {
      conversion.error(entry.position, `${domain} has no list of records${newer}`);
      continue;
    }
    const before = conversion.zones.get(domain)?.length ?? 0;
    // Each split horizon is a zone of its own, with the same name.
    if (before > 0)
      conversion.note(
        entry.position,
        `${domain} is there more than once, with tags; its records are joined, and those of lines other than the default one must be told apart by hand`,
      );
    for (const record of records.items() ?? []) readRecord(record, domain, conversion);
    noteMetadata(entry, domain, records.items() ?? [], conversion);
  }
}

const newer =
  ". The form is not one of dnscontrol 4.x to 5.9; if it is a newer one, update pulumi-legacydns, or report it";

function noteMetadata(entry: Part, domain: string, records: readonly Part[], conversion: Conversion): void {
  const count = records.filter((record) => (record.get("meta")?.fields()?.size ?? 0) > 0).length;
  if (count > 0)
    conversion.note(
      entry.position,
      `${domain}: ${count} ${count === 1 ? "record has" : "records have"} metadata of dnscontrol (meta), which is not converted`,
    );
}

function readRecord(record: Part, domain: string, conversion: Conversion): void {
  const at = record.position;
  const type = record.get("type")?.text();
  const name = record.get("name")?.text();
  if (type === undefined) return conversion.error(at, "a record needs a type");
  if (name === undefined) return conversion.error(at, `${type}: the record has no name${newer}`);
  if (!isType(type))
    return conversion.note(
      at,
      `${name} ${type}: left out, since this type is dnscontrol's own or none that the service has; declare it by hand if it is needed`,
    );
  const found = partsOf(record, type);
  const data = "problem" in found ? found : dataOf(type, found.parts, domain);
  if ("problem" in data) return conversion.error(at, `${name} ${type}: ${data.problem}`);
  conversion.add(domain, { name, type, ...data, ttl: record.find("ttl")?.text(), position: at });
}

function isType(type: string): type is Type {
  return Object.hasOwn(rdataFields, type);
}

function partsOf(record: Part, type: Type): Parts {
  const rdata = record.find("rdata");
  if (rdata === undefined)
    return record.get("target") === undefined ? ofTexts(record, type) : ofLegacy(record, type);
  const text = rdata.scalar()?.type === "text" ? rdata.scalar()?.text : undefined;
  if (text !== undefined) return ofPresentation(text, type);
  const parts = rdataFields[type].map((field) => partText(rdata.get(field)));
  const missing = rdataFields[type].filter((_, i) => parts[i] === undefined);
  return missing.length > 0
    ? { problem: `its rdata has no ${missing.join(", ")}${newer}` }
    : { parts: parts.filter((part) => part !== undefined) };
}

function partText(part: Part | undefined): string | undefined {
  const items = part?.items();
  if (items === undefined) return part?.text();
  const texts = items.map((item) => item.text());
  return texts.includes(undefined) ? undefined : texts.join("");
}

function ofLegacy(record: Part, type: Type): Parts {
  // From 4.26 on every record has `filepos`, and only numbers that are 0 are missing.
  const omitsZeros = record.get("filepos") !== undefined;
  const parts: string[] = [];
  for (const field of legacyFields[type]) {
    const part = record.find(field)?.text();
    const isNumber = field !== "target" && field !== "caatag";
    if (part !== undefined) parts.push(part);
    else if (isNumber && omitsZeros) parts.push("0");
    else
      return {
        problem: `the record has no ${field}${isNumber ? ", and only dnscontrol 4.26 or newer tells by `filepos` that it is 0" : newer}`,
      };
  }
  const [text] = parts;
  return type === "TXT" && text === "" && record.get("txtstrings") !== undefined
    ? ofTexts(record, type)
    : { parts };
}

/** TXT records of old versions have the separate field `txtstrings`. */
function ofTexts(record: Part, type: Type): Parts {
  const text = type === "TXT" ? partText(record.get("txtstrings")) : undefined;
  return text === undefined
    ? { problem: `the record has neither rdata nor target${newer}` }
    : { parts: [text] };
}

function ofPresentation(text: string, type: Type): Parts {
  const count = rdataFields[type].length;
  const words = type === "TXT" ? [text] : text.split(" ");
  const last = words.slice(count - 1).join(" ");
  const plain = type === "TXT" || type === "CAA" ? unquote(last) : last;
  const parts = [...words.slice(0, count - 1), plain ?? ""];
  return plain === undefined || words.length < count || (type !== "CAA" && words.length > count)
    ? { problem: `the rdata ${JSON.stringify(text)} cannot be read${newer}` }
    : { parts };
}

function dataOf(
  type: Type,
  parts: readonly string[],
  domain: string,
): { readonly value: string; readonly priority?: number } | { readonly problem: string } {
  const [first = "", second = ""] = parts;
  const last = parts.at(-1) ?? "";
  const numbers = type === "MX" || type === "CAA" ? [first] : type === "SRV" ? parts.slice(0, 3) : [];
  const strange = numbers.find((text) => !/^\d{1,10}$/.test(text));
  if (strange !== undefined) return { problem: `${JSON.stringify(strange)} is no whole number` };
  if (type === "TXT")
    // 5.0 to 5.8 cut a text after 255 octets, even within a character.
    return last.includes("\ufffd")
      ? { problem: "a character of the text is lost in this file; print it with dnscontrol 5.9 or newer" }
      : { value: ownText(last) };
  if (type === "CAA") return { value: `${first} ${second} ${quote(last)}` };
  if (type === "A" || type === "AAAA") return { value: last };
  // `--raw` prints the configuration's names, which may be relative.
  if (!last.endsWith("."))
    return {
      problem: `${JSON.stringify(last)} has no dot at its end, so that it may be relative to ${domain}; print without --raw`,
    };
  return type === "MX" ? { value: last, priority: Number(first) } : { value: parts.join(" ") };
}
