/**
 * The code holds for all of it: every call of the `account` or at this `moment`, the whole `call`, or one
 * object. The service uses some codes for a `record or domain`.
 */
export type About =
  "account" | "moment" | "call" | "domain" | "record or domain" | "record" | "line" | "job" | "share";

export interface Meaning {
  readonly meaning: string;
  readonly hint: string;
  /** A write may have happened. False for a refusal that a source documents for the operation. */
  readonly isUncertain: boolean;
  readonly about: About;
  readonly absent?: true;
  readonly undocumented?: true;
}

/** Code → meaning. */
export type Meanings = Readonly<Record<string, Meaning>>;

export const say = (
  meaning: string,
  hint: string,
  about: About = "record",
  isUncertain = false,
): Meaning => ({
  meaning,
  hint,
  isUncertain,
  about,
});
/** If a write has this code, a reading decides whether it happened. */
export const unknownOutcome = (meaning: string, hint: string, about?: About): Meaning =>
  say(meaning, hint, about, true);
export const absent = (of: Meaning): Meaning => ({ ...of, absent: true });

export const done = "1";
/** An operation that the service lacks most likely has this code. */
export const unknownError = "3";
export const mayBeMissing =
  "The service may lack this operation, which its documents do not name: then set undocumentedOperations to false (pulumi config set legacydns:undocumentedOperations false; where a Provider sets it, there).";
/** A zone without records, or no match. */
export const emptyZone = "10";

export const each = (codes: string, meaning: Meaning): Meanings =>
  Object.fromEntries(codes.split(" ").map((code) => [code, meaning]));

export const CHECK_DOMAIN = "Check the domain's name or id, and that this account holds it.";
export const OWNER = "Only the main account that owns the domain may do this: use that account's token.";
export const UNLOCK = "Unlock the domain in the service's console, then run again.";
export const BANNED: Meanings = {
  "-15": say(
    "the domain is banned",
    "The service has banned the domain: ask its support to lift the ban.",
    "domain",
  ),
};
export const LOCKED: Meanings = { "21": say("the domain is locked", UNLOCK, "domain") };
export const NOT_OWNER = say("the caller is not the domain's owner", OWNER, "domain");
export const domainErrors: Meanings = {
  "6": absent(say("the domain ID is wrong", CHECK_DOMAIN, "domain")),
  "13": absent(say("the domain is wrong", CHECK_DOMAIN, "domain")),
};
/** Codes of an operation that changes a domain. */
export const domainWrites: Meanings = { ...domainErrors, ...LOCKED, "7": NOT_OWNER };

const LEVELS =
  "Use fewer labels or upgrade the domain's package; `pulumi-legacydns limits` shows what the package allows.";
/** Of a domain or one of its parts. */
export const levels = (about: About): Meanings => ({
  "23": say("the subdomain has more levels than allowed", LEVELS, about),
  "24": say("the wildcard has more levels than allowed", LEVELS, about),
});
