/** The entries of one resource in the report file of a plan: lines, problems and held records. */
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
import { diagnosticOf, isOf, merged, rendered, type Problem, type Reason } from "../problems";
import type { Declaration } from "../reconcile/declaration";
import { digestOf, emptyLedger, type Ledger } from "../reconcile/memory/ledger";
import type { Preview } from "../reconcile/reconciler";
import type { Wording } from "../reconcile/wording";
import type { LiveEntry } from "../reconcile/zones/zone";
import type { Removal } from "../settings";
import { shareLine, type Share } from "../reconcile/shares";
import { errorText } from "../support/text";
import type { Host } from "./host";
import type { Props } from "./lifecycle";
import {
  isPlan,
  planRequest,
  writeEntry,
  type DeclaredEntry,
  type PlanCheck,
  type PlanLine,
  type PlanProblem,
  type PlanSettings,
} from "./plan-file";

/** The names of a resource in entries. */
export interface Named {
  /** Digest of its URN; undefined if its process does not know it. */
  readonly urn?: string | undefined;
  readonly resource?: string | undefined;
}

/** The previewed update of a resource. */
interface Previewed extends Pick<Preview, "plan" | "refused" | "failures"> {
  readonly errors: readonly PlanProblem[];
  readonly checks: readonly PlanCheck[];
}

/** Writes the update of a resource. */
export function writeUpdate(
  host: Host,
  named: Named & { readonly domain: string },
  declaration: Declaration,
  { plan, refused, failures, errors, checks }: Previewed,
  ledger: Ledger = emptyLedger,
): void {
  if (!isPlan()) return;
  const declared = new Set(declaration.records.map((record) => digestOf(record)));
  const adopted = new Set(plan.adopted.map(({ record }) => record));
  const kept = plan.present.filter(({ record }) => !adopted.has(record));
  writeDeclared(host, named, declaration.records, {
    lines: linesOf(
      { plan, refused },
      declaration,
      host.reconciler.siblings.wording(declaration),
      named.domain,
    ),
    unchanged: countsOf(kept.map(({ record }) => record)),
    given: [...ledger.owned.keys()].filter((each) => !declared.has(each)),
    errors: [...errors],
    blocked: merged(failures.map(diagnosticOf)).map((each) => rendered(each, Infinity)),
    checks: [...checks],
  });
}

/** Writes a resource that does not change. */
export function writeUnchanged(host: Host, named: Named, records: () => readonly DeclaredRecord[]): void {
  if (!isPlan()) return;
  const declared = records();
  writeDeclared(host, named, declared, { unchanged: countsOf(declared) });
}

/**
 * Writes the errors of a resource whose inputs are wrong, so that the others are planned as well.
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

/** The problems of inputs as a plan shows them. */
export function inputErrors(problems: readonly Problem[]): PlanProblem[] {
  return problems.map((problem) => ({ code: problem.code, text: wholeText(problem) }));
}

/** The text with all records. */
function wholeText(why: Reason | Problem): string {
  return rendered(diagnosticOf(why), Infinity);
}

/** A reason as a plan shows it. */
export function planProblem(why: Reason): PlanProblem {
  return {
    code: why.code,
    text: wholeText(why),
    ...(isOf(why, "zone.gated") ? { key: `${why.code} ${why.parts.domain}` } : {}),
  };
}

/**
 * Writes the records that a resource of the state holds. Lists their zones only if the CLI named the
 * resource.
 * @param declaration the records of its outputs
 */
export async function writeHeld(
  host: Host,
  named: Named,
  declaration: Declaration,
  ledger: Ledger,
  removal: unknown,
): Promise<void> {
  const { records } = declaration;
  const domains = [...new Set([...domainsOf(records), ...ledger.leftOver.map(({ domain }) => domain)])];
  const own = isRemoval(removal) ? { removal } : {};
  const head = { kind: "held" as const, ...headOf(host, named), domains, ...own };
  if (!planRequest().urns.includes(head.urn)) return writeEntry(head);
  const wording = host.reconciler.siblings.wording(declaration);
  try {
    const { held, live } = await host.reconciler.holdings(declaration, ledger);
    const ownText = new Map(records.map((record) => [recordKey(record), hiddenText(record, wording)]));
    writeEntry({
      ...head,
      live: Object.fromEntries(live),
      records: held
        .filter(({ hold }) => !hold)
        .map((entry) => ({
          domain: entry.domain,
          // A value that the console set may be the secret of a resource that is not checked yet.
          text: ownText.get(entry.key) ?? textWith(entry.record, "[changed since the last up]"),
          ttl: ttlText(entry),
          id: digest(entry.key),
          ref: refOf(entry),
          guarded: isGuarded(entry.record),
          changed: !ownText.has(entry.key),
        })),
    });
  } catch (error) {
    const owned = records.filter((record) => ledger.owned.has(digestOf(record)));
    writeEntry({
      ...head,
      unread: errorText(error),
      records: owned.map((record) => ({
        domain: record.domain,
        text: hiddenText(record, wording),
        ttl: String(stateTtl(record)),
        id: digestOf(record),
        ref: `${record.domain} ${ledger.owned.get(digestOf(record))?.id ?? ""}`,
        guarded: isGuarded(record),
        changed: false,
      })),
    });
  }
}

