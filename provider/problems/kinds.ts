/**
 * The form of the table's rows. A row is plain text: a title, then help lines. `<name>` stands for a part. An array is an
 * error; `blocked` and `warning` make rows of another level.
 */

/** `error`: nothing is written. `blocked`: the up makes every other change, then fails. `warning`: worth knowing. */
export type Level = "error" | "blocked" | "warning";

/** The title, then at most three help lines. */
export type Texts = readonly [title: string, ...help: string[]];

export interface Row<T extends Texts = Texts, W extends string = string> {
  readonly level: Level;
  readonly texts: T;
  /** One sentence between the records and the help. */
  readonly why?: W | undefined;
}

export function warning<const T extends Texts>(...texts: T) {
  return { level: "warning", texts } as const satisfies Row<T>;
}

export function blocked<
  const Title extends string,
  const Why extends string | undefined,
  const Help extends readonly string[],
>(title: Title, why: Why, ...help: Help) {
  return { level: "blocked", texts: [title, ...help], why } as const;
}

export function error<
  const Title extends string,
  const Why extends string | undefined,
  const Help extends readonly string[],
>(title: Title, why: Why, ...help: Help) {
  return { level: "error", texts: [title, ...help], why } as const;
}

/** The names of the parts in a text. */
export type NamesIn<Text extends string, Found = never> = Text extends `${string}<${infer Name}>${infer Rest}`
  ? NamesIn<Rest, Found | Name>
  : Found;

/** A help line for a word that is not known. @param known such as `the fields are a, b` */
export function didYouMean(guess: string | undefined, known: string): string {
  return guess === undefined ? known : `did you mean ${guess}?`;
}
