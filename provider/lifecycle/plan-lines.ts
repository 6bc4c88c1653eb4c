/** The entries of a resource in the report file of a plan. */
import { ServiceError } from "../api";
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
import type { CheckFinding } from "../dns/checks";
import { domainsOf } from "../support/collections";
import { diagnosticOf } from "../problems";
import { Refusal } from "../problems/refusal";
import type { Declaration } from "../reconcile/declaration";
import { digestOf, emptyLedger, type Ledger } from "../reconcile/memory/ledger";
import type { Plan } from "../reconcile/plan/plan";
import type { Preview } from "../reconcile/reconciler";
import { failuresIn } from "../reconcile/zones/reader";
import type { LiveEntry } from "../reconcile/zones/zone";
import { shareLine, type Share } from "../reconcile/shares";
import { hiddenText } from "../support/secret";
import { errorText } from "../support/text";
import { reasonsOf } from "./failures";
import { unmatched } from "./form";
import type { Host } from "./host";
import type { Props } from "./lifecycle";
import { removalOf } from "./options";
import {
  isPlan,
  planProblem,
  planRequest,
  writeEntry,
  type PlanCheck,
  type PlanLine,
  type PlanProblem,
  type WrittenEntry,
} from "./plan-file";

export interface Named {
  readonly urn?: string | undefined;
  readonly resource?: string | undefined;
}

interface Previewed extends Pick<Preview, "plan" | "failures"> {
  readonly errors: readonly PlanProblem[];
  readonly checks: readonly PlanCheck[];
}

type UnsignedLine = Omit<PlanLine, "sign">;

/** @param domain its first domain */
export function writeUpdate(
  host: Host,
  { urn, resource, domain }: Named & { readonly domain: string },
  declaration: Declaration,
  { plan, failures, errors, checks }: Previewed,
  ledger: Ledger = emptyLedger,
): void {
  const writer = new LineWriter(host, declaration);
  const declared = new Set(declaration.records.map(digestOf));
  const adopted = new Set(plan.adopted.map(({ record }) => record));
  const unchanged = plan.present.map(({ record }) => record).filter((record) => !adopted.has(record));
  write(host, {
    kind: "declared",
    urn,
    resource,
    lines: [...linesOf(plan, declaration, writer, domain), ...writer.unchanged(unchanged)],
    unchanged: countsOf(unchanged),
    given: writer.ids([...ledger.owned.keys()].filter((each) => !declared.has(each))),
    declares: writer.declares(),
    blocked: failures.map(planProblem),
    errors,
    checks,
  });
}

export function writeUnchanged(
  host: Host,
  { declaration, urn, resource }: Named & { readonly declaration: Declaration },
): void {
  const writer = new LineWriter(host, declaration);
  const { records } = declaration;
  const lines = writer.unchanged(records);
  const unchanged = countsOf(records);
  write(host, { kind: "declared", urn, resource, lines, unchanged, declares: writer.declares() });
}

/** Reports an error, so that the other resources are planned as well. @throws it if this run is no plan */
export function reportInPlan(host: Host, { urn, resource }: Named, error: unknown): void {
  if (!isPlan() || !concernsDomains(error)) throw error;
  write(host, { kind: "declared", urn, resource, errors: reasonsOf(error).map(planProblem) });
}

export function concernsDomains(error: unknown): boolean {
  return (
    error instanceof Refusal ||
    failuresIn(error).every((each) => each instanceof ServiceError && each.about === "domain")
  );
}

/** Inputs that change nothing, for a resource with an error. */
export function idleInputs(before: Props, given: Props): Props {
  if (Object.keys(before).length > 0) return before;
  return "records" in given ? { ...given, records: "" } : given;
}

export function findingsOf(
  checks: Readonly<Record<PlanCheck["level"], readonly CheckFinding[]>>,
): PlanCheck[] {
  return (["refuse", "warn", "note"] as const).flatMap((level) =>
    checks[level].flatMap((finding) => {
      const { code, title, records, help } = diagnosticOf({ ...finding, of: undefined });
      return records.map((record) => ({ code, level, domain: finding.domain, record, message: title, help }));
    }),
  );
}

