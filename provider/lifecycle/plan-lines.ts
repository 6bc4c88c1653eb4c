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
import type { LiveEntry } from "../reconcile/zones/zone";
import { shareLine, type Share } from "../reconcile/shares";
import { errorText } from "../support/text";
import { unmatched } from "./form";
import type { Host } from "./host";
import type { Props } from "./lifecycle";
import { removalOf } from "./options";
import { planRequest, writeEntry, type PlanCheck, type PlanLine, type PlanProblem } from "./plan-file";

export interface Named {
  readonly urn?: string | undefined;
  readonly resource?: string | undefined;
}

interface Previewed extends Pick<Preview, "plan" | "refused" | "failures"> {
  readonly errors: readonly PlanProblem[];
  readonly checks: readonly PlanCheck[];
}

type UnsignedLine = Omit<PlanLine, "sign">;

export function writeUpdate(
  host: Host,
  { urn, resource, domain }: Named & { readonly domain: string },
  declaration: Declaration,
  preview: Previewed,
  ledger: Ledger = emptyLedger,
): void {
  const { plan, failures, errors, checks } = preview;
  const writer = new LineWriter(host, declaration);
  const declared = new Set(declaration.records.map(digestOf));
  const adopted = new Set(plan.adopted.map(({ record }) => record));
  const present = plan.present.map(({ record }) => record);
  writeEntry({
    kind: "declared",
    urn,
    resource,
    settings: settingsOf(host),
    lines: linesOf(preview, declaration, writer, domain),
    unchanged: countsOf(present.filter((record) => !adopted.has(record))),
    given: writer.ids([...ledger.owned.keys()].filter((each) => !declared.has(each))),
    declares: writer.declares(),
    blocked: merged(failures.map(diagnosticOf)).map((each) => rendered(each, Infinity)),
    errors,
    checks,
  });
}

export function writeUnchanged(
  host: Host,
  { declaration, urn, resource }: Named & { readonly declaration: Declaration },
): void {
  const declares = new LineWriter(host, declaration).declares();
  const unchanged = countsOf(declaration.records);
  writeEntry({ kind: "declared", urn, resource, settings: settingsOf(host), unchanged, declares });
}

/** @returns inputs that change nothing */
export function acceptInPlan(
  host: Host,
  { urn, resource }: Named,
  errors: readonly PlanProblem[],
  before: Props,
  given: Props,
): Props {
  writeEntry({ kind: "declared", urn, resource, settings: settingsOf(host), errors });
  if (Object.keys(before).length > 0) return before;
  return "records" in given ? { ...given, records: "" } : given;
}

export function planProblem(why: Reason): PlanProblem {
  const key = isOf(why, "zone.gated") ? `${why.code} ${why.parts.domain}` : undefined;
  return { code: why.code, text: messageOf(why, Infinity), key };
}

/** Lists zones only if the CLI named the resource. */
export async function writeHeld(
  host: Host,
  urn: string | undefined,
  declaration: Declaration,
  ledger: Ledger,
  given: unknown,
): Promise<void> {
  const { records } = declaration;
  const domains = domainsOf([...records, ...ledger.stale]);
  const head = { kind: "held" as const, urn, settings: settingsOf(host), domains, removal: removalOf(given) };
  if (!planRequest().urns.includes(urn ?? "")) return writeEntry(head);
  const writer = new LineWriter(host, declaration);
  try {
    const { held, live } = await host.reconciler.holdings(declaration, ledger);
    const lines = held.filter(({ hold }) => !hold).map((entry) => writer.held(entry));
    writeEntry({ ...head, lines, live: Object.fromEntries(live) });
  } catch (error) {
    const lines = records.flatMap((record) => {
      const id = ledger.owned.get(digestOf(record))?.id;
      return id === undefined ? [] : [writer.declared(record, { domain: record.domain, id })];
    });
    writeEntry({ ...head, lines, unread: errorText(error) });
  }
}

/** @param live `unknown` in documented mode */
export function writeShare(
  host: Host,
  share: Share,
  live: Pick<Share, "mode" | "scope"> | "unknown" | undefined,
): void {
  const { urn, line } = shareOf(host, share);
  const was =
    live === "unknown"
      ? { text: line.text, ttl: "(mode not known)" }
      : live && shareLine({ ...share, ...live });
  const sign = was === undefined ? "+" : was.ttl === line.ttl ? "=" : "~";
  const lines = [{ sign, ...line, ...(sign === "~" ? { was } : {}) }] as const;
  writeEntry({ kind: "declared", urn, settings: settingsOf(host), lines });
}

export function writeHeldShare(host: Host, share: Share): void {
  const { urn, line } = shareOf(host, share);
  const { undocumentedOperations: full, removal } = host.settings;
  writeEntry({
    kind: "held",
    urn,
    settings: settingsOf(host),
    domains: [share.domain],
    // A share that stays is a warning of the up, not an error.
    removal: full && removal === "delete" ? undefined : "retain",
    lines: [{ ...line, refs: [line.id] }],
  });
}

