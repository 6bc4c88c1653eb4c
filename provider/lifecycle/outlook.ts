/**
 * What a run would really do with one resource, for `pulumi-legacydns plan`: each host appends a line of JSON to the file that the
 * command names in the environment. While the variable is set, no host writes to the service, and refusals go into the file:
 * one refusal must not keep the rest from being planned.
 */
import { appendFileSync } from "node:fs";
import type { CheckLevel } from "../dns/checks";
import {
  digest,
  recordKey,
  recordText,
  stateTtl,
  textWith,
  type DeclaredRecord,
  type DnsRecord,
} from "../dns";
import { domainsOf } from "../gather";
import { isOf, reason, shown, textOf, type Problem, type Reason } from "../problems";
import { seal } from "../sealing";
import { shareLine, type Share } from "../shares";
import type { Declaration } from "../reconcile/declaration";
import { digestOf, type Ledger } from "../reconcile/memory/ledger";
import type { Siblings } from "../reconcile/memory/siblings";
import type { Preview } from "../reconcile/reconciler";
import type { Wording } from "../reconcile/wording";
import type { ZoneReader } from "../reconcile/zones/reader";
import type { LiveEntry, Zone } from "../reconcile/zones/zone";
import type { Host } from "./host";
import type { Props } from "./lifecycle";

/** The file that outlooks go to. */
export const outlookFile = "PULUMI_LEGACYDNS_OUTLOOK";
/** Set where resources are planned whose inputs have not changed, since a run before ended half-way. */
export const outlookOfAll = "PULUMI_LEGACYDNS_OUTLOOK_ALL";
/** Domains whose zones are read though nothing of them has changed, since something of them is still to be deleted. */
export const outlookZones = "PULUMI_LEGACYDNS_OUTLOOK_ZONES";

/** With which hosts seal what must stand in no file. */
export const outlookKey = "PULUMI_LEGACYDNS_OUTLOOK_KEY";

export interface OutlookEntry {
  /**
   * `add`: is made; `adopt`: is live already; `change`: another record, or another TTL, until then; `remove`: goes;
   * `leave`: not declared any more and stays; `differ`: declared, and live otherwise for good; `refuse`: declared, and
   * refused, so that nothing becomes of it; `undecided`: stays, unless the update finds that it is to be another.
   */
  readonly outcome: "add" | "adopt" | "change" | "remove" | "leave" | "differ" | "refuse" | "undecided";
  readonly domain: string;
  readonly text: string;
  readonly ttl: string;
  /** Of what is changed, refused or live otherwise: what it is until then. */
  readonly was?: { readonly text: string; readonly ttl: string };
  /** Of what is refused or live otherwise: further live records that stand in its way. */
  readonly others?: readonly string[] | undefined;
  /** Of what goes: the live record's id. */
  readonly id?: string;
  /** Of what is adopted or goes, and of what is made and is secret: the record's digest. */
  readonly digest?: string;
  /** Of what is undecided: which of the resource's unknown records it may be, in their order. */
  readonly unknown?: number;
}

export interface Outlook {
  /** Domain and text of a record that the resource declares, or declared, an open one where there is one: by it the command finds the resource. */
  readonly of: string;
  /** The resource as messages name it, where its host knows that: `Zone "example.com"`. */
  readonly resource?: string | undefined;
  readonly entries: readonly OutlookEntry[];
  /** Digests of records that the resource answered for and no longer declares. */
  readonly given?: readonly string[];
  /** Records by domain that are live as declared, and were the resource's before. */
  readonly unchanged: Readonly<Record<string, number>>;
  readonly refusals: readonly OutlookProblem[];
  /** What the service will not do of it, so that the up ends with an error. */
  readonly limits: readonly Reason[];
  /** What the zone checks find, all of it. */
  readonly checks: readonly OutlookCheck[];
}

