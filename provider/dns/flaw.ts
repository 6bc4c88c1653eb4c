/**
 * Texts that stand for a mistake. A builder puts its problems in the place of the record's value, so that the resource
 * reports them with all others. An exception would end the program at the first one.
 */
import { isReason, type Reason } from "../problems";

/** No data begins so: the service refuses control characters at a text's start. */
const beginning = "\u0000legacydns cannot build this: ";

/** A value with at least one problem. */
export function flawed(problems: readonly Reason[]): string {
  return `${beginning}${JSON.stringify(problems)}`;
}

/** The problems of a value; undefined for a record's data. */
export function flawsOf(value: string): readonly Reason[] | undefined {
  if (!value.startsWith(beginning)) return undefined;
  try {
    const read: unknown = JSON.parse(value.slice(beginning.length));
    return Array.isArray(read) && read.every(isReason) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text contains an output, as in `token=${output}`. The SDK then puts an explanation into the text. */
export function isOfOutput(text: string): boolean {
  return text.includes("Calling ") && /Calling (?:\[to(?:String|JSON)\]|__str__) on an \[?Output/.test(text);
}
