/** A builder's problems in the place of a record's value: the resource reports them with all others. */
import { isReason, type Reason } from "../problems";

/** No data begins so: the service refuses control characters at a text's start. */
const beginning = "\u0000legacydns cannot build this: ";

export function flawed(problems: readonly Reason[]): string {
  return `${beginning}${JSON.stringify(problems)}`;
}

export function flawsOf(value: string): readonly Reason[] | undefined {
  if (!value.startsWith(beginning)) return undefined;
  try {
    const read: unknown = JSON.parse(value.slice(beginning.length));
    return Array.isArray(read) && read.every(isReason) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The SDK puts an explanation into a text such as `token=${output}`. */
export function isOfOutput(text: string): boolean {
  return text.includes("Calling ") && /Calling (?:\[to(?:String|JSON)\]|__str__) on an \[?Output/.test(text);
}