/** A zone as a host has read it: by it the command knows whether what is to be deleted is live. */
export interface OutlookZone {
  readonly zone: string;
  /** By id, the digest of the record that is live, without the service's own: as the safety gates count them. */
  readonly records: Readonly<Record<string, string>>;
  /** By id, its text without the data. */
  readonly places?: Readonly<Record<string, string>>;
  /** By id, its whole text, of what nobody is known to declare: some may be secrets. As JSON, sealed ({@link outlookKey}). */
  readonly texts?: string;
  /** By id, its TTL as in an entry. */
  readonly ttls?: Readonly<Record<string, string>>;
  /** What was made later than this, in seconds since the epoch, need not be listed yet. */
  readonly lists: number;
}

/** A secret record that a resource declares: the engine hides its data, and tells nobody whether another's is the same. */
export interface OutlookSecret {
  readonly digest: string;
  /** Its text without the data. */
  readonly place: string;
}

/** What an up would refuse, by its code (docs/errors.md). */
export interface OutlookProblem {
  readonly code: string;
  readonly text: string;
  /** Of what a safety gate refuses: over all that the host has been asked about until then. */
  readonly gate?: Reason<"zone.gated"> | undefined;
}

export interface OutlookCheck {
  readonly code: string;
  /** `refuse`: among the refusals, too. */
  readonly level: Exclude<CheckLevel, "off">;
  readonly domain: string;
  /** The record that it is about; a secret one without its value. */
  readonly record?: string | undefined;
  readonly message: string;
}

/** What is told of a preview. */
type Told = Pick<Preview, "plan" | "refused"> & Pick<Outlook, "resource" | "refusals" | "limits" | "checks">;

/** Zones as they were read, of the domains that were, and what the program declares. */
interface Known {
  readonly zones: Pick<ZoneReader, "latest">;
  readonly siblings: Pick<Siblings, "isDeclared" | "isSecret">;
}

/** As a plan has it. */
export function problemOf(why: Reason): OutlookProblem {
  const gate = isOf(why, "zone.gated")
    ? why
    : isOf(why, "zone.gated-as-well")
      ? reason("zone.gated", why.parts.whole)
      : undefined;
  return { code: why.code, text: textOf(why), ...(gate === undefined ? {} : { gate }) };
}

/** Whether this run is a plan only. */
export function isPlanOnly(): boolean {
  return (process.env[outlookFile] ?? "") !== "";
}

/** Whether what has not changed is planned too. */
export function plansAll(): boolean {
  return isPlanOnly() && (process.env[outlookOfAll] ?? "") !== "";
}

/** Tells the command. @param before what the resource declared until now */
export function tellOutlook(
  { reconciler, settings }: Host,
  preview: Told,
  declaration: Declaration,
  before: readonly DeclaredRecord[],
  ledger: Ledger,
): void {
  if (!isPlanOnly()) return;
  const wording = reconciler.siblings.wording(declaration);
  write({ ...outlookOf(preview, declaration, before, wording), given: givenUp(declaration.records, ledger) });
  tellSecrets(declaration.records.filter((record) => wording.hides(record)));
  tellZones(reconciler, domainsOf([...declaration.records, ...before]), settings);
}

/**
 * Tells the command of a resource that has not changed: its secret records, and the zones of which something is still to be
 * deleted, which it reads.
 * @param records what it declares
 */
export async function tellUnchanged(
  { reconciler, settings }: Host,
  records: () => readonly DeclaredRecord[],
  hasSecrets: boolean,
): Promise<void> {
  const awaited = awaitedDomains();
  if (!isPlanOnly() || (awaited.size === 0 && !hasSecrets)) return;
  const declared = records();
  if (hasSecrets) tellSecrets(declared);
  const domains = domainsOf(declared).filter((domain) => awaited.has(domain));
  await reconciler.zones.readable(domains);
  tellZones(reconciler, domains, settings);
}

/** Tells the command of the zones that a refresh of a resource has read, where something of them is still to be deleted. */
export function tellRead({ reconciler, settings }: Host, records: readonly DeclaredRecord[]): void {
  const awaited = awaitedDomains();
  if (isPlanOnly())
    tellZones(
      reconciler,
      domainsOf(records).filter((domain) => awaited.has(domain)),
      settings,
    );
}

