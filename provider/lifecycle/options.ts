/** Checks of the options of resources with records. They do not need the stack's settings. */
import { patternProblems } from "../dns";
import { reason, type Problem, type Reason } from "../problems";
import { readCheckLevels } from "../dns/checks";
import { unknownValue } from "./unknown";

/** Problems of options with any settings. Unknown values are not checked. */
export function optionProblems(options: Readonly<Record<string, unknown>>): Problem[] {
  const known = Object.entries(options).filter(([, value]) => value !== unknownValue);
  const { removal, adopt, undeclared, ignore, checks } = Object.fromEntries(known);
  const problems: Problem[] = [];
  const wrong = (path: string, why: Reason): void => void problems.push({ ...why, path });
  if (removal !== undefined && removal !== "verify" && removal !== "retain" && removal !== "delete") {
    wrong("removal", reason("removal.unfit", { given: JSON.stringify(removal) }));
  }
  if (adopt !== undefined && typeof adopt !== "boolean")
    wrong("adopt", reason("adopt.unfit", { given: JSON.stringify(adopt) }));
  if (
    undeclared !== undefined &&
    undeclared !== "ignore" &&
    undeclared !== "report" &&
    undeclared !== "remove"
  ) {
    wrong("undeclared", reason("undeclared.unfit", { given: JSON.stringify(undeclared) }));
  }
  if (ignore !== undefined && !(Array.isArray(ignore) && ignore.every((each) => typeof each === "string"))) {
    wrong("ignore", reason("ignore.unfit"));
  }
  const levels = checks === undefined ? { levels: undefined } : readCheckLevels(checks);
  if ("problem" in levels) wrong("checks", levels.problem);
  return [...problems, ...patternProblems(textsOf(ignore), "ignore")];
}

/** The texts of a list; empty for any other value. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}
