/** What a preview says of records line by line; of those that come from other resources, what only the update knows. */
import { shortDataText, unknownLine, type UnknownRecord } from "../dns";
import { count } from "../words";
import { textsOf } from "./options";
import { unknownValue } from "./unknown";

/** The most lines that a preview shows of a resource. */
const mostShown = 20;

/** Where every line is to be seen. */
export const listsAll = "; `pulumi-legacydns plan` lists all";

/** Lines of a zone's text as additions, the first of them. @param seeAll where the rest is to be seen */
export function additions(lines: readonly string[], seeAll = ""): string[] {
  return firstLines(
    lines.map((line) => `+ ${line.replace(/^; |\n$/g, "")}`),
    seeAll,
  );
}

/** The first lines of what a preview shows, each with its sign. @param seeAll where the rest is to be seen */
export function firstLines(lines: readonly string[], seeAll: string): string[] {
  const shown = lines.slice(0, mostShown).map((line) => `  ${line}`);
  return lines.length > mostShown ? [...shown, `  and ${lines.length - mostShown} more${seeAll}`] : shown;
}

/** A text for the preview, a line a record; undefined where everything is known. @param resource whose they are, since two may await equal lines */
export function knownLater(
  unknowns: readonly UnknownRecord[],
  { domain, domains }: Readonly<Record<string, unknown>>,
  resource: string | undefined,
): string | undefined {
  if (unknowns.length === 0) return undefined;
  const zones = textsOf(domain === undefined ? domains : [domain]).filter((zone) => zone !== unknownValue);
  const counted = unknowns.every((unknown) => unknown.what !== "specs")
    ? count(unknowns.length, "record")
    : "records";
  const head = `${resource === undefined ? "" : `${resource}: `}${zones.slice(0, 3).join(", ")}${zones.length === 0 ? "" : ": "}${counted} not known before the update:`;
  return [head, ...additions(unknowns.map((unknown) => unknownLine(unknown, shortDataText)))].join("\n");
}
