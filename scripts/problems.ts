/** `npm run problems`: writes docs/errors.md from provider/problems and docs/errors/*.yaml. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { checkCodes, diagnosticOf, isReason, rendered, type Diagnostic } from "../provider/problems";
import { serviceCodes } from "./service-codes";
import { root } from "./support/main";

const docs = join(root, "docs");
export const page = join(docs, "errors.md");
const begin = "<!-- npm run problems writes the following sections -->\n";

/** File in docs/errors → heading. The order is that of the table. */
const areas = {
  records: "Records",
  files: "Zone files",
  builders: "Builders",
  checks: "Zone checks",
  inputs: "Inputs",
  limits: "Package limits",
  updates: "Updates",
  commands: "Command line",
} as const;

const part = z.strictObject({
  place: z.string().optional(),
  subject: z.string().optional(),
  parts: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  records: z.array(z.strictObject({ text: z.string(), note: z.string().optional() })).optional(),
  why: z.string().optional(),
  /** Absent for a zone check, which docs/checks.md explains. */
  cause: z.string().optional(),
  remedies: z.array(z.string()).default([]),
});
const area = z.record(z.string(), part);

export interface Section extends z.output<typeof part> {
  readonly code: string;
  readonly heading: string;
}

export function sections(): Section[] {
  return Object.entries(areas).flatMap(([file, heading]) =>
    Object.entries(
      area.parse(parse(readFileSync(join(docs, "errors", `${file}.yaml`), "utf8"), { merge: true })),
    ).map(([code, found]) => ({ ...found, code, heading })),
  );
}

export function exampleOf({ code, place, subject, parts, records, why: because }: Section): Diagnostic {
  const why: unknown = { code, parts, path: place, of: subject, records, why: because };
  if (!isReason(why)) throw new Error(`docs/errors has the code ${code}, and the table does not`);
  return diagnosticOf(why);
}

const levels = { error: "Error.", blocked: "Blocked change.", warning: "Warning." } as const;
const explained = new Set<string>(checkCodes);

function textOf(section: Section): string {
  const { code, cause, remedies } = section;
  const example = exampleOf(section);
  const why = cause ?? (explained.has(code) ? `The page [zone checks](checks.md#${code}) explains it.` : "");
  return [
    `#### ${code}`,
    `${levels[example.level]} ${why}`.trim(),
    `\n\`\`\`text\n${rendered(example)}\n\`\`\`\n`,
    ...(remedies.length === 0 ? [] : [`${remedies.map((each) => `- ${each}`).join("\n")}\n`]),
  ].join("\n");
}

export function current(): string {
  const text = readFileSync(page, "utf8");
  const at = text.indexOf(begin);
  const head = at === -1 ? `${text.trimEnd()}\n\n` : text.slice(0, at);
  const found = sections();
  const groups = Object.values(areas).map((heading) => {
    const texts = found.filter((section) => section.heading === heading).map(textOf);
    return `### ${heading}\n\n${texts.join("\n")}`;
  });
  return `${head}${begin}
${serviceCodes()}
## Problems by code

${groups.join("\n")}`;
}

if (require.main === module) writeFileSync(page, current());
