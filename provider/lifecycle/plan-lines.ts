/** The entries of a resource in the report file of a plan. */
import {
  dataText,
  digest,
  placeOf,
  recordKey,
  recordText,
  stateTtl,
  textWith,
  type DeclaredRecord,
  type DnsRecord,
  type UnknownRecord,
} from "../dns";
import { domainsOf } from "../support/collections";
import { diagnosticOf, isOf, merged, messageOf, rendered, type Reason } from "../problems";
import type { Declaration } from "../reconcile/declaration";
import { digestOf, emptyLedger, type Ledger } from "../reconcile/memory/ledger";
import type { Preview } from "../reconcile/reconciler";
import type { Wording } from "../reconcile/wording";
import type { LiveEntry } from "../reconcile/zones/zone";
import { shareLine, type Share } from "../reconcile/shares";
import { errorText } from "../support/text";
import { unmatched } from "./form";
import type { Host } from "./host";
import type { Props } from "./lifecycle";
import { removalOf } from "./options";
import {
  planRequest,
  writeEntry,
  type DeclaredEntry,
  type HeldEntry,
  type PlanCheck,
  type PlanLine,
  type PlanProblem,
} from "./plan-file";

export interface Named {
  /** Digest of its URN; undefined if its process does not know it. */
  readonly urn?: string | undefined;
  readonly resource?: string | undefined;
}

interface Previewed extends Pick<Preview, "plan" | "refused" | "failures"> {
  readonly errors: readonly PlanProblem[];
  readonly checks: readonly PlanCheck[];
}

type HeldRecord = NonNullable<HeldEntry["records"]>[number];
type UnsignedLine = Omit<PlanLine, "sign">;

/** @param domain its first domain */
export function writeUpdate(
  host: Host,
  named: Named & { readonly domain: string },
  declaration: Declaration,
  preview: Previewed,
  ledger: Ledger = emptyLedger,
): void {
  const { plan, failures, errors, checks } = preview;
  const declared = new Set(declaration.records.map(digestOf));
  const adopted = new Set(plan.adopted.map(({ record }) => record));
  const kept = plan.present.filter(({ record }) => !adopted.has(record));
  const wording = host.reconciler.siblings.wording(declaration);
  writeDeclared(host, named, declaration.records, {
    lines: linesOf(preview, declaration, wording, named.domain),
    unchanged: countsOf(kept.map(({ record }) => record)),
    given: [...ledger.owned.keys()].filter((each) => !declared.has(each)),
    errors: [...errors],
    blocked: merged(failures.map(diagnosticOf)).map((each) => rendered(each, Infinity)),
    checks: [...checks],
  });
}

export function writeUnchanged(
  host: Host,
  { declaration: { records }, ...named }: Named & { readonly declaration: Declaration },
): void {
  writeDeclared(host, named, records, { unchanged: countsOf(records) });
}

/**
 * Writes the errors of wrong inputs, so that the other resources are planned as well.
 * @param before its inputs in the state; empty for a new resource
 * @returns inputs that change nothing
 */
export function acceptInPlan(
  host: Host,
  named: Named,
  errors: readonly PlanProblem[],
  before: Props,
  given: Props,
): Props {
  writeDeclared(host, named, [], { errors: [...errors] });
  if (Object.keys(before).length > 0) return before;
  return "records" in given ? { ...given, records: "" } : given;
}

export function planProblem(why: Reason): PlanProblem {
  return {
    code: why.code,
    text: messageOf(why, Infinity),
    ...(isOf(why, "zone.gated") ? { key: `${why.code} ${why.parts.domain}` } : {}),
  };
}

