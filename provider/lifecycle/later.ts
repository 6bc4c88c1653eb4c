/** Lists of records in a preview, and records whose values only the update knows. */
import { shortDataText, unknownLine, type UnknownRecord } from "../dns";
import { count } from "../support/text";
import { textsOf } from "./options";
import { unknownValue } from "./unknown";

/** The largest number of lines per resource. */
const mostShown = 20;

/** A reference to the complete list. */
export const listsAll = "; `pulumi-legacydns plan` lists all";

/** The first lines of a zone's text, as additions. @param seeAll a reference to the complete list */
export function additions(lines: readonly string[], seeAll = ""): string[] {
  return firstLines(
    lines.map((line) => `+ ${line.replace(/^; |\n$/g, "")}`),
    seeAll,
  );
}

/** The first lines, and the number of the others. @param seeAll a reference to the complete list */
export function firstLines(lines: readonly string[], seeAll: string): string[] {
  const shown = lines.slice(0, mostShown).map((line) => `  ${line}`);
  return lines.length > mostShown ? [...shown, `  and ${lines.length - mostShown} more${seeAll}`] : shown;
}

/**
 * The unknown records as a text with one line per record; undefined if there is none.
 * @param resource the resource's name, because two resources may have equal lines
 */
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
