/**
 * What a builder could not make. Its problems travel in the place of the record's value, so that the resource shows them
 * in the preview with all others: an exception would end the program at the first one.
 */

/** No record's data begins so: the service takes no control characters at a text's start, and no other type has any. */
const beginning = "\u0000legacydns cannot build this: ";
const between = "\u0000";

/** A value that holds problems, each a sentence. @param problems at least one */
export function flawed(problems: readonly string[]): string {
  return `${beginning}${problems.join(between)}`;
}

/** The problems that a value holds; undefined for a record's own data. */
export function flawsOf(value: string): readonly string[] | undefined {
  return value.startsWith(beginning) ? value.slice(beginning.length).split(between) : undefined;
}
