/** How diagnostics name records. A secret record is named by name, type and digest. */
import {
  HttpStatusError,
  LegacyDnsError,
  LoginError,
  ProtocolError,
  ServiceError,
  TransportError,
} from "../api";
import { describeRecord, placeOf, recordKey, type DeclaredRecord, type DnsRecord } from "../dns";
import { domainsOf, groupBy } from "../support/collections";
import {
  commandsOf,
  reason,
  type Code,
  type Command,
  type How,
  type Reason,
  type RecordLine,
} from "../problems";
import { clause, count, errorText, listed, named } from "../support/text";
import { SettingsError } from "../settings";
import { byDigest, type Uncertain } from "./memory/ledger";
import type { Obstacle, Plan } from "./plan/plan";
import type { RefusedWrite, Removed } from "./write/result";
import type { LiveEntry, Zone } from "./zones/zone";

export type Hideable = DnsRecord & { readonly secret?: true };

export interface Wording {
  readonly how: How;
  /** @param id a live record's number, which may decide if the value does not */
  readonly hides: (record: Hideable, id?: string) => boolean;
  /** Whether a possibly unmanaged record's value may be a secret of the program. */
  readonly hidesForeign: (record: DnsRecord) => boolean;
}

type Hides = Pick<Wording, "hides">;

export function declaredLine(record: Hideable, { hides }: Hides, note?: string): RecordLine {
  return { text: describeRecord(record, hides(record)), ...(note === undefined ? {} : { note }) };
}

export function declaredLines(records: readonly Hideable[], wording: Hides): RecordLine[] {
  return records.map((record) => declaredLine(record, wording));
}

export function liveLine({ record, id, enabled }: LiveEntry, { hides }: Hides): RecordLine {
  return {
    text: describeRecord(record, hides(record, id)),
    note: `record ${id}${enabled ? "" : ", disabled"}`,
  };
}

function foreignLines(entries: readonly LiveEntry[], { hidesForeign }: Wording): RecordLine[] {
  return entries.map((entry) => {
    const { text, note = "" } = liveLine(entry, { hides: hidesForeign });
    return { text, note: `live, ${note}` };
  });
}

export function byDomain<T extends { readonly domain: string }>(
  all: readonly T[],
  lineOf: (each: T) => RecordLine,
): (readonly [domain: string, lines: readonly RecordLine[]])[] {
  return [...groupBy(all, ({ domain }) => domain)].map(([domain, these]) => [domain, these.map(lineOf)]);
}

export function obstacleReason({ kind, record, live, owned }: Obstacle, wording: Wording): Reason {
  const [first] = live;
  const { how } = wording;
  const { domain } = record;
  const parts = { domain, ...commandsOf(how, "up") };
  const difference =
    kind === "ttl"
      ? `TTL ${first.ttl} live, ${record.ttl} declared`
      : kind === "disabled"
        ? "disabled"
        : "live";
  const lines = [declaredLine(record, wording, `${difference}, record ${first.id}`)];
  if (kind === "blocked")
    return reason(how.full && owned !== true ? "live.in-the-way" : "live.blocked", parts, [
      declaredLine(record, wording, "declared"),
      ...foreignLines(live, wording),
    ]);
  const code = first.hold ? "own" : kind !== "exists" && how.change ? "changed" : kind;
  return reason(`live.${code}`, parts, lines);
}

export function domainReasons(
  code: `live.${"left-over" | "retained" | "adopted" | "unknown" | "undeclared" | "undeclared-goes"}`,
  entries: readonly LiveEntry[],
  wording: Wording,
  command: Command = "up",
): Reason[] {
  const commands = commandsOf(wording.how, command);
  return byDomain(entries, (entry) => liveLine(entry, wording)).map(([domain, lines]) =>
    reason(code, { domain, ...commands }, lines),
  );
}

/**
 * `www.example.com. A 192.0.2.1 (record 123)`, without a secret value.
 * @param other the record that it is shown beside
 */
export function liveText({ record, id, enabled }: LiveEntry, { hides }: Hides, other?: DnsRecord): string {
  return `${describeRecord(record, hides(record, id), other)} (record ${id}${enabled ? "" : ", disabled"})`;
}

