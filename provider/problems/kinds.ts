/** The form of the table's rows. A row is plain text: a title, then help lines. `<name>` stands for a part. */

/** `error`: nothing is written. `blocked`: the up makes every other change, then fails. `warning`: worth knowing. */
export type Level = "error" | "blocked" | "warning";

/** The title, then at most three help lines. */
export type Texts = readonly [title: string, ...help: string[]];

/** An array alone is an error. */
export interface Row<T extends Texts = Texts, W extends string = string> {
  readonly level: Level;
  readonly texts: T;
  /** One sentence between the records and the help. */
  readonly why?: W | undefined;
  /** The second column of the records. */
  readonly note?: string | undefined;
}

export function warning<const T extends Texts>(...texts: T) {
  return { level: "warning", texts } as const satisfies Row<T>;
}

function explained<const L extends Level>(level: L) {
  return <const Why extends string | undefined, const T extends Texts>(
    why: Why,
    ...texts: T
  ): { readonly level: L; readonly why: Why; readonly texts: T } => ({ level, why, texts });
}

export const blocked = explained("blocked");
export const error = explained("error");

/** The names of the parts in a text. */
export type NamesIn<Text extends string, Found = never> = Text extends `${string}<${infer Name}>${infer Rest}`
  ? NamesIn<Rest, Found | Name>
  : Found;

/** A help line for a word that is not known. @param known such as `the fields are a, b` */
export function didYouMean(guess: string | undefined, known: string): string {
  return guess === undefined ? known : `did you mean ${guess}?`;
}
