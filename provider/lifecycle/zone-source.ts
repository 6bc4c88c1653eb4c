/** Where a `Zone` has its records from: a file in the repository, a text in a program, or specs. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { canonicalDomain, kindOf, type Expansion } from "../dns";
import { readZoneFile } from "../dns/zone-file/read";
import { loadZoneFile } from "../zone-source";
import type { SourceNotes } from "./inputs";

/** The inputs of a `Zone` that say what its records are. */
export interface Given {
  readonly domain: unknown;
  readonly file?: unknown;
  /** A master file's text. */
  readonly text?: unknown;
  readonly records?: unknown;
  readonly apexNs?: unknown;
}

export interface Source {
  /** As a `RecordBatch` takes them. */
  readonly records: unknown;
  readonly errors: readonly string[];
  readonly notes?: SourceNotes;
  /** The records of a file, or of a text. */
  readonly expansion?: Expansion;
}

/** @param options `folder`: the program's, where a relative path begins. */
export function zoneSource(given: Given, options: { readonly folder: string; readonly defaultLine: string }): Source {
  const { apexNs } = given;
  if (apexNs !== undefined && typeof apexNs !== "boolean") {
    const said = typeof apexNs === "string" ? JSON.stringify(apexNs) : kindOf(apexNs);
    const wrong = `apexNs: ${said} is neither true nor false; write true to declare the NS records of the domain itself, or leave it out`;
    const { errors, ...source } = zoneSource({ ...given, apexNs: undefined }, options);
    return { ...source, errors: [wrong, ...errors] };
  }
  const { domain, file, text, records } = given;
  const ways = Object.entries({ file, text, records }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (ways.length > 1) return failed(`${ways.join(", ")}: one of ${ways.length === 2 ? "the two" : "them"} declares the zone; take the other${ways.length === 2 ? "" : "s"} out`);
  if (records !== undefined) return { records, errors: [] };
  const [way = "file"] = ways;
  const source = file ?? text;
  if (source === undefined) return failed('file: name a zone file, such as "zones/example.com.zone", or declare `records`');
  if (typeof source !== "string") return failed(`${way}: write ${way === "file" ? "the path of a zone file" : "the text of a zone file"} as plain text`);
  if (typeof domain !== "string") return failed("domain: write the domain as plain text: it decides how the file is read");
  const canonical = canonicalDomain(domain);
  // The batch says what is wrong with the domain; without one the file cannot be read.
  if ("problem" in canonical) return { records: [], errors: [] };
  const { folder, defaultLine } = options;
  const own = { domain: canonical.domain, defaultLine, ...(apexNs === undefined ? {} : { apexNs }) };
  const read = way === "file" ? loadZoneFile(source, { ...own, root: repositoryRoot(folder), folder }) : readText(source, own);
  const errors = read.problems.filter(({ severity }) => severity === "error").map(({ message }) => message);
  const warnings = read.problems.filter(({ severity }) => severity === "warning").map(({ message }) => message);
  const expansion = { domains: [canonical.domain], records: errors.length > 0 ? [] : read.records, unknowns: [], problems: [] };
  return { records: [], errors, notes: { warnings, notes: read.notes }, expansion };
}

/** A text of a program stands in no folder, so that it includes nothing. */
function readText(text: string, options: { readonly domain: string; readonly defaultLine: string; readonly apexNs?: boolean }): ReturnType<typeof readZoneFile> {
  const include = (): { problem: string } => ({ problem: "a text includes no file; declare the zone by `file`, or put the text of the file in its place" });
  const result = readZoneFile(text, { ...options, file: "text", include });
  if (result.records.length > 0 || result.problems.some(({ severity }) => severity === "error")) return result;
  const message = "text: it holds no record at all; write it anew, or declare `records: []` where the zone is to be empty";
  return { ...result, problems: [...result.problems, { severity: "error", path: "text", message, position: { file: "text", line: 1, column: 1 } }] };
}

function failed(error: string): Source {
  return { records: [], errors: [error] };
}

/** The nearest folder upwards that holds a repository; outside of one, the program's own. */
function repositoryRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return from;
  }
}
