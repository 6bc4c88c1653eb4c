/**
 * What a resource that goes answers for: of all that its inputs and outputs name, what its ledger knows and what is live
 * where a host has read the zone. What the service refused to make is declared, and nobody's. Pure.
 */
import { digest } from "../../provider/dns";
import { append, groupBy } from "../../provider/gather";
import { parseLedger, type Ledger, type RecordRef } from "../../provider/reconcile/memory/ledger";
import { kindOf } from "../resources";
import type { Step } from "./preview";
import type { PlannedRecord } from "./records";

export interface Holding {
  readonly records: readonly PlannedRecord[];
  /** Records that the ledger numbers, and nothing names. */
  readonly nameless: readonly RecordRef[];
  /** Digests of the records by key: of what is hidden, as the ledger has them. */
  readonly digests: ReadonlyMap<string, string>;
}

/** What hosts told of zones and of what is declared. */
export interface Sight {
  /** @param own digest of the record that it was: what it has become may be another resource's */
  isLive(ref: RecordRef & { readonly since?: number }, own?: string): boolean;
  /** Where a record is, its text without the data, by its digest or by its number in a domain; undefined where nobody knows. */
  placeOf(own: string, ref?: RecordRef): string | undefined;
  /** The text of the live record that has a number, where a host has read the zone and it is not what it was. @param own digest of what it was */
  becomeOf(ref: RecordRef, own: string | undefined): string | undefined;
  /** A record's live TTL, where a host has read the zone. */
  ttlOf(ref: RecordRef): string | undefined;
}

/**
 * @param stored what the resource's inputs name
 * @param declared what its outputs say was declared last
 */
export function holdingOf(
  step: Step,
  stored: readonly PlannedRecord[],
  declared: readonly PlannedRecord[],
  sight: Sight,
): Holding {
  const all = [...new Map([...declared, ...stored].map((record) => [record.key, record])).values()];
  const ledger = step.done === undefined ? undefined : ledgerOf(step);
  if (ledger === undefined) return { records: all, nameless: [], digests: new Map() };
  const lastDeclared = new Set(
    declared.flatMap(({ key, ttl }) => (ttl.endsWith("(not declared)") ? [] : [key])),
  );
  const digests = digestsOf(all, ledger, sight);
  const isSingle = kindOf(step.type) === "Record";
  const held = new Set(ownedOf(all, digests, ledger, sight, isSingle));
  const others = groupBy(
    all.filter((record) => !lastDeclared.has(record.key) && !held.has(record)),
    ({ domain }) => domain,
  );
  const nameless: RecordRef[] = [];
  for (const [domain, numbers] of groupBy(
    ledger.leftOver.filter((each) => sight.isLive(each)),
    (each) => each.domain,
  )) {
    const named = others.get(domain) ?? [];
    // Where more is named than left over, nothing tells which of it is.
    const known = named.length <= numbers.length ? named : [];
    for (const record of known) held.add(record);
    append(nameless, numbers.slice(known.length));
  }
  // After a run that ended half-way a declared TTL may never have been live.
  const records = [...held].map((record) => {
    const { domain, key } = record;
    const own = digests.get(key);
    const known = ledger.owned.get(own ?? "");
    if (known === undefined) return { ...record, ttl: step.halfDone ? "" : record.ttl };
    const ref = { domain, id: known.id };
    // What a hidden record has become may be an earlier secret.
    const text = isHidden(record) ? undefined : sight.becomeOf(ref, own);
    return {
      ...record,
      text: text ?? record.text,
      ttl: sight.ttlOf(ref) ?? (step.halfDone ? "" : record.ttl),
    };
  });
  return { records, nameless, digests };
}

/** Whether its data is secret. */
export function isHidden({ text }: Pick<PlannedRecord, "text">): boolean {
  return text.includes(secret);
}

/** A record's text without its data, of one whose data is hidden: the mark is no line. */
export function hiddenPlace({ text }: Pick<PlannedRecord, "text">): string {
  return text.replace(secret, "");
}

const secret = " [secret]";

/** Digests by key; of a hidden record that of the ledger's records at its place which nothing names. */
function digestsOf(
  all: readonly PlannedRecord[],
  { owned, jobs, unconfirmed }: Ledger,
  { placeOf }: Sight,
): Map<string, string> {
  const digests = new Map(all.filter((record) => !isHidden(record)).map(({ key }) => [key, digest(key)]));
  const named = new Set(digests.values());
  const free = new Set(
    [...owned.keys(), ...[...jobs, ...unconfirmed].flatMap((each) => each.digests)].filter(
      (own) => !named.has(own),
    ),
  );
  const assign = ({ key, domain }: PlannedRecord, place: string | undefined): void => {
    const found = [...free].find((own) => {
      const known = owned.get(own);
      return placeOf(own, known === undefined ? undefined : { domain, id: known.id }) === place;
    });
    if (found === undefined) return;
    free.delete(found);
    digests.set(key, found);
  };
  const hidden = all.filter(isHidden);
  for (const record of hidden) assign(record, hiddenPlace(record));
  // Of a zone that nobody has read, the place of a digest is not known.
  for (const record of hidden.filter(({ key }) => !digests.has(key))) assign(record, undefined);
  return digests;
}

function ownedOf(
  all: readonly PlannedRecord[],
  digests: ReadonlyMap<string, string>,
  { owned, jobs, unconfirmed }: Ledger,
  { isLive }: Sight,
  isSingle: boolean,
): PlannedRecord[] {
  const open = new Set([...jobs, ...unconfirmed].flatMap((each) => each.digests));
  const named = new Set(digests.values());
  const unnamed = [...owned].flatMap(([own, each]) => (named.has(own) ? [] : [each]));
  return all.filter((record) => {
    const { key, domain } = record;
    const own = digests.get(key) ?? "";
    const known = owned.get(own);
    if (known !== undefined) return isLive({ domain, ...known }, own);
    // The digest of a single record that a refresh found changed is not that of its text.
    return open.has(own) || (isSingle && unnamed.some((each) => isLive({ domain, ...each })));
  });
}

/** Whether a zone lists some record that the resource answers for: another account's has other numbers. @param records digests by number */
export function isZoneOf(step: Step, records: Readonly<Record<string, string>>): boolean {
  return [...(ledgerOf(step)?.owned ?? [])].some(([own, { id }]) => records[id] === own);
}

/** Undefined where the engine hides it, as that of a resource with secrets. */
function ledgerOf({ ledger }: Step): Ledger | undefined {
  return typeof ledger === "string" && ledger.startsWith("ledger ") ? parseLedger(ledger) : undefined;
}
