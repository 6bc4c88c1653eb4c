/** The codes of the service, by operation: api.md's tables, then codes of older editions, then common codes. */
import {
  absent,
  BANNED,
  CHECK_DOMAIN,
  common,
  domainErrors,
  domainWrites,
  emptyZone,
  each,
  levels,
  LOCKED,
  NOT_OWNER,
  OWNER,
  recordWrites,
  say,
  UNLOCK,
  unknownOutcome,
  type Meaning,
  type Meanings,
} from "./common-codes";

export {
  common,
  done,
  emptyZone,
  loginFailures,
  mayBeMissing,
  recordWrites,
  unknownError,
  type About,
  type Meanings,
} from "./common-codes";

type Tables = Readonly<Record<string, Meanings>>;

const lineEdits = (meanings: Readonly<Record<string, string>>): Meanings =>
  Object.fromEntries(
    Object.entries(meanings).map(([code, meaning]) => [
      code,
      say(
        meaning,
        "A message about editing lines, which this tool never does: look at the custom lines in the service's console.",
      ),
    ]),
  );
const OUR_PAGING = "This is a mistake in the paging of this tool: please report it.";
const wrongMonitor = say("the monitor ID is wrong", "Check the monitor's id in the service's console.");
const ownerOrOffset = say(
  "the caller is not the domain's owner (or the start offset is invalid)",
  OWNER,
  "domain",
);

/** api.md, Errors. */
export const documented = {
  "Domain.Info": { ...domainErrors, "7": NOT_OWNER, "8": absent(NOT_OWNER) },
  "Domain.List": {
    "6": say("the start offset is invalid", OUR_PAGING, "call"),
    "7": say("the requested number of domains is invalid", OUR_PAGING, "call"),
    "9": absent(
      say("there are no domains at all", "Add the domain in the service's console first.", "domain"),
    ),
  },
  "Domain.Purview": {
    ...domainWrites,
    ...BANNED,
    "8": say("the domain is invalid", CHECK_DOMAIN, "domain"),
    "9": say("the remark is too long", "Shorten the domain's remark in the service's console.", "call"),
  },
  "Domainshare.Modify": {
    ...domainWrites,
    ...BANNED,
    // Older editions have it for an unknown e-mail (service-notes).
    "8": say(
      "the domain ID is invalid, or nobody has this e-mail",
      `The e-mail must be exactly the one that the service's console shows for the share. ${CHECK_DOMAIN}`,
      "share",
    ),
    ...levels("share"),
    "25": say(
      "one of the users it is shared with has not verified a real name",
      "That user must verify the name with the service first.",
      "share",
    ),
  },
  "Record.List": {
    ...domainErrors,
    "7": ownerOrOffset,
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
    "7": ownerOrOffset,
    "8": absent(
      say(
        "the domain is invalid",
        `${CHECK_DOMAIN} Check the record's id, because an unknown one has this code as well.`,
      ),
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
  "Monitor.Gethistory": { "7": wrongMonitor },
  "Custom.Line.List": {
    "7": say("there is no permission on the domain", OWNER, "domain"),
    ...lineEdits({
      "77": "the line is in use and cannot be edited",
      "81": "the line is in use and cannot be deleted",
      "40603": "the custom line's name is empty",
      "40604": "it is not a valid IP range",
      "40606": "the IP exists already",
      "40607": "the line's name contains characters that are not accepted",
      "40608": "the line's name is longer than 17 characters",
      "40609": "the custom line's IP range is empty",
    }),
    ...each("801 802", say("the available quota is used up", "Upgrade the package or buy an add-on.")),
    "40601": say("a parameter is wrong", CHECK_DOMAIN),
    "400001": say(
      "the custom line is used by a grouped line and cannot be changed",
      "Pause its use and try again.",
    ),
  },
} as const satisfies Tables;

/** Only a listing proves that a record is gone. */
const goneRecord = absent(
  unknownOutcome(
    "the record's id is wrong: there is no such record",
    "Run `pulumi refresh`: the record may have been removed in the service's console.",
  ),
);

const shareErrors: Meanings = {
  ...domainErrors,
  ...LOCKED,
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
};

export const undocumented = {
  "Record.Modify": {
    ...recordWrites,
    "8": goneRecord,
    "21": say(
      "the domain or the record is locked",
      `${UNLOCK} A record that was updated more than five times in an hour without a change is locked for an hour.`,
      "record",
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
} as const satisfies Tables;

const unknown: Meaning = {
  ...unknownOutcome(
    "the service answered with a code that is not documented",
    "Ask the service's support what it means.",
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
        "Share the domain with this e-mail in the service's console first.",
        "share",
      ),
    ),
  },
  "Monitor.Gethistory": { "6": wrongMonitor },
};

export function meaningOf(operation: string, code: string): Meaning {
  return knownMeaning(operation, code) ?? unknown;
}

export function knownMeaning(operation: string, code: string): Meaning | undefined {
  const tables = [documented, undocumented, older].map((table: Tables) => table[operation] ?? {});
  return [...tables, common].find((table) => Object.hasOwn(table, code))?.[code];
}
