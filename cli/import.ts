/**
 * `pulumi-legacydns import`: a zone file, or YAML, from the live zone. Before it is written it is read back and planned
 * against the zone: declaring it adopts everything that it declares, and sends nothing.
 */
import { existsSync } from "node:fs";
import { basename, extname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Command } from "commander";
import { systemClock } from "../provider/clock";
import { ZoneReader } from "../provider/reconcile/zones/reader";
import { domainOf, guarded, newCommand, ofDomain, printJson, settingsFor, withClient } from "./command";
import { CommandError } from "./errors";
import { zoneFileOf, type ZoneFile } from "./import/file";
import { writeWhole } from "./whole-file";
import { visibleLine } from "../provider/support/visible";
import { coloursOf, exitCodes, type Terminal } from "./terminal";

interface Flags {
  readonly to?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly baseUrl?: string;
}

/** The `import` command. */
export function importCommand(terminal: Terminal): Command {
  const examples = [
    "pulumi-legacydns import example.com --out zones/example.com.zone",
    "pulumi-legacydns import example.com --to yaml --out zones/example.com.yaml",
    "pulumi-legacydns import example.com | less",
  ];
  return newCommand("import", terminal, examples)
    .description("Write a file from the live zone; declaring it adopts every record without a write.")
    .argument("<domain>", "the zone, for example example.com")
    .option("--to <zone|yaml>", "a master file or YAML (default: by the file's name, else zone)")
    .option("--out <file>", "where to write it (default: standard output)")
    .option("--force", "overwrite a file that exists")
    .option("--json", "print what was written, as JSON; needs --out")
    .option(
      "--base-url <url>",
      "address of the service (default: LEGACYDNS_BASE_URL); the token is LEGACYDNS_LOGIN_TOKEN",
    )
    .action((domain: string, flags: Flags) =>
      guarded(
        terminal,
        () => importZone(terminal, domainOf(domain), flags),
        flags.json === true ? (problems) => ({ version: 1, ok: false, problems }) : undefined,
      ),
    );
}

async function importZone(terminal: Terminal, domain: string, flags: Flags): Promise<number> {
  const { out, force = false } = flags;
  if (out === "")
    throw new CommandError("--out is empty; name a file, or leave the option out for standard output");
  if (flags.json === true && out === undefined)
    throw new CommandError("--json needs --out: standard output holds the zone otherwise");
  const form = formOf(flags);
  if (out !== undefined && !force && existsSync(out))
    throw new CommandError(`--out ${out} exists already; --force overwrites it`);
  const settings = settingsFor(terminal, flags.baseUrl);
  const { zone } = await withClient(terminal, settings, (client) =>
    ofDomain("import", () => new ZoneReader(client, settings, systemClock).get(domain)),
  );
  const file = zoneFileOf(zone, form, settings.defaultLine);
  if (out === undefined) terminal.out.write(file.text);
  else await writeWhole(out, file.text, force);
  if (flags.json === true) {
    const { declared, comments, own, apexNs } = file;
    printJson(terminal, {
      version: 1,
      ok: true,
      domain,
      file: out,
      form,
      records: declared,
      comments,
      own,
      apexNs,
      problems: [],
    });
    return exitCodes.fine;
  }
  const { dim } = coloursOf(terminal, terminal.err);
  terminal.err.write(`${summaryOf(domain, file, out).map(visibleLine).join("\n")}\n`);
  terminal.err.write(
    `\n${programOf(domain, form, file, out)
      .map((line) => (line === "" ? "" : dim(`  ${line}`)))
      .join("\n")}\n`,
  );
  return exitCodes.fine;
}

/** A program tells the two apart by the file's name, so the name must fit. */
function formOf({ to, out }: Flags): "zone" | "yaml" {
  if (to !== undefined && to !== "zone" && to !== "yaml")
    throw new CommandError(`--to must be zone or yaml, not ${JSON.stringify(to)}`);
  const named =
    out === undefined ? undefined : [".yaml", ".yml"].includes(extname(out).toLowerCase()) ? "yaml" : "zone";
  if (to === undefined || named === undefined || to === named) return to ?? named ?? "zone";
  const rather =
    to === "yaml"
      ? "needs a name that ends in .yaml or .yml"
      : "needs a name that does not end in .yaml or .yml";
  throw new CommandError(`--to ${to} ${rather}, by which Zone tells how to read it; --out is ${out ?? ""}`);
}

function summaryOf(domain: string, { declared, comments, own }: ZoneFile, out: string | undefined): string[] {
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

function programOf(
  domain: string,
  form: "zone" | "yaml",
  { apexNs, declared }: ZoneFile,
  out: string | undefined,
): string[] {
  const name = JSON.stringify(domain);
  const { path, outside } = inProgram(out ?? `zones/${domain}.${form}`, process.cwd());
  const more = apexNs && form === "zone" ? ", apexNs: true" : "";
  const first =
    declared === 0 && form === "zone"
      ? ["// Write the first record into the file: a Zone takes an empty one for a mistake."]
      : [];
  const move = outside ? ["// Move the file into the repository: a Zone reads nothing outside of it."] : [];
  return [
    'import { Zone } from "pulumi-legacydns";',
    "",
    ...first,
    ...move,
    `new Zone(${name}, { domain: ${name}, file: ${JSON.stringify(path)}${more} }, { protect: true });`,
  ];
}

/** A file as a program in this folder names it; one that lies outside of it, as if it had been moved to `zones`. */
export function inProgram(out: string, folder: string): { readonly path: string; readonly outside: boolean } {
  const way = relative(folder, resolve(folder, out));
  const outside = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
  return { path: outside ? `zones/${basename(way)}` : way.split(sep).join("/"), outside };
}
