/** How diagnostics name records. A secret record is named by name, type and digest. */
import { failureReason } from "../api";
import {
  dataText,
  describeRecord,
  placeOf,
  recordKey,
  shortText,
  type DeclaredRecord,
  type DnsRecord,
} from "../dns";
import { groupBy } from "../support/collections";
import {
  commandsOf,
  reason,
  unmanagedHelp,
  type Command,
  type How,
  type Reason,
  type RecordLine,
} from "../problems";
import { count } from "../support/text";
import { howOf, type Declaration } from "./declaration";
import { byDigest, type OpenWrite } from "./memory/ledger";
import type { Hideable } from "./memory/siblings/secret";
import type { Siblings } from "./memory/siblings/siblings";
import type { Match } from "./plan/pairing";
import { sameTtl, type Obstacle, type Plan } from "./plan/plan";
import type { RefusalText } from "./checks/lines";
import type { NotSent, Removed } from "./write/result";
import type { LiveEntry, Zone } from "./zones/zone";

export interface Wording {
  readonly how: How;
  /** A resource with a secret shows the values of its own public records, declared now or before, and no others. */
  readonly hides: (record: Hideable) => boolean;
  /** Whether a possibly unmanaged record's value may be a secret of the program. */
  readonly hidesForeign: (record: DnsRecord) => boolean;
}

export type Hides = Pick<Wording, "hides">;

export function wordingOf({ declared, owned, secrets }: Siblings, declaration: Declaration): Wording {
  const { hasRefreshed } = owned;
  return {
    how: { ...howOf(declaration), mayDeclareLater: declared.mayGrow, hasRefreshed },
    hides: (record) => secrets.hides(record, declaration.sensitive),
    hidesForeign: (record) => secrets.hidesForeign(record),
  };
}

export function declaredLine(record: Hideable, { hides }: Hides, note?: string): RecordLine {
  return { text: describeRecord(record, hides(record)), ...(note === undefined ? {} : { note }) };
}

export function declaredLines(records: readonly Hideable[], wording: Hides): RecordLine[] {
  return records.map((record) => declaredLine(record, wording));
}

