/**
 * octoDNS's YAML, by the rules of its YamlProvider 1.18: https://github.com/octodns/octodns,
 * octodns/provider/yaml.py and octodns/record
 */
import { dirname, relative, resolve } from "node:path";
import { positionText } from "../../provider/dns/zone-file";
import { repositoryRoot, Shelf } from "../../provider/lifecycle/zone-files";
import { textOf } from "../../provider/problems";
import { gather } from "../../provider/support/collections";
import { fail, type Conversion, foreign, sharedType } from "./conversion";
import { readTree, type Includes, type Part } from "./document";
import { octodnsData, wholeNumber, withTemplates, type Templating } from "./octodns-data";
import { octodnsFiles, type FolderOptions } from "./octodns-files";

export interface OctodnsOptions extends FolderOptions {
  readonly templating?: Templating;
}

const octodnsTypes = new Set(
  "A AAAA ALIAS CAA CNAME DNAME DS HTTPS LOC MX NAPTR NS OPENPGPKEY PTR SPF SRV SSHFP SVCB TLSA TXT URI URLFWD".split(
    " ",
  ),
);
const recordFields = new Set(["type", "ttl", "value", "values", "octodns", "geo", "dynamic"]);
/** Types with `value` only, not `values`. */
const singleTypes = new Set(["CNAME", "DNAME"]);

export function convertOctodns(
  paths: readonly string[],
  options: OctodnsOptions,
  conversion: Conversion,
): void {
  const roots = new Map<string, { readonly root: Part | undefined }>();
  for (const [domain, files] of octodnsFiles(paths, options, conversion)) {
    const zone = new ZoneRecords(domain, options.templating, conversion);
    for (const file of files) {
      const known = roots.get(file) ?? { root: readTree(file, conversion, includesOf(file)) };
      roots.set(file, known);
      if (known.root !== undefined) zone.read(known.root);
    }
  }
}

/** Included files must be in the repository or, without a repository, in the file's folder. */
function includesOf(including: string): Includes {
  const start = dirname(resolve(including));
  const shelf = new Shelf({ root: repositoryRoot(start), folder: start });
  return {
    folder: dirname(including),
    open: (path, from) => {
      const found = shelf.open(path, from);
      if ("problem" in found) return { problem: textOf(found.problem) };
      const file = resolve(shelf.root, found.file);
      const way = relative(process.cwd(), file);
      return { file: way.startsWith("..") ? file : way, text: found.text, folder: dirname(file) };
    },
  };
}

class ZoneRecords {
  /** Name and type → the record. octoDNS allows one record per name and type. */
  private readonly places = new Map<string, Part>();

  constructor(
    private readonly domain: string,
    private readonly templating: Templating | undefined,
    private readonly conversion: Conversion,
  ) {}

  read(root: Part): void {
    // An empty file has no records.
    if (root.fields === undefined && root.scalar?.type !== "null")
      this.conversion.error(
        root.position,
        "this is not a zone of octoDNS: a map from names to records is needed",
      );
    for (const { name, value } of root.fields?.values() ?? []) {
      const text = this.name(name);
      if (text !== undefined) for (const record of value.items ?? [value]) this.record(record, text);
    }
  }

  private name({ scalar, position }: Part): string | undefined {
    const { type = "text", text = "", source = "" } = scalar ?? {};
    if (text === "@")
      return this.conversion.error(position, "octoDNS has no name \"@\"; write '' for the zone itself");
    if (type !== "text" && text !== source)
      this.conversion.note(
        position,
        `${source === "" ? "no name" : source} is not text in YAML 1.1; as in octoDNS, the name is ${text.toLowerCase()}`,
      );
    return text.toLowerCase();
  }

  private record(record: Part, name: string): void {
    const { conversion, places } = this;
    const at = record.position;
    const written = record.get("type")?.scalar;
    const shown = name === "" ? "@" : name;
    if (written?.type !== "text") return conversion.error(at, `${shown}: a record needs a type`);
    const label = `${shown} ${written.text}`;
    if (!octodnsTypes.has(written.text) && octodnsTypes.has(written.text.toUpperCase()))
      return conversion.error(at, `${label}: octoDNS writes types in capital letters`);
    const first = gather(places, label, record);
    if (first !== record)
      return conversion.error(
        at,
        `${label}: octoDNS takes one record of a name and type; ${positionText(first.position)} has it`,
      );
    if (this.isLeftOut(record, label)) return;
    const type = sharedType(written.text);
    if (type === undefined) return conversion.note(at, `${label}: ${foreign}`);
    conversion.read(at, label, () => {
      const ttl = this.ttl(record, label);
      for (const value of this.values(record, type, label)) {
        const templated = { name, type, domain: this.domain, ttl: ttl ?? String(conversion.defaultTtl) };
        const found = conversion.read(value.position, label, () =>
          octodnsData(type, value, (text) => withTemplates(text, this.templating, templated)),
        );
        if (found === undefined) continue;
        const { notes, ...data } = found;
        for (const note of notes) conversion.note(value.position, `${label}: ${note}`);
        conversion.add(this.domain, { name, type, ...data, ttl, position: value.position });
      }
    });
  }

  /** Notes the fields that are not converted. @returns whether octoDNS itself ignores the record */
  private isLeftOut(record: Part, label: string): boolean {
    const note = (part: Part, text: string): void => this.conversion.note(part.position, `${label}: ${text}`);
    for (const [field, { name, value }] of record.fields ?? [])
      if (field === "geo" || field === "dynamic")
        note(value, `${field} is not converted; the plain values are`);
      else if (!recordFields.has(field)) note(name, `octoDNS 1.18 has no field ${field}`);
    const options = record.find("octodns")?.fields;
    for (const [option, { name }] of options ?? [])
      if (option !== "ignored") note(name, `octodns.${option} has no meaning here and is not converted`);
    const ignored = options?.get("ignored")?.value;
    if (ignored === undefined) return false;
    const { type, text } = ignored.scalar ?? {};
    if (type !== "bool")
      this.conversion.error(ignored.position, `${label}: octodns.ignored must be true or false`);
    else if (text === "True") note(ignored, "left out, since octodns.ignored is set");
    return type !== "bool" || text === "True";
  }

  private ttl(record: Part, label: string): string | undefined {
    const part = record.get("ttl");
    if (part === undefined) return undefined;
    const ttl = wholeNumber(part) ?? fail("the TTL must be a whole number of seconds");
    const { source = "" } = part.scalar ?? {};
    if (source !== ttl) this.conversion.note(part.position, `${label}: ${source} is ${ttl} in YAML 1.1`);
    return ttl;
  }

  /** The values by octoDNS's rules: `values` before `value`. Each is one value or a list. */
  private values(record: Part, type: string, label: string): readonly Part[] {
    const isSingle = singleTypes.has(type);
    const [one, many] = [record.get("value"), record.get("values")];
    const taken = isSingle ? one : (many ?? one);
    if (one !== undefined && many !== undefined)
      this.conversion.note(
        record.position,
        `${label}: octoDNS reads only ${isSingle ? "value" : "values"} here`,
      );
    const values = (isSingle ? undefined : taken?.items) ?? (taken === undefined ? [] : [taken]);
    if (values.length === 0) fail(`the record has no ${isSingle ? "value" : "value and no values"}`);
    return values;
  }
}
