/** How reasons (problems/updates.ts) name records. A secret record is named by name, type and digest. */
import { describeRecord, placeOf, recordKey, type DeclaredRecord, type DnsRecord } from "../dns";
import { groupBy } from "../gather";
import { reason, type Command, type How, type Reason } from "../problems";
import { clause, count, listed } from "../words";
import { byDigest, type Uncertain } from "./memory/ledger";
import type { Obstacle, Plan } from "./plan/plan";
import type { RefusedWrite, Removed } from "./write/result";
import type { LiveEntry, Zone } from "./zones/zone";

/** A record and, if it is declared, whether its value is secret. */
export type Hideable = DnsRecord & { readonly secret?: true };

export interface Wording {
  readonly how: How;
  /**
   * Whether messages must hide a record's value.
   * @param id a live record's number, which may decide if the value does not
   */
  readonly hides: (record: Hideable, id?: string) => boolean;
  /** Whether the value of a possibly unmanaged live record may be a secret of the program. */
  readonly hidesOfAnybody: (record: DnsRecord) => boolean;
  /** Whether the run declares a record at this name, type and line. */
  readonly declaresBeside: (record: DnsRecord) => boolean;
}

/** A declared record with an obstacle. */
export function obstacleReason({ kind, record, live, ours, drift }: Obstacle, wording: Wording): Reason {
  const [first] = live;
  const { how } = wording;
  const what = recordsName([record], wording);
  const named = { named: [{ what, id: first.id }], drift };
  switch (kind) {
    case "ttl": {
      const ttls = { ...named, live: first.ttl, declared: record.ttl };
      return first.hold ? reason("own.ttl", ttls) : reason("live.ttl", { ...ttls, ...how });
    }
    case "disabled":
      return first.hold
        ? reason("own.disabled", named)
        : reason("live.disabled", { ...named, ...how, ours: ours === true });
    case "exists":
      return reason(first.hold ? "own.exists" : "live.exists", named);
    case "blocked": {
      const aliases = record.type === "CNAME" && live.length === 1 && first.record.type === "CNAME";
      const enabled = live.filter((each) => each.enabled).length;
      return reason("live.blocked", {
        ...how,
        named: [{ what, names: anybodysText(live, wording) }],
        live: live.length,
        enabled,
        aliases,
        ours: ours === true,
        drift,
      });
    }
  }
}

/** Stale records. @param changed a declared record's data after a change in the console */
export function leftOverReason(
  entries: readonly LiveEntry[],
  wording: Wording,
  code: "live.left-over" | "live.left-over-next",
  command: Command,
  changed: readonly LiveEntry[] = [],
): Reason<"live.left-over" | "live.left-over-next"> {
  const on = entries.filter(({ enabled }) => enabled);
  const [names, first] = [livesText(entries, wording), livesText(entries.slice(0, 1), wording)];
  return reason(code, {
    ...wording.how,
    names,
    first,
    live: entries.length,
    command,
    enabled: on.length,
    both: on.some(({ record }) => wording.declaresBeside(record)),
    changed: changed.length,
  });
}

/**
 * Records that a deletion leaves live.
 * @param adopted records that stay in any case
 * @param told `see`: the complete message to refer to; `list`: the file that lists all records
 */
export function stillLiveReason(
  entries: readonly LiveEntry[],
  adopted: readonly LiveEntry[],
  see: string | undefined,
  wording: Wording,
  command: "delete" | "destroy",
): Reason {
  const { parts } = leftOverReason(entries, wording, "live.left-over", command);
  return reason("live.left-over", {
    ...parts,
    see,
    adopted: adopted.length === 0 ? undefined : { names: livesText(adopted, wording), live: adopted.length },
  });
}

/** `www.example.com. A 192.0.2.1 (record 123)`, without a secret value. @param other the record next to it */
export function liveText(
  { record, id, enabled }: LiveEntry,
  { hides }: Pick<Wording, "hides">,
  other?: DnsRecord,
): string {
  return `${describeRecord(record, hides(record, id), other)} (record ${id}${enabled ? "" : ", disabled"})`;
}

export function livesText(
  entries: readonly LiveEntry[],
  wording: Pick<Wording, "hides">,
  most?: number,
): string {
  return listed(
    entries.map((entry) => liveText(entry, wording)),
    most,
  );
}

/** Live records that may be unmanaged. */
export function anybodysText(
  entries: readonly LiveEntry[],
  { hidesOfAnybody }: Wording,
  most?: number,
): string {
  return livesText(entries, { hides: hidesOfAnybody }, most);
}

/** `www.example.com. A 192.0.2.1`, or `2 records (…; …)`. */
export function recordsName(
  records: readonly Hideable[],
  { hides }: Pick<Wording, "hides">,
  most = 3,
): string {
  const texts = records.map((record) => describeRecord(record, hides(record)));
  return texts.length === 1 ? texts.join() : `${count(texts.length, "record")} (${listed(texts, most)})`;
}

/** A write without a known outcome. @param records those that its digests may name */
export function uncertainReason(
  { job, digests, said = "" }: Uncertain,
  records: readonly (Hideable & DeclaredRecord)[],
  wording: Wording,
): Reason {
  const known = byDigest(records);
  const named = digests.flatMap((key) => known.get(key) ?? []);
  const gone = `${count(digests.length, "record")} no longer declared`;
  const what = named.length > 0 ? recordsName(named, wording, job === undefined ? 3 : 10) : gone;
  return job === undefined
    ? reason("write.uncertain", { what, said })
    : reason("job.pending", { what, job, said });
}

/**
 * A record that the service did not create or change.
 * @param zone the zone afterwards, if it could be read
 */
export function refusedReason(
  record: DnsRecord,
  live: LiveEntry | undefined,
  { text, hasNoLine }: RefusedWrite,
  zone: Zone | undefined,
  wording: Wording,
): Reason {
  const told = { what: recordsName([record], wording), said: text };
  if (live)
    return reason("write.unchanged", {
      ...told,
      live: liveText(live, wording),
      becomes: recordKey(record) !== live.key,
    });
  const near = (zone?.entries ?? []).filter((entry) => entry.record.name === record.name && !entry.hold);
  const first =
    record.line !== undefined &&
    hasNoLine !== true &&
    zone?.byPlace.has(placeOf({ name: record.name })) === false;
  return reason("write.refused", { ...told, near: anybodysText(near, wording, 3), first });
}

/** Records that were not removed, grouped by reason. */
export function unremovedReasons(removals: readonly Removed[], wording: Wording, command: Command): Reason[] {
  const told = removals.flatMap(({ live, outcome }) => {
    if (outcome.kind === "removed" || outcome.kind === "taken") return [];
    const text =
      outcome.kind === "not-sent"
        ? outcome.error.message
        : outcome.kind === "refused"
          ? outcome.text
          : `${clause(outcome.text)}. \`pulumi ${command === "destroy" ? "destroy" : "up"}\` looks again`;
    return [{ live, said: text }];
  });
  return [...groupBy(told, ({ said }) => said)].map(([said, failed]) =>
    reason("write.unremoved", {
      names: livesText(
        failed.map(({ live }) => live),
        wording,
      ),
      said,
      command,
    }),
  );
}

export function duplicateReasons(duplicates: Plan["duplicates"], { hides }: Wording): Reason[] {
  return duplicates.map(({ record, live, isTwin }) => {
    const what = describeRecord(record, hides(record, live[0]?.id));
    return reason(isTwin ? "live.twin" : "live.twice", {
      what,
      live: live.length,
      ids: live.map(({ id }) => id).join(", "),
    });
  });
}