/** A dynamic provider does not know the URN of a share (cli/plan/preview.ts). */
function shareOf(host: Host, share: Share) {
  const { domain } = share;
  const line = shareLine(share);
  const id = `${accountOf(host)} ${domain} ${line.text}`;
  return { urn: digest(`${domain} ${line.text}`), line: { domain, ...line, id } };
}

function settingsOf({ settings }: Host) {
  const { removal, undocumentedOperations: full, maxChangeShare, confirmedDomains } = settings;
  return { removal, full, maxChangeShare, confirmedDomains };
}

function accountOf({ settings: { baseUrl, loginToken } }: Host): string {
  // The part before the comma is no secret.
  return digest(`${baseUrl} ${loginToken.reveal().split(",", 1).join("")}`);
}

function countsOf(records: readonly DeclaredRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { domain } of records) counts[domain] = (counts[domain] ?? 0) + 1;
  return counts;
}

type Live = Pick<LiveEntry, "domain" | "id">;

class LineWriter {
  private readonly account: string;
  private readonly records: readonly DeclaredRecord[];
  private readonly own: ReadonlyMap<string, DeclaredRecord>;
  private readonly hides: (record: DnsRecord, id?: string) => boolean;

  constructor(host: Host, declaration: Declaration) {
    this.account = accountOf(host);
    this.records = declaration.records;
    this.own = new Map(this.records.map((record) => [recordKey(record), record]));
    this.hides = host.reconciler.siblings.wording(declaration).hides;
  }

  ids(digests: readonly string[]): string[] {
    return digests.map((each) => `${this.account} ${each}`);
  }

  declares(): string[] {
    const domains = new Set(planRequest().domains);
    return this.ids(this.records.filter(({ domain }) => domains.has(domain)).map(digestOf));
  }

  declared(record: DeclaredRecord, ...live: readonly (Live & { readonly ttl?: number })[]): UnsignedLine {
    const ttl = (record.ttl === "default" ? live[0]?.ttl : undefined) ?? stateTtl(record);
    const id = `${this.account} ${digestOf(record)}`;
    const refs = live.length === 0 ? undefined : this.refs(live);
    return { domain: record.domain, text: this.text(record), ttl: String(ttl), id, refs };
  }

  live(entry: LiveEntry): UnsignedLine {
    const text = this.text(entry.record, entry.id);
    const id = `${this.account} ${digest(entry.key)}`;
    return { domain: entry.domain, text, ttl: ttlText(entry), id, refs: this.refs([entry]) };
  }

  held(entry: LiveEntry): UnsignedLine & { guarded: boolean; changed: boolean } {
    const { name, type } = entry.record;
    const own = this.own.get(entry.key);
    // A value that the console set may be the secret of a resource that is not checked yet.
    const text = own ? this.text(own) : textWith(entry.record, "[changed since the last up]");
    const guarded = name === "@" && (type === "NS" || type === "MX");
    return { ...this.live(entry), text, guarded, changed: own === undefined };
  }

  until(entry: LiveEntry, record: DeclaredRecord): NonNullable<PlanLine["was"]> {
    const text = this.text(entry.record, entry.id);
    const isLike = text === this.text(record) && entry.key !== recordKey(record);
    return { text: isLike ? textWith(entry.record, "[secret until now]") : text, ttl: ttlText(entry) };
  }

  private refs(live: readonly Live[]): string[] {
    return live.map(({ domain, id }) => `${this.account} ${domain} ${id}`);
  }

  private text(record: DnsRecord, id?: string): string {
    if (!this.hides(record, id)) return recordText(record);
    return textWith(record, this.own.get(recordKey(record))?.secret === true ? "[secret]" : "[not shown]");
  }
}

function linesOf(
  { plan, refused }: Pick<Previewed, "plan" | "refused">,
  { records, unknowns = [], removal, may }: Declaration,
  writer: LineWriter,
  domain: string,
): PlanLine[] {
  const keys = new Set(records.map(recordKey));
  const lines: PlanLine[] = [];
  const add = (sign: PlanLine["sign"], line: UnsignedLine): void => void lines.push({ sign, ...line });
  for (const record of plan.create) add(refused.has(record) ? "!" : "+", writer.declared(record));
  for (const { record } of plan.adopted) add("=", writer.declared(record));
  for (const { record, live } of plan.changes)
    add(refused.has(record) ? "!" : "~", {
      ...writer.declared(record, live),
      was: writer.until(live, record),
    });
  for (const { live } of plan.removals)
    add("-", { ...writer.live(live), duplicate: keys.has(live.key) || undefined });
  for (const { record, live } of plan.obstacles)
    add("!", { ...writer.declared(record, ...live), was: writer.until(live[0], record) });
  for (const entry of plan.stale) add(removal === "retain" ? "." : "!", writer.live(entry));
  for (const { live, unknown } of plan.undecided)
    lines.push(undecidedLine(live, writer.live(live), unknowns[unknown], may.single));
  for (const unknown of unmatched(unknowns, plan)) add("+", laterLine(unknown, domain));
  return lines;
}

/** A different place is a different record. */
function undecidedLine(
  entry: LiveEntry,
  { domain, text, ttl, refs }: UnsignedLine,
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
