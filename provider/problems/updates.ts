/** What keeps an update, a refresh or a deletion from bringing the zones to what is declared. */
import { clause, count, page } from "../words";
import { warns } from "./kinds";
import { namesOf, whereAll, type Named } from "./together";

/**
 * What decides about a resource's removals: the stack's settings, its explicit `Provider`, or an option of its own, where
 * `resource-of-provider` is under an explicit `Provider`.
 */
export type RemovalSetBy = "stack" | "provider" | "resource" | "resource-of-provider";

/** What the provider may do, and where that is set: the ways out that a text names follow from it. */
export interface How {
  readonly removalSetBy: RemovalSetBy;
  /** What goes was replaced, and the program declares what has taken its place. */
  readonly isReplaced?: boolean | undefined;
  /** Records can be changed. */
  readonly change: boolean;
  /** Records can be changed and removed. */
  readonly full: boolean;
}

/** The outcome for a resource's part in a domain that has left the account: still declared, dropped from the state, or kept by a failed destroy. */
export type GoneFate = "declared" | "released" | "kept";

/** What the user ran: an `up`; whatever makes the engine delete a resource; a `destroy`, in which nothing is declared. */
export type Command = "up" | "delete" | "destroy";

/** Declared records, each with the number of the live one that equals it. `drift`: somebody changed that; the program asked for nothing. */
export interface LiveOtherwise {
  named: readonly Named[];
  drift: boolean;
}

const limited = "the documented interface can neither change nor remove a record";
const aConsole = "the service's console";
const inConsole = `in ${aConsole}`;
const again = "run `pulumi up` again";

function waysOut(...ways: readonly string[]): string {
  return `Ways out: ${ways.join("; or ")}`;
}

/** How the provider is allowed to do itself what the documented interface cannot. */
function fullWay(what: string, { removalSetBy }: How, command: Command = "up"): string {
  const see = `(see ${page("full")})`;
  // A destroy reads a Provider's inputs from the state.
  if (removalSetBy === "provider" || removalSetBy === "resource-of-provider")
    return `let the provider ${what}: set \`undocumentedOperations: true\` on the Provider${command === "destroy" ? " and run `pulumi up`, then destroy again" : ""} ${see}`;
  if (command === "up")
    return `let the provider ${what}: \`pulumi config set legacydns:undocumentedOperations true\` ${see}`;
  return `let the provider ${what}: put LEGACYDNS_UNDOCUMENTED_OPERATIONS=true before the same command ${see}; what is set by \`pulumi config set\`, a destroy reads only after an up`;
}

/** The same for what goes, or becomes another: where the resource asks for `verify` itself, the operations alone do not do that. */
function fullWayOf(what: string, how: How, command: Command = "up"): string {
  const own = how.removalSetBy === "resource" || how.removalSetBy === "resource-of-provider";
  return own
    ? `${fullWay(what, how)}, and ${removalWay("delete", how, command)}`
    : fullWay(what, how, command);
}

/** How the removal is set to this, where it is set now: the environment reaches neither a provider nor a resource. */
function removalWay(
  removal: "retain" | "delete",
  { isReplaced, removalSetBy: setBy }: Pick<How, "isReplaced" | "removalSetBy">,
  command: Command,
): string {
  const variable = `LEGACYDNS_REMOVAL=${removal}`;
  if (setBy !== "stack") {
    const where =
      setBy === "provider"
        ? "on the Provider, or on this resource,"
        : "on this resource, which has a `removal` of its own,";
    const set = `set \`removal: "${removal}"\` ${where}`;
    if (command === "up" || isReplaced) return `${set} and ${again}`;
    return command === "destroy"
      ? `${set} run \`pulumi up\`, then destroy again`
      : `declare the resource once more with \`removal: "${removal}"\`, run \`pulumi up\`, then take it out or destroy`;
  }
  return command === "up"
    ? `\`${variable} pulumi up\``
    : `put ${variable} before the same command (\`${variable} pulumi up\`, or \`${variable} pulumi destroy\`)`;
}

/**
 * Each record is excluded by so many live ones. `aliases`: a CNAME is in the way of another target. `ours`: the resource
 * answers for those itself.
 */
export interface Blocked {
  named: readonly Named[];
  live: number;
  enabled: number;
  aliases: boolean;
  ours: boolean;
  drift: boolean;
}