function awaitedDomains(): ReadonlySet<string> {
  return new Set((process.env[outlookZones] ?? "").split(",").filter((domain) => domain !== ""));
}

function tellSecrets(records: readonly DnsRecord[]): void {
  for (const record of records) write({ digest: digestOf(record), place: textWith(record) });
}

function givenUp(records: readonly DeclaredRecord[], { owned }: Ledger): string[] {
  const declared = new Set(records.map((record) => digestOf(record)));
  return [...owned.keys()].filter((own) => !declared.has(own));
}

const toldZones = new WeakSet<Zone>();

/** The texts that the command may show of what goes: by id, of what nobody is known to declare. */
function sealedTexts(texts: readonly (readonly [string, string])[]): Pick<OutlookZone, "texts"> {
  const key = process.env[outlookKey] ?? "";
  return texts.length === 0 || key === ""
    ? {}
    : { texts: seal(JSON.stringify(Object.fromEntries(texts)), key) };
}

/** Tells the command of each reading once. */
function tellZones(
  { zones, siblings }: Known,
  domains: readonly string[],
  { indexDelay }: Host["settings"],
): void {
  for (const domain of domains) {
    const zone = zones.latest(domain)?.zone;
    if (zone === undefined || toldZones.has(zone)) continue;
    toldZones.add(zone);
    const live = zone.entries.filter(({ hold }) => !hold);
    const places = Object.fromEntries(live.map(({ id, record }) => [id, textWith(record)]));
    const undeclared = live.flatMap(({ id, key, record }) =>
      siblings.isDeclared(key) || siblings.isSecret(key) ? [] : [[id, recordText(record)] as const],
    );
    const ttls = Object.fromEntries(live.map((entry) => [entry.id, ttlText(entry)]));
    write({
      zone: domain,
      records: Object.fromEntries(live.map(({ id, key }) => [id, digest(key)])),
      places,
      ...sealedTexts(undeclared),
      ttls,
      lists: zone.readAt / 1000 - indexDelay,
    });
  }
}

/** Tells the command what becomes of a share. @param live as it is now */
export function tellShare(share: Share, live: Pick<Share, "mode" | "scope"> | undefined): void {
  const { domain, email } = share;
  const { text, ttl } = shareLine(share);
  const was = live && shareLine({ email, ...live });
  const outcome = was === undefined ? "add" : was.ttl === ttl ? "adopt" : "change";
  write({
    of: `${domain} ${text}`,
    entries: [{ outcome, domain, text, ttl, ...(outcome === "change" && was !== undefined ? { was } : {}) }],
    unchanged: {},
    refusals: [],
    limits: [],
    checks: [],
  });
}

/** Tells the command what is refused of a resource of which nothing else can be told. @param of as in an outlook */
export function tellRefusals(of: string, refusals: readonly OutlookProblem[], resource?: string): void {
  write({ of, resource, entries: [], unchanged: {}, refusals, limits: [], checks: [] });
}

/**
 * Tells the command what is wrong with a resource's inputs: one that is wrong must not keep the others from being planned.
 * @param resource as messages name it
 * @param before its inputs until now; empty of a new one
 * @returns inputs of which the plan shows nothing
 */
export function tellWrong(
  resource: string | undefined,
  problems: readonly Problem[],
  before: Props,
  given: Props,
): Props {
  tellRefusals(
    resource ?? "",
    problems.map((problem) => ({ code: problem.code, text: shown(problem) })),
    resource,
  );
  if (Object.keys(before).length > 0) return before;
  return "records" in given ? { ...given, records: "" } : given;
}

function write(outlook: Outlook | OutlookZone | OutlookSecret): void {
  const file = process.env[outlookFile] ?? "";
  if (file !== "") appendFileSync(file, `${JSON.stringify(outlook)}\n`, { mode: 0o600 });
}

