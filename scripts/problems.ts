/** Writes the table of problems into docs/errors.md: `npm run problems`. test/problems.test.ts holds that it is current. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codes, diagnosticOf, type Code, type Reason } from "../provider/problems";

export const page = join(__dirname, "../docs/errors.md");
const begin = "<!-- npm run problems writes what follows -->\n";

/** A placeholder for a part of a text: its name in capitals. */
function placeholder(name: string): unknown {
  const word = name.toUpperCase();
  const self: Record<string, unknown> = {
    toString: () => word,
    toLocaleString: () => word,
    join: () => word,
    slice: () => self,
    charAt: () => word,
    replace: () => word,
    unsure: "UNSURE",
    map: (each: (part: unknown) => unknown) => [each(parts())],
  };
  return self;
}

/** The settings of a stack without configuration (`How`). */
const unset: ReadonlySet<string> = new Set(["change", "full", "explicit", "drift"]);

/** What most texts are without. */
const absent: ReadonlySet<string> = new Set(["see", "adopted", "list"]);

function parts(): object {
  return new Proxy(
    {},
    {
      get: (_, name) =>
        absent.has(String(name))
          ? undefined
          : unset.has(String(name))
            ? false
            : name === "removalSetBy"
              ? "stack"
              : name === "named"
                ? [parts()]
                : placeholder(String(name)),
      has: () => true,
    },
  );
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

/** A row without its parts shows their names. */
function row(code: Code): string {
  const { level, title, why, help } = diagnosticOf({ code, parts: parts() as Reason["parts"] });
  const cells = [
    `\`${code}\``,
    level,
    [title, ...(why === undefined ? [] : [why])].join(". "),
    help.join("; "),
  ];
  return `| ${cells.map(cell).join(" | ")} |`;
}

/** The page as it has to be. */
export function current(): string {
  const text = readFileSync(page, "utf8");
  const at = text.indexOf(begin);
  const head = at === -1 ? `${text.trimEnd()}\n\n` : text.slice(0, at);
  const rows = codes.map(row).join("\n");
  return `${head}${begin}
## Problems by code
Each message ends its first line with a code. A word in angle brackets stands for a part that the message names. The place of a
problem may stand first (\`records[3].ttl\`, \`zones/example.com.zone:12:5\`).

| code | level | message | help |
|---|---|---|---|
${rows}
`;
}

if (require.main === module) writeFileSync(page, current());