/** Whether each record is excluded by live ones of its own. */
function eachByItsOwn({ named }: Blocked): boolean {
  const [first, ...others] = named;
  return others.some(({ names }) => names !== first?.names);
}

/** The records, with what is live in place of each where that differs. */
function blockedNames(p: Blocked): string {
  return eachByItsOwn(p)
    ? namesOf(p.named, ({ what, names = "" }) => `${what} in place of ${p.live === 1 ? names : `(${names})`}`)
    : namesOf(p.named);
}

/** A CNAME and other data where records can be changed: the resource does not answer for what is in the way. */
function blockedByOthers(p: Blocked): string {
  const apart = eachByItsOwn(p);
  const [it, are] = apart || p.live === 1 ? ["it", "it is"] : ["them", "they are"];
  const one = p.named.length === 1;
  const ways = [
    `change ${it} ${inConsole}`,
    `declare the ${one ? "record" : "records"} under ${apart ? "other names" : "another name"}`,
    `where another resource of this program held ${it} until now, first move it as it is live, with its old data, run \`pulumi up\`, then declare the new data, \`pulumi up\``,
    `declare both in one RecordBatch, or keep that resource's name for ${one ? "this record" : "these records"}, so that one becomes the other in one step`,
  ];
  const clash = apart
    ? "what is in their place is live"
    : `${p.named[0]?.names ?? ""}: ${are} live at the same name and line`;
  const gone = `Removed first, ${it === "it" ? "it" : "they"} would leave the ${apart ? "names" : "name"} without an answer until the next \`pulumi up\``;
  return `${blockedNames(p)}: ${clash}, and a CNAME stands alone; this resource has neither made nor adopted ${it}, so it leaves ${it} alone. ${waysOut(...ways)}. ${gone}${whereAll(p.named.length, markOf(p))}`;
}

/** What resolvers are told while a CNAME and other data exclude each other. */
function answeredMeanwhile(p: Blocked): string {
  const { aliases, drift, enabled, live } = p;
  const apart = eachByItsOwn(p);
  if (enabled === 0)
    return `meanwhile ${apart ? "what is live there is" : live === 1 ? "it is" : "they are"} disabled, and not answered`;
  if (aliases)
    return `meanwhile the ${drift ? "live" : "old"} ${apart ? "targets are" : "target is"} still answered`;
  if (apart) return `meanwhile what is ${enabled < live ? "enabled" : "live"} there is still answered`;
  return `meanwhile ${enabled < live ? "what is enabled of them is" : live === 1 ? "it is" : "they are"} still answered`;
}

/** A CNAME and other data where no record becomes another. */
function blocked(p: How & Blocked): string {
  const one = p.live === 1;
  const apart = eachByItsOwn(p);
  const why = p.change ? "no record becomes another unless `removal` is delete" : limited;
  const [it, names] = [
    p.named.length === 1 ? "it" : apart ? "each" : "them",
    apart ? "" : `: ${p.named[0]?.names ?? ""}`,
  ];
  const clash = p.aliases
    ? `another target is live at the same name and line, which can have one only${names}`
    : `${one ? "a record" : `${p.live} records`} at the same name and line ${one ? "excludes" : "exclude"} ${it} (a CNAME stands alone)${names}`;
  const other = p.aliases
    ? `declare the ${apart ? "targets that are" : "target that is"} live`
    : `declare what is live, or the ${p.named.length === 1 ? "record" : "records"} under ${apart ? "other names" : "another name"}`;
  const first = apart || !one ? "they are" : "it is";
  const them = apart ? "them" : "it";
  const change = p.change
    ? `have ${them} changed: ${removalWay("delete", p, "up")}`
    : fullWayOf(`change ${them}`, p);
  const once = p.ours
    ? ""
    : `, once an up has adopted ${first === "it is" ? "it as it is live" : "them as they are live"}`;
  const unanswered = `Where ${first} removed first, the ${apart ? "names do" : "name does"} not resolve until the next \`pulumi up\` has made the ${p.named.length === 1 ? "record" : "records"}`;
  return `${blockedNames(p)}: ${clash}; ${why}; ${answeredMeanwhile(p)}. ${waysOut(intoDeclared(p), other, `${change}${once}`)}. ${unanswered}${whereAll(p.named.length, markOf(p))}`;
}

