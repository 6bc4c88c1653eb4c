/**
 * What people read about records: what happened, to which record, and the ways out. A record whose value is secret is
 * named by name, type and digest.
 */
import { describeRecord, recordKey, type DnsRecord } from "../dns";
import type { RemovalSetBy } from "./declaration";
import { gather } from "../gather";
import type { Obstacle, Plan } from "./plan/plan";
import { clause, count, listed } from "./words";
import type { Removed } from "./write/result";
import { placeOf, type LiveEntry, type Zone } from "./zones/zone";

export interface Wording {
  /** True when a value of the resource is secret. */
  readonly sensitive: boolean;
  readonly removalSetBy: RemovalSetBy;
  /** Keys of records whose value is secret in some resource of the run. */
  readonly secrets: ReadonlySet<string>;
  /** Whether some resource of the run has said that it holds the record with this key, and whether it is secret. */
  readonly isKnown: (key: string) => boolean;
  /** True where records can be changed. */
  readonly change: boolean;
  /** True where records can be changed and removed. */
  readonly full: boolean;
  /** True where removals are switched on, but the program may yet declare what would go. */
  readonly unproven?: boolean;
}

/** Why an update of a stack that removes does not. */
export const unprovenWhy =
  "nothing is removed in this update, since it is not proven that the program has declared everything (it awaits outputs of its own batches, has failed, or is an inline program)";
const unprovenWay = "declare all resources before an output of a batch is awaited, or wrap an inline program in `declareAll`, and run `pulumi up` again";

const limited = "the documented interface can neither change nor remove a record";

/** A declared record that cannot be brought about as it is declared. */
export function obstacleMessage(obstacle: Obstacle, wording: Wording): string {
  const { record, live } = obstacle;
  const what = describeRecord(record, wording.sensitive);
  const [first] = live;
  if (first.hold && obstacle.kind !== "blocked") return serviceOwnMessage(obstacle, what);
  const console = "in the service's console";
  switch (obstacle.kind) {
    case "ttl":
      if (wording.change) return `${what}: record ${first.id} is live with TTL ${first.ttl}, and ${record.ttl} is declared: it came while this run was at work. \`pulumi up\` changes it`;
      return `${what}: record ${first.id} is live with TTL ${first.ttl}, and ${record.ttl} is declared; ${limited}. Meanwhile it is answered with TTL ${first.ttl}. ${waysOut(`set its TTL to ${record.ttl} ${console}`, `declare ttl ${first.ttl}`, fullWay("change it", wording))}`;
    case "disabled":
      if (wording.change) return `${what}: record ${first.id} is live but disabled: it came while this run was at work. \`pulumi up\` enables it`;
      return `${what}: record ${first.id} exists but is disabled; ${limited}. Meanwhile it is not answered. ${waysOut(`enable it ${console}`, "take it out of the program", fullWay("enable it", wording))}`;
    case "exists":
      return `${what}: record ${first.id} exists already, and \`adopt\` is false. Allow it to be adopted, or remove it ${console}`;
    case "blocked":
      if (wording.unproven === true) return `${what}: ${listed(live.map((entry) => strangerText(entry, wording)))} ${live.length === 1 ? "stands" : "stand"} in its way; ${unprovenWhy}. ${waysOut(unprovenWay)}`;
      return wording.full ? blockedByOthers(what, live, wording) : blocked(what, obstacle, wording);
  }
}

/** A CNAME and other data where records can be changed: the resource does not answer for what is in the way. */
function blockedByOthers(what: string, live: readonly LiveEntry[], wording: Wording): string {
  const it = live.length === 1 ? "it" : "them";
  const are = live.length === 1 ? "it is" : "they are";
  return `${what}: ${listed(live.map((entry) => strangerText(entry, wording)))}: ${are} live at the same name and line, and a CNAME stands alone; the resource does not answer for ${it}. If another resource of this program did until now: declare both in one RecordBatch, or keep that resource's name for this record, so that one becomes the other in one step (the engine makes new resources before it deletes old ones). Else change ${it} in the service's console, or declare the record under another name. Removed first, ${it} would leave the name without an answer until the next \`pulumi up\``;
}

/** A CNAME and other data where records can only be made. */
function blocked(what: string, { live, record }: Obstacle, wording: Wording): string {
  const one = live.length === 1;
  const names = listed(live.map((entry) => strangerText(entry, wording)));
  const into = one ? "change it into what is declared, in one step, in the service's console" : "change one of them into what is declared and remove the others in the service's console";
  const other = record.type === "CNAME" && one && live[0].record.type === "CNAME" ? "declare the target that is live" : "declare what is live, or the record under another name";
  return `${what}: ${one ? "a record" : `${live.length} records`} at the same name and line ${one ? "excludes" : "exclude"} it (a CNAME stands alone): ${names}; ${limited}. Meanwhile the name answers with what is live, and not with what is declared. ${waysOut(into, other, fullWay("change it", wording))}. Where ${one ? "it is" : "they are"} removed first, the name does not resolve until the next \`pulumi up\` has made the record`;
}

