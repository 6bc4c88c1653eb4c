/**
 * `pulumi-legacydns plan`: what an `up` would do to the zones, from the engine's own preview, so that the two cannot
 * disagree; for a terminal, a pull request or a program.
 */
import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Command } from "commander";
import { outlookFile, outlookKey, outlookOfAll, outlookZones } from "../provider/lifecycle/outlook";
import { domainsOf, gather } from "../provider/gather";
import { newSealingKey } from "../provider/sealing";
import { defaultLineIn, guarded, newCommand, packageVersion } from "./command";
import { CommandError } from "./errors";
import { markdownOf } from "./plan/markdown";
import { stackRulesOf } from "./plan/stack-rules";
import { readTold, type Told } from "./plan/outlooks";
import { pageOf, type Made } from "./plan/page";
import { hasHalfDone, pendingDeletions, withLedgers } from "./plan/pending";
import { readPreview, type EnginePreview, type Step } from "./plan/preview";
import { isOurs, recordsOf } from "./plan/records";
import { hasChanges, reportOf, type PlanReport } from "./plan/report";
import { textOf } from "./plan/text";
import { pulumi, readable, type PulumiRun, type StackChoice } from "./pulumi";
import { kindOf } from "./resources";
import { streamReporter } from "../provider/report";
import { withTemporaryFolder } from "./temporary";
import { coloursOf, exitCodes, plain, type Colours, type Terminal } from "./terminal";
import { writeWhole } from "./whole-file";

interface Flags extends StackChoice {
  readonly format: string;
  readonly out: readonly string[];
  readonly json?: boolean;
  readonly refresh?: boolean;
  readonly failOnChanges?: boolean;
}

type Format = "text" | "markdown" | "html" | "json";
const formats: readonly Format[] = ["text", "markdown", "html", "json"];
/** By the end of a file's name. */
const endings: Readonly<Record<string, Format>> = {
  ".txt": "text",
  ".md": "markdown",
  ".html": "html",
  ".json": "json",
};

/** The `plan` command. */
export function planCommand(terminal: Terminal): Command {
  return newCommand("plan", terminal, [
    "pulumi-legacydns plan --stack prod",
    "pulumi-legacydns plan --format markdown --out plan.html > comment.md",
    "pulumi-legacydns plan --refresh --fail-on-changes",
  ])
    .description(
      "Show what `pulumi up` would do to the zones, from the engine's own preview.\nExit code: 0 fine, 2 changes found (with --fail-on-changes), 1 the preview failed.",
    )
    .option("--stack <name>", "the stack (default: the selected one)")
    .option("--cwd <folder>", "the project's folder (default: this one)")
    .option(
      "--format <text|markdown|html|json>",
      "how to print it; markdown suits a comment on a pull request, html a pipeline's artefacts",
      "text",
    )
    .option(
      "--out <file>",
      "write it to a file as well, in the form that the name ends in (.txt, .md, .html, .json); may be repeated",
      (file: string, all: readonly string[]) => [...all, file],
      [],
    )
    .option("--json", "the same as --format json")
    .option("--refresh", "compare with what is live, not with the state")
    .option("--fail-on-changes", "end with 2 where an up would change a zone")
    .action((flags: Flags) =>
      guarded(
        terminal,
        () => plan(terminal, flags),
        (flags.json === true && flags.format === "text") || flags.format === "json" ? unplanned : undefined,
      ),
    );
}

/** The report, as JSON, where no preview could be read. */
function unplanned(problems: readonly string[]): object {
  return jsonOf(
    reportOf(
      { steps: [], warnings: [], errors: problems, unplanned: true },
      { defaultLine: "", pending: [], outlooks: [], removal: "verify", full: false },
    ),
  );
}

async function plan(terminal: Terminal, flags: Flags): Promise<number> {
  const format = formatOf(flags);
  const files = flags.out.map((file) => ({ file, form: formOf(file) }));
  const reporter = streamReporter(terminal.err);
  reporter.progress(
    "Waiting for the engine's preview: it runs the program, and reads the zones of what has changed",
  );
  const args = ["preview", "--json", "--show-sames", ...(flags.refresh === true ? ["--refresh"] : [])];
  const state = (await pulumi(terminal, flags, ["stack", "export"])).out;
  const defaultLine = defaultLineIn(terminal.env);
  const leaving = pendingDeletions(state);
  const awaited = domainsOf(leaving.flatMap((step) => recordsOf(step, "before", defaultLine)));
  const asks = { [outlookZones]: awaited.join(","), ...(hasHalfDone(state) ? { [outlookOfAll]: "1" } : {}) };
  const readWhole = async (): Promise<Previewed> => {
    const first = await previewed(terminal, flags, args, asks);
    const { shared, alone } = unreadZones(first, defaultLine);
    // What goes the engine names only in its preview: then hosts are asked to read the zones that nothing else has changed in.
    const whole =
      shared.length === 0
        ? first
        : await previewed(terminal, flags, args, {
            ...asks,
            [outlookZones]: [...awaited, ...shared].join(","),
          });
    if (alone.size === 0) return whole;
    // Where nothing is declared any more no host is asked, but by a refresh.
    const targets = [...new Set(alone.values())].flatMap((urn) => ["--target", urn]);
    const { told } = await listened(terminal, flags, ["refresh", "--preview-only", ...targets], {
      [outlookZones]: [...alone.keys()].join(","),
    });
    return { ...whole, told: { ...whole.told, zones: [...whole.told.zones, ...told.zones] } };
  };
  const { preview, told } = await readWhole().finally(() => {
    reporter.clear();
  });
  const known = await withLedgers(
    { preview, leaving },
    async () => (await pulumi(terminal, flags, ["stack", "export", "--show-secrets"])).out,
  );
  const pending = preview.errors.length > 0 ? [] : known.leaving;
  const report = reportOf(known.preview, {
    defaultLine,
    pending,
    ...told,
    ...(await stackRulesOf(terminal, flags, [...preview.steps, ...pending], state)),
  });
  const named: PlanReport = { ...(flags.stack === undefined ? {} : { stack: flags.stack }), ...report };
  const colours = coloursOf(terminal, terminal.out);
  const made = { at: terminal.clock.wall(), version: packageVersion() };
  for (const { file, form } of files) await writeWhole(file, rendered(named, form, made, plain), true);
  terminal.out.write(rendered(named, format, made, colours));
  if (!named.ok) return exitCodes.trouble;
  return flags.failOnChanges === true && hasChanges(named) ? exitCodes.differences : exitCodes.fine;
}

