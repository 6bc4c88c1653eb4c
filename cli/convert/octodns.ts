/**
 * octoDNS's YAML, read by the rules of its YamlProvider 1.18: a map from names to a record or a list of
 * records. https://github.com/octodns/octodns, octodns/provider/yaml.py and octodns/record
 */
import { dirname, relative, resolve } from "node:path";
import { repositoryRoot, Shelf } from "../../provider/lifecycle/zone-files";
import { textOf } from "../../provider/problems";
import { positionText } from "../../provider/dns/zone-file";
import type { Conversion } from "./conversion";
import { readTree, type OpenInclude } from "./document";
import type { Part } from "./part";
import { textOfFile } from "./files";
import { octodnsFiles, type FolderOptions } from "./octodns-files";
import { octodnsData, wholeNumberOf, type OctodnsData } from "./octodns-data";
import { withTemplates, type Templating } from "./octodns-templates";

/** The TTL of octoDNS's YamlProvider for records without one; its setting `default_ttl` changes it. */
export const octodnsTtl = 3600;

export interface OctodnsOptions extends FolderOptions {
  /** The setup of octoDNS's Templating processor; undefined without the option. */
  readonly templating: Templating | undefined;
}

/** The types of octoDNS 1.18. */
const octodnsTypes: ReadonlySet<string> = new Set(
  "A AAAA ALIAS CAA CNAME DNAME DS HTTPS LOC MX NAPTR NS OPENPGPKEY PTR SPF SRV SSHFP SVCB TLSA TXT URI URLFWD".split(
    " ",
  ),
);
const recordFields: ReadonlySet<string> = new Set([
  "type",
  "ttl",
  "value",
  "values",
  "octodns",
  "geo",
  "dynamic",
]);
/** Types with `value` only, not `values`. */
const singleTypes: ReadonlySet<string> = new Set(["CNAME", "DNAME"]);

/** Reads zones. @param paths files and folders */
export function convertOctodns(
  paths: readonly string[],
  options: OctodnsOptions,
  conversion: Conversion,
): void {
  const roots = new Map<string, Part | undefined>();
  for (const { domain, files } of octodnsFiles(paths, options, conversion)) {
    const zone = new ZoneRecords(domain, options.templating, conversion);
    for (const file of files) {
      if (!roots.has(file)) {
        const text = textOfFile(file, conversion);
        const include = { open: includesOf(file), folder: dirname(file) };
        roots.set(file, text === undefined ? undefined : readTree(text, { file, conversion, include }));
      }
      const root = roots.get(file);
      if (root !== undefined) zone.read(root);
    }
  }
}

/**
 * Opens the files that a file includes. They must be in its repository or, without a repository, in its
 * folder.
 */
function includesOf(including: string): OpenInclude {
  const start = dirname(resolve(including));
  const shelf = new Shelf({ root: repositoryRoot(start), folder: start });
  return (path, from) => {
    const found = shelf.open(path, from);
    if ("problem" in found) return { problem: textOf(found.problem) };
    const file = resolve(shelf.root, found.file);
    const way = relative(process.cwd(), file);
    return { file: way.startsWith("..") ? file : way, text: found.text, folder: dirname(file) };
  };
}

/** The records of one zone. */
class ZoneRecords {
  /** Name and type → the record. octoDNS allows one record per name and type. */
  private readonly places = new Map<string, Part>();

  constructor(
    private readonly domain: string,
    private readonly templating: Templating | undefined,
    private readonly conversion: Conversion,
  ) {}

  read(root: Part): void {
    const names = root.fields();
    if (names === undefined) {
      // An empty file has no records.
      if (root.scalar()?.type !== "null")
        this.conversion.error(
          root.position,
          "this is no zone of octoDNS: a map from names to records is needed",
        );
      return;
    }
    for (const { name, value } of names.values()) {
      const text = this.name(name);
      if (text !== undefined) for (const record of value.items() ?? [value]) this.record(record, text);
    }
  }

  private name(part: Part): string | undefined {
    const { conversion } = this;
    const { type = "text", text = "", source = "" } = part.scalar() ?? {};
    if (text === "@")
      return conversion.error(part.position, "octoDNS has no name \"@\"; write '' for the zone itself");
    if (type !== "text" && text !== source)
      conversion.note(
        part.position,
        `${source === "" ? "no name" : source} is no text in YAML 1.1: octoDNS deploys the name ${text.toLowerCase()}, and so it is converted`,
      );
    return text.toLowerCase();
  }

