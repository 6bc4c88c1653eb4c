/**
 * octoDNS's YAML, by the rules of its YamlProvider 1.18: https://github.com/octodns/octodns,
 * octodns/provider/yaml.py and octodns/record. A zone is one file, `example.com.yaml`.
 */
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { quote } from "../../provider/dns";
import { positionText } from "../../provider/dns/zone-file";
import { gather } from "../../provider/support/collections";
import { fail, type Conversion, type ConvertedRecord } from "./conversion";
import { readTree } from "./document";
import type { Part } from "./tree";

/** octoDNS's own default, in seconds. */
export const octodnsTtl = 3600;

const ending = ".yaml";
const dump = "`octodns-dump` writes a file for each zone";

/**
 * @param path a file, or a folder of them (octoDNS's `directory`)
 * @param named zones that are certain in spite of their last label
 */
export function convertOctodns(path: string, conversion: Conversion, named: ReadonlySet<string>): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return conversion.error(path, "there is no such file");
  const folder = status.isDirectory() ? path : dirname(path);
  const isSplit = isSplitFolder(folder);
  const read = (file: string, zone: string): void => {
    const { size } = conversion.zones;
    const domain = conversion.zone(zone, file);
    if (domain === undefined) return;
    if (!named.has(domain) && (isSplit || !isCertain(domain)))
      return conversion.error(file, `the zone is not certain; if it is ${domain}, add --zone ${domain}`);
    if (conversion.zones.size === size) return conversion.error(file, `another file has the zone ${domain}`);
    readOctodns(file, domain, conversion);
  };
  if (!status.isDirectory()) {
    const zone = zoneOf(path);
    if (zone !== undefined) return read(path, zone);
    return conversion.error(path, `the zone is not certain: the file is not ZONE${ending}; ${dump}`);
  }
  let zones = 0;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const file = join(path, entry.name);
    const zone = zoneOf(file);
    if (entry.isDirectory()) {
      if (entry.name.endsWith(".") && entry.name.slice(0, -1).includes("."))
        conversion.error(file, `a split folder is not read; ${dump}`);
    } else if (zone !== undefined) {
      zones += 1;
      read(file, zone);
    } else if (entry.name.endsWith(ending))
      conversion.note(file, "not read, since it is not a zone of octoDNS");
  }
  if (zones === 0) conversion.error(path, "no zone of octoDNS is in this folder");
}

/**
 * Whether the folder may have the records of one zone, a file for each name. Such a file may look like a zone:
 * `example.com.d/www.sub.de.yaml`.
 */
export function isSplitFolder(folder: string): boolean {
  return basename(resolve(folder)).slice(1).includes(".");
}

/** Undefined if octoDNS does not read the file as a zone. */
function zoneOf(file: string): string | undefined {
  const zone = basename(file, ending);
  return file.endsWith(ending) && zone.includes(".") && /^[^$*.]/.test(zone) ? zone : undefined;
}

/** Other labels of two letters are countries, and `xn--` begins an internationalised one. */
const topLevels = new Set(
  `com net org edu gov mil int arpa info biz name pro mobi asia cat coop jobs post tel travel aero museum app art
  blog cloud club design dev digital email fun global group homes icu ink link live love ltd media network news
  one online page photo plus press red ren run sale services shop show site social solutions space store studio
  support systems team tech technology today tools top video vip wang wiki win work world xin xyz zone example test`.split(
    /\s+/,
  ),
);

/** octoDNS takes any name with a dot for a zone, also `example.com.bak` and `etcd.io._0_base`. */
export function isCertain(domain: string): boolean {
  const top = domain.slice(domain.lastIndexOf(".") + 1);
  return !domain.includes("_") && (/^(?:[a-z]{2}|xn--.*)$/.test(top) || topLevels.has(top));
}

/** @param domain a zone of the conversion */
export function readOctodns(file: string, domain: string, conversion: Conversion): void {
  const root = readTree(file, conversion);
  if (root === undefined) return;
  // An empty file has no records.
  if (root.fields === undefined && root.value !== null)
    conversion.error(root.position, "this is not a zone of octoDNS: a map from names to records is needed");
  /** Name and type → the record. octoDNS allows one record per name and type. */
  const places = new Map<string, Part>();
  for (const [written, value] of root.fields ?? [])
    if (written === "@")
      conversion.error(value.namePosition, "octoDNS has no name \"@\"; write '' for the zone itself");
    else
      for (const record of value.items ?? [value])
        readRecord({ record, name: written.toLowerCase(), domain, places, conversion });
}

interface Place {
  readonly record: Part;
  readonly name: string;
  readonly domain: string;
  readonly places: Map<string, Part>;
  readonly conversion: Conversion;
}

