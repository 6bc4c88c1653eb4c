/** The codes of the service: common ones, then by operation. */
import { absent, each, say, unknownOutcome, type About, type Meaning, type Meanings } from "./meaning";

export const done = "1";
export const unknownError = "3";
export const mayBeMissing =
  "if the service lacks this operation, which its documents do not name: pulumi config set legacydns:undocumentedOperations false, or a Provider's input undocumentedOperations";
/** No records, or no match. */
export const emptyZone = "10";

const CHECK_DOMAIN = "check the domain's name or id, and that this account holds it";
const OWNER = "use the token of the main account that owns the domain, because no other account may do this";
const UNLOCK = "unlock the domain in the service's console, then run again";
const BANNED: Meanings = {
  "-15": say("the domain is banned", "ask the service's support to lift the ban", "domain"),
};
const LOCKED: Meanings = { "21": say("the domain is locked", UNLOCK, "domain") };
const NOT_OWNER: Meaning = {
  ...say("the caller is not the domain's owner", OWNER, "domain"),
  foreign: true,
};
const domainErrors: Meanings = {
  "6": absent(say("the domain ID is wrong", CHECK_DOMAIN, "domain")),
  "13": absent(say("the domain is wrong", CHECK_DOMAIN, "domain")),
};
const domainWrites: Meanings = { ...domainErrors, ...LOCKED, "7": NOT_OWNER };

const LEVELS =
  "use fewer labels, or upgrade the domain's package; `pulumi-legacydns limits` shows what it allows";
const levels = (about: About): Meanings => ({
  "23": say("the subdomain has more levels than allowed", LEVELS, about),
  "24": say("the wildcard has more levels than allowed", LEVELS, about),
});

const TOKEN =
  "check the token, whose form is ID,TOKEN: export LEGACYDNS_LOGIN_TOKEN=ID,TOKEN, or pulumi config set --secret legacydns:loginToken ID,TOKEN";
const CONTACT =
  "set contact (pulumi config set legacydns:contact you@example.com, export LEGACYDNS_CONTACT=you@example.com, or a Provider's input contact), because clients without an e-mail address are banned as well";
/** Repeated ones ban the account (service-notes). */
export const loginFailures: Meanings = {
  "-1": say("the login failed", TOKEN, "account"),
  "-8": say(
    "too many logins failed and the account is banned for a while",
    [`wait an hour, then ${TOKEN}`, CONTACT],
    "account",
  ),
  ...each("10001 10002", say("the token is wrong", TOKEN, "account")),
  ...each("10004 20004", say("the login failed", TOKEN, "account")),
  ...each(
    "50 51 52 53 54",
    say(
      "the login needs a second factor",
      "create a token in the service's console and use it as the loginToken, because the interface takes no password",
      "account",
    ),
  ),
  "83": say("the account is locked", "unlock the account in the service's console", "account"),
  "85": say(
    "this machine's address is not allowed to log in",
    "add the address to the account's allowed ones in the service's console, or run from an allowed one",
    "account",
  ),
};

/** Codes that any operation may return (service-notes, Common return codes). */
export const common: Meanings = {
  ...loginFailures,
  "-2": say("the limit of calls is exceeded", "lower requestsPerSecond, or wait a while", "moment"),
  ...each(
    "-3 -4",
    unknownOutcome(
      "the code concerns agents only, which this caller should not be",
      "check with the service which kind of account the token belongs to",
      "account",
    ),
  ),
  "-7": say(
    "the account has no right to this interface, or its package needs an upgrade",
    "use the token of the main account, because no other may call it, or upgrade the package",
    "account",
  ),
  ...BANNED,
  "-99": unknownOutcome("the interface is suspended for now", "try again later", "moment"),
  "2": unknownOutcome(
    "only POST is accepted",
    "check baseUrl and the proxies, because one may have changed the request",
    "call",
  ),
  [unknownError]: unknownOutcome(
    "an error that the service itself does not know",
    [
      "check baseUrl, because a wrong path in it is answered like this",
      "if other calls go well, ask the service's support",
    ],
    "call",
  ),
};

