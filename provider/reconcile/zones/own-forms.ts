/**
 * The service may store a value in another form than it was sent (docs/records.md). Such a live record is shown
 * as the declared one, with the stored data beside it.
 */
import {
  fromLive,
  knownTypes,
  placeOf,
  recordKey,
  setOf,
  type DeclaredRecord,
  type DnsRecord,
} from "../../dns";
import { defined } from "../../support/defined";
import { digestOf, refOf, type HeldRecord, type RecordRef } from "../memory/ledger";
import { zoneOf, type LiveEntry, type Zone, type Zones } from "./zone";

interface OwnForm {
  /** Digest of the record as it is declared. */
  readonly of: string;
  /** Digest of what the service stores; undefined if no answer has shown it. */
  readonly form: string | undefined;
}

export class OwnForms {
  /** By `refOf`. Of types that the provider knows, only records with another form are here. */
  private readonly known = new Map<string, OwnForm>();
  private haveForms = false;

  constructor(private readonly isDeclared: (key: string) => boolean) {}

  own(ref: RecordRef, of: string, form: string | undefined, isOpaque: boolean): void {
    const key = refOf(ref);
    if (!isOpaque && form === undefined && !this.known.has(key)) return;
    this.known.set(key, { of, form });
    this.haveForms ||= form !== undefined;
  }

  /** @param records of the task; a live record that equals one of them stays as it is */
  inDeclaredForm(zones: Zones, records: readonly DeclaredRecord[]): Zones {
    const sought = records.filter((record) => {
      if (!this.haveForms && !isOpaque(record)) return false;
      return zones.get(record.domain)?.byKey.has(recordKey(record)) === false;
    });
    if (sought.length === 0) return zones;
    const keys = new Set(records.map(recordKey));
    const shown = new Map<LiveEntry, LiveEntry>();
    for (const record of sought) {
      const there = zones.get(record.domain)?.byPlace.get(placeOf(record)) ?? [];
      const [live, ...others] = there.filter((each) => !keys.has(each.key) && this.isFormOf(each, record));
      if (live && others.length === 0) shown.set(live, asDeclared(live, record, live.record));
    }
    const domains = new Set([...shown.keys()].map(({ domain }) => domain));
    const shownIn = (zone: Zone): Zone =>
      zoneOf(
        zone,
        zone.entries.map((each) => shown.get(each) ?? each),
        zone.readAt,
      );
    return new Map([...zones].map(([domain, zone]) => [domain, domains.has(domain) ? shownIn(zone) : zone]));
  }

  /**
   * The live record that a write with an unknown outcome has made in another form.
   * @param among the records of the write; two that are alike cannot be told apart
   * @param leaving records that their owner no longer declares
   */
  find(
    zone: Zone,
    record: DnsRecord,
    among: readonly DnsRecord[],
    leaving: readonly RecordRef[] = [],
  ): LiveEntry | undefined {
    if (!this.haveForms && !isOpaque(record)) return undefined;
    const free = new Set(leaving.map(refOf));
    const mayBe = (each: LiveEntry): boolean => free.has(refOf(each)) || this.mayBecome(each, record);
    const there = zone.byPlace.get(placeOf(record)) ?? [];
    const [live, ...others] = there.filter(
      (each) =>
        this.isFormOf(each, record) ||
        (isLike(each.record, record) && !this.isDeclared(each.key) && mayBe(each)),
    );
    const isAmbiguous = among.some(
      (each) =>
        each.domain === record.domain && recordKey(each) !== recordKey(record) && isLike(each, record),
    );
    if (live === undefined || others.length > 0 || isAmbiguous) return undefined;
    const found = asDeclared(live, record, live.record);
    this.own(found, digestOf(record), formOf(found), true);
    return found;
  }

  private isFormOf(live: LiveEntry, record: DnsRecord): boolean {
    const known = this.known.get(refOf(live));
    if (known?.of !== digestOf(record) || this.isDeclared(live.key)) return false;
    return known.form === undefined ? isLike(live.record, record) : known.form === digestOf(live.record);
  }

  /** An owned record may have become another if it is not as its owner knows it. */
  private mayBecome(live: LiveEntry, record: DnsRecord): boolean {
    const known = this.known.get(refOf(live));
    return (
      known === undefined ||
      known.of === digestOf(record) ||
      (known.form ?? known.of) !== digestOf(live.record)
    );
  }
}

/** The provider does not know which of its data are equal. */
export function isOpaque({ type }: Pick<DnsRecord, "type">): boolean {
  return !knownTypes.includes(type);
}

/** Opaque data that differ only in letter case, in a URL's escapes, or in a final dot or slash. */
export function isLike(one: DnsRecord, other: DnsRecord): boolean {
  return isOpaque(one) && setOf(one) === setOf(other) && bareValue(one) === bareValue(other);
}

/** Without what the service may change when it stores a value. */
export function bareValue({ value }: Pick<DnsRecord, "value">): string {
  const url = URL.canParse(value) ? new URL(value).href : value;
  return url.toLowerCase().replace(/[./]$/, "");
}

/** @param now as a reading shows it, in the service's form */
export function isUnchanged(live: LiveEntry, now: LiveEntry | undefined): boolean {
  const isSame = now?.key === live.key || now?.key === recordKey(live.stored ?? live.record);
  return isSame && now?.ttl === live.ttl && now.enabled === live.enabled;
}

/** @param stored what the service stores, if an answer shows it */
export function asDeclared(live: LiveEntry, declared: DnsRecord, stored: DnsRecord | undefined): LiveEntry {
  const { domain, name, type, value, priority, line } = declared;
  const record: DnsRecord = { domain, name, type, value, ...defined({ priority, line }) };
  const { stored: _former, ...rest } = live;
  const key = recordKey(record);
  const isOther = stored !== undefined && recordKey(stored) !== key;
  return { ...rest, record, key, ...(isOther ? { stored } : {}) };
}

/** What the service stores, if an answer shows only the value. */
export function storedAs(sent: DnsRecord, value: string, defaultLine: string): DnsRecord {
  const { domain, name, type, priority, line = "" } = sent;
  return fromLive({ domain, name, type, value, priority, line }, { defaultLine });
}

/** Of a record whose form the ledger does not have. */
export function isNewForm(live: LiveEntry, held: HeldRecord | undefined): boolean {
  const form = formOf(live);
  return form !== undefined && held?.form !== form;
}

/** @param record of the live record's text, as it is declared */
export function heldRecord(
  live: LiveEntry,
  since: number,
  made: boolean,
  record: DnsRecord = live.record,
): HeldRecord {
  const { domain, id } = live;
  return defined({ digest: digestOf(record), domain, id, since, made, form: formOf(live) });
}

/** Digest of what the service stores, if that is another form of the record. */
export function formOf({ stored }: Pick<LiveEntry, "stored">): string | undefined {
  return stored && digestOf(stored);
}