function readRecord({ record, name, domain, places, conversion }: Place): void {
  const { fields, position: at } = record;
  const shown = name === "" ? "@" : name;
  const written = fields?.get("type")?.value;
  if (typeof written !== "string") return conversion.error(at, `${shown}: a record needs a type`);
  const label = `${shown} ${written}`;
  if (written !== written.toUpperCase())
    return conversion.error(at, `${label}: octoDNS writes types in capital letters`);
  const first = gather(places, label, record);
  if (first !== record)
    return conversion.error(
      at,
      `${label}: octoDNS takes one record of a name and type; ${positionText(first.position)} has it`,
    );
  noteFields(record, label, conversion);
  const ignored = fields?.get("octodns")?.fields?.get("ignored");
  if (ignored?.value === true)
    return conversion.note(ignored.position, `${label}: left out, since it is ignored`);
  if (ignored !== undefined && ignored.value !== false)
    return conversion.error(ignored.position, `${label}: octodns.ignored must be true or false`);
  const type = sharedTypes.find((each) => each === written);
  if (type === undefined)
    return conversion.note(at, `${label}: left out, since the service does not have this type`);
  conversion.read(at, label, () => {
    const given = fields?.get("ttl");
    const ttl =
      given === undefined
        ? conversion.defaultTtl
        : Number(wholeNumber(given) ?? fail("the TTL must be a whole number of seconds"));
    for (const value of valuesOf(record, type)) {
      const { position } = value;
      const data = conversion.read(position, label, () => dataOf(type, value));
      if (data === undefined) continue;
      if (/[{}]/.test(data.value))
        conversion.note(position, `${label}: braces stay; replace a template by hand`);
      const owner = name === "" ? "@" : `${name}.${domain}.`;
      conversion.zones.get(domain)?.push({ name: owner, type, ...data, ttl, position });
    }
  });
}

const sharedTypes = ["A", "AAAA", "CAA", "CNAME", "DNAME", "MX", "NS", "PTR", "SRV", "TXT"] as const;
type SharedType = (typeof sharedTypes)[number];

const readFields = new Set(["type", "ttl", "value", "values", "octodns", "octodns.ignored"]);

function noteFields({ fields }: Part, label: string, conversion: Conversion): void {
  const read = (field: string, value: Part): void => {
    if (!readFields.has(field)) conversion.note(value.namePosition, `${label}: ${field} is not converted`);
  };
  fields?.forEach((value, field) => read(field, value));
  fields?.get("octodns")?.fields?.forEach((value, field) => read(`octodns.${field}`, value));
}

/** octoDNS reads `values` before `value`. Each is one value or a list. */
function valuesOf({ fields }: Part, type: SharedType): readonly Part[] {
  const isSingle = type === "CNAME" || type === "DNAME";
  const [one, many] = [fields?.get("value"), fields?.get("values")];
  const taken = isSingle ? one : (many ?? one);
  const values = (isSingle ? undefined : taken?.items) ?? (taken === undefined ? [] : [taken]);
  if (values.length === 0) fail(`the record has no ${isSingle ? "value" : "value and no values"}`);
  return values;
}

/** As in a spec of a program. */
function dataOf(type: SharedType, part: Part): Pick<ConvertedRecord, "value" | "priority"> {
  const { fields } = part;
  const number = (first: string, second = first): string => {
    // octoDNS uses the first name that exists, even with a wrong value.
    const name = [first, second].find((each) => fields?.get(each) !== undefined) ?? first;
    return wholeNumber(fields?.get(name)) ?? fail(`the value has no ${name} that is a whole number`);
  };
  switch (type) {
    case "MX":
      return {
        priority: Number(number("preference", "priority")),
        value: hostIn(fields?.get("exchange") ?? fields?.get("value")),
      };
    case "SRV": {
      const numbers = ["priority", "weight", "port"].map((name) => number(name));
      return { value: [...numbers, hostIn(fields?.get("target"))].join(" ") };
    }
    case "CAA": {
      const flags = fields?.get("flags") === undefined ? "0" : number("flags");
      return { value: `${flags} ${textIn(fields?.get("tag"))} ${quote(textIn(fields?.get("value")))}` };
    }
    case "TXT": {
      const text = unquoted(textIn(part));
      // A spec reads a text that begins with a quote as quoted strings.
      return { value: text === "" || text.startsWith('"') ? quote(text) : text };
    }
    case "A":
    case "AAAA":
      return { value: textIn(part) };
    case "CNAME":
    case "DNAME":
    case "NS":
    case "PTR":
      return { value: hostIn(part) };
  }
}

function hostIn(part: Part | undefined): string {
  const host = textIn(part);
  return host.endsWith(".")
    ? host
    : fail(
        `${JSON.stringify(host)} has no dot at its end, so it may be relative; write the whole name and the dot`,
      );
}

/** The result of Python's `int()`. */
function wholeNumber(part: Part | undefined): string | undefined {
  const text = part?.text;
  return text !== undefined && /^\d{1,20}$/.test(text) ? String(BigInt(text)) : undefined;
}

/** octoDNS accepts no number here. */
function textIn(part: Part | undefined): string {
  const { value } = part ?? {};
  return typeof value === "string"
    ? value
    : fail("this value cannot be read; see octoDNS's documentation of the type");
}

/** Removes the same quotes as octoDNS: those around the text, and those between two strings. */
function unquoted(written: string): string {
  const inner = written.startsWith('"') ? written.slice(1).replace(/.$/su, "") : written;
  return inner.replaceAll('" "', "").replaceAll("\\;", ";");
}