const LINE = [
  "check the record's type",
  "if the record has a `line`, write it as the service's console names it",
  "if not, set the name of the account's default line: pulumi config set legacydns:defaultLine NAME, or a Provider's input defaultLine",
];

/** Of older record calls, and likely of Batch.Record.Create, whose codes are not documented. */
export const recordWrites: Meanings = {
  ...domainWrites,
  // The zone was listed a moment before, by the same id.
  "8": unknownOutcome("the domain is invalid", CHECK_DOMAIN, "domain"),
  "17": say("the record's value is wrong", "check the value against the record's type"),
  "22": say(
    "the host label is wrong",
    "write a name of letters, digits, hyphens and underscores, or * as the first label",
  ),
  ...levels("record"),
  ...each("26 27", say("the line or the type is wrong", LINE)),
  "30": say("the MX priority is not within 1 to 20", "choose a priority from 1 to 20"),
  "31": say("another record stands in the way, or the default line has no record yet", [
    "declare no CNAME beside other records",
    "declare a record on the default line first",
  ]),
  "32": say(
    "the TTL or the number of NS records is beyond the package",
    "compare with `pulumi-legacydns limits`",
  ),
  ...each(
    "33 37",
    say("the number of AAAA or SRV records is beyond the package", "compare with `pulumi-legacydns limits`"),
  ),
  "34": say("the record's value is not permitted", "choose another, or ask the service's support"),
  "82": say("the address is banned", "choose another address, or ask the service's support"),
  "104": say(
    "the record exists already",
    "run `pulumi refresh`, then `pulumi up`, which adopts an equal record",
  ),
  ...each(
    "500025 500026",
    say(
      "the load-balancing limit is reached",
      "declare fewer records of one name and line, or upgrade the package",
    ),
  ),
};

type Tables = Readonly<Record<string, Meanings>>;

const ofEdits = (meaning: string): Meaning => ({
  ...say(
    meaning,
    "ask the service's support, because this code belongs to edits, and the provider only reads",
  ),
  isOfEdits: true,
});
const OUR_PAGING = "report this as a mistake in the paging of this tool";
const wrongMonitor = say("the monitor ID is wrong", "check the monitor's id in the service's console");
const ownerOrOffset: Meaning = {
  ...NOT_OWNER,
  ofLaterPage: say(
    "the caller is not the domain's owner, or the start offset is invalid",
    [OWNER, "run again, because the zone may have become shorter while it was read"],
    "domain",
  ),
};

/** api.md, Errors. */
export const documented = {
  "Domain.Info": { ...domainErrors, "7": NOT_OWNER, "8": absent(NOT_OWNER) },
  "Domain.List": {
    "6": say("the start offset is invalid", OUR_PAGING, "call"),
    "7": say("the requested number of domains is invalid", OUR_PAGING, "call"),
    "9": absent(say("there are no domains at all", "add the domain in the service's console", "domain")),
  },
  "Domain.Purview": {
    ...domainWrites,
    ...BANNED,
    "8": say("the domain is invalid", CHECK_DOMAIN, "domain"),
    "9": ofEdits("the remark is too long"),
  },
  "Domainshare.Modify": {
    ...domainWrites,
    ...BANNED,
    // Older editions have it for an unknown e-mail (service-notes).
    "8": say(
      "the domain ID is invalid, or nobody has this e-mail",
      ["write the e-mail exactly as the service's console shows it for the share", CHECK_DOMAIN],
      "share",
    ),
    ...levels("share"),
    "25": say(
      "one of the users it is shared with has not verified a real name",
      "ask that user to verify the name with the service first",
      "share",
    ),
  },
  "Record.List": {
    ...domainErrors,
    "7": ownerOrOffset,
    "8": absent(say("the requested number of records or the domain is invalid", CHECK_DOMAIN, "domain")),
    [emptyZone]: absent(say("the list is empty", "declare a record, or ask for another name or type")),
    "27": absent(
      say(
        "the line is invalid",
        "write the name of one of the domain's lines, as the service writes it",
        "line",
      ),
    ),
  },
  "Record.Info": {
    ...domainErrors,
    "7": NOT_OWNER,
    "8": absent(
      say("the domain is invalid", [
        CHECK_DOMAIN,
        "check the record's id, because an unknown one has this code as well",
      ]),
    ),
  },
  "Batch.Record.Create": {},
  "Batch.Detail": {
    "8": absent(say("the job was not found", "check the job's id; the service may forget old jobs", "job")),
  },
  "Monitor.Gethistory": { "7": wrongMonitor },
  "Custom.Line.List": {
    "7": say("there is no permission on the domain", OWNER, "domain"),
    "40601": say("a parameter is wrong", CHECK_DOMAIN),
    ...each(
      "77 81 801 802 40603 40604 40606 40607 40608 40609 400001",
      ofEdits("the service refuses an edit of a line"),
    ),
  },
} as const satisfies Tables;

