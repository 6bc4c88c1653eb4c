/** octoDNS's YAML: a map from names to a record, or a list of them; the file's name, or its folder's, names the zone. */
import { basename, dirname } from "node:path";
import { quote } from "../../provider/dns";
import type { SourcePosition } from "../../provider/dns/zone-file";
import { ownText, type Conversion } from "./conversion";
import type { Part } from "./document";

/** What octoDNS's own YAML source gives records without a TTL, unless its setting `default_ttl` says otherwise. */
export const octodnsTtl = 3600;

const plainTypes: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "NS", "PTR", "DNAME"]);

/** Reads a file: `example.com.yaml`, or any file in a folder `example.com.` */
export function convertOctodns(root: Part, file: string, conversion: Conversion): void {
  const folder = basename(dirname(file));
  const domain = conversion.zone(
    folder.endsWith(".") && folder.length > 2 ? folder : basename(file).replace(/\.ya?ml$/i, ""),
    root.position,
  );
  const names = root.fields();
  if (domain === undefined) return;
  if (names === undefined) {
    // An empty file is a zone without records.
    if (root.scalar() !== null)
      conversion.error(root.position, "this is no zone of octoDNS: a map from names to records is needed");
    return;
  }
  for (const [name, records] of names) {
    for (const record of records.items() ?? [records]) readRecord(record, name, domain, conversion);
  }
}

function readRecord(record: Part, name: string, domain: string, conversion: Conversion): void {
  const at = record.position;
  const type = record.get("type")?.text()?.toUpperCase();
  if (type === undefined) return conversion.error(at, `${shown(name)}: a record needs a type`);
  if (!tellOptions(record, name, type, conversion)) return;
  const values =
    record.get("values")?.items() ??
    [record.get("values") ?? record.get("value")].filter((each) => each !== undefined);
  if (values.length === 0)
    return conversion.error(at, `${shown(name)} ${type}: the record has neither value nor values`);
  const ttl = record.get("ttl")?.scalar();
  for (const value of values) {
    const data = dataOf(type, value);
    if (data === undefined)
      conversion.error(
        value.position,
        `${shown(name)} ${type}: this value cannot be read; see octoDNS's documentation of the type`,
      );
    else if (data === "foreign")
      conversion.note(
        value.position,
        `${shown(name)} ${type}: left out, since this type is octoDNS's own or none that the service has; declare it by hand where it is needed`,
      );
    else conversion.add(domain, { name, type, ...data, ttl, position: value.position });
  }
}

/** Says what of a record is not converted. @returns false where octoDNS itself leaves the record alone */
function tellOptions(record: Part, name: string, type: string, conversion: Conversion): boolean {
  const options = record.get("octodns");
  for (const word of ["ignored", "disabled"]) {
    if (options?.get(word)?.scalar() !== true) continue;
    conversion.note(at(options, record), `${shown(name)} ${type}: left out, since octodns.${word} is set`);
    return false;
  }
  for (const [option] of options?.fields() ?? []) {
    if (option !== "ignored" && option !== "disabled")
      conversion.note(
        at(options, record),
        `${shown(name)} ${type}: octodns.${option} has no meaning here and is not converted; the record is`,
      );
  }
  for (const field of ["dynamic", "geo"]) {
    const part = record.get(field);
    if (part !== undefined)
      conversion.note(
        part.position,
        `${shown(name)} ${type}: ${field} is not converted, and its plain values are; declare lines in its place where the service has them`,
      );
  }
  return true;
}

function at(part: Part | undefined, fallback: Part): SourcePosition {
  return (part ?? fallback).position;
}

type OwnData = { readonly value: string; readonly priority?: number };

function dataOf(type: string, part: Part): OwnData | "foreign" | undefined {
  const text = part.text();
  // A semicolon is escaped in octoDNS's files.
  if (type === "TXT") return text === undefined ? undefined : { value: ownText(text.replace(/\\;/g, ";")) };
  if (plainTypes.has(type)) return text === undefined ? undefined : { value: text };
  const field = (...names: readonly string[]): string | undefined =>
    names.map((name) => part.get(name)?.text()).find((found) => found !== undefined);
  switch (type) {
    case "MX": {
      const [host, priority] = [field("exchange", "value"), field("preference", "priority")];
      return host === undefined || priority === undefined
        ? undefined
        : { value: host, priority: Number(priority) };
    }
    case "SRV": {
      const fields = [field("priority"), field("weight"), field("port"), field("target")];
      return fields.includes(undefined) ? undefined : { value: fields.join(" ") };
    }
    case "CAA": {
      const [tag, value] = [field("tag"), field("value")];
      return tag === undefined || value === undefined
        ? undefined
        : { value: `${field("flags") ?? "0"} ${tag} ${quote(value)}` };
    }
    default:
      return "foreign";
  }
}

function shown(name: string): string {
  return name === "" ? "@" : name;
}