/** Lists zones only if the CLI named the resource. */
export async function writeHeld(
  host: Host,
  declaration: Declaration,
  ledger: Ledger,
  given: unknown,
): Promise<void> {
  const { records } = declaration;
  const { urn } = ledger;
  const domains = domainsOf([...records, ...ledger.stale]);
  const head = { kind: "held" as const, urn, domains, removal: removalOf(given) };
  if (!planRequest().urns.includes(urn ?? "")) return write(host, head);
  const writer = new LineWriter(host, declaration);
  try {
    const { held, live } = await host.reconciler.holdings(declaration, ledger);
    const lines = held.filter(({ hold }) => !hold).map((entry) => writer.held(entry));
    write(host, { ...head, lines, live: Object.fromEntries(live) });
  } catch (error) {
    const lines = records.flatMap((record) => {
      const id = ledger.owned.get(digestOf(record))?.id;
      return id === undefined ? [] : [writer.declared(record, { domain: record.domain, id })];
    });
    write(host, { ...head, lines, unread: errorText(error) });
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
  write(host, { kind: "declared", urn, lines });
}

export function writeHeldShare(host: Host, share: Share): void {
  const { urn, line } = shareOf(host, share);
  const { undocumentedOperations: full, removal } = host.settings;
  write(host, {
    kind: "held",
    urn,
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
  const id = `${accountDigest(host)} ${domain} ${line.text}`;
  return { urn: digest(`${domain} ${line.text}`), line: { domain, ...line, id } };
}

function write({ settings }: Host, entry: WrittenEntry): void {
  const { removal, undocumentedOperations: full, maxChangeShare, confirmedDomains } = settings;
  writeEntry({ ...entry, settings: { removal, full, maxChangeShare, confirmedDomains } });
}

function accountDigest({ settings: { baseUrl, loginToken } }: Host): string {
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
    this.account = accountDigest(host);
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

  unchanged(records: readonly DeclaredRecord[]): PlanLine[] {
    return planRequest().all ? records.map((record) => ({ sign: " ", ...this.declared(record) })) : [];
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

  until(entry: LiveEntry): NonNullable<PlanLine["was"]> {
    return { text: this.text(entry.record, entry.id), ttl: ttlText(entry) };
  }

  private refs(live: readonly Live[]): string[] {
    return live.map(({ domain, id }) => `${this.account} ${domain} ${id}`);
  }

  private text(record: DnsRecord, id?: string): string {
    return this.hides(record, id) ? textWith(record, hiddenText) : recordText(record);
  }
}

function linesOf(
  plan: Plan,
  { records, unknowns = [], removal, may }: Declaration,
  writer: LineWriter,
  domain: string,
): PlanLine[] {
  const keys = new Set(records.map(recordKey));
  const lines: PlanLine[] = [];
  const add = (sign: PlanLine["sign"], line: UnsignedLine): void => void lines.push({ sign, ...line });
  for (const record of plan.create) add("+", writer.declared(record));
  for (const { record } of plan.adopted) add("=", writer.declared(record));
  for (const { record, live } of plan.changes)
    add("~", { ...writer.declared(record, live), was: writer.until(live) });
  for (const { live } of plan.removals)
    add("-", { ...writer.live(live), duplicate: keys.has(live.key) || undefined });
  for (const { record, live } of plan.obstacles)
    add("!", { ...writer.declared(record, ...live), was: writer.until(live[0]) });
  for (const entry of plan.stale) add(removal === "retain" ? "." : "!", writer.live(entry));
  for (const { live, unknown } of plan.undecided) {
    const sought = unknowns[unknown];
    const { ttl, later: _, ...line } = laterLine(sought, live.domain);
    const refs = writer.live(live).refs;
    // A different place is a different record.
    const named = sought && "record" in sought && sought.what !== "name" ? sought.record : undefined;
    const moves = may.single && named !== undefined && placeOf(named) !== placeOf(live.record);
    add(moves ? "~" : "?", {
      ...line,
      ttl: ttl === "default" ? String(live.ttl) : ttl,
      was: writer.until(live),
      refs,
    });
  }
  for (const unknown of unmatched(unknowns, plan)) add("+", laterLine(unknown, domain));
  return lines;
}

function laterLine(unknown: UnknownRecord | undefined, domain: string): UnsignedLine {
  if (unknown === undefined || !("record" in unknown))
    return {
      domain,
      text: `${unknown?.what === "specs" ? "records" : "a record"} ${laterMark}`,
      ttl: laterMark,
      later: true,
    };
  const { record, ttl, what } = unknown;
  const text =
    what === "ttl"
      ? recordText(record)
      : what === "name"
        ? textWith({ ...record, name: laterMark }, record.value === "" ? laterMark : dataText(record))
        : textWith(record, laterMark);
  return { domain: record.domain, text, ttl: what === "ttl" ? laterMark : String(ttl), later: true };
}

const laterMark = "(known after the update)";

function ttlText({ ttl, enabled }: LiveEntry): string {
  return `${ttl}${enabled ? "" : " (disabled)"}`;
}
