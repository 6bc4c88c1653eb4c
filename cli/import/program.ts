/** Texts about zone files: a summary, and a program that declares them. Pure. */
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { count } from "../../provider/support/text";
import { commentLines } from "../zone-text";
import type { ZoneFile } from "./file";

export interface WrittenZone extends Pick<ZoneFile, "domain" | "form" | "declared" | "apexNs"> {
  readonly path: string;
}

/** The lines of a program. An empty zone file cannot be declared and becomes a comment. */
export function programOf(zones: readonly WrittenZone[]): string[] {
  const outside = zones.some(({ path }) => inProgram(path, process.cwd()).outside);
  return [
    'import { Zone } from "pulumi-legacydns";',
    "",
    ...(outside ? ["// Move the files into the repository: a Zone reads nothing outside of it."] : []),
    ...zones.flatMap(declarationOf),
  ];
}

function declarationOf({ domain, form, path, apexNs, declared }: WrittenZone): string[] {
  const name = JSON.stringify(domain);
  const file = JSON.stringify(inProgram(path, process.cwd()).path);
  const more = apexNs && form === "zone" ? ", apexNs: true" : "";
  const line = `new Zone(${name}, { domain: ${name}, file: ${file}${more} }, { protect: true });`;
  return declared === 0 && form === "zone"
    ? ["// Write the first record into the file: a Zone takes an empty one for a mistake.", `// ${line}`]
    : [line];
}

/** A file's path for a program in this folder. A file outside of it gets its path after a move to `zones`. */
export function inProgram(out: string, folder: string): { readonly path: string; readonly outside: boolean } {
  const way = relative(folder, resolve(folder, out));
  const outside = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
  return { path: outside ? `zones/${basename(way)}` : way.split(sep).join("/"), outside };
}

export function summaryOf({ domain, declared, comments, own }: ZoneFile, out: string | undefined): string[] {
  const adoption = declared === 0 ? "there is nothing to adopt" : "an up adopts all without a write";
  return [
    `${domain}: ${count(declared, "record")}${out === undefined ? "" : ` written to ${out}`}; ${adoption}`,
    ...(own > 0 ? [`left out: ${count(own, "NS record")} of the service itself`] : []),
    ...commentLines(comments),
  ];
}

export function jsonOf({ domain, form, declared, comments, own, apexNs }: ZoneFile, file: string): object {
  return { domain, file, form, records: declared, comments, own, apexNs };
}