/**
 * Writes the update of a share.
 * @param live the share before it; undefined if it is new; `unknown` in documented mode
 */
export function writeShare(
  host: Host,
  share: Share,
  live: Pick<Share, "mode" | "scope"> | "unknown" | undefined,
): void {
  const { domain, email } = share;
  const { text, ttl } = shareLine(share);
  const line = { domain, text, ttl, id: `${domain} ${text}` };
  const was =
    live === "unknown"
      ? { text, ttl: "(mode not known)" }
      : live === undefined
        ? undefined
        : shareLine({ email, ...live });
  const planned: PlanLine =
    was === undefined
      ? { sign: "+", ...line }
      : was.ttl === ttl
        ? { sign: "=", ...line }
        : { sign: "~", ...line, was };
  writeDeclared(host, nameOf(share), [], { lines: [planned] });
}

/** Writes a share of the state. */
export function writeHeldShare(host: Host, share: Share): void {
  const { domain } = share;
  const { text, ttl } = shareLine(share);
  const id = `${domain} ${text}`;
  writeEntry({
    kind: "held",
    ...headOf(host, nameOf(share)),
    domains: [domain],
    // A share that stays is a warning of the up, not an error.
    ...(host.settings.undocumentedOperations && host.settings.removal === "delete"
      ? {}
      : { removal: "retain" as const }),
    records: [{ domain, text, ttl, id, ref: id, guarded: false, changed: false }],
  });
}

/**
 * A dynamic provider does not know the URN of a share: its domain and person name it (cli/plan/preview.ts).
 */
function nameOf(share: Share): Named {
  return { urn: digest(`${share.domain} ${shareLine(share).text}`), resource: undefined };
}

function isRemoval(value: unknown): value is Removal {
  return value === "verify" || value === "retain" || value === "delete";
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
    declares: records.filter(({ domain }) => domains.has(domain)).map((record) => digestOf(record)),
    errors: [],
    blocked: [],
    checks: [],
    ...parts,
  });
}

function headOf({ settings }: Host, { urn = "", resource = "" }: Named) {
  const {
    baseUrl,
    loginToken,
    removal,
    undocumentedOperations: full,
    maxChangeShare,
    confirmedDomains,
  } = settings;
  // The part before the comma is no secret.
  const account = digest(`${baseUrl} ${loginToken.reveal().split(",", 1).join("")}`);
  const held: PlanSettings = { removal, full, maxChangeShare, confirmedDomains: [...confirmedDomains] };
  return { urn, resource, account, settings: held };
}

function countsOf(records: readonly DeclaredRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { domain } of records) counts[domain] = (counts[domain] ?? 0) + 1;
  return counts;
}

/** Whether the loss of the record takes the domain or its mail offline. */
function isGuarded({ name, type }: DnsRecord): boolean {
  return name === "@" && (type === "NS" || type === "MX");
}