export function liveLine({ record, id, enabled }: LiveEntry, { hides }: Hides): RecordLine {
  return {
    text: describeRecord(record, hides(record)),
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
  const { why, ...commands } = commandsOf(how, "up");
  const parts = { domain: record.domain, ...commands };
  if (kind === "blocked") {
    const both = [declaredLine(record, wording, "declared"), ...foreignLines(live, wording)];
    return how.full && owned !== true
      ? reason("live.in-the-way", { ...parts, ...unmanagedHelp(how) }, both)
      : reason("live.blocked", parts, both, why);
  }
  const differences = [
    ...(first.enabled ? [] : ["disabled"]),
    ...(sameTtl(record, first) ? [] : [`TTL ${first.ttl} live, ${record.ttl} declared`]),
  ];
  const note = [...(differences.length > 0 ? differences : ["live"]), `record ${first.id}`].join(", ");
  const lines = [declaredLine(record, wording, note)];
  if (first.hold) return reason("live.own", parts, lines);
  if (kind === "exists") return reason("live.exists", parts, lines);
  return how.change ? reason("live.changed", parts, lines) : reason(`live.${kind}`, parts, lines, why);
}

export function domainReasons(
  code: `live.${"left-over" | "moves" | "retained" | "adopted" | "beside" | "unknown" | "undeclared" | "undeclared-goes" | "unwanted"}`,
  entries: readonly LiveEntry[],
  wording: Wording,
  command: Command = "up",
): Reason[] {
  const { why, ...commands } = commandsOf(wording.how, command);
  return byDomain(entries, (entry) => liveLine(entry, wording)).map(([domain, lines]) =>
    reason(
      code,
      { domain, ...commands },
      lines,
      code === "live.left-over" || code === "live.unwanted" ? why : undefined,
    ),
  );
}

/** Of those that the service stores in a form of its own. */
export function storedReasons(matches: readonly Match[], wording: Wording): Reason[] {
  const lines = matches.flatMap(({ record, live: { domain, id, stored } }) => {
    if (stored === undefined) return [];
    const how = wording.hides(record) ? "stored in another form" : `stored as ${shortText(dataText(stored))}`;
    return [{ domain, line: declaredLine(record, wording, `${how}, record ${id}`) }];
  });
  return byDomain(lines, ({ line }) => line).map(([domain, these]) =>
    reason("live.stored-otherwise", { domain }, these),
  );
}

/** `www.example.com. A 192.0.2.1 (record 123)`, without a secret value. `other` is shown beside it. */
export function liveText({ record, id, enabled }: LiveEntry, { hides }: Hides, other?: DnsRecord): string {
  return `${describeRecord(record, hides(record), other)} (record ${id}${enabled ? "" : ", disabled"})`;
}

export function uncertainReason(
  { domain, job, digests, detail, file, isUnclear }: OpenWrite,
  records: readonly (Hideable & DeclaredRecord)[],
  wording: Wording,
): Reason {
  const known = byDigest(records);
  const lines = declaredLines(
    digests.flatMap((key) => known.get(key) ?? []),
    wording,
  );
  if (job === undefined)
    return reason(
      "write.uncertain",
      { domain, done: "written", ...commandsOf(wording.how, "up") },
      lines,
      detail,
    );
  if (file !== undefined) return reason("job.other-changes", { domain, job, file }, lines, detail);
  return isUnclear
    ? reason("job.unclear", { domain, job }, lines)
    : reason("job.pending", { domain, job }, lines, detail);
}

/** Of a resource that is deleted: its records that a job may still make. */
export function pendingReasons(
  jobs: readonly OpenWrite[],
  records: readonly (Hideable & DeclaredRecord)[],
  wording: Wording,
  command: Command,
): Reason[] {
  const known = byDigest(records);
  const open = jobs.flatMap(({ job, digests, detail }) =>
    digests.flatMap((key) => {
      const record = known.get(key);
      const note = detail ?? `job ${job}`;
      return record === undefined
        ? []
        : [{ domain: record.domain, line: declaredLine(record, wording, note) }];
    }),
  );
  const { again, retain } = commandsOf(wording.how, command);
  return byDomain(open, ({ line }) => line).map(([domain, lines]) =>
    reason("job.unfinished", { domain, again, retain }, lines),
  );
}

/** Of a resource that is deleted: records of jobs that it no longer declared. The state has only their digests. */
export function untrackedReasons(
  jobs: readonly OpenWrite[],
  { records }: Pick<Declaration, "records">,
): Reason[] {
  const known = byDigest(records);
  return jobs
    .filter(({ digests }) => !digests.some((key) => known.has(key)))
    .map(({ domain, job, digests, detail }) => {
      const text = `${count(digests.length, "record")} of job ${job}`;
      return reason("live.unknown", { domain }, [{ text, note: detail }]);
    });
}

export function refusedReason(
  record: DnsRecord,
  live: LiveEntry | undefined,
  { text, hasLine }: RefusalText,
  zone: Zone | undefined,
  wording: Wording,
): Reason {
  const { domain, name } = record;
  if (live) {
    const becomes = recordKey(record) === live.key ? [] : [declaredLine(record, wording, "declared")];
    return reason("write.refused", { domain, done: "changed" }, [...becomes, liveLine(live, wording)], text);
  }
  const hasNoDefault = hasLine && zone?.byPlace.has(placeOf({ name })) === false;
  const code = hasNoDefault ? "line.first" : "write.refused";
  const near = (zone?.entries ?? []).filter((entry) => entry.record.name === name && !entry.hold);
  const lines = [declaredLine(record, wording), ...foreignLines(near.slice(0, 3), wording)];
  return reason(code, { domain, done: "created" }, lines, text);
}

export function notSentReason(
  { error }: NotSent,
  parts: { readonly domain: string; readonly done: string },
  lines: readonly RecordLine[],
): Reason {
  const { detail, hint } = failureReason(error).parts;
  return reason("write.not-sent", { ...parts, hint }, lines, String(detail));
}

export function unremovedReasons(removals: readonly Removed[], wording: Wording, command: Command): Reason[] {
  const { again } = commandsOf(wording.how, command);
  const failed = removals.flatMap(({ live, outcome }) =>
    outcome.kind === "removed" || outcome.kind === "taken"
      ? []
      : [{ live, outcome, text: outcome.kind === "not-sent" ? outcome.error.message : outcome.text }],
  );
  const groups = groupBy(failed, ({ live: { domain }, text }) => `${domain} ${text}`);
  return [...groups.values()].map((these): Reason => {
    const [{ live, outcome, text }] = these;
    const parts = { domain: live.domain, done: "deleted", again };
    const lines = these.map((each) => liveLine(each.live, wording));
    return outcome.kind === "not-sent"
      ? notSentReason(outcome, parts, lines)
      : reason(`write.${outcome.kind}`, parts, lines, text);
  });
}

export function duplicateReasons(duplicates: Plan["duplicates"], { hides }: Wording): Reason[] {
  return duplicates.map(({ record, live, isTwin }) => {
    const text = describeRecord(record, hides(record));
    const note = `records ${live.map(({ id }) => id).join(", ")}`;
    return reason(isTwin ? "live.twin" : "live.twice", { domain: record.domain }, [{ text, note }]);
  });
}
