/** The source of a `Zone`'s records: a file, a text or specs. */
import { canonicalDomain, kindProblem, textOrKind, type Expansion } from "../dns";
import { isOfOutput } from "../dns/record";
import { defined } from "../support/defined";
import { readZoneFile } from "../dns/zone-file/read";
import { isError, reason, renderAll, type Fault, type Problem, type Reason } from "../problems";
import type { ManifestProblems } from "../lifecycle/manifest";
import { loadZoneFile, notEmpty, repositoryRoot } from "./zone-files";

export interface SourceInputs {
  readonly domain: unknown;
  readonly file?: unknown;
  readonly text?: unknown;
  readonly records?: unknown;
  readonly apexNs?: unknown;
}

export interface Source {
  readonly records: unknown;
  readonly errors: readonly Problem[];
  readonly notes?: ManifestProblems;
  readonly expansion?: Expansion;
}

export function zoneSource(
  inputs: SourceInputs,
  options: { readonly folder: string; readonly defaultLine: string },
): Source {
  const { domain, file, text, records, apexNs = false } = inputs;
  if (typeof apexNs !== "boolean")
    return failed(
      "apexNs",
      reason("word.unknown", { given: textOrKind(apexNs), hint: "write true or false" }),
    );
  const ways = Object.keys(defined({ file, text, records }));
  if (ways.length > 1) return failed(ways.join(", "), reason("field.several"));
  if (records !== undefined) return { records, errors: [] };
  const [way = "file"] = ways;
  const source = file ?? text;
  if (source === undefined)
    return failed(
      "file",
      reason("field.missing", { example: '"zones/example.com.zone", or declare `records`' }),
    );
  if (typeof source !== "string") return failed(way, kindProblem(source, way, '"zones/example.com.zone"'));
  if (way === "text" && isOfOutput(source)) return failed(way, reason("output.as-text"));
  if (typeof domain !== "string")
    return failed("domain", kindProblem(domain, "domain", '"example.com": it decides how the file is read'));
  const canonical = canonicalDomain(domain);
  if ("problem" in canonical) return { records: [], errors: [] };
  const { folder, defaultLine } = options;
  const own = { domain: canonical.domain, defaultLine, apexNs };
  const read =
    way === "file"
      ? loadZoneFile(source, { ...own, root: repositoryRoot(folder), folder })
      : notEmpty(readZoneFile(source, { ...own, file: "text", include: refuseInclude }), "text");
  const errors = read.problems.filter(isError);
  const warnings = renderAll(read.problems.filter((problem) => !isError(problem)));
  const expansion = {
    domains: [canonical.domain],
    records: errors.length > 0 ? [] : read.records,
    unknowns: [],
    problems: [],
  };
  return { records: [], errors, notes: { warnings, notes: read.notes.map(({ text }) => text) }, expansion };
}

const refuseInclude = (): Fault => ({ problem: reason("include.unfit") });

function failed(path: string, why: Reason): Source {
  return { records: [], errors: [{ ...why, path }] };
}