  private record(record: Part, name: string): void {
    const { conversion } = this;
    const at = record.position;
    if (record.fields() === undefined)
      return conversion.error(at, `${shown(name)}: a record is a map with a type`);
    const type = record.get("type")?.scalar();
    if (type?.type !== "text") return conversion.error(at, `${shown(name)}: a record needs a type`);
    const label = `${shown(name)} ${type.text}`;
    if (!octodnsTypes.has(type.text) && octodnsTypes.has(type.text.toUpperCase()))
      return conversion.error(at, `${label}: octoDNS writes types in capital letters`);
    const before = this.places.get(`${name} ${type.text}`);
    if (before !== undefined)
      return conversion.error(
        at,
        `${label}: ${positionText(before.position)} has this name and type already, and octoDNS takes one record of each`,
      );
    this.places.set(`${name} ${type.text}`, record);
    if (this.isLeftOut(record, label)) return;
    const ttl = this.ttl(record, label);
    if (ttl === "wrong") return;
    for (const value of this.values(record, type.text, label)) {
      const data = this.data(type.text, value, { name, label, ttl });
      if (data !== undefined)
        conversion.add(this.domain, { name, type: type.text, ...data, ttl, position: value.position });
    }
  }

  /** Notes the fields that are not converted. @returns whether octoDNS itself ignores the record */
  private isLeftOut(record: Part, label: string): boolean {
    const { conversion } = this;
    for (const [field, { name, value }] of record.fields() ?? []) {
      if (field === "geo" || field === "dynamic")
        conversion.note(
          value.position,
          `${label}: ${field} is not converted, and its plain values are; declare lines in its place if the service has them`,
        );
      else if (!recordFields.has(field))
        conversion.note(
          name.position,
          `${label}: octoDNS 1.18 has no field ${field}, and it is not converted`,
        );
    }
    const options = record.find("octodns");
    const ignored = options?.get("ignored");
    for (const [option, { name }] of options?.fields() ?? []) {
      if (option !== "ignored")
        conversion.note(
          name.position,
          `${label}: octodns.${option} has no meaning here and is not converted; the record is`,
        );
    }
    if (ignored === undefined) return false;
    const { type, text } = ignored.scalar() ?? {};
    if (type !== "bool") {
      conversion.error(ignored.position, `${label}: octodns.ignored must be true or false`);
      return true;
    }
    if (text === "True")
      conversion.note(ignored.position, `${label}: left out, since octodns.ignored is set`);
    return text === "True";
  }

  /** Seconds as text; undefined for the default. */
  private ttl(record: Part, label: string): string | undefined | "wrong" {
    const part = record.get("ttl");
    if (part === undefined) return undefined;
    const ttl = wholeNumberOf(part);
    if (ttl !== undefined) {
      const { source = "" } = part.scalar() ?? {};
      if (source !== ttl)
        this.conversion.note(
          part.position,
          `${label}: ${source} is ${ttl} in YAML 1.1, and so it is converted`,
        );
      return ttl;
    }
    this.conversion.error(part.position, `${label}: the TTL must be a whole number of seconds`);
    return "wrong";
  }

  /** The values by octoDNS's rules: `values` before `value`. Each is one value or a list. */
  private values(record: Part, type: string, label: string): readonly Part[] {
    const { conversion } = this;
    const [one, many] = [record.get("value"), record.get("values")];
    const taken = singleTypes.has(type) ? one : (many ?? one);
    if (one !== undefined && many !== undefined)
      conversion.note(
        record.position,
        `${label}: the record has value and values, and octoDNS takes ${taken === one ? "value" : "values"} alone`,
      );
    const values = singleTypes.has(type) && taken !== undefined ? [taken] : (taken?.items() ?? [taken]);
    const found = values.filter((value) => value !== undefined);
    if (found.length === 0)
      conversion.error(
        record.position,
        `${label}: the record has no ${singleTypes.has(type) ? "value" : "value and no values"}`,
      );
    return found;
  }

  private data(
    type: string,
    value: Part,
    record: { readonly name: string; readonly label: string; readonly ttl: string | undefined },
  ): OctodnsData | undefined {
    const { conversion, domain, templating } = this;
    const { label } = record;
    const data = octodnsData(type, value, (text) =>
      withTemplates(text, templating, { ...record, type, domain, defaultTtl: conversion.defaultTtl }),
    );
    if (data === "foreign")
      return conversion.note(
        value.position,
        `${label}: left out, since this type is octoDNS's own or none that the service has; declare it by hand if it is needed`,
      );
    if ("problem" in data) return conversion.error(value.position, `${label}: ${data.problem}`);
    if (data.note !== undefined) conversion.note(value.position, `${label}: ${data.note}`);
    return data.data;
  }
}

function shown(name: string): string {
  return name === "" ? "@" : name;
}
