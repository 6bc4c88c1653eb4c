/** The diagnostics of an update, a refresh or a deletion. `<detail>` is an error of the service or of the connection. */
import { help } from "./help";
import { blocked, error, warning } from "./kinds";

const inConsole = "in the service's console";

export const updates = {
  "live.ttl": blocked(
    "<domain>: the live TTL differs from the declared one",
    "<why>",
    `set the declared TTL ${inConsole}`,
    "declare the live TTL",
    help.allow,
  ),
  "live.disabled": blocked(
    "<domain>: declared, but disabled on the service",
    "<why>",
    `enable them ${inConsole}`,
    "leave them disabled: take them out of the program, then <retain>",
    help.allow,
  ),
  "live.exists": blocked(
    "<domain>: live already, and `adopt` is false",
    "The service would hold them twice.",
    "set adopt: true",
    help.delete,
  ),
  "live.blocked": blocked(
    "<domain>: a CNAME and other data exclude each other at one name",
    "<why>",
    `change the live record into the declared one ${inConsole}`,
    "declare the live record",
    help.allow,
  ),
  "live.in-the-way": blocked(
    "<domain>: blocked by live records that this resource does not own",
    "A CNAME stands alone at its name.",
    help.delete,
    "declare both in one RecordBatch, so that one becomes the other",
    "declare another name",
  ),
  "live.changed": blocked("<domain>: somebody changed records during the update", undefined, help.again),
  "live.own": blocked(
    "<domain>: nobody can change the service's own records",
    undefined,
    "declare them as they are live, without a TTL",
    "take them out of the program",
  ),
  "live.left-over": blocked(
    "<domain>: no longer declared, but live",
    "<why>",
    help.delete,
    help.retain,
    help.allow,
  ),
  "live.retained": warning("<domain>: no longer declared, left in the zone (removal: retain)"),
  "live.adopted": warning("<domain>: adopted, not created by this stack, so they stay in the zone"),
  "live.unknown": warning("<domain>: not known whether created, and no longer tracked (removal: retain)"),
  "live.twice": warning("<domain>: live more than once", `delete all but one ${inConsole}`),
  "live.twin": warning(
    "<domain>: a live twin of the deleted record stays, since this stack does not know it",
    `if nobody needs it, delete it ${inConsole}`,
  ),
  "live.undeclared": warning("<domain>: live, but declared by no resource"),
  "live.undeclared-goes": warning(
    "<domain>: live, but declared by no resource (undeclared: remove)",
    "delete them: pulumi up --refresh",
  ),
  "live.not-looked-for": warning("undeclared records were not looked for: <detail>"),
  "line.unknown": [
    '<domain>: no line "<line>"',
    "<hint>",
    `take the name from the service's console, or leave \`line\` out`,
  ],
  "line.first": [
    "<domain>: the service wants a record on the default line first",
    "declare one for each name without `line`",
  ],
  "write.refused": error("<domain>: refused by the service", "<detail>"),
  "write.no-default-line": error(
    "<domain>: refused by the service, since the name has no record on the default line",
    "<detail>",
    "declare one without `line`",
    "if one is declared: pulumi up --refresh",
  ),
  "write.unchanged": error("<domain>: could not be changed", "<detail>"),
  "write.unremoved": error("<domain>: could not be deleted", "<detail>"),
  "write.uncertain": error(
    "<domain>: not known whether created",
    "<detail>",
    "run `pulumi up`: it looks for them before it sends anything",
  ),
  "write.not-sent": error("<domain>: not sent", "<detail>"),
  "job.pending": error(
    "<domain>: job <job> has not ended, so these are not sent again",
    "<detail>",
    "run `pulumi up` again: it looks at the job first",
    `if the job never ends: create them ${inConsole}, and the next up adopts them`,
  ),
  "job.other-changes": error(
    "<domain>: job <job> of another run still changes records, so nothing was sent",
    "<detail>",
    "run `pulumi up` again later",
    "if the service's console shows that the job is over: rm <file>",
  ),
  "zone.unreadable": error(
    "<domain>: the zone cannot be read",
    "<detail>",
    "stop tracking its records: <retain>",
  ),
  "zone.gone": blocked(
    "<domain>: the account does not hold this domain any more",
    "Nothing is read or changed there.",
    "take the domain out of the program, then run `pulumi up`",
    "before a destroy: <retain>",
  ),
  "zone.released": warning("<domain>: the account does not hold this domain any more; the state forgets it"),
  "zone.kept": error(
    "<domain>: the account does not hold this domain any more, so nothing was deleted",
    undefined,
    "forget it: <retain>",
  ),
  "zone.refused": ["<detail>", "<hint>"],
  "zone.locked": ["<domain> is locked: no record can be written", help.unlock],
  "zone.banned": ["<domain> is banned by the service: no record can be written", "ask the service's support"],
  "zone.paused": warning("<domain> is paused: its records are not answered", `resume it ${inConsole}`),
  "zone.unregistered": warning("<domain> is not registered: its records cannot be reached"),
  "zone.undelegated": warning(
    "<domain> is not delegated to the service's name servers: its records cannot be reached",
  ),
  "zone.limits-unknown": warning("<domain>: the package's limits are not checked: <detail>"),
  "zone.gated": [
    "<domain>: a safety gate stops the run before it deletes or changes records",
    "if it is meant: <confirm>",
  ],
  "share.with-others": [
    "<share> was not ended: the service would end <others> as well",
    `end it ${inConsole}, then run the same command again`,
    "leave it there: <retain>",
  ],
} as const;