/** One live record becomes one declared record, and no name is without an answer. */
function intoDeclared(p: Blocked): string {
  const { live, named } = p;
  if (eachByItsOwn(p))
    return live === 1
      ? `change each into what is declared, in one step, ${inConsole}`
      : `remove all but one at each name and change that one into what is declared ${inConsole}`;
  if (named.length === 1)
    return live === 1
      ? `change it into what is declared, in one step, ${inConsole}`
      : `remove all but one of them and change that one into what is declared ${inConsole}`;
  const into =
    live === 1
      ? `change it into one of them, in one step, ${inConsole}`
      : `remove all but one of them and change that one into one of what is declared ${inConsole}`;
  return `${into}, and the next \`pulumi up\` makes the ${named.length === 2 ? "other" : "others"}`;
}

/**
 * `changed`: of the live ones, those that were a declared record until somebody changed it in the console. `adopted`: what a
 * destroy leaves anyway. `first`: of `names`. `see`: of what the same has been said in full.
 */
type LeftOver = How & {
  names: string;
  first: string;
  live: number;
  command: Command;
  enabled: number;
  both: boolean;
  changed: number;
  adopted?: { names: string; live: number } | undefined;
  see?: string | undefined;
};

/** What resolvers are told while a record that is not declared any more is live. */
function meanwhile({ live, enabled, both }: LeftOver): string {
  const are = live === 1 ? "it is" : "they are";
  if (enabled === 0) return `Meanwhile ${are} disabled, and not answered`;
  const those =
    enabled === live ? are : enabled === 1 ? "the enabled one is" : `the ${enabled} enabled ones are`;
  const rest = `${enabled === live ? "" : live - enabled === 1 ? " (the disabled one is not)" : " (the disabled ones are not)"}${both ? ", old and new beside each other where another value is declared at the same name" : ""}`;
  return `Meanwhile ${those} still answered${rest}`;
}

function leftOver(
  p: LeftOver,
  state = p.command === "destroy" ? "still live, and not removed" : "still live, though not declared",
): string {
  const one = p.live === 1;
  const it = one ? "it" : "them";
  const head = one ? p.names : `${count(p.live, "record")}: ${p.names}:`;
  const adopted =
    p.adopted === undefined
      ? ""
      : `. ${p.adopted.live === 1 ? "A record stays" : `${count(p.adopted.live, "record")} stay`} in the zone anyway, since the stack adopted ${p.adopted.live === 1 ? "it" : "them"}: ${p.adopted.names}`;
  const all = p.command === "up" ? whereAll(p.live, "!") : "";
  // A destroy may name hundreds.
  if (p.see !== undefined)
    return `${head} ${state}. ${p.command === "destroy" ? "" : `${meanwhile(p)}. `}The ways out are the same as for ${p.see}${adopted}${all}`;
  const stay = `leave ${it} where ${one ? "it is" : "they are"}: ${removalWay("retain", p, p.command)}`;
  // The operations that remove are on, and this stack, Provider or resource asks for `verify` all the same.
  const asked = p.change && !p.full;
  const why = asked ? "`removal` is verify, under which nothing is removed" : limited;
  const byHand = `remove ${it} ${inConsole} and ${p.command === "up" ? again : "run the same command again"}`;
  const changed =
    p.changed === p.live
      ? it
      : p.changed === 1
        ? "the one that was changed there"
        : "those that were changed there";
  const back = p.changed > 0 ? [`change ${changed} back ${inConsole}`] : [];
  // Declared, a disabled record is another error.
  const declares =
    p.enabled === 0
      ? []
      : [p.enabled === p.live ? `declare ${it}` : `declare the enabled ${p.enabled === 1 ? "one" : "ones"}`];
  const declared = p.command === "destroy" ? [] : [...back, ...declares];
  const full = fullWayOf(`remove ${it}`, p, p.command);
  const ways = asked
    ? [`have ${it} removed: ${removalWay("delete", p, p.command)}`, byHand, ...declared, stay]
    : [byHand, ...declared, stay, full];
  const others =
    p.command === "delete" || p.command === "destroy"
      ? ". The engine begins no other deletion after a failed one, unless you gave `--continue-on-error`, which names what of each resource stays"
      : "";
  return `${head} ${state}; ${why}. ${meanwhile(p)}. ${waysOut(...ways)}${others}${adopted}${all}`;
}

/** A run that a safety gate refuses something. `declares`: its program has resources of this provider. */
export interface GatedRun {
  command: "up" | "destroy";
  declares: boolean;
  /** Of a deletion: whether the engine may hand over more of them, as of single records. */
  follow?: "more" | "none" | undefined;
}

