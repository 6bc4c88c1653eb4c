/** The files of `check`, each with its zone. */
import { readdirSync, statSync, type Dirent } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { canonicalDomain } from "../../provider/dns";
import { diagnosticOf, reason, type Reason } from "../../provider/problems";
import { split } from "../../provider/support/collections";
import { isCertain, isSplitFolder } from "../convert/octodns";
import { diagnosed, noted, type Finding } from "./findings";

export interface Source {
  readonly file: string;
  readonly domain: string;
  readonly isOctodns: boolean;
}

const yaml = /\.ya?ml$/;

/** @param zone counts more than the name of the file */
export function sourcesOf(path: string, zone?: string): (Source | Finding)[] {
  const file = shownPath(path);
  const start = { file, line: 1, column: 1 };
  const failed = (why: Reason): Finding[] => [diagnosed("error", start, diagnosticOf(why))];
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return failed(reason("path.missing", { path, from: "the current folder" }));
  if (!status.isDirectory()) {
    const domain = zone ?? certainZone(file);
    return domain === undefined
      ? failed(reason("check.zone"))
      : [{ file, domain, isOctodns: yaml.test(file) }];
  }
  const entries = readdirSync(path, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."));
  const [zones, others] = split(entries.sort(byName), mayBeZone);
  const unread = others.filter((each) => !each.isDirectory() || each.name.endsWith("."));
  const names = unread.map(({ name }) => name).join(", ");
  return [
    ...(names === "" ? [] : [noted(start, `not read: ${names}`)]),
    ...(zones.length === 0
      ? failed(reason("check.nothing"))
      : zones.flatMap(({ name }) => sourcesOf(join(path, name)))),
  ];
}

const byName = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : 1);

/** Endings of other files that are countries as well. */
const foreign = /\.(?:cc|id|js|md|me|pl|ps|py|rs|sh|so|tf|ts)$/i;

/** In a folder. A file whose name ends like a zone's must be certain, and others need not be zones. */
function mayBeZone(entry: Dirent): boolean {
  const { name } = entry;
  if (entry.isDirectory() || name.startsWith("Pulumi.")) return false;
  if (name.endsWith(".zone") || yaml.test(name)) return domainIn(name) !== undefined;
  return (name.startsWith("db.") || !foreign.test(name)) && certainZone(name) !== undefined;
}

function certainZone(file: string): string | undefined {
  const name = basename(file);
  const domain = domainIn(name);
  if (domain === undefined || domain.includes("_")) return undefined;
  if (name.endsWith(".zone") && name !== domain) return domain;
  return isCertain(domain) && !(yaml.test(name) && isSplitFolder(dirname(file))) ? domain : undefined;
}

/** Of `example.com.zone`, `db.example.com`, `example.com`, or octoDNS's `example.com.yaml`. */
function domainIn(name: string): string | undefined {
  const ways = yaml.test(name)
    ? [name.replace(yaml, "")]
    : [/^(.+)\.zone$/.exec(name)?.[1], /^db\.(.+)$/.exec(name)?.[1], name];
  for (const way of ways) {
    const found = canonicalDomain(way ?? "");
    if ("domain" in found) return found.domain;
  }
  return undefined;
}

/** From the current folder; absolute for a file outside of it. */
export function shownPath(path: string): string {
  const way = relative("", path);
  return way === ".." || way.startsWith(`..${sep}`) ? resolve(path) : way === "" ? "." : way;
}
