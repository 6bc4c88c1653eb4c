/** Codes that several operations share. */
/** The object that the code is about. */
export type About = "account" | "moment" | "call" | "domain" | "record" | "line" | "job" | "share";

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

const TOKEN =
  "Set the token again: export LEGACYDNS_LOGIN_TOKEN=TOKEN, or pulumi config set --secret legacydns:loginToken TOKEN.";
const CONTACT =
  "Clients that do not name an e-mail address are banned as well: set contact (pulumi config set legacydns:contact you@example.com, export LEGACYDNS_CONTACT=you@example.com, or a Provider's input contact).";
/** Repeated ones ban the account (service-notes). */
export const loginFailures: Meanings = {
  "-1": say("the login failed", TOKEN, "account"),
  "-8": say(
    "too many logins failed and the account is banned for a while",
    `Wait an hour before the next attempt. ${TOKEN} ${CONTACT}`,
    "account",
  ),
  ...each("10001 10002", say("the token is wrong", TOKEN, "account")),
  ...each("10004 20004", say("the login failed", TOKEN, "account")),
  ...each(
    "50 51 52 53 54",
    say(
      "the login needs a second factor",
      "The interface takes a token only: create one in the service's console and use it as the loginToken.",
      "account",
    ),
  ),
  "83": say("the account is locked", "Unlock the account in the service's console.", "account"),
  "85": say(
    "this machine's address is not allowed to log in",
    "Add the address to the account's allowed addresses in the service's console, or run from an allowed one.",
    "account",
  ),
};

/** Of any operation (service-notes, Common return codes). */
export const common: Meanings = {
  ...loginFailures,
  "-2": say("the limit of calls is exceeded", "Lower requestsPerSecond, or wait a while.", "moment"),
  ...each(
    "-3 -4",
    unknownOutcome(
      "the code concerns agents only, which this caller should not be",
      "Check with the service which kind of account the token belongs to.",
      "account",
    ),
  ),
  "-7": say(
    "the account has no right to this interface, or its package needs an upgrade",
    "Only the main account may call it: use its token, or upgrade the package.",
    "account",
  ),
  ...BANNED,
  "-99": unknownOutcome("the interface is suspended for now", "Try again later.", "moment"),
  "2": unknownOutcome(
    "only POST is accepted",
    "A proxy or gateway may have changed the request: check baseUrl and the proxies.",
    "call",
  ),
  [unknownError]: unknownOutcome(
    "an error that the service itself does not know",
    "Check baseUrl: a wrong path in it is answered like this. If other calls go well, ask the service's support.",
    "call",
  ),
};

const LINE =
  "Check the record's type, and its line: one that is declared (`line`) must be named as the service's console names it; for a record without one, defaultLine is the name of the account's default line (pulumi config set legacydns:defaultLine NAME, or a Provider's input defaultLine).";

/** Of older record calls, and likely of Batch.Record.Create, whose codes are not documented. */
export const recordWrites: Meanings = {
  ...domainWrites,
  // The zone was listed a moment before, by the same id.
  "8": unknownOutcome("the domain is invalid", CHECK_DOMAIN, "domain"),
  "17": say("the record's value is wrong", "Check the value against the record's type."),
  "22": say(
    "the host label is wrong",
    "Check the name: letters, digits, hyphens, underscores, or * as the first label.",
  ),
  ...levels("record"),
  ...each("26 27", say("the line or the type is wrong", LINE)),
  "30": say("the MX priority is not within 1 to 20", "Choose a priority from 1 to 20."),
  "31": say(
    "another record stands in the way, or the default line has no record yet",
    "A CNAME cannot stand beside other records; a line needs a record on the default line first.",
  ),
  "32": say(
    "the TTL or the number of NS records is beyond the package",
    "Compare with `pulumi-legacydns limits`.",
  ),
  ...each(
    "33 37",
    say("the number of AAAA or SRV records is beyond the package", "Compare with `pulumi-legacydns limits`."),
  ),
  "34": say(
    "the record's value is not permitted",
    "The service refuses this value: choose another or ask its support.",
  ),
  "82": say("the address is banned", "The service refuses this address: choose another or ask its support."),
  "104": say(
    "the record exists already",
    "Run `pulumi refresh`, then `pulumi up`: an equal record is adopted.",
  ),
  ...each(
    "500025 500026",
    say(
      "the load-balancing limit is reached",
      "Declare fewer records of one name and line, or upgrade the package.",
    ),
  ),
};