function linesOf(
  { plan, refused }: Pick<Previewed, "plan" | "refused">,
  { records, unknowns = [], removal, may }: Declaration,
  wording: Wording,
  domain: string,
): PlanLine[] {
  const secret = new Set(records.filter((each) => each.secret === true).map((each) => recordKey(each)));
  const show = (record: DnsRecord, id?: string): string =>
    !wording.hides(record, id)
      ? recordText(record)
      : textWith(record, secret.has(recordKey(record)) ? "[secret]" : "[not shown]");
  const declared = (record: DeclaredRecord, live?: LiveEntry): Omit<PlanLine, "sign"> => ({
    domain: record.domain,
    text: show(record),
    // An omitted TTL stays as it is.
    ttl: live !== undefined && record.ttl === "default" ? String(live.ttl) : String(stateTtl(record)),
    id: digestOf(record),
  });
  const live = (entry: LiveEntry): Omit<PlanLine, "sign"> => ({
    domain: entry.domain,
    text: show(entry.record, entry.id),
    ttl: ttlText(entry),
    id: digest(entry.key),
    refs: [refOf(entry)],
  });
  const until = (entry: LiveEntry, record: DeclaredRecord): NonNullable<PlanLine["was"]> => {
    const text = show(entry.record, entry.id);
    const isLike = text === show(record) && entry.key !== recordKey(record);
    return { text: isLike ? textWith(entry.record, "[secret until now]") : text, ttl: ttlText(entry) };
  };
  const sign = <S extends PlanLine["sign"]>(record: DeclaredRecord, allowed: S): S | "!" =>
    refused.has(record) ? "!" : allowed;
  const keys = new Set(records.map((record) => recordKey(record)));
  const found = new Set(plan.undecided.map(({ unknown }) => unknown));
  return [
    ...plan.create.map((record) => ({ sign: sign(record, "+"), ...declared(record) })),
    ...plan.adopted.map(({ record }) => ({ sign: "=" as const, ...declared(record) })),
    ...plan.changes.map(({ record, live: entry }) => ({
      sign: sign(record, "~"),
      ...declared(record, entry),
      was: until(entry, record),
      refs: [refOf(entry)],
    })),
    ...plan.removals.map(({ live: entry }) => ({
      sign: "-" as const,
      ...live(entry),
      ...(keys.has(entry.key) ? { duplicate: true } : {}),
    })),
    ...plan.obstacles.map(({ record, live: [first, ...others] }) => ({
      sign: "!" as const,
      ...declared(record, first),
      was: until(first, record),
      refs: [first, ...others].map(refOf),
    })),
    ...plan.leftOver.map((entry) => ({
      sign: removal === "retain" ? ("." as const) : ("!" as const),
      ...live(entry),
    })),
    ...plan.undecided.map(({ live: entry, unknown }) =>
      undecidedLine(entry, live(entry), unknowns[unknown], may.single),
    ),
    ...unknowns.flatMap((unknown, i) => (found.has(i) ? [] : [laterLine(unknown, domain)])),
  ];
}

/** A live record that only the update can compare. A different place is a different record. */
function undecidedLine(
  entry: LiveEntry,
  live: Omit<PlanLine, "sign">,
  unknown: UnknownRecord | undefined,
  single: boolean,
): PlanLine {
  const { domain, text, ttl, refs = [] } = live;
  const was = { text, ttl };
  if (unknown === undefined || !("record" in unknown))
    return { sign: "?", domain, text: `a record ${laterMark}`, ttl: laterMark, was, refs };
  const after = {
    domain,
    text: unknownText(unknown),
    ttl: unknown.ttl === "default" ? String(entry.ttl) : String(unknown.ttl),
  };
  const moves = single && unknown.what !== "name" && placeOf(unknown.record) !== placeOf(entry.record);
  return { sign: moves ? "~" : "?", ...after, was, refs };
}

/** A record that the update creates or adopts. @param first the resource's first domain */
function laterLine(unknown: UnknownRecord, first: string): PlanLine {
  const domain = "record" in unknown ? unknown.record.domain : first;
  if (!("record" in unknown))
    return {
      sign: "+",
      domain,
      text: `${unknown.what === "spec" ? "a record" : "records"} ${laterMark}`,
      ttl: laterMark,
      later: true,
    };
  const ttl = unknown.what === "ttl" ? laterMark : String(unknown.ttl);
  return { sign: "+", domain, text: unknownText(unknown), ttl, later: true };
}

const laterMark = "(known after the update)";

function unknownText({ record, what }: Extract<UnknownRecord, { record: DnsRecord }>): string {
  if (what === "ttl") return recordText(record);
  if (what === "name")
    return textWith({ ...record, name: laterMark }, record.value === "" ? laterMark : dataText(record));
  return textWith(record, laterMark);
}

function hiddenText(record: DnsRecord, wording: Wording): string {
  return wording.hides(record) ? textWith(record, "[secret]") : recordText(record);
}

function ttlText({ ttl, enabled }: LiveEntry): string {
  return `${ttl}${enabled ? "" : " (disabled)"}`;
}

function refOf({ domain, id }: LiveEntry): string {
  return `${domain} ${id}`;
}
