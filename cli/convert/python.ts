/**
 * Scalars by the rules of PyYAML 6 and YAML 1.1 (https://yaml.org/type/): `010` is 8, `1:30` is 90, `no` is
 * false. Pure.
 */
import { isScalar, Scalar } from "yaml";

/** A scalar, and its text in Python. */
export interface PythonScalar {
  readonly type: "text" | "int" | "float" | "bool" | "null" | "date";
  /** The result of Python's `str()`. */
  readonly text: string;
  /** As in the file. */
  readonly source: string;
}

const bool = /^(?:yes|no|on|off|true|false)$/;
const int = /^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*(?::[0-5]?[0-9])*|0x[0-9a-fA-F_]+)$/;
const float = /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/;
const otherFloat =
  /^(?:[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const date = /^\d{4}-\d\d-\d\d$/;
const time =
  /^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$/;

/** @param isPlain without quotes: it may have a type other than text */
export function pythonScalar(source: string, isPlain: boolean): PythonScalar | { readonly problem: string } {
  if (!isPlain) return { type: "text", text: source, source };
  if (/^(?:~|null|Null|NULL|)$/.test(source)) return { type: "null", text: "None", source };
  if (isWord(source) && bool.test(source.toLowerCase()))
    return { type: "bool", text: /^(?:yes|on|true)$/i.test(source) ? "True" : "False", source };
  if (int.test(source)) return withInt(source);
  if (float.test(source)) return withFloat(source);
  if (date.test(source)) return { type: "date", text: source, source };
  if (otherFloat.test(source) || time.test(source) || source === "=" || source === "<<")
    return { problem: `${source} is no text in YAML 1.1, which octoDNS reads; write it in quotes` };
  return { type: "text", text: source, source };
}

/** Whether a key is the `<<` that merges maps. In quotes it is a name. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.tag === undefined && key.value === "<<";
}

/** `yes`, `Yes` or `YES`; `yEs` is a text. */
function isWord(source: string): boolean {
  return /^(?:[a-z]+|[A-Z][a-z]+|[A-Z]+)$/.test(source);
}

function withInt(source: string): PythonScalar | { readonly problem: string } {
  const negative = source.startsWith("-");
  const digits = source.replace(/^[-+]/, "").replaceAll("_", "");
  const value = unsigned(digits);
  if (value === undefined) return { problem: `${source} is no number that Python reads; write it in quotes` };
  return { type: "int", text: String(negative ? -value : value), source };
}

function unsigned(digits: string): bigint | undefined {
  if (/^0[bx]$/.test(digits)) return undefined;
  if (/^0[bx]/.test(digits)) return BigInt(digits);
  if (digits.includes(":")) return digits.split(":").reduce((sum, part) => sum * 60n + BigInt(part), 0n);
  return /^0[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits);
}

/** Python and JavaScript print numbers of this size alike, except for the `.0` of a whole one. */
function withFloat(source: string): PythonScalar | { readonly problem: string } {
  const value = Number(source.replaceAll("_", ""));
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16 || !Number.isFinite(size)))
    return { problem: `${source} is a number in YAML 1.1; write it in quotes if it is a text` };
  return { type: "float", text: Number.isInteger(value) ? `${value}.0` : String(value), source };
}
