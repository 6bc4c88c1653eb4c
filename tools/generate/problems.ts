/** docs/errors.md from provider/problems, docs/errors/*.yaml and the service's codes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { z } from "zod";
import { common, documented, older, recordWrites, undocumented } from "../../provider/api/meanings";
import {
  diagnosticOf,
  isCheckCode,
  isReason,
  rendered,
  usualLevel,
  type Diagnostic,
} from "../../provider/problems";
import { groupBy } from "../../provider/support/collections";
import { root } from "../support/main";

const docs = join(root, "docs");
export const errorsFile = join(docs, "errors.md");
const begin = "<!-- npm run generate writes the following sections -->\n";

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
  return Object.entries(areas).flatMap(([file, heading]) => {
    const text = readFileSync(join(docs, "errors", `${file}.yaml`), "utf8");
    const parts = area.parse(load(text, { schema: CORE_SCHEMA.withTags(mergeTag) }));
    return Object.entries(parts).map(([code, found]) => ({ ...found, code, heading }));
  });
}

export function exampleOf({ code, place, subject, parts, records, why: because }: Section): Diagnostic {
  const why: unknown = { code, parts, path: place, of: subject, records, why: because };
  if (!isReason(why)) throw new Error(`docs/errors has the code ${code}, and the table does not`);
  return diagnosticOf(why);
}

const levels = { error: "Error.", blocked: "Blocked change.", warning: "Warning." } as const;
/** Of checks, without the option `checks`. */
const usualLevels = { warn: "Warning.", note: "Note.", off: "Warning, off by default." } as const;

function textOf(section: Section): string {
  const { code, cause, remedies } = section;
  const example = exampleOf(section);
  const why = cause ?? (isCheckCode(code) ? `The page [zone checks](checks.md#${code}) explains it.` : "");
  return `#### ${code}
${`${isCheckCode(code) ? usualLevels[usualLevel(code)] : levels[example.level]} ${why}`.trim()}

\`\`\`text
${rendered(example)}
\`\`\`
${remedies.map((each) => `\n- ${each}`).join("")}${remedies.length === 0 ? "" : "\n"}`;
}

/** The service's codes that the provider can meet, by operation. Codes with equal texts share a row. The empty operation stands for all. */
function tableOf(tables: Readonly<Record<string, typeof common>>): string {
  const entries = Object.entries(tables).flatMap(([operation, table]) =>
    Object.entries(table)
      .filter(([, { isOfEdits }]) => isOfEdits !== true)
      .map(([code, texts]) => ({ operation, code, ...texts })),
  );
  const rows = [...groupBy(entries, ({ meaning, help }) => `${meaning} | ${help.join("; ")}`)].map(
    ([texts, group]) => {
      const places = [...groupBy(group, ({ operation }) => operation)].map(([operation, found]) =>
        `${operation} ${found.map(({ code }) => code).join(", ")}`.trim(),
      );
      return `| ${places.join("; ")} | ${texts} |`;
    },
  );
  return `| code | meaning | remedy |\n|---|---|---|\n${rows.join("\n")}\n`;
}

/** Record.Modify and Batch.Record.Modify share most codes with Batch.Record.Create. Those are left out. */
const own = Object.entries(undocumented).map(([operation, table]) => [
  operation,
  Object.fromEntries(
    Object.entries(table).filter(
      ([code, { meaning }]) =>
        !operation.endsWith("Record.Modify") || recordWrites[code]?.meaning !== meaning,
    ),
  ),
]);

export function errorsPage(): string {
  const head = readFileSync(errorsFile, "utf8").split(begin, 1).join();
  const found = sections();
  const groups = Object.values(areas).map((heading) => {
    const texts = found.filter((section) => section.heading === heading).map(textOf);
    return `### ${heading}\n\n${texts.join("\n")}`;
  });
  return `${head}${begin}
### Documented codes
The service's document also lists codes of edits for two reads, \`Domain.Purview\` and \`Custom.Line.List\`. The provider edits neither, so they
are not here.

${tableOf(documented)}
### Codes of every operation
They come from an older edition of the documentation.

${tableOf({ "": common })}
### Codes of older editions
The codes of Batch.Record.Create are not documented. These come from older operations that write records. A job's entries can contain
them as text.

${tableOf(older)}
### Codes of the undocumented operations
Only with [\`undocumentedOperations\`](full.md). Record.Modify and Batch.Record.Modify also return the codes of Batch.Record.Create.

${tableOf(Object.fromEntries(own))}
## Problems by code

${groups.join("\n")}`;
}