/** The first three. */
export function livesText(entries: readonly LiveEntry[], wording: Hides): string {
  return listed(
    entries.map((entry) => liveText(entry, wording)),
    3,
  );
}

/** `www.example.com. A 192.0.2.1`, or `2 records (…; …)`. */
export function recordsName(records: readonly Hideable[], { hides }: Hides): string {
  const texts = records.map((record) => describeRecord(record, hides(record)));
  return texts.length === 1 ? texts.join() : `${count(texts.length, "record")} (${listed(texts, 3)})`;
}

/** @param records those that the digests may name */
export function uncertainReason(
  { job, digests, detail = "" }: Uncertain,
  records: readonly (Hideable & DeclaredRecord)[],
  wording: Wording,
): Reason {
  const known = byDigest(records);
  const own = digests.flatMap((key) => known.get(key) ?? []);
  const domain = named(domainsOf(own.length > 0 ? own : records));
  const lines = declaredLines(own, wording);
  return job === undefined
    ? reason("write.uncertain", { domain, detail }, lines)
    : reason("job.pending", { domain, job, detail }, lines);
}

/** @param zone the zone afterwards, if it could be read */
export function refusedReason(
  record: DnsRecord,
  live: LiveEntry | undefined,
  { text: detail, hasLine }: RefusedWrite,
  zone: Zone | undefined,
  wording: Wording,
): Reason {
  const parts = { domain: record.domain, detail };
  if (live) {
    const becomes = recordKey(record) === live.key ? [] : [declaredLine(record, wording, "declared")];
    return reason("write.unchanged", parts, [...becomes, liveLine(live, wording)]);
  }
  const near = (zone?.entries ?? []).filter((entry) => entry.record.name === record.name && !entry.hold);
  const hasNoDefault = hasLine === true && zone?.byPlace.has(placeOf({ name: record.name })) === false;
  return reason(hasNoDefault ? "line.first" : "write.refused", parts, [
    declaredLine(record, wording),
    ...foreignLines(near.slice(0, 3), wording),
  ]);
}

export function unremovedReasons(removals: readonly Removed[], wording: Wording, command: Command): Reason[] {
  const failed = removals.flatMap(({ live, outcome }) => {
    if (outcome.kind === "removed" || outcome.kind === "taken") return [];
    const detail =
      outcome.kind === "not-sent"
        ? outcome.error.message
        : outcome.kind === "refused"
          ? outcome.text
          : `${clause(outcome.text)}. \`pulumi ${command === "destroy" ? "destroy" : "up"}\` looks again`;
    return [{ live, domain: live.domain, detail }];
  });
  return [...groupBy(failed, ({ detail }) => detail)].flatMap(([detail, these]) =>
    byDomain(these, ({ live }) => liveLine(live, wording)).map(([domain, lines]) =>
      reason("write.unremoved", { domain, detail }, lines),
    ),
  );
}

export function duplicateReasons(duplicates: Plan["duplicates"], { hides }: Wording): Reason[] {
  return duplicates.map(({ record, live, isTwin }) => {
    const text = describeRecord(record, hides(record, live[0]?.id));
    const note = `records ${live.map(({ id }) => id).join(", ")}`;
    return reason(isTwin ? "live.twin" : "live.twice", { domain: record.domain }, [{ text, note }]);
  });
}

/** A failed call as a reason. The code depends on the remedy. Each sentence of its hint is a help line. */
export function failureReason(failure: unknown): Reason {
  const [detail, hint] =
    failure instanceof LegacyDnsError ? [failure.happened, failure.hint] : [errorText(failure), ""];
  return reason(codeOf(failure), { detail: clause(detail), hint: hint.replace(/(?<=\.) (?=[A-Z])/g, "\n") });
}

function codeOf(
  failure: unknown,
): Code & ("call.failed" | "login.failed" | "setting.wrong" | `service.${string}` | "zone.refused") {
  if (failure instanceof SettingsError) return "setting.wrong";
  if (failure instanceof LoginError) return "login.failed";
  if (failure instanceof TransportError) return "service.unreachable";
  if (failure instanceof HttpStatusError || failure instanceof ProtocolError) return "service.failed";
  return failure instanceof ServiceError && failure.about === "domain" ? "zone.refused" : "call.failed";
}
