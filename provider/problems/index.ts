/**
 * The one table of problems: by code, what a problem is called and how its parts become a text. Everywhere else a problem
 * is data, `{ code, parts }`, and with the place where it is `{ code, parts, path }`; the text is made where it is shown.
 * Nothing compares texts. docs/errors.md lists the table (`npm run problems`).
 */
import { visible } from "../support/visible";
import { builders } from "./builders";
import { checks, mailFaults, type UsualLevel } from "./checks";
import { files } from "./files";
import { inputs } from "./inputs";
import { limits } from "./limits";
import { records } from "./records";
import { updates } from "./updates";

export { several, type UsualLevel } from "./checks";
export { together } from "./together";
export { knownLines, noLine } from "./updates";
export type { Blocked, Command, GatedRun, GoneFate, How, KnownLines, RemovalSetBy } from "./updates";

const table = {
  ...records,
  ...files,
  ...builders,
  ...checks,
  ...mailFaults,
  ...inputs,
  ...limits,
  ...updates,
} as const;
type Table = typeof table;

export type Code = keyof Table;
export type CheckCode = keyof typeof checks;
export type MailFaultCode = keyof typeof mailFaults;
/** What a problem's text is made of: numbers and words as they may be shown, never a secret value. */
type Parts<C extends Code> = Parameters<Table[C]>[0];

/** What is wrong, or worth a note. */
export interface Reason<C extends Code = Code> {
  readonly code: C;
  readonly parts: Parts<C>;
  /** What it is said of, where that stands before the text: `www`, `the priority`. */
  readonly of?: string;
}

/** A reason, and where. */
export interface Problem extends Reason {
  /** `records[3].value`, `domains[1]`, `zones/example.com.zone:12:5`; empty where the text says it. */
  readonly path: string;
}

/** A reason, by its code and its parts. */
export function reason<C extends Code>(code: C, ...[parts]: Parameters<Table[C]>): Reason<C> {
  return { code, parts };
}

/** The reason, said of something. */
export function about<C extends Code>(subject: string, why: Reason<C>): Reason<C> {
  return { ...why, of: why.of === undefined ? subject : `${subject} ${why.of}` };
}

/** The text, without the place; what a stranger wrote into it shows all its characters. */
export function textOf({ code, parts, of }: Reason): string {
  // That the parts are those of the code, `reason` has seen to.
  const text = (table[code] as (parts: Reason["parts"]) => string)(parts);
  return visible(of === undefined ? text : `${of} ${text}`);
}

/** The text, after its place. */
export function shown(problem: Problem): string {
  return problem.path === "" ? textOf(problem) : `${visible(problem.path)}: ${textOf(problem)}`;
}

/** Whether a reason has this code. */
export function isOf<C extends Code>(why: Reason, code: C): why is Reason<C> {
  return (why.code as Code) === code;
}

export function isError({ code }: Pick<Reason, "code">): boolean {
  return !("severity" in table[code]);
}

/** Every code, in the order of the table. */
export const codes = Object.keys(table) as readonly Code[];
export const checkCodes = Object.keys(checks) as readonly CheckCode[];

/** The level of a check unless one is set. */
export function usualLevel(code: CheckCode): UsualLevel {
  return checks[code].usual;
}

/** Whether a value that was kept as text is a reason again. */
export function isReason(value: unknown): value is Reason {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "string" &&
    Object.hasOwn(table, value.code)
  );
}
