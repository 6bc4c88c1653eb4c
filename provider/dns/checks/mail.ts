/** Checks of records for mail: SPF, DKIM, DMARC, MTA-STS and TLSRPT. */
import { ownerOf } from "../names";
import { showPlain } from "../quoting";
import { isSpf, spfFault } from "../spf";
import { reason, textOf, type MailFaultCode, type Reason } from "../../problems";
import { dkim, dmarc, mtaSts, tagFault, tlsReports, type TagGrammar } from "./tags";
import { hostOf, isAlias } from "./targets";
import { isSecret, perZone, type ZoneIndex, type ZoneRecord } from "./view";

interface Kind {
  readonly name: string;
  /** The record is meant as one. */
  readonly isMeant: (record: ZoneRecord) => boolean;
  /** Receivers take it for one. They need exactly one at a name. */
  readonly counts: (text: string) => boolean;
  readonly fault: (text: string) => Reason<MailFaultCode> | undefined;
}

const ofTags = (name: string, place: RegExp, grammar: TagGrammar, counts: RegExp): Kind => ({
  name,
  isMeant: (record) => place.test(record.name),
  counts: (text) => counts.test(text),
  fault: (text) => tagFault(text, grammar),
});

const kinds: readonly Kind[] = [
  ofTags("DMARC", /^_dmarc(?:\.|$)/, dmarc, /^v\s*=\s*DMARC1\b/i),
  ofTags("DKIM", /^(?!_adsp\.)[^.]+(?:\.[^.]+)*\._domainkey(?:\.|$)/, dkim, /(?:^|;)\s*p\s*=/i),
  ofTags("MTA-STS", /^_mta-sts(?:\.|$)/, mtaSts, /^v=STSv1\b/i),
  ofTags("TLSRPT", /^_smtp\._tls(?:\.|$)/, tlsReports, /^v=TLSRPTv1\b/i),
  {
    name: "SPF",
    isMeant: ({ value }) => /^[\s"\\]*v\s*=\s*spf\s*1(?!\d)/i.test(value),
    counts: isSpf,
    fault: spfFault,
  },
];

/** Mail records at other names. */
const looksLikeMail = /^[\s"\\]*v\s*=\s*(?:spf1|DKIM1|DMARC1|STSv1|TLSRPTv1)\b/i;

function kindOf(record: ZoneRecord): Kind | undefined {
  return record.type === "TXT" ? kinds.find(({ isMeant }) => isMeant(record)) : undefined;
}

export function isSpfRecord({ type, value }: ZoneRecord): boolean {
  return type === "TXT" && isSpf(value);
}

/** In a TXT record, quotes and backslashes stand for themselves. */
export function quoting(record: ZoneRecord): { readonly has: string } | undefined {
  const { value } = record;
  const isMail = kindOf(record) !== undefined || looksLikeMail.test(value);
  const found = isMail ? /["\\]/.exec(value) : /\\;/.exec(value);
  if (found === null) return undefined;
  return { has: found[0] === '"' ? "quotes" : found[0] === "\\" ? "backslashes" : "\\;" };
}

export function foreignText({ value }: ZoneRecord): { readonly code: string } | undefined {
  const [character] = /[^\x20-\x7e]/u.exec(value) ?? [];
  const code = character?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return code === undefined ? undefined : { code: `U+${code}` };
}

export function syntax(record: ZoneRecord): { readonly what: string; readonly fault: string } | undefined {
  const kind = kindOf(record);
  if (kind === undefined || quoting(record) !== undefined) return undefined;
  const [character] = /[^\x09\x20-\x7e]/u.exec(record.value) ?? [];
  const fault =
    character === undefined ? kind.fault(record.value) : reason("mail.character", { part: character });
  return fault && { what: kind.name, fault: textOf(isOwn(fault) ? fault : quoted(fault, record)) };
}

/** The fault names a missing part, and no text of the record. */
function isOwn({ code }: Reason<MailFaultCode>): boolean {
  return code === "mail.version" || code === "mail.missing";
}

function quoted({ code, parts }: Reason<MailFaultCode>, record: ZoneRecord): Reason<MailFaultCode> {
  return reason(code, { part: isSecret(record) ? "a part of it" : showPlain(String(parts.part)) });
}

/** Receivers take none of two. */
export function twice(
  record: ZoneRecord,
  zone: ZoneIndex,
): { readonly what: string; readonly count: number } | undefined {
  const kind = kindOf(record);
  const { records } = zone.setOf(record);
  if (kind === undefined || records.length < 2) return undefined;
  const same = zone.withLead(records.filter((each) => kindOf(each) === kind && kind.counts(each.value)));
  return same.lead === record && same.records.length > 1
    ? { what: kind.name, count: same.records.length }
    : undefined;
}

function isDmarc(record: ZoneRecord): boolean {
  return record.type === "TXT" && /^v\s*=\s*DMARC1\b/i.test(record.value);
}

/** A signature of any name may count for another (RFC 7489 §3.1.1). */
const signs = perZone((zone) => [...zone.names()].some((name) => /(?:^|\.)_domainkey(?:\.|$)/.test(name)));

/** Without SPF and DKIM, no mail of the name can pass. */
export function dmarcAlone(record: ZoneRecord, zone: ZoneIndex): { readonly name: string } | undefined {
  if (!/^_dmarc(?:\.|$)/.test(record.name) || !isDmarc(record) || zone.setOf(record).lead !== record)
    return undefined;
  const name = record.name === "_dmarc" ? "@" : record.name.slice("_dmarc.".length);
  const spf = zone.presence(name, (each) => isAlias(each) || isSpfRecord(each));
  return spf === "missing" && !signs(zone) ? { name: ownerOf(name, zone.domain) } : undefined;
}

export function spfMissing(record: ZoneRecord, zone: ZoneIndex): { readonly name: string } | undefined {
  if (hostOf(record) === "." || zone.setOf(record).lead !== record) return undefined;
  return zone.presence(record.name, isSpfRecord) === "missing"
    ? { name: ownerOf(record.name, zone.domain) }
    : undefined;
}

export function dmarcMissing(record: ZoneRecord, zone: ZoneIndex): { readonly name: string } | undefined {
  const { name, type, value } = record;
  if (name !== "@" || (type === "TXT" && (!isSpf(value) || zone.at("@").some((each) => each.type === "MX"))))
    return undefined;
  const speaker =
    type === "MX" ? zone.setOf(record) : zone.withLead(zone.setOf(record).records.filter(isSpfRecord));
  if (speaker.lead !== record) return undefined;
  return zone.presence("_dmarc", (each) => isAlias(each) || isDmarc(each)) === "missing"
    ? { name: ownerOf("_dmarc", zone.domain) }
    : undefined;
}

const noSenders = "v=spf1 -all";

/** A null MX (RFC 7505) or an SPF record that leaves the rest open. */
export function halfClosed(record: ZoneRecord, zone: ZoneIndex): { readonly lacks: string } | undefined {
  const { name, type, value } = record;
  if (!zone.isWhole) return undefined;
  if (type === "TXT") {
    const isOpen =
      name === "@" && isSpf(value) && zone.presence("@", ({ type: of }) => of === "MX") === "missing";
    return isOpen
      ? { lacks: value === noSenders ? "MX 0 ." : "an MX record, or MX 0 . if it takes no mail," }
      : undefined;
  }
  if (hostOf(record) !== ".") return undefined;
  if (zone.presence(name, (each) => each.type === "TXT" && each.value === noSenders) === "missing")
    return { lacks: `TXT "${noSenders}"` };
  const isStrict = (each: ZoneRecord): boolean =>
    isAlias(each) || (isDmarc(each) && /;\s*p\s*=\s*reject/i.test(each.value));
  return name === "@" && zone.presence("_dmarc", isStrict) === "missing"
    ? { lacks: '_dmarc TXT "v=DMARC1; p=reject"' }
    : undefined;
}
