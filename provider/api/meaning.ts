/** The object that the code is about. */
export type About =
  "account" | "moment" | "call" | "domain" | "record or domain" | "record" | "line" | "job" | "share";

export interface Meaning {
  readonly meaning: string;
  readonly hint: string;
  readonly isUncertain: boolean;
  readonly about: About;
  readonly absent?: true;
  readonly undocumented?: true;
}

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
/** A reading decides whether a write happened. */
export const unknownOutcome = (meaning: string, hint: string, about?: About): Meaning =>
  say(meaning, hint, about, true);
export const absent = (of: Meaning): Meaning => ({ ...of, absent: true });

export const done = "1";
export const unknownError = "3";
export const mayBeMissing =
  "The service may lack this operation, which its documents do not name: then set undocumentedOperations to false (pulumi config set legacydns:undocumentedOperations false; where a Provider sets it, there).";
/** No records, or no match. */
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
export const domainWrites: Meanings = { ...domainErrors, ...LOCKED, "7": NOT_OWNER };

const LEVELS =
  "Use fewer labels or upgrade the domain's package; `pulumi-legacydns limits` shows what the package allows.";
export const levels = (about: About): Meanings => ({
  "23": say("the subdomain has more levels than allowed", LEVELS, about),
  "24": say("the wildcard has more levels than allowed", LEVELS, about),
});
