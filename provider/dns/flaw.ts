/**
 * Texts that stand for a mistake. What a builder could not make: its problems travel in the place of the record's value, so that the resource shows them
 * in the preview with all others: an exception would end the program at the first one.
 */
import { isReason, type Reason } from "../problems";

/** No record's data begins so: the service takes no control characters at a text's start, and no other type has any. */
const beginning = "\u0000legacydns cannot build this: ";

/** A value that holds problems. @param problems at least one */
export function flawed(problems: readonly Reason[]): string {
  return `${beginning}${JSON.stringify(problems)}`;
}

/** The problems that a value holds; undefined for a record's own data. */
export function flawsOf(value: string): readonly Reason[] | undefined {
  if (!value.startsWith(beginning)) return undefined;
  try {
    const read: unknown = JSON.parse(value.slice(beginning.length));
    return Array.isArray(read) && read.every(isReason) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text was made of an output, as by `token=${output}`: the SDK puts an explanation in the place of the value, which a TXT record would hold. */
export function isOfOutput(text: string): boolean {
  return text.includes("Calling ") && /Calling (?:\[to(?:String|JSON)\]|__str__) on an \[?Output/.test(text);
}
