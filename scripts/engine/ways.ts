/**
 * The words that the ways to an engine share: what a way is, what it answers, and how it says that it is closed.
 */
import type { Recipe } from "./recipe";

/** The ways, in the order in which they are tried. */
export const WAYS = ["path", "cache", "download", "build"] as const;
export type Way = (typeof WAYS)[number];

/** An engine that was asked for its version a moment ago. */
export interface Engine {
  /** The folder that holds the engine's programs. */
  readonly bin: string;
  readonly source: Way;
  /** As in 3.248.0. */
  readonly version: string;
}

/** What a way needs to make an engine. */
export interface Making {
  /** An empty folder for the programs. */
  readonly into: string;
  /** A folder for everything else; removed afterwards, whatever happens. */
  readonly scratch: string;
  readonly recipe: Recipe;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Puts the command line and the language host into `making.into`.
 *
 * @throws WayClosed when this way cannot be gone here.
 */
export type Maker = (making: Making) => Promise<void>;

/** This way leads nowhere on this machine: the message is why, `remedy` is what would open it. */
export class WayClosed extends Error {
  override readonly name = "WayClosed";
  constructor(
    why: string,
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(why, options);
  }
}

/** No way led to an engine. The message lists each with its reason and its remedy. */
export class NoEngine extends Error {
  override readonly name = "NoEngine";
  constructor(readonly closed: ReadonlyMap<Way, WayClosed>) {
    const lines = [...closed].map(
      ([way, { message, remedy }]) =>
        `  ${way}: ${message.replaceAll("\n", "\n    ")}\n    what to do: ${remedy}`,
    );
    super(`no Pulumi engine could be had\n${lines.join("\n")}`);
  }
}

/** What the caller asked for cannot be understood. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/**
 * The ways that a list as in `PULUMI_LEGACYDNS_ENGINE` allows; all of them without one.
 *
 * @throws Refused naming a word that is no way.
 */
export function allowedWays(list: string | undefined): Way[] {
  const words = (list ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  if (words.length === 0) return [...WAYS];
  const wrong = words.filter((word) => !WAYS.some((way) => way === word));
  if (wrong.length > 0) {
    const known = WAYS.join(", ");
    throw new Refused(
      `PULUMI_LEGACYDNS_ENGINE: ${wrong.join(", ")} is no way to an engine; there are ${known}`,
    );
  }
  return WAYS.filter((way) => words.includes(way));
}
