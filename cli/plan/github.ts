/** The plan as GitHub's annotations: errors, blocked records and checks, at the lines of the zones' files. */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { describeRecord, recordText } from "../../provider/dns";
import type { SourcePosition } from "../../provider/dns/zone-file";
import { loadZoneFile, repositoryRoot } from "../../provider/resources/zone-files";
import { annotationOf, checkLevels, type Annotation } from "../check/findings";
import { CommandError } from "../errors";
import type { StackPlan } from "./report";

interface Options {
  readonly cwd: string;
  /** Domain → file, of the zones whose files are not named for them. */
  readonly files: ReadonlyMap<string, string>;
  readonly workspace: string;
  readonly defaultLine: string;
}

export function githubOf(report: StackPlan, options: Options): string {
  const inFiles = new Map(report.domains.map(({ domain }) => [domain, placesIn(domain, options)]));
  const at = (domain: string, text = ""): SourcePosition | undefined => inFiles.get(domain)?.get(text);
  const annotations: Annotation[] = [
    ...report.errors.map(({ code, text }) => whole("error", code, text, options.cwd)),
    ...report.blocked.map((text) => whole("error", "blocked", text, options.cwd)),
    ...report.domains.flatMap(({ domain, lines }) =>
      lines.flatMap(({ sign, text }): Annotation[] => {
        const position = sign === "!" ? at(domain, text) : undefined;
        const message = `${text}: blocked, stays as it is`;
        return position === undefined
          ? []
          : [{ level: "error", code: "blocked", message, help: [], position }];
      }),
    ),
    ...report.warnings.map((text) => whole("warning", null, text, options.cwd)),
    ...report.checks.map(({ code, level, domain, record, message, help }): Annotation => {
      const own = record === undefined ? domain : [record.text, record.note].join(" ").trim();
      const position = at(domain, record?.text);
      return { level: checkLevels[level], code, message: `${message}\n${own}`, help, position };
    }),
  ];
  return annotations.map((each) => `${annotationOf(each, options.workspace)}\n`).join("");
}

/** A message about a zone file names the place in its first line. */
function whole(level: Annotation["level"], code: string | null, message: string, cwd: string): Annotation {
  const [, file = "", line, column] =
    /(?:^|\s)([^\s:]+):(\d+):(\d+): /.exec(message.split("\n", 1)[0] ?? "") ?? [];
  const position =
    file === "" ? undefined : { file: join(cwd, file), line: Number(line), column: Number(column) };
  return { level, code, message, help: [], position };
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