/** What is refused of a domain, over all that the run has planned there. */
export interface Gated extends GatedRun {
  domain: string;
  /** All that must be named. */
  domains: readonly string[];
  begun: number;
  explicit: boolean;
  share: string | undefined;
  nameServers: string | undefined;
  mail: string | undefined;
}

/** How the domains are named for a run that is meant. The engine hands over the settings that the state has where nothing is declared. */
function confirmation(
  domains: readonly string[],
  { command, declares }: GatedRun,
  explicit: boolean,
): string {
  if (explicit)
    return `name the domain in \`confirmedDomains\` on the Provider and run \`pulumi up\`${command === "up" ? " again" : ", then destroy again: no environment variable reaches a Provider"}`;
  const run = `\`LEGACYDNS_CONFIRMED_DOMAINS=${domains.join(",")} pulumi ${command}\``;
  if (command === "destroy") return `${run} (\`pulumi config set\` counts only after the next \`pulumi up\`)`;
  if (declares) return run;
  return `${run}. Settings changed after the last up do not count here, because the program declares no resource of this provider any more: use the environment (LEGACYDNS_CONFIRMED_DOMAINS). A \`pulumi destroy --run-program\` counts as an up and takes what was adopted as well; without that option it stays`;
}

const markOf = ({ drift }: { drift: boolean }): string | undefined => (drift ? undefined : "x");
/** `…: record 7 is live with TTL 60`, or `20 records (…): live with TTL 60`. */
const liveHead = ({ named }: LiveOtherwise, one: string, several: string): string =>
  `${namesOf(named)}: ${named.length === 1 ? `record ${named[0]?.id ?? ""} ${one}` : several}`;
const ownHead = (p: LiveOtherwise): string =>
  liveHead(p, "is the service's own, which nobody can change", "the service's own, which nobody can change");
/** The words for one record, or for several. */
const they = ({ named }: LiveOtherwise): { it: string; its: string; came: string; are: string } =>
  named.length === 1
    ? { it: "it", its: "its", came: "it came", are: "it is" }
    : { it: "them", its: "their", came: "they came", are: "they are" };
const neverEnds = `If it never ends: make what is missing ${inConsole}, and the next up adopts it`;
const sentence = (text: string): string =>
  text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}. `;
/** The way out of a journal whose job is asked about for a day. */
const forgets = (file: string): string =>
  `When the service's console shows that the job does nothing any more: remove ${file}, which forgets what that run was about to write`;

/** What is known of a domain's lines. */
export interface KnownLines {
  guess: string | undefined;
  inUse: string;
  custom: string;
}

/** `lines in use there: 默认, 电信; custom lines: office`. */
export function knownLines({ inUse, custom }: KnownLines): string {
  return `lines in use there: ${inUse}${custom === "" ? "" : `; custom lines: ${custom}`}`;
}

/** That a domain has no line of this name, and what is known of its lines. */
export function noLine(p: { domain: string; line: string } & KnownLines): string {
  const meant = p.guess === undefined ? "" : ` (did you mean "${p.guess}"?)`;
  return `${p.domain} has no line "${p.line}"${meant}; ${knownLines(p)}. The service has others, which its documented interface does not list: take the name from ${aConsole}, or leave \`line\` out for the default line`;
}

