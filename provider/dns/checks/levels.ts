/** The levels of the zone checks: the setting `checks` and the input of the same name. Both set one level, or levels by code. */
import { nearest } from "../../support/nearest";
import { didYouMean, checkCodes, reason, usualLevel, type CheckCode, type Reason } from "../../problems";
import { kindOf } from "../ttl";

/** `refuse`: an error in the preview. `note`: shown, but not as a warning. */
export type CheckLevel = "note" | "warn" | "refuse" | "off";

/** The levels of all checks. */
export interface CheckLevels {
  /** The level of checks that `byCode` does not name and that usually warn. */
  readonly other: CheckLevel;
  readonly byCode: Readonly<{ [Code in CheckCode]?: CheckLevel }>;
}

/** `warn`, or a level for each of some codes; `*` stands for the others that usually warn. */
export type CheckLevelsInput = CheckLevel | { readonly [code: string]: CheckLevel };

const words: readonly string[] = ["note", "warn", "refuse", "off"];
const anyOther = "*";

/**
 * Reads levels of a program or a configuration: a word for all checks, or an object of levels by code. A text may be a list
 * (`warn, mx-cname=refuse`), or such an object as JSON.
 */
export function readCheckLevels(
  given: unknown,
): { readonly levels: CheckLevels } | { readonly problem: Reason } {
  if (typeof given === "object" && given !== null && !Array.isArray(given))
    return levelsOf(Object.entries(given));
  if (typeof given !== "string") return { problem: reason("checks.kind", { kind: kindOf(given) }) };
  const text = given.trim();
  if (text.startsWith("{")) {
    const parsed = objectOf(text);
    return parsed === undefined ? { problem: reason("checks.json") } : levelsOf(Object.entries(parsed));
  }
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  return levelsOf(
    parts.map((part) => {
      const at = part.indexOf("=");
      return at === -1 ? [anyOther, part] : [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function levelsOf(
  pairs: readonly (readonly [string, unknown])[],
): { readonly levels: CheckLevels } | { readonly problem: Reason } {
  const byCode: { [Code in CheckCode]?: CheckLevel } = {};
  let other: CheckLevel | undefined;
  for (const [code, level] of pairs) {
    if (!isLevel(level)) {
      return {
        problem: reason("checks.level", {
          given: typeof level === "string" ? JSON.stringify(level) : kindOf(level),
          of: code === anyOther ? "the checks" : JSON.stringify(code),
        }),
      };
    }
    if (code === anyOther) other = level;
    else if (isCode(code)) byCode[code] = level;
    else {
      const hint = didYouMean(nearest(code, checkCodes), "docs/checks.md lists the checks");
      return { problem: reason("checks.unknown", { given: JSON.stringify(code), hint }) };
    }
  }
  return { levels: { other: other ?? "warn", byCode } };
}

function isLevel(value: unknown): value is CheckLevel {
  return typeof value === "string" && words.includes(value);
}

function isCode(value: string): value is CheckCode {
  return checkCodes.some((code) => code === value);
}

/** The level of a check. The level of the others counts for checks that usually warn; `off` counts for all. */
export function levelOf(code: CheckCode, { byCode, other }: CheckLevels): CheckLevel {
  const usual = usualLevel(code);
  return byCode[code] ?? (usual === "warn" || other === "off" ? other : usual);
}

/** Levels of the setting with those of a resource laid over them. A level for all checks counts for every code. */
export function overlaid(levels: CheckLevels, given: unknown): CheckLevels {
  const read = given === undefined ? undefined : readCheckLevels(given);
  if (read === undefined || "problem" in read) return levels;
  const saysAll =
    typeof given === "string" || (typeof given === "object" && given !== null && anyOther in given);
  return saysAll ? read.levels : { other: levels.other, byCode: { ...levels.byCode, ...read.levels.byCode } };
}

/** Whether no check needs to be made. */
export function allOff({ byCode, other }: CheckLevels): boolean {
  return other === "off" && Object.values(byCode).every((level) => level === "off");
}
