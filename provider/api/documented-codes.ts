/** The codes of the documented operations. */
import {
  absent,
  say,
  CHECK_DOMAIN,
  OWNER,
  UNBAN,
  UNLOCK,
  LEVELS,
  LINES_ONLY,
  OUR_PAGING,
  domainErrors,
  emptyZone,
  type Meanings,
} from "./meaning";

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
