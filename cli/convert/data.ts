/** The types that other tools and the service share, and their data in the form of a spec. Pure. */
import { quote } from "../../provider/dns";
import { fail } from "./conversion";

const sharedTypes = ["A", "AAAA", "CAA", "CNAME", "DNAME", "MX", "NS", "PTR", "SRV", "TXT"] as const;
export type SharedType = (typeof sharedTypes)[number];

/** Type → how many numbers its data begins with. */
const numbers: Readonly<Partial<Record<SharedType, number>>> = { MX: 1, SRV: 3, CAA: 1 };

export interface SpecData {
  readonly value: string;
  readonly priority?: number;
}

export function sharedType(type: string): SharedType | undefined {
  return sharedTypes.find((each) => each === type);
}

export const foreign = "left out, since the service does not have this type";

/**
 * @param parts of the data, in the order of a zone file
 * @param remedy for a name that may be relative
 */
export function specData(type: SharedType, parts: readonly string[], remedy: string): SpecData {
  const last = parts.at(-1) ?? "";
  for (const text of parts.slice(0, numbers[type] ?? 0))
    if (!/^\d{1,20}$/.test(text)) fail(`${JSON.stringify(text)} is no whole number`);
  if (type === "A" || type === "AAAA") return { value: last };
  // A spec reads a text that begins with a quote as quoted strings.
  if (type === "TXT") return { value: last === "" || last.startsWith('"') ? quote(last) : last };
  if (type === "CAA") return { value: [...parts.slice(0, -1), quote(last)].join(" ") };
  if (!last.endsWith("."))
    fail(`${JSON.stringify(last)} has no dot at its end, so it may be relative; ${remedy}`);
  return type === "MX" ? { value: last, priority: Number(parts[0]) } : { value: parts.join(" ") };
}
