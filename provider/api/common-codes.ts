/** Codes that several operations share. */
import {
  say,
  doubt,
  CHECK_DOMAIN,
  OWNER,
  UNBAN,
  UNLOCK,
  LEVELS,
  domainErrors,
  unknownError,
  type Meanings,
} from "./meaning";

const TOKEN =
  "Set the token again: export LEGACYDNS_LOGIN_TOKEN=TOKEN, or pulumi config set --secret legacydns:loginToken TOKEN.";
const CONTACT =
  "Clients that do not name an e-mail address are banned as well: set contact (pulumi config set legacydns:contact you@example.com, export LEGACYDNS_CONTACT=you@example.com, or a Provider's input contact).";
const SECOND_FACTOR = say(
  "the login needs a second factor",
  "The interface takes a token only: create one in the service's console and use it as the loginToken.",
  "account",
);

/** Codes after which no further call may be made (service-notes: repeated failed logins ban the account). */
export const loginFailures: Meanings = {
  "-1": say("the login failed", TOKEN, "account"),
  "-8": say(
    "too many logins failed and the account is banned for a while",
    `Wait an hour before the next attempt. ${TOKEN} ${CONTACT}`,
    "account",
  ),
  "10001": say("the token is wrong", TOKEN, "account"),
  "10002": say("the token is wrong", TOKEN, "account"),
  // The international sister service has it (service-notes, How the service has really answered).
  "10004": say("the login failed", TOKEN, "account"),
  "20004": say("the login failed", TOKEN, "account"),
  "50": SECOND_FACTOR,
  "51": SECOND_FACTOR,
  "52": SECOND_FACTOR,
  "53": SECOND_FACTOR,
  "54": SECOND_FACTOR,
  "83": say("the account is locked", "Unlock the account in the service's console.", "account"),
  "85": say(
    "this machine's address is not allowed to log in",
    "Add the address to the account's allowed addresses in the service's console, or run from an allowed one.",
    "account",
  ),
};

const AGENTS = doubt(
  "the code concerns agents only, which this caller should not be",
  "Check with the service which kind of account the token belongs to.",
  "account",
);

/** Codes that any operation can return (service-notes, Common return codes). */
export const common: Meanings = {
  ...loginFailures,
  "-2": say("the limit of calls is exceeded", "Lower requestsPerSecond, or wait a while.", "moment"),
  "-3": AGENTS,
  "-4": AGENTS,
  "-7": say(
    "the account has no right to this interface, or its package needs an upgrade",
    "Only the main account may call it: use its token, or upgrade the package.",
    "account",
  ),
  "-15": say("the domain is banned", UNBAN, "domain"),
  "-99": doubt("the interface is suspended for now", "Try again later.", "moment"),
  "2": doubt(
    "only POST is accepted",
    "A proxy or gateway may have changed the request: check baseUrl and the proxies.",
    "call",
  ),
  [unknownError]: doubt(
    "an error that the service itself does not know",
    "Check baseUrl: a wrong path in it is answered like this. If other calls go well, ask the service's support.",
    "call",
  ),
};

const LINE =
  "Check the record's type, and its line: one that is declared (`line`) must be named as the service's console names it; for a record without one, defaultLine is the name of the account's default line (pulumi config set legacydns:defaultLine NAME, or a Provider's input defaultLine).";

/** Codes of older record calls. Batch.Record.Create, whose codes are not documented, likely has them too. */
export const recordWrites: Meanings = {
  ...domainErrors,
  "7": say("the caller is not the domain's owner", OWNER, "domain"),
  // The zone was listed a moment before, by the same id; elsewhere the code stands for other things.
  "8": doubt("the domain is invalid", CHECK_DOMAIN, "domain"),
  "17": say("the record's value is wrong", "Check the value against the record's type."),
  "21": say("the domain is locked", UNLOCK, "domain"),
  "22": say(
    "the host label is wrong",
    "Check the name: letters, digits, hyphens, underscores, or * as the first label.",
  ),
  "23": say("the subdomain has more levels than allowed", LEVELS),
  "24": say("the wildcard has more levels than allowed", LEVELS),
  "26": say("the line or the type is wrong", LINE),
  "27": say("the line or the type is wrong", LINE),
  "30": say("the MX priority is not within 1 to 20", "Choose a priority from 1 to 20."),
  "31": say(
    "another record stands in the way, or the default line has no record yet",
    "A CNAME cannot stand beside other records; a line needs a record on the default line first.",
  ),
  "32": say(
    "the TTL or the number of NS records is beyond the package",
    "Compare with `pulumi-legacydns limits`.",
  ),
  "33": say(
    "the number of AAAA or SRV records is beyond the package",
    "Compare with `pulumi-legacydns limits`.",
  ),
  "34": say(
    "the record's value is not permitted",
    "The service refuses this value: choose another or ask its support.",
  ),
  "37": say(
    "the number of AAAA or SRV records is beyond the package",
    "Compare with `pulumi-legacydns limits`.",
  ),
  "82": say("the address is banned", "The service refuses this address: choose another or ask its support."),
  "104": say(
    "the record exists already",
    "Run `pulumi refresh`, then `pulumi up`: an equal record is adopted.",
  ),
  "500025": say(
    "the load-balancing limit is reached",
    "Declare fewer records of one name and line, or upgrade the package.",
  ),
  "500026": say(
    "the load-balancing limit is reached",
    "Declare fewer records of one name and line, or upgrade the package.",
  ),
};
