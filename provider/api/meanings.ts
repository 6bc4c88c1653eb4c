/**
 * What the service's codes mean, what to do about each, what each is about, and whether a write that was answered with it
 * may have happened all the same: api.md's table per operation first, then the codes that every operation can return
 * (service-notes, Common return codes), then what older editions tell of record writes. No other module knows a code.
 */

/**
 * What a code is about, and so what else it concerns: every call of the `account`, every call at this `moment`, this `call`
 * and no part of it, all that is asked of the `domain`, or only the `record`, `line`, `job` or `share` that was asked for.
 * `record or domain`: the service says the same of both.
 */
export type About =
  "account" | "moment" | "call" | "domain" | "record or domain" | "record" | "line" | "job" | "share";

/** A code explained. */
export interface Meaning {
  /** One clause, no full stop. */
  readonly meaning: string;
  /** What to do, in whole sentences. */
  readonly hint: string;
  /**
   * False where the code is a refusal that a source names for the operation: a write then did nothing. True where it says
   * nothing about a write (an error that the service does not know itself) or makes no sense for the operation: what
   * became of the write is found out by reading.
   */
  readonly isUncertain: boolean;
  readonly about: About;
  /** True where it says that there is none of what it is about. */
  readonly absent?: true;
  /** True if no source names the code. */
  readonly undocumented?: true;
}

/** Codes of one operation, as texts. */
export type Meanings = Readonly<Record<string, Meaning>>;

/** A refusal. */
const say = (meaning: string, hint: string, about: About = "record"): Meaning => ({
  meaning,
  hint,
  isUncertain: false,
  about,
});
/** No refusal, for a write. */
const doubt = (meaning: string, hint: string, about: About = "record"): Meaning => ({
  meaning,
  hint,
  isUncertain: true,
  about,
});
/** There is none of what it is about. */
const absent = (of: Meaning): Meaning => ({ ...of, absent: true });

/** The service did what it was asked. */
export const done = "1";
/** An error that the service does not know itself: it answers so where it does not have an operation, most likely. */
export const unknownError = "3";
/** No source says how a service answers that does not have an operation: with its code for any other error, most likely. */
export const mayBeMissing =
  "The service may lack this operation, which its documents do not name: then set undocumentedOperations to false (pulumi config set legacydns:undocumentedOperations false; where a Provider sets it, there).";
/** A zone without records. */
export const emptyZone = "10";

const CHECK_DOMAIN = "Check the domain's name or id, and that this account holds it.";
const OWNER = "Only the main account that owns the domain may do this: use that account's token.";
const UNBAN = "The service has banned the domain: ask its support to lift the ban.";
const UNLOCK = "Unlock the domain in the service's console, then run again.";
const LEVELS =
  "Use fewer labels or upgrade the domain's package; `pulumi-legacydns limits` shows what the package allows.";
const LINES_ONLY =
  "A message about editing lines, which this tool never does: look at the custom lines in the service's console.";
const OUR_PAGING = "This is a mistake in the paging of this tool: please report it.";

const domainErrors: Meanings = {
  "6": absent(say("the domain ID is wrong", CHECK_DOMAIN, "domain")),
  "13": absent(say("the domain is wrong", CHECK_DOMAIN, "domain")),
};

/** api.md, Errors: the whole table. */
export const documented = {
  "Domain.Info": {
    ...domainErrors,
    "7": say("the caller is not the domain's owner", OWNER, "domain"),
    "8": absent(say("the caller is not the domain's owner", OWNER, "domain")),
  },
  "Domain.List": {
    "6": say("the start offset is invalid", OUR_PAGING, "call"),
    "7": say("the requested number of domains is invalid", OUR_PAGING, "call"),
    "9": absent(
      say("there are no domains at all", "Add the domain in the service's console first.", "domain"),
    ),
  },
  "Domain.Purview": {
    ...domainErrors,
    "-15": say("the domain is banned", UNBAN, "domain"),
    "7": say("the caller is not the domain's owner", OWNER, "domain"),
    "8": say("the domain is invalid", CHECK_DOMAIN, "domain"),
    "9": say("the remark is too long", "Shorten the domain's remark in the service's console.", "call"),
    "21": say("the domain is locked", UNLOCK, "domain"),
  },
  "Domainshare.Modify": {
    ...domainErrors,
    "-15": say("the domain is banned", UNBAN, "domain"),
    "7": say("the caller is not the domain's owner", OWNER, "domain"),
    // Older editions have it for an e-mail that is not known (service-notes, Common return codes).
    "8": say(
      "the domain ID is invalid, or nobody has this e-mail",
      `The e-mail must be exactly the one that the service's console shows for the share. ${CHECK_DOMAIN}`,
      "share",
    ),
    "21": say("the domain is locked", UNLOCK, "domain"),
    "23": say("the subdomain has more levels than allowed", LEVELS, "share"),
    "24": say("the wildcard has more levels than allowed", LEVELS, "share"),
    "25": say(
      "one of the users it is shared with has not verified a real name",
      "That user must verify the name with the service first.",
      "share",
    ),
  },
  "Record.List": {
    ...domainErrors,
    "7": say("the caller is not the domain's owner (or the start offset is invalid)", OWNER, "domain"),
    "8": absent(say("the requested number of records or the domain is invalid", CHECK_DOMAIN, "domain")),
    [emptyZone]: absent(say("the list is empty", "There is no record that matches.")),
    "27": absent(
      say(
        "the line is invalid",
        "Check the line's name: it must be one of the domain's lines, as the service writes it.",
        "line",
      ),
    ),
  },
  "Record.Info": {
    ...domainErrors,
    "7": say("the caller is not the domain's owner (or the start offset is invalid)", OWNER, "domain"),
    "8": absent(
      say("the domain is invalid", `${CHECK_DOMAIN} A record id that is unknown can be told this way, too.`),
    ),
  },
  "Batch.Record.Create": {},
  "Batch.Detail": {
    "8": absent(
      say(
        "there is no data: the job was not found",
        "Check the job's id; old jobs may be forgotten by the service.",
        "job",
      ),
    ),
  },
  "Monitor.Gethistory": {
    "7": say("the monitor ID is wrong", "Check the monitor's id in the service's console."),
  },
  "Custom.Line.List": {
    "7": say("there is no permission on the domain", OWNER, "domain"),
    "77": say("the line is in use and cannot be edited", LINES_ONLY),
    "81": say("the line is in use and cannot be deleted", LINES_ONLY),
    "801": say("the available quota is used up", "Upgrade the package or buy an add-on."),
    "802": say("the available quota is used up", "Upgrade the package or buy an add-on."),
    "40601": say("a parameter is wrong", CHECK_DOMAIN),
    "40603": say("the custom line's name is empty", LINES_ONLY),
    "40604": say("it is not a valid IP range", LINES_ONLY),
    "40606": say("the IP exists already", LINES_ONLY),
    "40607": say("the line's name contains characters that are not accepted", LINES_ONLY),
    "40608": say("the line's name is longer than 17 characters", LINES_ONLY),
    "40609": say("the custom line's IP range is empty", LINES_ONLY),
    "400001": say(
      "the custom line is used by a grouped line and cannot be changed",
      "Pause its use and try again.",
    ),
  },
} as const satisfies Readonly<Record<string, Meanings>>;

