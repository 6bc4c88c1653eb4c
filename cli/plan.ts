/**
 * `pulumi-legacydns plan`: the effect of the next `up` on each zone, from the engine's preview and the
 * reports of the provider processes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { InvalidArgumentError, type Command } from "commander";
import {
  planVariable,
  readEntries,
  requestText,
  type PlanEntry,
  type Asked,
} from "../provider/lifecycle/plan-file";
import { messageOf } from "../provider/problems";
import { count } from "../provider/support/text";
import { defaultLineIn, guarded, jsonText, newCommand } from "./command";
import { CommandError, usage } from "./errors";
import { namedFile, sharedOption, stackOptions } from "./options";
import { repositoryRoot } from "../provider/resources/zone-files";
import { githubOf } from "./plan/github";
import { markdownOf } from "./plan/markdown";
import { pageOf } from "./plan/page";
import { readPreview, type EnginePreview } from "./plan/preview";
import { changesOnly, hasBlocked, hasChanges, reportOf, requestOf, type StackPlan } from "./plan/report";
import { textOf } from "./plan/text";
import { engineFailure, pulumi, type PulumiRun, type StackChoice } from "./pulumi";
import { withTemporaryFolder, writeWhole } from "./files";
import { exitCodes, Painted, painted, plain, type Colours, type Part, type Terminal } from "./terminal";

interface Flags extends StackChoice {
  readonly format: Printed;
  readonly out?: readonly { readonly file: string; readonly render: Render }[];
  readonly json?: boolean;
  readonly refresh?: boolean;
  readonly unchanged?: boolean;
  readonly file?: ReadonlyMap<string, string>;
  readonly failOnChanges?: boolean;
  readonly failOnBlocked?: boolean;
}

type Format = "text" | "markdown" | "html" | "json";
/** Its annotations are for the log of a job, so `--out` does not write them. */
type Printed = Format | "github";
/** @param shown for readers: without `--unchanged`, only the lines of changes */
type Render = (report: StackPlan, shown: StackPlan, colours: Colours) => Part;

const formats: Readonly<Record<Format, readonly [extension: string, Render]>> = {
  text: [".txt", (_, shown, colours) => painted`${Painted.join(textOf(shown, colours), "\n")}\n`],
  markdown: [".md", (_, shown) => markdownOf(shown)],
  html: [".html", (_, shown) => pageOf(shown)],
  json: [".json", (report) => jsonText(jsonOf(report))],
};
const rendererOf = new Map(Object.values(formats));

export function createCommand(terminal: Terminal): Command {
  return newCommand("plan", terminal, {
    purpose: "show what the next `pulumi up` does to the zones",
    exits: [
      "fine",
      "the preview failed",
      "changes, with --fail-on-changes",
      "blocked changes, with --fail-on-blocked",
    ],
    examples: [
      "pulumi-legacydns plan --stack prod",
      "pulumi-legacydns plan --format markdown --out plan.html > comment.md",
      "pulumi-legacydns plan --refresh --fail-on-changes",
    ],
    options: stackOptions,
  })
    .addOption(
      sharedOption("format", "; markdown for a comment, html for an artefact, github for annotations")
        .choices([...Object.keys(formats), "github"])
        .default("text"),
    )
    .addOption(
      sharedOption(
        "out",
        "; in the form of its extension (.txt, .md, .html, .json); may be repeated",
      ).argParser(withOutput),
    )
    .addOption(sharedOption("json", "; the same as --format json").conflicts("format"))
    .addOption(sharedOption("file", "; where --format github finds its records").argParser(withFile))
    .option("--refresh", "compare with what is live, not with the state")
    .option("--unchanged", "list the unchanged records and those to adopt, too")
    .option("--fail-on-changes", "end with 2 if the up changes a zone")
    .option("--fail-on-blocked", "end with 3 if the up fails because of a blocked change")
    .action((flags: Flags) => {
      const format = flags.json ? "json" : flags.format;
      const unplanned = (errors: readonly string[]): object =>
        jsonOf(reportOf({ steps: [], warnings: [], errors }, []));
      return guarded(terminal, format === "json", () => plan(terminal, flags, format), unplanned);
    });
}

