/** The meaning of a code of the service, and the helps that several codes share. */

/**
 * The object of a code. The code holds for all of it: every call of the `account` or at this `moment`, the whole `call`,
 * the `domain`, or one `record`, `line`, `job` or `share`. The service uses some codes for a `record or domain`.
 */
export type About =
  "account" | "moment" | "call" | "domain" | "record or domain" | "record" | "line" | "job" | "share";

export interface Meaning {
  /** One clause without a full stop. */
  readonly meaning: string;
  /** The help, in whole sentences. */
  readonly hint: string;
  /**
   * Whether a write may have happened. False for a refusal that a source documents for the operation. True if the code says
   * nothing about a write, or makes no sense for the operation. A reading then decides.
   */
  readonly isUncertain: boolean;
  readonly about: About;
  /** The object does not exist. */
  readonly absent?: true;
  /** No source documents the code. */
  readonly undocumented?: true;
}

/** Code → meaning, for one operation. */
export type Meanings = Readonly<Record<string, Meaning>>;

/** A refusal. */
export const say = (meaning: string, hint: string, about: About = "record"): Meaning => ({
  meaning,
  hint,
  isUncertain: false,
  about,
});
/** No refusal of a write. */
export const doubt = (meaning: string, hint: string, about: About = "record"): Meaning => ({
  meaning,
  hint,
  isUncertain: true,
  about,
});
/** The object does not exist. */
export const absent = (of: Meaning): Meaning => ({ ...of, absent: true });

/** Success. */
export const done = "1";
/** An error that the service does not know itself. An operation that it lacks most likely has this code. */
export const unknownError = "3";
export const mayBeMissing =
  "The service may lack this operation, which its documents do not name: then set undocumentedOperations to false (pulumi config set legacydns:undocumentedOperations false; where a Provider sets it, there).";
/** A zone without records, or no match. */
export const emptyZone = "10";

export const CHECK_DOMAIN = "Check the domain's name or id, and that this account holds it.";
export const OWNER = "Only the main account that owns the domain may do this: use that account's token.";
export const UNBAN = "The service has banned the domain: ask its support to lift the ban.";
export const UNLOCK = "Unlock the domain in the service's console, then run again.";
export const LEVELS =
  "Use fewer labels or upgrade the domain's package; `pulumi-legacydns limits` shows what the package allows.";
export const LINES_ONLY =
  "A message about editing lines, which this tool never does: look at the custom lines in the service's console.";
export const OUR_PAGING = "This is a mistake in the paging of this tool: please report it.";

export const domainErrors: Meanings = {
  "6": absent(say("the domain ID is wrong", CHECK_DOMAIN, "domain")),
  "13": absent(say("the domain is wrong", CHECK_DOMAIN, "domain")),
};
