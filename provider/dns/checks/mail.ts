/** Checks of what says who may send mail: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489). */
import { ownerOf } from "../names";
import type { DnsRecord } from "../record";
import { isSpf, lookupTerms, mostLookups } from "../spf";
import { describeRecord } from "../text";
import { reason } from "../../problems";
import type { Found } from "./found";
import type { ZoneIndex } from "./view";

/** What an SPF record takes when it includes itself: more than any receiver makes. */
const endless = mostLookups + 1;

/** Counts look-ups of SPF records, those in this zone that they include too; each record is counted once. */
export class SpfCounter {
  private readonly counts = new Map<string, number>();
  private readonly open = new Set<string>();

  constructor(private readonly zone: ZoneIndex) {}

  count(text: string): number {
    let count = 0;
    for (const { follows } of lookupTerms(text))
      count += 1 + (follows === undefined ? 0 : this.within(follows));
    return Math.min(count, 1_000_000);
  }

  private within(domain: string): number {
    const name = this.zone.inside(domain);
    if (name === undefined) return 0;
    const known = this.counts.get(name);
    if (known !== undefined) return known;
    // A chain of hundreds is beyond ten anyway, and must not overflow the stack.
    if (this.open.has(name) || this.open.size > 500) return endless;
    this.open.add(name);
    const record = this.zone.answering(name).find(({ type, value }) => type === "TXT" && isSpf(value));
    const count = record === undefined ? 0 : this.count(record.value);
    this.open.delete(name);
    this.counts.set(name, count);
    return count;
  }
}

/** SPF: more look-ups than a receiver makes. */
export function checkSpf(record: DnsRecord, counter: SpfCounter, found: Found): void {
  if (record.type !== "TXT" || !isSpf(record.value)) return;
  const count = counter.count(record.value);
  if (count <= mostLookups) return;
  found.add(record, reason("spf-lookups", { count: Math.min(count, 100), most: mostLookups }));
}

/** SPF twice at one name and line, which receivers take for broken (RFC 7208 §4.5). */
export function checkTwice(zone: ZoneIndex, found: Found): void {
  for (const records of zone.byName.values()) {
    if (records.length < 2) continue;
    const first = new Map<string, DnsRecord>();
    const told = new Set<string>();
    // What is declared comes first, so that it is what the finding is about.
    for (const record of records) {
      if (record.type !== "TXT" || !isSpf(record.value)) continue;
      const line = record.line ?? "";
      const other = first.get(line);
      if (other === undefined) first.set(line, record);
      else if (!told.has(line) && zone.declared.has(other)) {
        told.add(line);
        const where = zone.declared.has(record) ? "declared" : "live";
        found.add(other, reason("spf-twice", { other: describeRecord(record), where }));
      }
    }
  }
}

/** DKIM: a key with the quotes or the backslashes of a zone file in it, which stand for themselves in a TXT record. */
export function checkDkim(record: DnsRecord, found: Found): void {
  if (record.type !== "TXT") return;
  const isKey =
    /^[\s"]*v\s*=\s*DKIM1\b/i.test(record.value) ||
    (/(^|\.)_domainkey(\.|$)/.test(record.name) && /\bp\s*=/.test(record.value));
  if (!isKey || !/["\\]/.test(record.value)) return;
  found.add(record, reason("dkim-quoting"));
}

/** DMARC of a name without SPF, in a zone without any DKIM key: no mail of it can pass. */
export function checkDmarc(zone: ZoneIndex, found: Found): void {
  if (!zone.isWhole) return;
  let signs: boolean | undefined;
  for (const [owner, records] of zone.byName) {
    if (owner !== "_dmarc" && !owner.startsWith("_dmarc.")) continue;
    const record = records.find(
      (each) => each.type === "TXT" && /^v=DMARC1\b/i.test(each.value) && zone.declared.has(each),
    );
    if (record === undefined) continue;
    const name = owner === "_dmarc" ? "@" : owner.slice("_dmarc.".length);
    const spf = zone.presence(
      name,
      ({ type, value }) => type === "CNAME" || (type === "TXT" && isSpf(value)),
    );
    // The signature of any name of the domain may count for another (RFC 7489 §3.1.1).
    signs ??= [...zone.byName.keys()].some((each) => /(?:^|\.)_domainkey(?:\.|$)/.test(each));
    if (spf !== "missing" || signs) continue;
    found.add(record, reason("dmarc-alone", { name: ownerOf(name, zone.domain) }));
  }
}