function withOutput(file: string, before: Flags["out"] = []): Flags["out"] {
  const render = rendererOf.get(extname(file).toLowerCase());
  if (render !== undefined) return [...before, { file, render }];
  throw new InvalidArgumentError(`its name ends in ${[...rendererOf.keys()].join(", ")}`);
}

function withFile(arg: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const named = namedFile("plan", arg);
  if ("problem" in named) throw new CommandError(named.problem);
  return new Map([...before, [named.domain, resolve(named.file)]]);
}

async function plan(terminal: Terminal, flags: Flags, format: Printed): Promise<number> {
  if (flags.file !== undefined && format !== "github")
    throw new CommandError(usage("plan", "--file is for --format github"));
  const reporter = terminal.err.reporter();
  reporter.progress("Waiting for the engine's preview");
  const first = await previewed(terminal, flags, { urns: [], domains: [] });
  const asked = first.preview.errors.length > 0 ? undefined : requestOf(first.preview, first.entries);
  if (asked !== undefined)
    reporter.progress(`Reading ${count(asked.domains.length, "zone")} of deleted resources`);
  const { preview, entries } = asked === undefined ? first : await previewed(terminal, flags, asked);
  reporter.clear();
  const report = reportOf({ ...preview, stack: flags.stack ?? preview.stack }, entries);
  const shown = flags.unchanged ? report : changesOnly(report);
  for (const { file, render } of flags.out ?? [])
    await writeWhole(file, String(render(report, shown, plain)));
  const { cwd = "", file: files = new Map<string, string>() } = flags;
  const workspace = terminal.env["GITHUB_WORKSPACE"] ?? repositoryRoot(resolve(cwd));
  terminal.out.write(
    format === "github"
      ? githubOf(report, { cwd, files, workspace, defaultLine: defaultLineIn(terminal.env) })
      : formats[format][1](report, shown, terminal.out.colours),
  );
  if (!report.ok) return exitCodes.trouble;
  if (flags.failOnBlocked && hasBlocked(report)) return exitCodes.blocked;
  return flags.failOnChanges && hasChanges(report) ? exitCodes.differences : exitCodes.fine;
}

export function jsonOf(report: StackPlan): object {
  const domains = report.domains.map((plan) => ({
    ...plan,
    lines: plan.lines.map(({ refs: _refs, id: _id, domain: _domain, answer: _answer, ...line }) => line),
    answers: plan.answers.map(({ hasOthers: _hasOthers, ...answer }) => answer),
  }));
  return { changes: hasChanges(report), ...report, domains };
}

/** Runs the engine's preview. It always refreshes, so that `read` reports what each resource holds. */
async function previewed(
  terminal: Terminal,
  flags: Flags,
  asked: Asked,
): Promise<{ readonly preview: EnginePreview; readonly entries: readonly PlanEntry[] }> {
  return withTemporaryFolder("legacydns-plan-", async (folder) => {
    const file = join(folder, "entries");
    writeFileSync(
      file,
      requestText({ ...asked, drift: flags.refresh === true, all: flags.unchanged === true }),
      {
        mode: 0o600,
      },
    );
    const env = { ...terminal.env, [planVariable]: file };
    const run = await pulumi({ env }, flags, ["preview", "--json", "--show-sames", "--refresh"]);
    return { preview: previewOf(run), entries: readEntries(readFileSync(file, "utf8")) };
  });
}

function previewOf(run: PulumiRun): EnginePreview {
  const read = readPreview(run.out);
  if (read !== undefined && (run.code === 0 || read.errors.length > 0)) return read;
  const errors = [messageOf(engineFailure(run))];
  return { ...(read ?? { steps: [], warnings: [] }), errors };
}
