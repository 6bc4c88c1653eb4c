/** What `dnscontrol print-ir` prints: domains with their records, targets absolute, names relative. */
import { quote } from "../../provider/dns";
import { ownText, type Conversion } from "./conversion";
import type { Part } from "./document";

/** What dnscontrol gives records without a TTL. */
export const dnscontrolTtl = 300;

const plainTypes: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "NS", "PTR", "DNAME"]);

/** Reads a file of `dnscontrol print-ir`. */
export function convertDnscontrol(root: Part, conversion: Conversion): void {
  const domains = root.get("domains")?.items();
  if (domains === undefined)
    return conversion.error(
      root.position,
      "this is no output of `dnscontrol print-ir`: it has no list of domains",
    );
  for (const entry of domains) {
    const name = entry.get("name")?.text();
    const domain =
      name === undefined
        ? conversion.error(entry.position, "the domain has no name")
        : conversion.zone(name, entry.position);
    if (domain === undefined) continue;
    const before = conversion.zones.get(domain)?.length ?? 0;
    // Of split horizons each is a zone of its own, and they have one name.
    if (before > 0)
      conversion.note(
        entry.position,
        `${domain} is there more than once, with tags; its records are joined, and those of lines other than the default one must be told apart by hand`,
      );
    for (const record of entry.get("records")?.items() ?? []) readRecord(record, domain, conversion);
  }
}

function readRecord(record: Part, domain: string, conversion: Conversion): void {
  const at = record.position;
  const type = record.get("type")?.text();
  const name = record.get("name")?.text() ?? "@";
  const target = record.get("target")?.text();
  if (type === undefined) return conversion.error(at, "a record needs a type");
  const data = dataOf(type, record, target, name, domain, conversion);
  if (data === "foreign")
    return conversion.note(
      at,
      `${name} ${type}: left out, since this type is dnscontrol's own or none that the service has; declare it by hand where it is needed`,
    );
  if (data === undefined)
    return conversion.error(at, `${name} ${type}: the record has no data that can be read`);
  const ttl = record.get("ttl")?.scalar();
  return void conversion.add(domain, { name, type, ...data, ttl, position: at });
}

function dataOf(
  type: string,
  record: Part,
  target: string | undefined,
  name: string,
  domain: string,
  conversion: Conversion,
): { value: string; priority?: number } | "foreign" | undefined {
  const number = (field: string): string => record.get(field)?.text() ?? "0";
  // `--raw` prints targets as the configuration has them, relative ones among them.
  const host = (text: string): string => {
    if (text.endsWith(".")) return text;
    conversion.error(
      record.position,
      `${name} ${type}: ${JSON.stringify(text)} has no dot at its end, so that it may be relative to ${domain}; print without --raw`,
    );
    return text;
  };
  switch (type) {
    case "TXT": {
      const strings = record
        .get("txtstrings")
        ?.items()
        ?.map((each) => each.text() ?? "")
        .join("");
      const text = target !== undefined && target !== "" ? target : strings;
      return text === undefined ? undefined : { value: ownText(text) };
    }
    case "MX": {
      const rdata = record.get("rdata");
      const priority = record.get("mxpreference") ?? rdata?.get("preference") ?? rdata?.get("Preference");
      return target === undefined
        ? undefined
        : { value: host(target), priority: Number(priority?.text() ?? "0") };
    }
    case "SRV":
      return target === undefined
        ? undefined
        : { value: `${number("srvpriority")} ${number("srvweight")} ${number("srvport")} ${host(target)}` };
    case "CAA": {
      const tag = record.get("caatag")?.text();
      return target === undefined || tag === undefined
        ? undefined
        : { value: `${number("caaflag")} ${tag} ${quote(target)}` };
    }
    default:
      if (!plainTypes.has(type)) return "foreign";
      if (target === undefined) return undefined;
      return { value: type === "A" || type === "AAAA" ? target : host(target) };
  }
}