/** Only a listing proves that a record is gone. */
const goneRecord = absent(
  unknownOutcome(
    "the record's id is wrong: there is no such record",
    "run `pulumi refresh`, because the record may have been removed in the service's console",
  ),
);

const shareErrors: Meanings = {
  ...domainErrors,
  ...LOCKED,
  "7": say(
    "the e-mail address is wrong, or the caller is not the domain's owner",
    ["check the address", OWNER],
    "share",
  ),
  "8": say(
    "nobody has an account with this e-mail address",
    "write the address that the person logs in with",
    "share",
  ),
};

export const undocumented = {
  "Record.Modify": {
    ...recordWrites,
    "8": goneRecord,
    "21": say(
      "the domain or the record is locked",
      [UNLOCK, "wait an hour: a record is locked for so long after five updates without a change"],
      "record or domain",
    ),
  },
  "Record.Remove": { ...domainWrites, "8": goneRecord },
  "Batch.Record.Modify": {
    ...recordWrites,
    "8": goneRecord,
    "21": say("the domain is locked", UNLOCK, "record"),
  },
  "Domainshare.Create": {
    ...shareErrors,
    "9": say(
      "the domain is shared with this e-mail already",
      "run `pulumi refresh`, then `pulumi up`, which adopts the share",
      "share",
    ),
    "10": say(
      "the package allows no further share of this domain",
      "end another share, or upgrade the domain's package; `pulumi-legacydns limits` shows what it allows",
      "domain",
    ),
  },
  "Domainshare.List": {
    ...domainErrors,
    "7": absent(
      say("the domain is shared with nobody", "share the domain in the service's console", "share"),
    ),
  },
  "Domainshare.Remove": {
    ...shareErrors,
    "9": absent(
      say(
        "there is no such share",
        "run `pulumi refresh`, because the share may have been ended in the service's console",
        "share",
      ),
    ),
  },
} as const satisfies Tables;

const unknown: Meaning = {
  ...unknownOutcome(
    "the service answered with a code that is not documented",
    "ask the service's support what the code means",
  ),
  undocumented: true,
};

/** From older editions. */
export const older: Tables = {
  "Batch.Record.Create": recordWrites,
  "Domainshare.Modify": {
    "9": absent(
      say(
        "there is no such share",
        "share the domain with this e-mail in the service's console first",
        "share",
      ),
    ),
  },
  "Monitor.Gethistory": { "6": wrongMonitor },
};

/** @param offset of a page */
export function meaningOf(operation: string, code: string, offset = 0): Meaning {
  const known = knownMeaning(operation, code) ?? unknown;
  return (offset > 0 ? known.ofLaterPage : undefined) ?? known;
}

export function knownMeaning(operation: string, code: string): Meaning | undefined {
  const tables = [documented, undocumented, older].map((table: Tables) => table[operation] ?? {});
  return [...tables, common].find((table) => Object.hasOwn(table, code))?.[code];
}
