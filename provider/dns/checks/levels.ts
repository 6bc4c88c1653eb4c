/** The levels of the zone checks, from the setting `checks` and the input of the same name. */
import { nearest } from "../../support/nearest";
import {
  checkCodes,
  didYouMean,
  isCheckCode,
  reason,
  usualLevel,
  type CheckCode,
  type Fault,
} from "../../problems";
import { kindOf } from "../../support/text";
import { textOrKind } from "../record";

/** `refuse`: an error in the preview. `note`: shown, but not as a warning. */
export type CheckLevel = "note" | "warn" | "refuse" | "off";

export interface CheckLevels {
  /** For checks that usually warn and have no level of their own. */
  readonly other: CheckLevel;
  readonly byCode: Readonly<{ [Code in CheckCode]?: CheckLevel }>;
}

/** `warn`, or a level for each of some codes; `*` stands for the others that usually warn. */
export type CheckLevelsInput = CheckLevel | { readonly [code: string]: CheckLevel };

const words: readonly string[] = ["note", "warn", "refuse", "off"];
const anyOther = "*";

/** A text may be a list (`warn, mx-cname=refuse`) or JSON. */
export function readCheckLevels(given: unknown): { readonly levels: CheckLevels } | Fault {
  if (typeof given === "object" && given !== null && !Array.isArray(given))
    return levelsOf(Object.entries(given));
  if (typeof given !== "string") return unfit(kindOf(given));
  const text = given.trim();
  if (text.startsWith("{")) {
    const parsed = objectOf(text);
    return parsed === undefined ? unfit("this text") : levelsOf(Object.entries(parsed));
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

function levelsOf(pairs: readonly (readonly [string, unknown])[]): { readonly levels: CheckLevels } | Fault {
  const byCode: { [Code in CheckCode]?: CheckLevel } = {};
  let other: CheckLevel | undefined;
  for (const [code, level] of pairs) {
    if (!isLevel(level)) return unfit(textOrKind(level));
    if (code === anyOther) other = level;
    else if (isCheckCode(code)) byCode[code] = level;
    else {
      const hint = didYouMean(nearest(code, checkCodes), "docs/checks.md lists the checks");
      return { problem: reason("word.unknown", { given: JSON.stringify(code), hint }) };
    }
  }
  return { levels: { other: other ?? "warn", byCode } };
}

function unfit(given: string): Fault {
  const example = 'note, warn, refuse or off, or levels by code: "warn, mx-cname=refuse"';
  return { problem: reason("value.unfit", { given, what: "a level of a check", example }) };
}

function isLevel(value: unknown): value is CheckLevel {
  return typeof value === "string" && words.includes(value);
}

export function levelOf(code: CheckCode, { byCode, other }: CheckLevels): CheckLevel {
  const usual = usualLevel(code);
  return byCode[code] ?? (usual === "warn" || other === "off" ? other : usual);
}

/** A level for all checks counts for every code. */
export function overlaid(levels: CheckLevels, given: unknown): CheckLevels {
  const read = given === undefined ? undefined : readCheckLevels(given);
  if (read === undefined || "problem" in read) return levels;
  const saysAll =
    typeof given === "string" || (typeof given === "object" && given !== null && anyOther in given);
  return saysAll ? read.levels : { other: levels.other, byCode: { ...levels.byCode, ...read.levels.byCode } };
}

export function allOff({ byCode, other }: CheckLevels): boolean {
  return other === "off" && Object.values(byCode).every((level) => level === "off");
}