/** Writes the records of a resource in the state. Lists their zones only if the CLI named the resource. */
export async function writeHeld(
  host: Host,
  named: Named,
  declaration: Declaration,
  ledger: Ledger,
  given: unknown,
): Promise<void> {
  const { records } = declaration;
  const domains = [...new Set([...domainsOf(records), ...ledger.stale.map(({ domain }) => domain)])];
  const removal = removalOf(given);
  const head = {
    ...{ kind: "held" as const, ...headOf(host, named), domains },
    ...(removal === undefined ? {} : { removal }),
  };
  if (!planRequest().urns.includes(head.urn)) return writeEntry(head);
  const wording = host.reconciler.siblings.wording(declaration);
  const hidden = (record: DnsRecord): string =>
    wording.hides(record) ? textWith(record, "[secret]") : recordText(record);
  try {
    const { held, live } = await host.reconciler.holdings(declaration, ledger);
    const own = new Map(records.map((record) => [recordKey(record), hidden(record)]));
    const entries = held.filter(({ hold }) => !hold);
    writeEntry({
      ...head,
      live: Object.fromEntries(live),
      records: entries.map((entry) => {
        const { record, key } = entry;
        // A value that the console set may be the secret of a resource that is not checked yet.
        const text = own.get(key) ?? textWith(record, "[changed since the last up]");
        return { ...heldRecord(record, text, ttlText(entry), entry.id), changed: !own.has(key) };
      }),
    });
  } catch (error) {
    const owned = records.flatMap((record) => {
      const entry = ledger.owned.get(digestOf(record));
      return entry === undefined
        ? []
        : [heldRecord(record, hidden(record), String(stateTtl(record)), entry.id)];
    });
    writeEntry({ ...head, unread: errorText(error), records: owned });
  }
}

function heldRecord(record: DnsRecord, text: string, ttl: string, id: string): HeldRecord {
  const { domain, name, type } = record;
  const guarded = name === "@" && (type === "NS" || type === "MX");
  return { domain, text, ttl, id: digestOf(record), ref: `${domain} ${id}`, guarded, changed: false };
}

/** @param live undefined if the share is new; `unknown` in documented mode */
export function writeShare(
  host: Host,
  share: Share,
  live: Pick<Share, "mode" | "scope"> | "unknown" | undefined,
): void {
  const { domain, email } = share;
  const { text, ttl } = shareLine(share);
  const line = { domain, text, ttl, id: `${domain} ${text}` };
  const was = live === "unknown" ? { text, ttl: "(mode not known)" } : live && shareLine({ email, ...live });
  const sign = was === undefined ? "+" : was.ttl === ttl ? "=" : "~";
  writeDeclared(host, nameOf(share), [], {
    lines: [{ sign, ...line, ...(sign === "~" ? { was } : {}) }],
  });
}

export function writeHeldShare(host: Host, share: Share): void {
  const { domain } = share;
  const { text, ttl } = shareLine(share);
  const id = `${domain} ${text}`;
  const { undocumentedOperations, removal } = host.settings;
  writeEntry({
    kind: "held",
    ...headOf(host, nameOf(share)),
    domains: [domain],
    // A share that stays is a warning of the up, not an error.
    ...(undocumentedOperations && removal === "delete" ? {} : { removal: "retain" as const }),
    records: [{ domain, text, ttl, id, ref: id, guarded: false, changed: false }],
  });
}

/** A dynamic provider does not know the URN of a share (cli/plan/preview.ts). */
function nameOf(share: Share): Named {
  return { urn: digest(`${share.domain} ${shareLine(share).text}`) };
}

function writeDeclared(
  host: Host,
  named: Named,
  records: readonly DeclaredRecord[],
  parts: Partial<DeclaredEntry>,
): void {
  const domains = new Set(planRequest().domains);
  writeEntry({
    kind: "declared",
    ...headOf(host, named),
    lines: [],
    unchanged: {},
    given: [],
    declares: records.filter(({ domain }) => domains.has(domain)).map(digestOf),
    errors: [],
    blocked: [],
    checks: [],
    ...parts,
  });
}

function headOf({ settings }: Host, { urn = "", resource = "" }: Named) {
  const { baseUrl, loginToken, removal, undocumentedOperations: full, maxChangeShare } = settings;
  // The part before the comma is no secret.
  const account = digest(`${baseUrl} ${loginToken.reveal().split(",", 1).join("")}`);
  const confirmedDomains = [...settings.confirmedDomains];
  return { urn, resource, account, settings: { removal, full, maxChangeShare, confirmedDomains } };
}

function countsOf(records: readonly DeclaredRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { domain } of records) counts[domain] = (counts[domain] ?? 0) + 1;
  return counts;
}

class LineWriter {
  private readonly secrets: ReadonlySet<string>;

  constructor(
    records: readonly DeclaredRecord[],
    private readonly hides: Wording["hides"],
  ) {
    this.secrets = new Set(records.filter(({ secret }) => secret === true).map(recordKey));
  }