export const updates = {
  "live.ttl": (p: How & LiveOtherwise & { live: number; declared: number | string }) => {
    const { are, came, it, its } = they(p);
    const otherwise = `live with TTL ${p.live}, and ${p.declared} is declared`;
    const head = liveHead(p, `is ${otherwise}`, otherwise);
    if (p.change) return `${head}: ${came} while this run was at work. \`pulumi up\` changes ${it}`;
    const ways = waysOut(
      `set ${its} TTL to ${p.declared} ${inConsole}`,
      `declare ttl ${p.live}`,
      fullWay(`change ${it}`, p),
    );
    return `${head}; ${limited}. Meanwhile ${are} answered with TTL ${p.live}. ${ways}${whereAll(p.named.length, markOf(p))}`;
  },
  "live.disabled": (p: How & LiveOtherwise & { ours: boolean }) => {
    const { are, came, it } = they(p);
    if (p.change)
      return `${liveHead(p, "is live but disabled", "live but disabled")}: ${came} while this run was at work. \`pulumi up\` enables ${it}`;
    // What the resource answers for, it lets go of under `retain` alone.
    const out = !p.ours
      ? `take ${it} out of the program`
      : p.removalSetBy === "stack"
        ? `take ${it} out of the program and leave ${it} disabled: ${removalWay("retain", p, "up")}`
        : `leave ${it} disabled: ${removalWay("retain", p, "up")}, then take ${it} out of the program`;
    const ways = waysOut(
      `enable ${it} ${inConsole}`,
      `remove ${it} there, and the next up makes ${it} anew`,
      out,
      fullWay(`enable ${it}`, p),
    );
    return `${liveHead(p, "exists but is disabled", "live but disabled")}; ${limited}. Meanwhile ${are} not answered. ${ways}${whereAll(p.named.length, markOf(p))}`;
  },
  "live.exists": (p: LiveOtherwise) =>
    `${liveHead(p, "exists already", "live already")}, and \`adopt\` is false. Allow ${they(p).it} to be adopted, or remove ${they(p).it} ${inConsole}${whereAll(p.named.length, markOf(p))}`,
  "live.blocked": (p: How & Blocked) => (p.full ? blockedByOthers(p) : blocked(p)),
  "own.ttl": (p: LiveOtherwise & { live: number; declared: number | string }) =>
    `${ownHead(p)}, and ${they(p).its} TTL is ${p.live}, not ${p.declared}. Declare ttl ${p.live}, or leave the TTL out${whereAll(p.named.length, markOf(p))}`,
  "own.disabled": (p: LiveOtherwise) =>
    `${ownHead(p)}, and ${they(p).are} disabled. Take ${they(p).it} out of the program${whereAll(p.named.length, markOf(p))}`,
  "own.exists": (p: LiveOtherwise) =>
    `${ownHead(p)}, and \`adopt\` is false. Allow ${they(p).it} to be adopted, or take ${they(p).it} out of the program${whereAll(p.named.length, markOf(p))}`,
  "live.left-over": (p: LeftOver) => leftOver(p),
  "live.left-over-next": warns(
    (p: LeftOver) => `an up will end with an error until this is settled: ${leftOver(p)}`,
  ),
  "live.left-over-planned": warns(
    (p: LeftOver) =>
      `an up will end with an error while ${p.live === 1 ? "it is" : "they are"} live: ${leftOver(p, `${p.live === 1 ? "is " : ""}no longer declared`)}`,
  ),
  "live.retained": warns(
    (p: { names: string }) => `${p.names}: no longer declared, left in the zone (removal: retain)`,
  ),
  "live.twice": warns(
    (p: { what: string; live: number; ids: string }) =>
      `${p.what} is live ${p.live} times (records ${p.ids}); remove all but one ${inConsole}`,
  ),
  "live.twin": warns((p: { what: string; live: number; ids: string }) => {
    const [is, stays, it] = p.live === 1 ? ["record", "stays", "it"] : ["records", "stay", "them"];
    return `${p.what}: ${is} ${p.ids} ${p.live === 1 ? "has" : "have"} the same name and data as the record that goes, and ${stays}: this stack does not know ${it}. If nobody needs ${it}, remove ${it} ${inConsole}`;
  }),
  "live.undeclared": warns(
    (p: { domain: string; names: string; live: number; removed: boolean }) =>
      `${p.domain}: ${count(p.live, "record")} live that nobody declares: ${p.names}${p.removed ? `. \`pulumi up --refresh\` removes ${p.live === 1 ? "it" : "them"}` : ""}`,
  ),
  "live.not-looked-for": warns((p: { why: string }) => `what nobody declares was not looked for: ${p.why}`),
  "line.unknown": (p: { what: string; domain: string; line: string } & KnownLines) =>
    `${p.what}: ${noLine(p)}`,
  "line.first": (p: { what: string; records: number }) =>
    `${p.what}: ${p.records === 1 ? "its name has" : "their names have"} no record on the default line, live or declared, and the service wants one there before those on other lines; declare one without \`line\``,
  "write.refused": (p: { what: string; said: string; near: string; first: boolean }) =>
    `${p.what}: refused by the service: ${p.said}${p.near === "" ? "" : `; live at the same name: ${p.near}`}${p.first ? "; its name has no record on the default line, and the service wants one there before those on other lines: declare one without `line`. If one is declared already, `pulumi up --refresh` makes it again" : ""}`,
  "write.unchanged": (p: { what: string; live: string; becomes: boolean; said: string }) =>
    `${p.becomes ? `${p.what}: ${p.live}, which was to become it,` : p.live} could not be changed: ${p.said}`,
  "write.unremoved": (p: { names: string; said: string; command: Command }) =>
    `${p.names}: ${p.command === "destroy" ? "" : "no longer declared, and "}not removed: ${p.said}`,
  "write.uncertain": (p: { what: string; said: string }) =>
    `${p.what}: not known whether made: ${clause(p.said)}. \`pulumi up\` looks again before it sends anything`,
  "write.not-sent": (p: { what: string; said: string }) => `${p.what}: ${p.said}`,
  "job.pending": (p: { what: string; job: string; said: string }) =>
    `${p.what}: ${clause(p.said)}. Its number is kept, and these are not sent again before job ${p.job} has ended. Run \`pulumi up\` again when it may have ended. ${neverEnds}`,
  "job.other-changes": (p: { domains: string; job: string; said: string; file: string }) =>
    `${p.domains}: job ${p.job} of an earlier or another run is still changing records; nothing was sent. ${sentence(p.said)}Run \`pulumi up\` again when it may have ended. ${forgets(p.file)}`,
  "zone.unreadable": (p: {
    said: string;
    removalSetBy: RemovalSetBy;
    isReplaced?: boolean | undefined;
    command: Command;
  }) =>
    `${p.said} The records that were declared there are not declared any more. To let go of them: ${removalWay("retain", p, p.command)}`,
  "zone.gone": (p: {
    domain: string;
    fate: GoneFate;
    removalSetBy: RemovalSetBy;
    isReplaced?: boolean | undefined;
  }) => {
    const gone = `${p.domain}: the account does not hold this domain any more`;
    if (p.fate === "released") return `${gone}. Nothing is declared there, so the state lets go of it`;
    if (p.fate === "kept")
      return `${gone}, so nothing was removed there. To let go of it: ${removalWay("retain", p, "destroy")}`;
    return `${gone}. Nothing is read or changed there. ${waysOut(`remove the domain from the program and ${again}`, `before a destroy, let go of it: ${removalWay("retain", p, "destroy")}`)}`;
  },
  "zone.refused": (p: { said: string }) => p.said,
  "zone.locked": (p: { domain: string }) =>
    `${p.domain} is locked: no record can be written. Unlock it ${inConsole}`,
  "zone.banned": (p: { domain: string }) =>
    `${p.domain} is banned by the service: no record can be written. Settle it with the service's support`,
  "zone.paused": warns(
    (p: { domain: string }) =>
      `${p.domain} is paused: its records are kept, but not answered. Resume it ${inConsole}`,
  ),
  "zone.unregistered": warns(
    (p: { domain: string }) => `${p.domain} is not registered: its records are not reachable until it is`,
  ),
  "zone.undelegated": warns(
    (p: { domain: string }) =>
      `${p.domain} is not delegated to the service's name servers: its records are not reachable until it is`,
  ),
  "zone.limits-unknown": warns(
    (p: { domain: string; said: string }) => `${p.domain}: the package's limits are not checked: ${p.said}`,
  ),
  "zone.gated": (p: Gated) => {
    const reasons = [p.share, p.nameServers, p.mail].filter((each) => each !== undefined).join("; ");
    const done =
      p.begun === 0
        ? "Nothing of this was done"
        : `The run had begun ${p.begun} of these before it knew of the others, and does nothing further`;
    return `${p.domain}: ${reasons}. ${done}. If that is meant: ${confirmation(p.domains, p, p.explicit)}`;
  },
  "zone.gated-as-well": (p: { domain: string; touched: number; see: string | undefined; whole: Gated }) =>
    `${p.domain}: its safety gate refuses this as well (the run would now remove or change ${count(p.touched, "record")} there): what to do stands ${p.see === undefined ? `in this run's first refusal for ${p.domain}` : `with ${p.see}`}`,
  "share.with-others": (p: { share: string; others: string; explicit: boolean }) =>
    `${p.share} was not ended: the service ends all shares of a person at once, and ${p.others} would go with it. End it ${inConsole} and run the same command again, or leave it there: ${p.explicit ? 'set `removal: "retain"` on the Provider and run `pulumi up`, then destroy again where a destroy failed' : "put LEGACYDNS_REMOVAL=retain before the same command"}`,
};