function formatOf(flags: Flags): Format {
  const format = formats.find((each) => each === (flags.json === true ? "json" : flags.format));
  if (format === undefined)
    throw new CommandError(`--format must be ${formats.join(", ")}, not ${JSON.stringify(flags.format)}`);
  if (flags.json === true && !["text", "json"].includes(flags.format))
    throw new CommandError(`--json and --format ${flags.format} exclude each other`);
  return format;
}

function formOf(file: string): Format {
  const form = endings[extname(file).toLowerCase()];
  if (form === undefined)
    throw new CommandError(
      `--out ${file}: the name must end in ${Object.keys(endings).join(", ")}, which tells the form`,
    );
  return form;
}

/** The plan in a form, with its last line ended. */
function rendered(report: PlanReport, format: Format, made: Made, colours: Colours): string {
  switch (format) {
    case "text":
      return `${textOf(report, colours).join("\n")}\n`;
    case "markdown":
      return markdownOf(report);
    case "html":
      return pageOf(report, made);
    case "json":
      return `${JSON.stringify(jsonOf(report), null, 2)}\n`;
  }
}

function jsonOf(report: PlanReport): object {
  return {
    version: 1,
    changes: hasChanges(report),
    ...report,
    unplanned: undefined,
    domains: report.domains.map(({ kept: _, ...rest }) => rest),
  };
}

/** The engine's preview, and what each host that it asked told of what a run would do. */
interface Previewed {
  readonly preview: EnginePreview;
  readonly told: Told;
}

async function previewed(
  terminal: Terminal,
  flags: Flags,
  args: readonly string[],
  asks: Readonly<Record<string, string>>,
): Promise<Previewed> {
  const { run, told } = await listened(terminal, flags, args, asks);
  return { preview: previewOf(run), told };
}

/** Runs a command of the engine's that writes nothing, and hears its hosts. @param asks the hosts, by the environment */
async function listened(
  terminal: Terminal,
  flags: Flags,
  args: readonly string[],
  asks: Readonly<Record<string, string>>,
): Promise<{ run: PulumiRun; told: Told }> {
  return withTemporaryFolder("legacydns-plan-", async (folder) => {
    const file = join(folder, "outlooks");
    const key = newSealingKey();
    const env = { ...terminal.env, [outlookFile]: file, [outlookKey]: key, ...asks };
    const run = await pulumi({ ...terminal, env }, flags, args);
    return { run, told: readTold(existsSync(file) ? readFileSync(file, "utf8") : "", key) };
  });
}

/** Domains of what goes that no host has read. */
interface Unread {
  /** Where something is still declared. */
  readonly shared: readonly string[];
  /** Where nothing is, and all that goes is of one provider: with the URN of a resource that goes. */
  readonly alone: ReadonlyMap<string, string>;
}

function unreadZones({ preview: { steps, errors }, told }: Previewed, defaultLine: string): Unread {
  const ours =
    errors.length > 0 ? [] : steps.filter((step) => isOurs(step) && kindOf(step.type) !== "DomainShare");
  const read = new Set(told.zones.map(({ zone }) => zone));
  const going = new Map<string, Step[]>();
  for (const step of ours.filter(({ op }) => op === "delete")) {
    for (const domain of domainsOf(recordsOf(step, "before", defaultLine)))
      if (!read.has(domain)) gather(going, domain, []).push(step);
  }
  const declared = new Set(
    going.size === 0
      ? []
      : domainsOf(
          ours.flatMap((step) => (step.after === undefined ? [] : recordsOf(step, "after", defaultLine))),
        ),
  );
  const [shared, others] = [
    [...going.keys()].filter((domain) => declared.has(domain)),
    [...going].filter(([domain]) => !declared.has(domain)),
  ];
  const alone = others.flatMap(([domain, these]) =>
    these.every(({ provider }) => provider === these[0]?.provider)
      ? these.slice(0, 1).map(({ urn }) => [domain, urn] as const)
      : [],
  );
  return { shared, alone: new Map(alone) };
}

/** The preview; where the engine gave none, what it said instead is what keeps an `up` from running. */
function previewOf({ code, out, err }: PulumiRun): EnginePreview {
  const preview = readPreview(out) ?? { steps: [], warnings: [], errors: [] };
  if (code === 0 || preview.errors.length > 0) return preview;
  const said = readable(
    [err, readPreview(out) === undefined ? out : ""].filter((text) => text.trim() !== "").join("\n"),
  );
  const unplanned = preview.steps.length === 0 ? { unplanned: true as const } : {};
  return {
    ...preview,
    ...unplanned,
    errors: [said === "" ? `pulumi preview ended with ${String(code)} and said nothing` : said],
  };
}
