/** What a preview says of records that come from other resources, and that only the update knows. */
import { unknownLine, type UnknownRecord } from "../dns";
import { count } from "../reconcile/words";
import { textsOf } from "./options";
import { unknownValue } from "./unknown";

/** The most lines that a preview shows. */
const mostShown = 20;

/** A text for the preview, a line a record; undefined where everything is known. */
export function knownLater(unknowns: readonly UnknownRecord[], { domain, domains }: Readonly<Record<string, unknown>>): string | undefined {
  if (unknowns.length === 0) return undefined;
  const zones = textsOf(domain === undefined ? domains : [domain]).filter((zone) => zone !== unknownValue);
  const lines = unknowns.slice(0, mostShown).map((unknown) => `  + ${unknownLine(unknown).replace(/^; |\n$/g, "")}`);
  const more = unknowns.length > mostShown ? [`  and ${unknowns.length - mostShown} more`] : [];
  const counted = unknowns.every((unknown) => unknown.what !== "specs") ? count(unknowns.length, "record") : "records";
  const head = `${zones.slice(0, 3).join(", ")}${zones.length === 0 ? "" : ": "}${counted} not known before the update:`;
  return [head, ...lines, ...more].join("\n");
}