function outlookOf(
  { plan, resource, refusals, refused, limits, checks }: Told,
  { records }: Declaration,
  before: readonly DeclaredRecord[],
  wording: Wording,
): Outlook {
  const texts = new Texts([...records, ...before], wording);
  const declared = (record: DeclaredRecord): Omit<OutlookEntry, "outcome"> => ({
    domain: record.domain,
    text: texts.of(record),
    ttl: String(stateTtl(record)),
  });
  const live = (entry: LiveEntry): Omit<OutlookEntry, "outcome"> => ({
    domain: entry.domain,
    text: texts.of(entry.record, entry.id),
    ttl: ttlText(entry),
  });
  // A TTL that is left out stays as it is.
  const becomes = (record: DeclaredRecord, { ttl }: LiveEntry): Omit<OutlookEntry, "outcome"> => ({
    ...declared(record),
    ...(record.ttl === "default" ? { ttl: String(ttl) } : {}),
  });
  const until = (entry: LiveEntry, record: DeclaredRecord): Omit<OutlookEntry, "outcome"> => ({
    ...live(entry),
    text: texts.until(entry, record),
  });
  const adopted = new Set(plan.adopted.map((match) => match.record));
  const unchanged: Record<string, number> = {};
  for (const { record } of plan.present)
    if (!adopted.has(record)) unchanged[record.domain] = (unchanged[record.domain] ?? 0) + 1;
  const all = [...records, ...before];
  const first = all.find((record) => !wording.hides(record)) ?? all[0];
  return {
    of: first === undefined ? "" : `${first.domain} ${texts.of(first)}`,
    resource,
    entries: [
      ...plan.create.map((record) => ({
        outcome: refused.has(record) ? ("refuse" as const) : ("add" as const),
        ...declared(record),
        ...(wording.hides(record) ? { digest: digestOf(record) } : {}),
      })),
      ...plan.adopted.map(({ record }) => ({
        outcome: "adopt" as const,
        ...declared(record),
        digest: digestOf(record),
      })),
      ...plan.changes.map(({ record, live }) => ({
        outcome: refused.has(record) ? ("refuse" as const) : ("change" as const),
        ...becomes(record, live),
        was: until(live, record),
      })),
      ...plan.removals.map((removal) => ({
        outcome: "remove" as const,
        ...live(removal.live),
        id: removal.live.id,
        digest: digest(removal.live.key),
      })),
      ...plan.obstacles.map(({ record, live: [first, ...others] }) => ({
        outcome: refused.has(record) ? ("refuse" as const) : ("differ" as const),
        ...becomes(record, first),
        was: until(first, record),
        ...(others.length === 0 ? {} : { others: others.map((entry) => until(entry, record).text) }),
      })),
      ...plan.undecided.map((each) => ({
        outcome: "undecided" as const,
        ...live(each.live),
        unknown: each.unknown,
      })),
      ...plan.leftOver.map((entry) => ({ outcome: "leave" as const, ...live(entry) })),
    ],
    unchanged,
    refusals,
    limits,
    checks,
  };
}

function ttlText({ ttl, enabled }: LiveEntry): string {
  return `${ttl}${enabled ? "" : " (disabled)"}`;
}

/** The texts of a resource's records, without the data that no message shows. */
class Texts {
  private readonly secret: ReadonlySet<string>;

  constructor(
    declared: readonly DeclaredRecord[],
    private readonly wording: Wording,
  ) {
    this.secret = new Set(
      declared.filter(({ secret }) => secret === true).map((record) => recordKey(record)),
    );
  }

  /** @param id of a live record */
  of(record: DnsRecord, id?: string): string {
    if (!this.wording.hides(record, id)) return recordText(record);
    return textWith(record, this.secret.has(recordKey(record)) ? "[secret]" : "[not shown]");
  }

  /** Of what is live until it becomes a record: never the same text where the data differ. */
  until(live: LiveEntry, record: DnsRecord): string {
    const text = this.of(live.record, live.id);
    return text === this.of(record) && live.key !== recordKey(record)
      ? textWith(live.record, "[secret until now]")
      : text;
  }
}
