/** Checks of records for mail: SPF, DKIM (RFC 6376), DMARC (RFC 9989), MTA-STS (RFC 8461) and TLSRPT (RFC 8460). */
import { perObject } from "../../support/per-object";
import { type MailFault, isSpf, lookupTerms, mostLookups, spfFault } from "../spf";
import { ownerOf } from "../names";
import { showPlain } from "../quoting";
import { hostOf, isAlias } from "./targets";
import { type Checks, type ZoneRecord, type ZoneIndex } from "./view";

interface TagGrammar {
  readonly version: string;
  readonly versionless?: true;
  readonly needs: readonly string[];
  readonly values: Readonly<Record<string, (value: string) => boolean>>;
}

type Legal = (value: string) => boolean;

const one =
  (pattern: RegExp): Legal =>
  (value) =>
    pattern.test(value);
const list =
  (separator: string, pattern: RegExp): Legal =>
  (value) =>
    value.split(separator).every((each) => pattern.test(each.trim()));

const policy = one(/^(?:none|quarantine|reject)$/i);
const alignment = one(/^[rs]$/i);
const report = /^(?:mailto:[^\s@!]+@[^\s@!]+|https:\/\/[^\s!]+)(?:!\d+[kmgt]?)?$/i;
const word = /^[a-z][a-z0-9-]*$/i;

interface Kind {
  readonly name: string;
  readonly isMeant: (record: ZoneRecord) => boolean;
  readonly counts: (text: string) => boolean;
  readonly fault: (text: string) => MailFault | undefined;
}

const isDmarcText = /^v\s*=\s*DMARC1\b/i;
const ofTags = (name: string, place: RegExp, counts: RegExp, grammar: TagGrammar): Kind => ({
  name,
  isMeant: (record) => place.test(record.name),
  counts: (text) => counts.test(text),
  fault: (text) => tagFault(text, grammar),
});

/** The tags of RFC 9989 §4.7 beside `v`. Receivers ignore others; Appendix C.5.2 lists the removed ones. */
const dmarcTags: TagGrammar["values"] = {
  p: policy,
  sp: policy,
  np: policy,
  adkim: alignment,
  aspf: alignment,
  psd: one(/^[ynu]$/i),
  t: one(/^[yn]$/i),
  fo: list(":", /^[01ds]$/i),
  rua: list(",", report),
  ruf: list(",", report),
};
const removedTags = new Set(["pct", "rf", "ri"]);

