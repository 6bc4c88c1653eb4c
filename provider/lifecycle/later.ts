/** Lists of records in a preview. */
import { shortDataText, unknownLine, type UnknownRecord } from "../dns";
import { count } from "../support/text";
import { unknownValue } from "./unknown";

const mostShown = 20;

export const listsAll = "; `pulumi-legacydns plan` lists all";

export function additions(lines: readonly string[], seeAll = ""): string[] {
  return firstLines(
    lines.map((line) => `+ ${line.replace(/^; |\n$/g, "")}`),
    seeAll,
  );
}

export function firstLines(lines: readonly string[], seeAll: string): string[] {
  const shown = lines.slice(0, mostShown).map((line) => `  ${line}`);
  return lines.length > mostShown ? [...shown, `  and ${lines.length - mostShown} more${seeAll}`] : shown;
}

/**
 * The unknown records, one line each.
 * @param resource its name, because two resources may have equal lines
 */
export function knownLater(
  unknowns: readonly UnknownRecord[],
  domains: readonly string[],
  resource: string | undefined,
): string | undefined {
  if (unknowns.length === 0) return undefined;
  const zones = domains.filter((zone) => zone !== unknownValue).slice(0, 3);
  const isCounted = unknowns.every(({ what }) => what !== "specs");
  const counted = isCounted ? count(unknowns.length, "record") : "records";
  const head = [
    ...(resource === undefined ? [] : [resource]),
    ...(zones.length === 0 ? [] : [zones.join(", ")]),
  ];
  const lines = additions(unknowns.map((unknown) => unknownLine(unknown, shortDataText)));
  return [[...head, `${counted} not known before the update:`].join(": "), ...lines].join("\n");
}
