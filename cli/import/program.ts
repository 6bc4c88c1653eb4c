/** Texts about imported files: a summary, and a program that declares them. Pure. */
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import type { ZoneFile } from "./file";

export interface ImportedZone extends Pick<ZoneFile, "declared" | "apexNs"> {
  readonly domain: string;
  readonly form: "zone" | "yaml";
  /** The file's path, relative to the working directory. */
  readonly path: string;
}

/**
 * The lines of a program that declares the zones. An empty zone file cannot be declared and becomes a
 * comment.
 */
export function programOf(zones: readonly ImportedZone[]): string[] {
  const outside = zones.some(({ path }) => inProgram(path, process.cwd()).outside);
  return [
    'import { Zone } from "pulumi-legacydns";',
    "",
    ...(outside ? ["// Move the files into the repository: a Zone reads nothing outside of it."] : []),
    ...zones.flatMap(declarationOf),
  ];
}

function declarationOf({ domain, form, path, apexNs, declared }: ImportedZone): string[] {
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

export function summaryOf(
  domain: string,
  { declared, comments, own }: ZoneFile,
  out: string | undefined,
): string[] {
  const number = (n: number): string => n.toLocaleString("en-US");
  const total = comments.reduce((sum, { count }) => sum + count, 0);
  const adoption =
    declared === 0
      ? "there is nothing to adopt"
      : `an up adopts ${declared === 1 ? "it" : "them all"} without a write`;
  return [
    `${domain}: ${number(declared)} ${declared === 1 ? "record" : "records"}${out === undefined ? "" : ` written to ${out}`}; ${adoption}`,
    ...(own > 0 ? [`${number(own)} of the service's own NS records are left out`] : []),
    ...(total > 0
      ? [
          `${number(total)} ${total === 1 ? "record is" : "records are"} not declared, and ${total === 1 ? "stands" : "stand"} in the file as ${total === 1 ? "a comment" : "comments"}:`,
        ]
      : []),
    ...comments.map(({ reason, count }) => `  ${number(count)}: ${reason}`),
  ];
}