const kinds: readonly Kind[] = [
  ofTags("DMARC", /^_dmarc(?:\.|$)/, isDmarcText, { version: "v=DMARC1", needs: [], values: dmarcTags }),
  ofTags("DKIM", /^(?!_adsp\.)[^.]+(?:\.[^.]+)*\._domainkey(?:\.|$)/, /(?:^|;)\s*p\s*=/i, {
    version: "v=DKIM1",
    versionless: true,
    needs: ["p"],
    values: {
      p: one(/^[A-Za-z0-9+/\s]*(?:=[=\s]*)?$/),
      k: one(/^(?:rsa|ed25519)$/i),
      h: list(":", word),
      s: list(":", /^(?:\*|[a-z][a-z0-9-]*)$/i),
      t: list(":", word),
    },
  }),
  ofTags("MTA-STS", /^_mta-sts(?:\.|$)/, /^v=STSv1\b/i, {
    version: "v=STSv1",
    needs: ["id"],
    values: { id: one(/^[a-z0-9]{1,32}$/i) },
  }),
  ofTags("TLSRPT", /^_smtp\._tls(?:\.|$)/, /^v=TLSRPTv1\b/i, {
    version: "v=TLSRPTv1",
    needs: ["rua"],
    values: { rua: list(",", report) },
  }),
  {
    name: "SPF",
    isMeant: ({ value }) => /^[\s"\\]*v\s*=\s*spf\s*1(?!\d)/i.test(value),
    counts: isSpf,
    fault: spfFault,
  },
];

const looksLikeMail = /^[\s"\\]*v\s*=\s*(?:spf1|DKIM1|DMARC1|STSv1|TLSRPTv1)\b/i;

function kindOf(record: ZoneRecord): Kind | undefined {
  return record.type === "TXT" ? kinds.find(({ isMeant }) => isMeant(record)) : undefined;
}

function isSpfRecord({ type, value }: ZoneRecord): boolean {
  return type === "TXT" && isSpf(value);
}

function isDmarc({ type, value }: ZoneRecord): boolean {
  return type === "TXT" && isDmarcText.test(value);
}

function quoteIn(record: ZoneRecord): string | undefined {
  const isMail = kindOf(record) !== undefined || looksLikeMail.test(record.value);
  return (isMail ? /["\\]/ : /\\;/).exec(record.value)?.[0];
}

/** A signature of any name may count for another (RFC 9989 §4.4). */
const keys = perObject((zone: ZoneIndex) =>
  [...zone.names()].filter((name) => /(?:^|\.)_domainkey(?:\.|$)/.test(name)),
);

const soon = 30 * 24 * 3600 * 1000;

const noSenders = "v=spf1 -all";
const nullMail = "an MX record, or MX 0 . if it takes no mail,";

const endless = mostLookups + 1;

/** Name in the zone → look-ups of its record. */
const counts = perObject((_: ZoneIndex) => new Map<string, number>());

function lookupsOf(text: string, zone: ZoneIndex, depth = 0): number {
  let sum = 0;
  for (const follows of lookupTerms(text))
    sum += 1 + (follows === undefined ? 0 : lookupsAt(zone.inside(follows), zone, depth));
  return Math.min(sum, 1_000_000);
}

function lookupsAt(name: string | undefined, zone: ZoneIndex, depth: number): number {
  if (name === undefined) return 0;
  const known = counts(zone).get(name);
  if (known !== undefined) return known;
  // A longer chain must not overflow the stack.
  if (depth > 500) return endless;
  counts(zone).set(name, endless);
  const record = zone.answering(name).find(isSpfRecord);
  const count = record === undefined ? 0 : lookupsOf(record.value, zone, depth + 1);
  counts(zone).set(name, count);
  return count;
}

function hasTerm({ value }: ZoneRecord, pattern: RegExp): boolean {
  return isSpf(value) && value.split(" ").some((term) => pattern.test(term));
}

export const mailChecks = {
  "text-quoting": (record) => {
    const found = quoteIn(record);
    if (found === undefined) return undefined;
    return `has ${found === '"' ? "quotes" : found === "\\" ? "backslashes" : found}`;
  },
  "text-ascii": ({ value }) => {
    const [character] = /[^\x20-\x7e]/u.exec(value) ?? [];
    const code = character?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    return code && `U+${code}`;
  },
  "mail-syntax": (record) => {
    const kind = kindOf(record);
    if (kind === undefined || quoteIn(record) !== undefined) return undefined;
    const [character] = /[^\x09\x20-\x7e]/u.exec(record.value) ?? [];
    const fault =
      character === undefined ? kind.fault(record.value) : ({ kind: "unfit", part: character } as const);
    if (fault === undefined) return undefined;
    if (fault.kind === "missing") return `${kind.name}: no "${fault.part}"`;
    const part = record.secret === true ? "a part of it" : showPlain(fault.part);
    return `${kind.name}: ${part} ${fault.kind === "twice" ? "is there twice, or after all" : "is not legal"}`;
  },
  "dmarc-tags": (record) => {
    if (!/^_dmarc(?:\.|$)/.test(record.name) || !isDmarc(record)) return undefined;
    const tags = record.value.split(";").map((spec) => spec.split("=", 1)[0]?.trim().toLowerCase() ?? "");
    const ignored = tags.filter(
      (tag) => /^[a-z]+$/.test(tag) && tag !== "v" && !Object.hasOwn(dmarcTags, tag),
    );
    if (ignored.length === 0) return undefined;
    const named = ignored.map((tag) => (removedTags.has(tag) ? `${tag} (removed)` : tag));
    return record.secret === true ? `${ignored.length}` : showPlain(named.join(", "));
  },
  "acme-expiry": ({ name, type, value, secret }, zone) => {
    if (type !== "TXT" || !/^_validation-persist(?:\.|$)/.test(name)) return undefined;
    const [, until] = /;[ \t]*persistUntil[ \t]*=[ \t]*([^ \t;]*)/i.exec(value) ?? [];
    if (until === undefined) return undefined;
    const left = /^\d{1,11}$/.test(until) ? Number(until) * 1000 - zone.now : NaN;
    if (left > soon) return undefined;
    if (secret === true) return true;
    if (Number.isNaN(left)) return `${showPlain(until)} is no number of seconds`;
    const date = new Date(Number(until) * 1000).toISOString().slice(0, 10);
    return left <= 0 ? `ended on ${date}` : `ends on ${date}`;
  },
  "mail-twice": (record, zone) => {
    const kind = kindOf(record);
    const set = kind === undefined ? [] : zone.setOf(record);
    if (kind === undefined || set.length < 2) return undefined;
    const same = set.filter((each) => kindOf(each) === kind && kind.counts(each.value));
    return same.length > 1 && zone.isLead(record, same) && `${same.length} ${kind.name}`;
  },
  "mail-half": (record, zone) => {
    const { name, type, value } = record;
    if (type === "TXT") {
      const isOpen = name === "@" && isSpf(value) && zone.lacks("@", (each) => each.type === "MX");
      return isOpen && (value === noSenders ? "MX 0 ." : nullMail);
    }
    if (hostOf(record) !== ".") return undefined;
    if (zone.lacks(name, (each) => each.type === "TXT" && each.value === noSenders))
      return `TXT "${noSenders}"`;
    const isStrict = (each: ZoneRecord): boolean =>
      isAlias(each) || (isDmarc(each) && /;\s*p\s*=\s*reject/i.test(each.value));
    const isLoose = name === "@" && zone.lacks("_dmarc", isStrict);
    return isLoose && '_dmarc TXT "v=DMARC1; p=reject"';
  },
  "spf-missing": (record, zone) => {
    const { name, domain } = record;
    const isFound = hostOf(record) !== "." && zone.isLead(record) && zone.lacks(name, isSpfRecord);
    return isFound && ownerOf(name, domain);
  },
  "dmarc-alone": (record, zone) => {
    const [own, name = "@"] = /^_dmarc(?:\.(.+))?$/.exec(record.name) ?? [];
    if (own === undefined || !isDmarc(record) || !zone.isLead(record)) return undefined;
    const isAlone = zone.lacks(name, (each) => isAlias(each) || isSpfRecord(each)) && keys(zone).length === 0;
    return isAlone && ownerOf(name, zone.domain);
  },
  "dmarc-missing": (record, zone) => {
    const { name, type, value } = record;
    const hasMail = type === "MX" || (isSpf(value) && !zone.at("@").some((each) => each.type === "MX"));
    if (name !== "@" || !hasMail || !zone.lacks("_dmarc", (each) => isAlias(each) || isDmarc(each)))
      return undefined;
    const set = type === "MX" ? undefined : zone.setOf(record).filter(isSpfRecord);
    return zone.isLead(record, set) && ownerOf("_dmarc", zone.domain);
  },
  "spf-lookups": ({ value }, zone) => {
    const count = isSpf(value) ? lookupsOf(value, zone) : 0;
    return count > mostLookups && `${Math.min(count, 100)}, at most ${mostLookups}`;
  },
  // Receivers report an error (RFC 7208 §5.2, §6.1). A macro is another name in each check.
  "spf-dangling": (record, zone) => {
    const followed = isSpf(record.value) ? lookupTerms(record.value) : [];
    const host = followed
      .flatMap((follows = "%") => (follows.includes("%") ? [] : [zone.inside(follows)]))
      .find((name) => name !== undefined && zone.lacks(name, (each) => isAlias(each) || isSpfRecord(each)));
    return host === undefined ? undefined : zone.shown(host, record);
  },
  "spf-open": (record) => hasTerm(record, /^\+?all$/i),
  "spf-neutral": (record) => isSpf(record.value) && !hasTerm(record, /^(?:[+~-]?all|redirect=.*)$/i),
  "spf-ptr": (record) => hasTerm(record, /^[+?~-]?ptr(?::.*)?$/i),
  "spf-type": ({ type }) => type === "SPF",
} satisfies Partial<Checks>;

function tagFault(text: string, { version, versionless, needs, values }: TagGrammar): MailFault | undefined {
  const specs = text.split(";").map((spec) => spec.trim());
  if (specs.at(-1) === "") specs.pop();
  const [name = "", ...rest] = specs[0]?.split("=") ?? [];
  const hasVersion = `${name.trim()}=${rest.join("=").trim()}` === version;
  if (!hasVersion && (versionless !== true || specs.some((spec) => /^v\s*=/i.test(spec))))
    return { kind: "missing", part: version };
  const seen = new Set<string>();
  for (const spec of specs) {
    const [, given, value = ""] = /^([a-z][a-z0-9_]*)\s*=\s*(.*)$/is.exec(spec) ?? [];
    if (given === undefined) return { kind: "unfit", part: spec };
    const tag = given.toLowerCase();
    if (seen.has(tag)) return { kind: "twice", part: tag };
    seen.add(tag);
    if (values[tag]?.(value) === false) return { kind: "unfit", part: spec };
  }
  const lacks = needs.find((tag) => !seen.has(tag));
  return lacks === undefined ? undefined : { kind: "missing", part: `${lacks}=` };
}
