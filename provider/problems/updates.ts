/** The diagnostics of an update, a refresh or a deletion. `<detail>` is an error of the service or of the connection. */
import { help } from "./help";
import { blocked, error, warning } from "./kinds";

const inConsole = "in the service's console";
/** A failed call. The code depends on the remedy. */
const call = ["<detail>", "<hint>"] as const;
const gone = "<domain>: the account does not hold this domain any more";
const idle = "its records are not answered";

export const updates = {
  "live.ttl": blocked(
    "<why>",
    "<domain>: the live TTL differs from the declared one",
    `set the declared TTL ${inConsole}`,
    "declare the live TTL",
    help.allow,
  ),
  "live.disabled": blocked(
    "<why>",
    "<domain>: declared, but disabled on the service",
    `enable them ${inConsole}`,
    "leave them disabled: take them out of the program, then <retain>",
    help.allow,
  ),
  "live.exists": blocked(
    "The service would hold them twice.",
    "<domain>: live already, and `adopt` is false",
    "set adopt: true",
    help.delete,
  ),
  "live.blocked": blocked(
    "<why>",
    "<domain>: a CNAME and other data exclude each other at one name",
    `change the live record into the declared one ${inConsole}`,
    "declare the live record",
    help.allow,
  ),
  "live.in-the-way": blocked(
    "A CNAME stands alone at its name.",
    "<domain>: blocked by live records that this resource does not own",
    help.delete,
    "declare both in one RecordBatch, so that one becomes the other",
    "declare another name",
  ),
  "live.changed": blocked(undefined, "<domain>: somebody changed records during the update", help.again),
  "live.own": blocked(
    undefined,
    "<domain>: nobody can change the service's own records",
    "declare them as they are live, without a TTL",
    "take them out of the program",
  ),
  "live.left-over": blocked(
    "<why>",
    "<domain>: no longer declared, but live",
    help.delete,
    help.retain,
    help.allow,
  ),
  "live.retained": warning("<domain>: no longer declared, left in the zone (removal: retain)"),
  "live.adopted": warning("<domain>: adopted, not created by this stack, so they stay in the zone"),
  "live.unknown": warning("<domain>: not known whether created, and no longer tracked"),
  "live.twice": warning("<domain>: live more than once", `delete all but one ${inConsole}`),
  "live.twin": warning(
    "<domain>: a twin of the deleted record stays, unknown to this stack",
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
    "take the name from the service's console, or leave `line` out",
  ],
  "line.first": error(
    "<detail>",
    "<domain>: the service wants a record on the default line first",
    "declare one for each name without `line`",
    "if one is declared: pulumi up --refresh",
  ),
  "write.refused": error("<detail>", "<domain>: refused by the service"),
  "write.unchanged": error("<detail>", "<domain>: could not be changed"),
  "write.unremoved": error("<detail>", "<domain>: could not be deleted"),
  "write.uncertain": error(
    "<detail>",
    "<domain>: not known whether created",
    "run `pulumi up`: it looks for them before it sends anything",
  ),
  "write.not-sent": error("<detail>", "<domain>: not sent"),
  "job.pending": error(
    "<detail>",
    "<domain>: job <job> has not ended, so these are not sent again",
    "run `pulumi up` again: it looks at the job first",
    `if the job never ends: create them ${inConsole}, and the next up adopts them`,
  ),
  "job.other-changes": error(
    "<detail>",
    "<domain>: job <job> of another run still changes records, so nothing was sent",
    "run `pulumi up` again later",
    `if the job is over ${inConsole}: rm <file>`,
  ),
  "zone.unreadable": error(
    "<detail>",
    "<domain>: the zone cannot be read",
    "stop tracking its records: <retain>",
  ),
  "zone.gone": blocked(
    "Nothing is read or changed there.",
    gone,
    "take the domain out of the program, then run `pulumi up`",
    "before a destroy: <retain>",
  ),
  "zone.released": warning(`${gone}; the state forgets it`),
  "zone.kept": error(undefined, `${gone}, so nothing was deleted`, "forget it: <retain>"),
  "zone.refused": call,
  "login.failed": call,
  "service.unreachable": call,
  "service.failed": call,
  "setting.wrong": call,
  "call.failed": call,
  "zone.locked": ["<domain> is locked: no record can be written", `unlock it ${inConsole}`],
  "zone.banned": ["<domain> is banned by the service: no record can be written", "ask the service's support"],
  "zone.paused": warning(`<domain> is paused: ${idle}`, `resume it ${inConsole}`),
  "zone.unregistered": warning(`<domain> is not registered: ${idle}`),
  "zone.undelegated": warning(`<domain> is not delegated to the service's name servers: ${idle}`),
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
