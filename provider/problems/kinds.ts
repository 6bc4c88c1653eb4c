/** The rows of the table. `<name>` stands for a part. */

/**
 * `error`: the run must not happen, so nothing is written; or a write failed. `blocked`: the up makes every other change,
 * then fails. `warning`: worth knowing.
 */
export type Level = "error" | "blocked" | "warning";

/** Alone, it is an error. */
export type Texts = readonly [title: string, ...help: string[]];

export interface Row<T extends Texts = Texts> {
  readonly level: Level;
  readonly texts: T;
  /** The state forgets the records, so the message is the only place that lists them: all, not the first ten. */
  readonly releases?: true;
}

function at<const L extends Level>(level: L) {
  return <const T extends Texts>(...texts: T) => ({ level, texts }) as const;
}

export const blocked = at("blocked");
export const warning = at("warning");

export const releasing = <const T extends Texts>(...texts: T) =>
  ({ level: "warning", releases: true, texts }) as const;

export type NamesIn<Text extends string, Found = never> = Text extends `${string}<${infer Name}>${infer Rest}`
  ? NamesIn<Rest, Found | Name>
  : Found;

export function didYouMean(guess: string | undefined, known: string): string {
  return guess === undefined ? known : `did you mean ${guess}?`;
}
