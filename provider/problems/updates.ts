/** Diagnostics of an update, a refresh or a deletion. */
import { help } from "./help";
import { blocked, releasing, warning } from "./kinds";

const inConsole = "in the service's console";
/** The code depends on the remedy. */
const call = ["<detail>", "<hint>"] as const;
const gone = "<domain>: the account no longer has this domain";
const undeclared = "<domain>: live, but not declared by any resource";
const idle = "its records are not answered";

export const updates = {
  "live.ttl": blocked(
    "<domain>: the live TTL differs from the declared one",
    `set the declared TTL ${inConsole}`,
    "declare the live TTL",
    help.allow,
  ),
  "live.disabled": blocked(
    "<domain>: declared, but disabled on the service",
    `enable them ${inConsole}`,
    "leave them disabled: remove them from the program, then <retain>",
    help.allow,
  ),
  "live.exists": blocked(
    "<domain>: already live, and `adopt` is false",
    "if another resource of this stack created them: pulumi up --refresh",
    "set adopt: true",
    help.delete,
  ),
  "live.blocked": blocked(
    "<domain>: a CNAME and other data exclude each other at one name",
    `change the live record into the declared one ${inConsole}`,
    "declare the live record",
    help.allow,
  ),
  "live.in-the-way": blocked(
    "<domain>: blocked by live records that this resource is not known to own",
    help.delete,
    "<remove>",
    "<other>",
  ),
  "live.changed": blocked("<domain>: somebody changed records during the update", help.again),
  "live.own": blocked(
    "<domain>: nobody can change the service's own records",
    "declare them as they are live, without a TTL",
    "remove them from the program",
  ),
  "live.left-over": blocked(
    "<domain>: live, but edited or no longer declared",
    help.delete,
    help.retain,
    "<later>",
  ),
  "live.retained": releasing("<domain>: no longer tracked, but left in the zone (removal: retain)"),
  "live.moves": warning(
    "<domain>: the resource that had these may delete them first",
    "let it depend on this one (dependsOn)",
    "in TypeScript: construct both before the program awaits anything",
  ),
  "live.adopted": releasing("<domain>: adopted, not created by this stack, so they stay in the zone"),
  "live.unknown": releasing("<domain>: perhaps created, and no longer tracked"),
  "live.twice": warning("<domain>: live more than once", `delete all but one ${inConsole}`),
  "live.twin": warning(
    "<domain>: a second copy of the deleted record stays",
    `if nobody needs it, delete it ${inConsole}`,
  ),
  "live.beside": warning(
    "<domain>: unmanaged records answer beside the declared ones",
    `delete those that nobody needs ${inConsole}`,
    "declare the others, or let a Zone or RecordBatch ignore them",
    "<program>",
  ),
  "live.undeclared": warning(undeclared, "<program>"),
  "live.undeclared-goes": warning(`${undeclared} (undeclared: remove)`, "<refresh>", "<program>"),
  "live.unwanted": blocked(
    "<domain>: live, but `absent` names them",
    help.delete,
    "keep them: declare them, or change `absent`",
    "<later>",
  ),
  "live.stored-otherwise": warning(
    "<domain>: the service stores these in another form, and they are as declared",
    "declare the stored form, so that the program shows what is live",
  ),
  "live.not-looked-for": warning("undeclared records were not looked for: <detail>"),
  "line.first": [
    "<domain>: the service needs a record on the default line first",
    "declare one for each name without `line`",
    "if another resource declares one: let this one depend on it (dependsOn)",
  ],
  "write.refused": ["<domain>: refused by the service, so not <done>"],
  "write.uncertain": ["<domain>: not known whether <done>", "<again>: it finds out before it sends anything"],
  "write.not-sent": ["<domain>: not sent, so not <done>", "<hint>"],
  "job.pending": [
    "<domain>: job <job> has not ended, so these are not sent again",
    "run `pulumi up` again: it looks at the job first",
    `if the job never ends: make them as declared ${inConsole}, and the next up takes them`,
  ],
  "job.unclear": [
    "<domain>: job <job> made records in another form, and does not show which are these",
    "declare them in the form that the service lists: pulumi-legacydns dump <domain>",
  ],
  "job.unfinished": [
    "<domain>: a job may still create these, so the state keeps them",
    "<again>: it looks at the job first",
    "if the job never ends: <retain>",
  ],
  "job.other-changes": [
    "<domain>: job <job> of another run still changes these, so they are not sent",
    "run `pulumi up` again later",
    `if the job is over ${inConsole}: rm <file>`,
  ],
  "zone.unreadable": [
    "<domain>: the zone cannot be read",
    "give the token access to the domain, then <again>",
    "stop tracking its records: <retain>",
  ],
  "zone.gone": blocked(
    gone,
    "remove it from the program, then run `pulumi up`",
    "before a destroy: <retain>",
  ),
  "zone.released": releasing(`${gone}, so the state forgets it`),
  "zone.kept": [`${gone}, so nothing was deleted`, "forget it: <retain>"],
  "zone.refused": call,
  "login.failed": call,
  "service.unreachable": call,
  "service.failed": call,
  "setting.wrong": call,
  "setting.risk": warning(...call),
  "call.failed": call,
  "run.stopped": warning(
    "the run was stopped, and sends nothing more",
    "run `pulumi up` again: it finds out what was created",
    "if the engine reports pending operations: pulumi refresh --yes --clear-pending-creates",
  ),
  "zone.locked": ["<domain> is locked: no record can be written", `unlock it ${inConsole}`],
  "zone.banned": ["<domain> is banned by the service: no record can be written", "ask the service's support"],
  "zone.paused": warning(`<domain> is paused: ${idle}`, `resume it ${inConsole}`),
  "zone.unregistered": warning(`<domain> is not registered: ${idle}`),
  "zone.undelegated": warning(`<domain> is not delegated to the service's name servers: ${idle}`),
  "zone.limits-unknown": warning("<domain>: the package's limits are not checked: <detail>"),
  "zone.gated": ["<domain>: stopped by a safety gate: <gate>", "if it is meant: <confirm>", "<whole>"],
  "share.with-others": [
    "<share> was not ended, because the service would also end others",
    `end it ${inConsole}, then run the same command again`,
    "leave it there: <retain>",
  ],
} as const;
