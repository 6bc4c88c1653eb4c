/** The meaning of a return code, and the words to declare one. */
/** The object that the code is about. */
export type About =
  "account" | "moment" | "call" | "domain" | "record or domain" | "record" | "line" | "job" | "share";

export interface Meaning {
  readonly meaning: string;
  /** Actions, the likeliest first. */
  readonly help: readonly string[];
  readonly isUncertain: boolean;
  readonly about: About;
  readonly absent?: true;
  /** Another account has the domain. */
  readonly foreign?: true;
  /** For a later page, whose offset may be beyond the end. */
  readonly ofLaterPage?: Meaning;
  readonly undocumented?: true;
  /** api.md lists it for a read, although only an edit of the same object can have it. */
  readonly isOfEdits?: true;
}

export type Meanings = Readonly<Record<string, Meaning>>;

type Help = string | readonly string[];

export const say = (meaning: string, help: Help, about: About = "record", isUncertain = false): Meaning => ({
  meaning,
  help: [help].flat(),
  isUncertain,
  about,
});
/** A reading decides whether a write happened. */
export const unknownOutcome = (meaning: string, help: Help, about?: About): Meaning =>
  say(meaning, help, about, true);
export const absent = (of: Meaning): Meaning => ({ ...of, absent: true });

export const each = (codes: string, meaning: Meaning): Meanings =>
  Object.fromEntries(codes.split(" ").map((code) => [code, meaning]));
