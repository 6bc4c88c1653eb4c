/** Plain scalars by the rules of PyYAML 6 and YAML 1.1 (https://yaml.org/type/). Pure. */

export interface PythonScalar {
  readonly type: "text" | "int" | "float" | "bool" | "null" | "date";
  /** The result of Python's `str()`. */
  readonly text: string;
  /** As in the file. */
  readonly source: string;
}

type Kind = readonly [
  pattern: RegExp,
  type: PythonScalar["type"],
  textOf: (source: string) => string | undefined,
];

const same = (source: string): string => source;
const none = (): undefined => undefined;

const kinds: readonly Kind[] = [
  [/^(?:~|null|Null|NULL|)$/, "null", () => "None"],
  [/^(?:yes|Yes|YES|on|On|ON|true|True|TRUE)$/, "bool", () => "True"],
  [/^(?:no|No|NO|off|Off|OFF|false|False|FALSE)$/, "bool", () => "False"],
  [/^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*(?::[0-5]?[0-9])*|0x[0-9a-fA-F_]+)$/, "int", integer],
  [/^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/, "float", decimal],
  [/^\d{4}-\d\d-\d\d$/, "date", (source) => source],
  // Fractions in base 60, infinity, times, and marks. Their texts in Python are not needed.
  [
    /^(?:[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
    "float",
    none,
  ],
  [
    /^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$/,
    "date",
    none,
  ],
  [/^(?:=|<<)$/, "text", none],
];

/** @returns undefined for a scalar that must stand in quotes to be a text */
export function pythonScalar(source: string): PythonScalar | undefined {
  const [, type, textOf] = kinds.find(([pattern]) => pattern.test(source)) ?? [/^/, "text" as const, same];
  const text = textOf(source);
  return text === undefined ? undefined : { type, text, source };
}

function integer(source: string): string | undefined {
  const digits = source.replace(/^[-+]/, "").replaceAll("_", "");
  if (/^0[bx]$/.test(digits)) return undefined;
  const parts = digits.replace(/^0(?=\d)/, "0o").split(":");
  const value = parts.reduce((sum, part) => sum * 60n + BigInt(part), 0n);
  return String(source.startsWith("-") ? -value : value);
}

/** Python and JavaScript print numbers of this size alike, except for the `.0` of a whole one. */
function decimal(source: string): string | undefined {
  const value = Number(source.replaceAll("_", ""));
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return undefined;
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