  /** @param live its TTL stays if the declaration omits one */
  declared(record: DeclaredRecord, live?: LiveEntry): UnsignedLine {
    const ttl = live !== undefined && record.ttl === "default" ? live.ttl : stateTtl(record);
    return { domain: record.domain, text: this.text(record), ttl: String(ttl), id: digestOf(record) };
  }

  live(entry: LiveEntry): UnsignedLine {
    const text = this.text(entry.record, entry.id);
    return { domain: entry.domain, text, ttl: ttlText(entry), id: digest(entry.key), refs: [refOf(entry)] };
  }

  until(entry: LiveEntry, record: DeclaredRecord): NonNullable<PlanLine["was"]> {
    const text = this.text(entry.record, entry.id);
    const isLike = text === this.text(record) && entry.key !== recordKey(record);
    return { text: isLike ? textWith(entry.record, "[secret until now]") : text, ttl: ttlText(entry) };
  }

  private text(record: DnsRecord, id?: string): string {
    if (!this.hides(record, id)) return recordText(record);
    return textWith(record, this.secrets.has(recordKey(record)) ? "[secret]" : "[not shown]");
  }
}

function linesOf(
  { plan, refused }: Pick<Previewed, "plan" | "refused">,
  { records, unknowns = [], removal, may }: Declaration,
  { hides }: Wording,
  domain: string,
): PlanLine[] {
  const writer = new LineWriter(records, hides);
  const keys = new Set(records.map(recordKey));
  const lines: PlanLine[] = [];
  const add = (sign: PlanLine["sign"], line: UnsignedLine): void => void lines.push({ sign, ...line });
  for (const record of plan.create) add(refused.has(record) ? "!" : "+", writer.declared(record));
  for (const { record } of plan.adopted) add("=", writer.declared(record));
  for (const { record, live } of plan.changes) {
    const was = writer.until(live, record);
    add(refused.has(record) ? "!" : "~", { ...writer.declared(record, live), was, refs: [refOf(live)] });
  }
  for (const { live } of plan.removals)
    add("-", { ...writer.live(live), ...(keys.has(live.key) ? { duplicate: true } : {}) });
  for (const { record, live } of plan.obstacles) {
    const [first] = live;
    add("!", { ...writer.declared(record, first), was: writer.until(first, record), refs: live.map(refOf) });
  }
  for (const entry of plan.stale) add(removal === "retain" ? "." : "!", writer.live(entry));
  for (const { live, unknown } of plan.undecided)
    lines.push(undecidedLine(live, writer.live(live), unknowns[unknown], may.single));
  for (const unknown of unmatched(unknowns, plan)) add("+", laterLine(unknown, domain));
  return lines;
}

/** A live record that only the update can compare. A different place is a different record. */
function undecidedLine(
  entry: LiveEntry,
  { domain, text, ttl, refs = [] }: UnsignedLine,
  unknown: UnknownRecord | undefined,
  single: boolean,
): PlanLine {
  const was = { text, ttl };
  if (unknown === undefined || !("record" in unknown))
    return { sign: "?", domain, text: `a record ${laterMark}`, ttl: laterMark, was, refs };
  const after = String(unknown.ttl === "default" ? entry.ttl : unknown.ttl);
  const moves = single && unknown.what !== "name" && placeOf(unknown.record) !== placeOf(entry.record);
  return { sign: moves ? "~" : "?", domain, text: unknownText(unknown), ttl: after, was, refs };
}

function laterLine(unknown: UnknownRecord, first: string): UnsignedLine {
  if (!("record" in unknown)) {
    const text = `${unknown.what === "spec" ? "a record" : "records"} ${laterMark}`;
    return { domain: first, text, ttl: laterMark, later: true };
  }
  const ttl = unknown.what === "ttl" ? laterMark : String(unknown.ttl);
  return { domain: unknown.record.domain, text: unknownText(unknown), ttl, later: true };
}

const laterMark = "(known after the update)";

function unknownText({ record, what }: Extract<UnknownRecord, { record: DnsRecord }>): string {
  if (what === "ttl") return recordText(record);
  if (what === "name")
    return textWith({ ...record, name: laterMark }, record.value === "" ? laterMark : dataText(record));
  return textWith(record, laterMark);
}

function ttlText({ ttl, enabled }: LiveEntry): string {
  return `${ttl}${enabled ? "" : " (disabled)"}`;
}

function refOf({ domain, id }: LiveEntry): string {
  return `${domain} ${id}`;
}