const TOKEN =
  "Check the token and set it again: export LEGACYDNS_LOGIN_TOKEN=TOKEN, or for a stack: pulumi config set --secret legacydns:loginToken TOKEN (a Provider takes it as its input loginToken, or from the variable that its loginTokenEnv names).";
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
  // Of the international sister service (service-notes, How the service has really answered).
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

/** What older record calls return; likely for Batch.Record.Create too, whose own codes are not documented. */
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

/** Elsewhere the code stands for a domain or a job: only a listing proves that a record is gone. */
const goneRecord = absent(
  doubt(
    "the record's id is wrong: there is no such record",
    "Run `pulumi refresh`: the record may have been removed in the service's console.",
  ),
);

const shareErrors: Meanings = {
  ...domainErrors,
  "7": say(
    "the e-mail address is wrong, or the caller is not the domain's owner",
    "Check the address; only the main account that owns the domain may share it.",
    "share",
  ),
  "8": say(
    "nobody has an account with this e-mail address",
    "Check the address: it must be the one that the person logs in with.",
    "share",
  ),
  "21": say("the domain is locked", UNLOCK, "domain"),
};

/** What is known of the operations outside api.md (service-notes.md). */
export const undocumented = {
  "Record.Modify": {
    ...recordWrites,
    "8": goneRecord,
    "21": say(
      "the domain or the record is locked",
      `${UNLOCK} A record that was updated more than five times in an hour without a change is locked for an hour.`,
      "record or domain",
    ),
  },
  "Record.Remove": {
    ...domainErrors,
    "7": say("the caller is not the domain's owner", OWNER, "domain"),
    "8": goneRecord,
    "21": say("the domain is locked", UNLOCK, "domain"),
  },
  // Its records may be of several domains.
  "Batch.Record.Modify": {
    ...recordWrites,
    "8": goneRecord,
    "21": say("the domain is locked", UNLOCK, "record or domain"),
  },
  "Domainshare.Create": {
    ...shareErrors,
    "9": say(
      "the domain is shared with this e-mail already",
      "Run `pulumi refresh`, then `pulumi up`: a share that exists is adopted.",
      "share",
    ),
    "10": say(
      "the package allows no further share of this domain",
      "End another share, or upgrade the domain's package; `pulumi-legacydns limits` shows what it allows.",
      "domain",
    ),
  },
  "Domainshare.List": {
    ...domainErrors,
    "7": absent(say("the domain is shared with nobody", "There is no share of this domain.", "share")),
  },
  "Domainshare.Remove": {
    ...shareErrors,
    "9": absent(
      say("there is no such share", "The domain is not shared with this e-mail any more.", "share"),
    ),
  },
} as const satisfies Readonly<Record<string, Meanings>>;

/** Further codes that older editions tell for single operations. */
export const older: Readonly<Record<string, Meanings>> = {
  "Batch.Record.Create": recordWrites,
  "Domainshare.Modify": {
    "9": absent(
      say(
        "there is no such share",
        "Share the domain with this e-mail in the service's console first.",
        "share",
      ),
    ),
  },
  "Monitor.Gethistory": {
    "6": say("the monitor ID is wrong", "Check the monitor's id in the service's console."),
  },
};

const tables: readonly Readonly<Record<string, Meanings>>[] = [documented, undocumented, older];

/** The meaning of a code that an operation returns. */
export function meaningOf(operation: string, code: string): Meaning {
  const found = knownMeaning(operation, code);
  return (
    found ?? {
      ...doubt(
        "the service answered with a code that is not documented",
        "Its own words above are all there is; the service's support can tell more.",
      ),
      undocumented: true,
    }
  );
}

/** The meaning of a code for one operation. Undefined if no source names the code. */
export function knownMeaning(operation: string, code: string): Meaning | undefined {
  for (const table of [...tables.map((each) => each[operation] ?? {}), common])
    if (Object.hasOwn(table, code)) return table[code];
  return undefined;
}
