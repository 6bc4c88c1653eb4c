/** The table of problems (docs/errors.md). */
import { defined } from "../support/defined";
import { visible } from "../support/visible";
import { builders } from "./builders";
import { checks, type UsualLevel } from "./checks";
import { commands } from "./commands";
import { merged, rendered, type Diagnostic, type RecordLine } from "./diagnostic";
import { files } from "./files";
import { inputs } from "./inputs";
import type { NamesIn, Row, Texts } from "./kinds";
import { limits } from "./limits";
import { records } from "./records";
import { updates } from "./updates";

export type { UsualLevel } from "./checks";
export { helpMark, merged, rendered, type Diagnostic, type RecordLine } from "./diagnostic";
export { didYouMean, type Level } from "./kinds";
export {
  commandsOf,
  confirmHelp,
  removalSetBy,
  unmanagedHelp,
  type Command,
  type How,
  type RemovalSetBy,
} from "./help";

const table = {
  ...records,
  ...files,
  ...builders,
  ...checks,
  ...inputs,
  ...limits,
  ...updates,
  ...commands,
} as const;
type Table = typeof table;

export type Code = keyof Table;
export type CheckCode = keyof typeof checks;
type TextOf<R> = R extends Texts ? R[number] : R extends Row<infer T> ? T[number] : never;
/** Numbers and words, never a secret value. */
type PartsOf<R> = R extends unknown
  ? [NamesIn<TextOf<R>>] extends [never]
    ? undefined
    : Readonly<Record<NamesIn<TextOf<R>>, string | number>>
  : never;
type Parts<C extends Code> = PartsOf<Table[C]>;

export interface Reason<C extends Code = Code> {
  readonly code: C;
  readonly parts: Parts<C>;
  /** The subject before the text: `www`, `the priority`. */
  readonly of?: string | undefined;
  readonly records?: readonly RecordLine[];
  readonly why?: string | undefined;
}

export type PlacedReason = Reason & { readonly path?: string };

export interface Fault {
  readonly problem: Reason;
}

export interface Problem extends Reason {
  /** `records[3].value`, `domains[1]`, `zones/example.com.zone:12:5`; empty if the text contains it. */
  readonly path: string;
}

export function reason<C extends Code>(
  code: C,
  ...[parts, records, why]: Parts<C> extends undefined
    ? [parts?: undefined, records?: readonly RecordLine[]]
    : [parts: Parts<C>, records?: readonly RecordLine[], why?: string]
): Reason<C> {
  return { code, parts: parts as Parts<C>, ...defined({ records, why }) };
}

export function about<C extends Code>(subject: string, why: Reason<C>): Reason<C> {
  return { ...why, of: why.of === undefined ? subject : `${subject} ${why.of}` };
}

function filled(text: string, parts: Reason["parts"]): string {
  const values = { ...parts } as Readonly<Record<string, unknown>>;
  return text.replace(/<(\w+)>/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

function rowOf(code: Code): Row {
  const row: Texts | Row = table[code];
  return "texts" in row ? row : { level: "error", texts: row };
}

export function diagnosticOf(why: PlacedReason): Diagnostic {
  const { code, parts, of, path = "", records = [], why: because = "" } = why;
  const { level, releases, texts } = rowOf(code);
  const [title = "", ...help] = texts.map((text) => filled(text, parts));
  const subject = of === undefined ? title : `${of} ${title}`;
  return {
    code,
    level,
    records,
    title: path === "" ? subject : `${path}: ${subject}`,
    ...defined({ releases }),
    ...(because === "" ? {} : { why: because }),
    help: help.flatMap((text) => text.split("\n")).filter((text) => text !== ""),
  };
}

export function messageOf(why: PlacedReason): string {
  return rendered(diagnosticOf(why));
}

export function renderAll(reasons: readonly PlacedReason[]): string[] {
  return merged(reasons.map(diagnosticOf)).map((each) => rendered(each));
}

/** In one line. */
export function textOf(why: PlacedReason): string {
  const { title, records, why: because, help } = diagnosticOf(why);
  const list = records.map(({ text, note }) => (note === undefined ? text : `${text} (${note})`));
  return visible([title, ...list, ...(because === undefined ? [] : [because]), ...help].join("; "));
}

export function isOf<C extends Code>(why: Reason, code: C): why is Reason<C> {
  return (why.code as Code) === code;
}

export function isError({ code }: Pick<Reason, "code">): boolean {
  return rowOf(code).level === "error";
}

export const codes = Object.keys(table) as readonly Code[];
export const checkCodes = Object.keys(checks) as readonly CheckCode[];

export function isCheckCode(value: string): value is CheckCode {
  return checkCodes.some((code) => code === value);
}

export function usualLevel(code: CheckCode): UsualLevel {
  return checks[code].usual;
}

export function isReason(value: unknown): value is Reason {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "string" &&
    Object.hasOwn(table, value.code)
  );
}
