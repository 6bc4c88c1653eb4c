/** The plan as GitHub's annotations: errors, blocked records and checks, at the lines of the zones' files. */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { describeRecord, recordText } from "../../provider/dns";
import type { SourcePosition } from "../../provider/dns/zone-file";
import { loadZoneFile, repositoryRoot } from "../../provider/lifecycle/zone-files";
import { annotationOf, type Finding } from "../check/findings";
import { CommandError } from "../errors";
import type { StackPlan } from "./report";

interface Options {
  readonly cwd: string;
  /** Domain → file, of the zones whose files are not named for them. */
  readonly files: ReadonlyMap<string, string>;
  readonly workspace: string;
  readonly defaultLine: string;
}

type Placed = Pick<Finding, "level" | "code" | "message" | "help"> & { readonly position?: SourcePosition };

export function githubOf(report: StackPlan, options: Options): string {
  const inFiles = new Map(report.domains.map(({ domain }) => [domain, placesIn(domain, options)]));
  const at = (domain: string, text: string): Pick<Placed, "position"> => {
    const position = inFiles.get(domain)?.get(text);
    return position === undefined ? {} : { position };
  };
  const findings: Placed[] = [
    ...report.errors.map(({ code, text }) => whole("error", code, text, options.cwd)),
    ...report.blocked.map((text) => whole("error", "blocked", text, options.cwd)),
    ...report.domains.flatMap(({ domain, lines }) =>
      lines
        .filter(({ sign }) => sign === "!")
        .map(({ text }): Placed => {
          const message = `${text}: blocked, stays as it is`;
          return { level: "error", code: "blocked", message, help: [], ...at(domain, text) };
        })
        .filter(({ position }) => position !== undefined),
    ),
    ...report.warnings.map((text) => whole("warning", null, text, options.cwd)),
    ...report.checks.map(({ code, level, domain, record, message, help }): Placed => {
      const shown = { refuse: "error", warn: "warning", note: "note" } as const;
      const place = record === undefined ? {} : at(domain, record.text);
      const own = record === undefined ? domain : [record.text, record.note].join(" ").trim();
      return { level: shown[level], code, message: `${message}\n${own}`, help, ...place };
    }),
  ];
  return findings.map((each) => `${annotationOf({ ...each, details: [] }, options.workspace)}\n`).join("");
}

/** A message about a zone file names the place in its first line. */
function whole(level: Finding["level"], code: string | null, message: string, cwd: string): Placed {
  const [, file = "", line, column] =
    /(?:^|\s)([^\s:]+):(\d+):(\d+): /.exec(message.split("\n", 1)[0] ?? "") ?? [];
  const position = { file: join(cwd, file), line: Number(line), column: Number(column) };
  return { level, code, message, help: [], ...(file === "" ? {} : { position }) };
}

/** Record → place, in the file that `--file` or its name gives to the zone. */
function placesIn(domain: string, { cwd, files, defaultLine }: Options): ReadonlyMap<string, SourcePosition> {
  const names = [`${domain}.zone`, `db.${domain}`].flatMap((name) => [name, join("zones", name)]);
  const given = files.get(domain);
  const file = given ?? names.map((name) => resolve(cwd, name)).find(existsSync);
  if (file === undefined) return new Map();
  const folder = dirname(file);
  const root = repositoryRoot(folder);
  const { records, problems } = loadZoneFile(basename(file), { domain, folder, root, defaultLine });
  if (given !== undefined && problems.length > 0) throw new CommandError(...problems);
  return new Map(
    records.flatMap((record) => {
      const position = { ...record.position, file: resolve(root, record.position.file) };
      // A long value is short in some messages.
      return [describeRecord(record), recordText(record)].map((text) => [text, position] as const);
    }),
  );
}