/** The choices that a user has. */
function waysOut(...ways: readonly string[]): string {
  return `Ways out: ${ways.join("; or ")}`;
}

/** How the provider is allowed to do itself what the documented interface cannot. */
function fullWay(what: string, { removalSetBy }: Wording): string {
  const how = removalSetBy === "provider" ? "set `undocumentedOperations: true` on the Provider" : "`pulumi config set legacydns:undocumentedOperations true`";
  return `let the provider ${what}: ${how} (docs/full.md)`;
}

/** Of a record that the service made and keeps, such as an NS record of the apex: nobody can change it. */
function serviceOwnMessage({ kind, record, live: [first] }: Obstacle, what: string): string {
  const head = `${what}: record ${first.id} is the service's own, which nobody can change`;
  if (kind === "ttl") return `${head}, and its TTL is ${first.ttl}, not ${record.ttl}. Declare ttl ${first.ttl}, or leave the TTL out`;
  if (kind === "disabled") return `${head}, and it is disabled. Take it out of the program`;
  return `${head}, and \`adopt\` is false. Allow it to be adopted, or take it out of the program`;
}

/** Records that are no longer declared and stay, since the service keeps them. */
export function keptMessage(entries: readonly LiveEntry[], wording: Wording): string {
  return `${count(entries.length, "record")} of the service's own, which it keeps, ${entries.length === 1 ? "is" : "are"} let go of: ${listed(entries.map((entry) => liveText(entry, wording)), 3)}`;
}

/**
 * Records that are live, ours, and no longer declared.
 * @param command what the user ran: an `up`, or whatever makes the engine delete a resource.
 * @param declared what the resource declares now
 */
export function leftOverMessage(entries: readonly LiveEntry[], wording: Wording, command: "up" | "delete", declared: readonly DnsRecord[] = []): string {
  const one = entries.length === 1;
  const it = one ? "it" : "them";
  const what = listed(entries.map((entry) => liveText(entry, wording)));
  const head = one ? what : `${count(entries.length, "record")}: ${what}:`;
  const again = command === "up" ? "run `pulumi up` again" : "run the same command again";
  const stay = `leave ${it} where ${one ? "it is" : "they are"}: ${removalWay("retain", wording.removalSetBy, command)}`;
  // The operations that remove are on, and this stack, Provider or resource asks for `verify` all the same.
  const unproven = wording.unproven === true;
  const asked = wording.change && !wording.full && !unproven;
  const why = unproven ? unprovenWhy : asked ? "`removal` is verify, under which nothing is removed" : limited;
  const ways = unproven
    ? [unprovenWay, stay]
    : asked
    ? [`have ${it} removed: ${removalWay("delete", wording.removalSetBy, command)}`, stay]
    : [`remove ${it} in the service's console and ${again}`, ...(command === "up" ? [`declare ${it} again`] : []), stay, fullWay(`remove ${it}`, wording)];
  return `${head} still live, though not declared; ${why}. ${meanwhile(entries, declared)}. ${waysOut(...ways)}`;
}

/** What resolvers are told while a record that is not declared any more is live. */
function meanwhile(entries: readonly LiveEntry[], declared: readonly DnsRecord[]): string {
  const on = entries.filter(({ enabled }) => enabled);
  if (on.length === 0) return `Meanwhile ${entries.length === 1 ? "it is" : "they are"} disabled, and not answered`;
  const place = ({ domain, name, type, line }: DnsRecord): string => [domain, name, type, line ?? ""].join(" ");
  const places = new Set(declared.map(place));
  const both = on.some(({ record }) => places.has(place(record)));
  return `Meanwhile ${entries.length === 1 ? "it is" : "they are"} still answered${both ? ", old and new beside each other where another value is declared at its name" : ""}`;
}

/** Why a destroy leaves what was live before the stack declared it. */
export const adoptedWhy =
  "adopted, not made, by this stack, and left in the zone. A destroy removes only what the stack made; what else is to go, remove in the service's console";

