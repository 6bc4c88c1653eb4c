/** The options that resources with records have, as far as they can be judged without the stack's settings. */
import { patternProblems, type Problem } from "../dns";
import { readCheckLevels } from "../dns/checks";
import { unknownValue } from "./unknown";

/** What is wrong with options whatever the settings are; what is not known yet may be anything. */
export function optionProblems(options: Readonly<Record<string, unknown>>): Problem[] {
  const known = Object.entries(options).filter(([, value]) => value !== unknownValue);
  const { removal, adopt, undeclared, ignore, checks } = Object.fromEntries(known);
  const problems: Problem[] = [];
  const wrong = (path: string, message: string): void => void problems.push({ severity: "error", path, message });
  if (removal !== undefined && removal !== "verify" && removal !== "retain" && removal !== "delete") {
    const message = `${JSON.stringify(removal)} is no way of removal; write "verify" (an error while the record is live), "retain" (the record stays) or "delete" (with undocumentedOperations: it is removed)`;
    wrong("removal", message);
  }
  if (adopt !== undefined && typeof adopt !== "boolean") wrong("adopt", `${JSON.stringify(adopt)} is neither true nor false`);
  if (undeclared !== undefined && undeclared !== "ignore" && undeclared !== "report" && undeclared !== "remove") {
    wrong("undeclared", `${JSON.stringify(undeclared)} is not one of "ignore" (the default), "report" and "remove"`);
  }
  if (ignore !== undefined && !(Array.isArray(ignore) && ignore.every((each) => typeof each === "string"))) {
    wrong("ignore", 'write a list of patterns, such as ["_acme-challenge*", "* TXT"]');
  }
  const levels = checks === undefined ? { levels: undefined } : readCheckLevels(checks);
  if ("problem" in levels) wrong("checks", levels.problem);
  for (const { index, message } of patternProblems(textsOf(ignore))) wrong(`ignore[${index}]`, message);
  return problems;
}

/** The texts of a list; none of what is no list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}
