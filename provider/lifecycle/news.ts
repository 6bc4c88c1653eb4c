/**
 * What a program tells the provider of a resource beside its inputs: news for one run, which `check` takes out before
 * anything is stored.
 */
import type { Reporter } from "../report";

export interface News {
  /** The resource, as messages name it: `Record "www"`. */
  readonly resource?: string | undefined;
  /** A digest of its URN. */
  readonly urn?: string | undefined;
  /** What is wrong with it, in sentences: then nothing is planned for it. */
  readonly problems?: string | undefined;
  /** A digest of the text of a batch's records, as the constructor made it: a transform may have put another in its place. */
  readonly text?: string | undefined;
  /** Digests of what the program's other resources declare in its domains ({@link readDigests}). */
  readonly declared?: string | undefined;
  /** The same of its other domains, told to the first few batches. */
  readonly elsewhere?: string | undefined;
  /** Domains in which the program's other resources declare MX records, each with an `@` behind it where one is at the apex. */
  readonly mail?: string | undefined;
  /** True where another resource may declare there what this one's provider does not know: then nothing is said to be missing. */
  readonly amongOthers?: true | undefined;
  /** True where this is no preview: what an update ends with is said by it alone. */
  readonly updates?: true | undefined;
  /** True where the program has the resource with `retainOnDelete`. */
  readonly retained?: true | undefined;
  /** True where the stack's configuration holds the login token in plain text. */
  readonly plainToken?: true | undefined;
  /** What is to be said of the records where something changes, a line each with its place in the program or the file. */
  readonly warnings?: string | undefined;
  /** What was passed over on purpose, a line each. */
  readonly notes?: string | undefined;
}

/** The input that holds them. A program's transforms leave it alone; its unit tests do not see it. */
export const newsInput = "__program";

const plainTokenText =
  "legacydns:loginToken stands in plain text in this stack's configuration file, and by the dynamic provider in its state as well. Make it a secret: " +
  "pulumi config set --secret legacydns:loginToken TOKEN; best with a new token from the service's console, since the old one has been stored";

type Props = Readonly<Record<string, unknown>>;

/** Takes the news out of the inputs of a check, and says what concerns no single resource. */
export function hearNews(given: Props, reporter: Pick<Reporter, "warn">): ReturnType<typeof readNews> {
  const read = readNews(given);
  if (read.news.plainToken === true) reporter.warn(plainTokenText);
  return read;
}

/** The news among the inputs that the engine hands over, and the other inputs. */
export function readNews(given: Props): { readonly news: News; readonly inputs: Props } {
  const { [newsInput]: program, ...inputs } = given;
  const told: Props = typeof program === "object" && program !== null ? { ...program } : {};
  const text = (name: keyof News): string | undefined => {
    const value = told[name];
    return typeof value === "string" ? value : undefined;
  };
  const texts = {
    resource: text("resource"),
    urn: text("urn"),
    problems: text("problems"),
    text: text("text"),
    declared: text("declared"),
    elsewhere: text("elsewhere"),
    mail: text("mail"),
    warnings: text("warnings"),
    notes: text("notes"),
  };
  const isTrue = (name: keyof News): true | undefined => told[name] === true || undefined;
  return {
    news: {
      ...texts,
      amongOthers: isTrue("amongOthers"),
      updates: isTrue("updates"),
      retained: isTrue("retained"),
      plainToken: isTrue("plainToken"),
    },
    inputs,
  };
}

/** Digests in words, those with a `*` behind them of secret records. */
export function readDigests(text: string | undefined): {
  readonly all: readonly string[];
  readonly secret: readonly string[];
} {
  const words = text === undefined ? [] : text.split(" ");
  return {
    all: words.map((word) => word.replace("*", "")),
    secret: words.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1)),
  };
}

/** The domains of {@link News.mail}, and whether an MX record is at the apex. */
export function readMail(text: string | undefined): Map<string, boolean> {
  return new Map(
    (text === undefined ? [] : text.split(" ")).map((word) => [word.replace("@", ""), word.endsWith("@")]),
  );
}