/** How the removal is set to this, where it is set now: the environment reaches neither a provider nor a resource. */
export function removalWay(removal: "retain" | "delete", setBy: RemovalSetBy, command: "up" | "delete"): string {
  const variable = `LEGACYDNS_REMOVAL=${removal}`;
  if (setBy !== "stack") {
    const where = setBy === "provider" ? "on the Provider, or on this resource," : "on this resource, which has a `removal` of its own,";
    return command === "up"
      ? `set \`removal: "${removal}"\` ${where} and run \`pulumi up\` again`
      : `declare the resource once more with \`removal: "${removal}"\`, run \`pulumi up\`, then take it out or destroy`;
  }
  return command === "up"
    ? `\`${variable} pulumi up\``
    : `put ${variable} before the same command (\`${variable} pulumi up\`, or \`${variable} pulumi destroy\`)`;
}

/** `www.example.com. A 192.0.2.1 (record 123)`, the value left out where it is secret. */
export function liveText(entry: LiveEntry, { sensitive, secrets }: Pick<Wording, "sensitive" | "secrets">): string {
  return `${describeRecord(entry.record, sensitive || secrets.has(entry.key))} (record ${entry.id}${entry.enabled ? "" : ", disabled"})`;
}

/**
 * A live record that may be anybody's: the text of one that no resource of the run has said it holds may have been a
 * secret of the program before, and is not shown.
 */
export function strangerText(entry: LiveEntry, wording: Omit<Wording, "removalSetBy">): string {
  const unknown = entry.record.type === "TXT" && !wording.isKnown(entry.key);
  return liveText(entry, { ...wording, sensitive: unknown });
}

/** The service's own text; where a value is secret, only as long as the text does not repeat it. */
export function withoutValue(text: string, record: DnsRecord, sensitive: boolean): string {
  if (!sensitive) return text;
  const pieces = [record.value, ...record.value.split(/\s+/)].filter((piece) => piece.length > 3);
  return pieces.some((piece) => text.includes(piece.replace(/\.$/, ""))) ? "(its text repeats the secret value and is not shown)" : text;
}

/** The record itself, for messages. */
export function recordName(record: DnsRecord, { sensitive }: Pick<Wording, "sensitive">): string {
  return describeRecord(record, sensitive);
}

/** `www.example.com. A 192.0.2.1`, or `2 records (…; …)`. */
export function recordsName(records: readonly DnsRecord[], wording: Pick<Wording, "sensitive">, most = 3): string {
  const [first] = records;
  if (first && records.length === 1) return recordName(first, wording);
  return `${count(records.length, "record")} (${listed(records.map((record) => recordName(record, wording)), most)})`;
}

/**
 * A record that the service did not make.
 * @param text the service's own
 * @param zone as it was read afterwards, where it could be
 */
export function refusedMessage(record: DnsRecord, text: string, zone: Zone | undefined, wording: Wording): string {
  const near = (zone?.entries ?? []).filter((entry) => entry.record.name === record.name && !entry.hold);
  const beside = near.length === 0 ? "" : `; live at the same name: ${listed(near.map((entry) => strangerText(entry, wording)), 3)}`;
  const atDefault = zone?.byPlace.has(placeOf({ name: record.name })) ?? true;
  const first = record.line === undefined || atDefault ? "" : "; a name wants a record on the default line before those on others: declare one without `line`";
  return `${recordName(record, wording)}: refused by the service: ${withoutValue(text, record, wording.sensitive)}${beside}${first}`;
}

/** A live record that did not become what is declared. */
export function unchangedMessage(live: LiveEntry, record: DnsRecord, text: string, wording: Wording): string {
  const from = recordKey(record) === live.key ? "" : `, which was to become it,`;
  return `${recordName(record, wording)}: ${liveText(live, wording)}${from} could not be changed: ${withoutValue(text, record, wording.sensitive)}`;
}

/** What was to be removed and was not, in groups of one reason. */
export function unremovedMessages(removals: readonly Removed[], wording: Wording): string[] {
  const byText = new Map<string, LiveEntry[]>();
  for (const { live, outcome } of removals) {
    if (outcome.kind === "removed" || outcome.kind === "taken") continue;
    const text = outcome.kind === "not-sent" ? outcome.error.message : outcome.kind === "refused" ? outcome.text : `${clause(outcome.text)}. \`pulumi up\` looks again`;
    gather<string, LiveEntry[]>(byText, withoutValue(text, live.record, wording.sensitive), []).push(live);
  }
  return [...byText].map(([text, entries]) => `${listed(entries.map((entry) => liveText(entry, wording)))}: no longer declared, and not removed: ${text}`);
}

/** Records that are live more than once, which nothing but a removal puts right. */
export function duplicateNotes(duplicates: Plan["duplicates"], { sensitive, secrets }: Pick<Wording, "sensitive" | "secrets">): string[] {
  return duplicates.map(
    ({ record, live }) =>
      `${describeRecord(record, sensitive || secrets.has(recordKey(record)))} is live ${live.length} times (records ${live.map((entry) => entry.id).join(", ")}); remove all but one in the service's console`,
  );
}
