/**
 * The values of octoDNS's records, by the rules of octoDNS 1.18 for numbers, names, quotes and escapes. Pure.
 */
import { quote } from "../../provider/dns";
import { ownText } from "./conversion";
import type { Part } from "./part";

export interface OctodnsData {
  readonly value: string;
  readonly priority?: number;
}

export type DataResult =
  { readonly data: OctodnsData; readonly note?: string } | { readonly problem: string } | "foreign";

/** Replaces the variables in the braces of a text. */
export type Fill = (text: string) => { readonly text: string } | { readonly problem: string };

const unread = { problem: "this value cannot be read; see octoDNS's documentation of the type" };

export function octodnsData(type: string, part: Part, fill: Fill): DataResult {
  switch (type) {
    case "A":
    case "AAAA": {
      const value = textIn(part);
      return value === undefined ? unread : { data: { value } };
    }
    case "CNAME":
    case "DNAME":
    case "NS":
    case "PTR":
      return withTarget(part, fill, (value) => ({ value }));
    case "MX": {
      // octoDNS uses the first name if it exists, even with a wrong value.
      const priority = wholeNumberOf(part.get("preference") ?? part.get("priority"));
      const exchange = part.get("exchange") ?? part.get("value");
      return priority === undefined
        ? { problem: "the value has no preference that is a whole number" }
        : withTarget(exchange, fill, (value) => ({ value, priority: Number(priority) }));
    }
    case "SRV": {
      const names = ["priority", "weight", "port"] as const;
      const numbers = names.map((name) => wholeNumberOf(part.get(name)));
      const missing = names.find((_, i) => numbers[i] === undefined);
      return missing === undefined
        ? withTarget(part.get("target"), fill, (target) => ({ value: `${numbers.join(" ")} ${target}` }))
        : { problem: `the value has no ${missing} that is a whole number` };
    }
    case "CAA":
      return caa(part, fill);
    case "TXT":
      return txt(part, fill);
    default:
      return "foreign";
  }
}

/** The result of Python's `int()` for a number or its text; undefined for anything else. */
export function wholeNumberOf(part: Part | undefined): string | undefined {
  const { type, text = "" } = part?.scalar() ?? {};
  return type === "int" || (type === "text" && /^\d{1,20}$/.test(text)) ? String(BigInt(text)) : undefined;
}

/** A text; undefined for a number and anything else, because octoDNS does not accept it. */
function textIn(part: Part | undefined): string | undefined {
  const { type, text } = part?.scalar() ?? {};
  return type === "text" ? text : undefined;
}

function withTarget(part: Part | undefined, fill: Fill, dataOf: (target: string) => OctodnsData): DataResult {
  const written = textIn(part);
  if (written === undefined || written === "") return unread;
  const filled = fill(written);
  if ("problem" in filled) return filled;
  const { text } = filled;
  // octoDNS passes the name on unchanged, and services interpret it differently.
  if (!text.endsWith("."))
    return {
      problem: `${JSON.stringify(text)} has no dot at its end, so it is not certain which name is meant; write the whole name and the dot`,
    };
  return { data: dataOf(text) };
}

function caa(part: Part, fill: Fill): DataResult {
  // octoDNS's default for flags is 0.
  const flagsPart = part.get("flags");
  const flags = flagsPart === undefined ? "0" : wholeNumberOf(flagsPart);
  const [tag, written] = [textIn(part.get("tag")), textIn(part.get("value"))];
  if (flags === undefined || tag === undefined || written === undefined) return unread;
  const filled = fill(written);
  if ("problem" in filled) return filled;
  return { data: { value: `${flags} ${tag} ${quote(filled.text)}` }, ...backslashNote(filled.text) };
}

/** A text without the quotes that octoDNS removes: around the text, and between two strings. */
function txt(part: Part, fill: Fill): DataResult {
  const written = textIn(part);
  if (written === undefined) return unread;
  const inner = written.startsWith('"') ? written.slice(1).replace(/.$/su, "") : written;
  const filled = fill(inner.replaceAll('" "', ""));
  if ("problem" in filled) return filled;
  const text = filled.text.replaceAll("\\;", ";");
  return { data: { value: ownText(text) }, ...(semicolonNote(written) ?? backslashNote(text)) };
}

/** A note if octoDNS refuses the text: a semicolon after a word character needs a backslash. */
function semicolonNote(written: string): { readonly note: string } | undefined {
  return /[\p{L}\p{N}_];/u.test(written)
    ? { note: "octoDNS refuses a semicolon without a backslash before it; it is read as a semicolon" }
    : undefined;
}

function backslashNote(text: string): { readonly note?: string } {
  return text.includes("\\")
    ? {
        note: "the backslash stays in the text, as with octoDNS; services differ in how they take it, so compare it with the live record",
      }
    : {};
}
