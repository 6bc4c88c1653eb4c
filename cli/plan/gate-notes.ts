/**
 * What the safety gates may say of removals of which no host is asked in a preview: the engine asks about what a program
 * no longer has only when it deletes it. Where no other resource had its zone read, nobody knows how large that is, so the plan
 * tells what may come. Pure.
 */
import { canonicalDomain } from "../../provider/dns";
import { groupBy } from "../../provider/gather";
import { fewest } from "../../provider/reconcile/plan/gates";
import { count } from "../../provider/words";
import { kindOf } from "../resources";
import type { Properties } from "./preview";
import { isMail } from "./records";
import type { Held, PlanLine } from "./tally";

/** What a run may do to a zone. */
export interface GateSettings {
  /** Per cent of a zone's records. */
  readonly maxChangeShare: number;
  readonly confirmedDomains: readonly string[];
}

/** Where nothing is configured. */
export const defaultGates: GateSettings = { maxChangeShare: 30, confirmedDomains: [] };

/** Settings from their texts; the fallback for what is not set or no text of one. @param share of `maxChangeShare` */
export function gateSettings(share: unknown, confirmed: unknown): GateSettings {
  const text = String(share ?? "").trim();
  const maxChangeShare = /^\d+$/.test(text) ? Number(text) : defaultGates.maxChangeShare;
  const domains = String(confirmed ?? "")
    .split(/[\s,"[\]]+/)
    .filter((domain) => domain !== "")
    .map((domain) => canonicalDomain(domain));
  return {
    maxChangeShare,
    confirmedDomains: domains.flatMap((each) => ("domain" in each ? [each.domain] : [])),
  };
}

/** The same of an explicit provider's inputs. */
export function gatesOfProvider(inputs: Properties): GateSettings {
  return gateSettings(inputs["maxChangeShare"], inputs["confirmedDomains"]);
}

interface ZoneFigures {
  readonly lines: readonly PlanLine[];
  readonly unchanged: number;
  /** How many records the gates find there, where a host has read the zone. */
  readonly live?: number;
  /** Of these the MX records that are switched on, by name: texts without the data. */
  readonly liveMail?: readonly string[];
}

/** What is known of the up beside its settings. */
export interface Circumstances {
  readonly missingOf?: MissingOf;
  /** How many deletions the engine hands over at once. */
  readonly parallel?: number;
}

/** How many records of a domain stopped runs of the last day have removed. @param left how many the zone has now */
export type MissingOf = (domain: string, left: number) => number;

/** What the up's gates say to what goes from a zone. */
export interface GateNote {
  readonly text: string;
  /** What they check. */
  readonly checked: readonly Held[];
  /** What they refuse for certain; none where only the up can tell. */
  readonly refused: readonly Held[];
}

/**
 * A note for each zone of which the up may refuse a removal.
 * @param goes what goes with resources that the program no longer has
 * @param declared texts of the records that are declared, by domain
 * @param turnOf when the engine deletes a resource: what depends on others goes before these
 */
export function gateNotes(
  goes: ReadonlyMap<string, readonly Held[]>,
  zones: ReadonlyMap<string, ZoneFigures>,
  declared: (domain: string) => readonly string[],
  settingsOf: (held: Held) => GateSettings & Circumstances,
  turnOf: (held: Held) => number,
): GateNote[] {
  const noted = [...goes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([domain, held]) => {
      const [first] = held;
      const zone = zones.get(domain);
      if (first === undefined || zone === undefined) return [];
      const settings = settingsOf(first);
      const { confirmedDomains } = settings;
      if (confirmedDomains.includes(domain)) return [];
      const judgedOf = (part: readonly Held[]): Judged =>
        judged({
          domain,
          held: part,
          zone: without(zone, others(held, part)),
          declared: declared(domain),
          settings,
        });
      const whole = judgedOf(held);
      if (whole.verdict === undefined) return [];
      const { gates, touched, missing, ofShare } = whole;
      const beside = !ofShare
        ? []
        : [
            ...(touched > held.length
              ? [`${count(touched - held.length, "other record")} that it removes or changes`]
              : []),
            ...(missing > 0
              ? [`${missing} that runs of the last day removed before this gate stopped them`]
              : []),
          ];
      const what = `${count(held.length, "record")}${beside.length === 0 ? "" : `, beside ${beside.join(" and ")},`}`;
      // Each provider's process counts by itself.
      const certain =
        whole.verdict === "exceeds" && held.every(({ step }) => step.provider === first.step.provider);
      const goFirst = certain ? goneFirst(held, turnOf, (part) => judgedOf(part).verdict !== undefined) : [];
      const says =
        !certain && whole.verdict === "exceeds"
          ? verdicts["may exceed"]
          : goFirst.length > 0
            ? `refuses it after a part: ${count(goFirst.length, "record")} of resources that depend on the others ${goFirst.length === 1 ? "goes" : "go"} first`
            : verdicts[whole.verdict];
      return [
        {
          domain,
          confirmedDomains,
          checked: held,
          refused: certain ? others(held, goFirst) : [],
          checks: `${domain}: the up checks the removal of ${what} against ${gates.join(" and ")} and ${says}`,
        },
      ];
    });
  // One command opens them all, and keeps open what is.
  const domains = [
    ...new Set([
      ...noted.flatMap(({ confirmedDomains }) => confirmedDomains),
      ...noted.map(({ domain }) => domain),
    ]),
  ].join(",");
  return noted.map(({ checks, checked, refused }) => ({
    checked,
    refused,
    text: `${checks}. If it is meant, name the domain: \`LEGACYDNS_CONFIRMED_DOMAINS=${domains} pulumi up\`, or \`confirmedDomains\` on an explicit Provider`,
  }));
}

/** What has gone by the turn at which a gate stops the rest. @param stops whether one does, of all that is to go until then */
function goneFirst(
  held: readonly Held[],
  turnOf: (held: Held) => number,
  stops: (part: readonly Held[]) => boolean,
): readonly Held[] {
  const turns = [...new Set(held.map(turnOf))].sort((a, b) => a - b);
  const at = turns.find((turn) => stops(held.filter((each) => turnOf(each) <= turn)));
  return held.filter((each) => at !== undefined && turnOf(each) < at);
}

function others(held: readonly Held[], part: readonly Held[]): readonly Held[] {
  const own = new Set(part);
  return held.filter((each) => !own.has(each));
}

/** A zone's figures without what goes later. */
function without(zone: ZoneFigures, later: readonly Held[]): ZoneFigures {
  if (later.length === 0) return zone;
  const left = new Map([...groupBy(later, keyOf)].map(([key, { length }]) => [key, length]));
  const lines = zone.lines.filter((line) => {
    const n = line.sign === "-" ? (left.get(keyOf(line)) ?? 0) : 0;
    left.set(keyOf(line), n - 1);
    return n <= 0;
  });
  return { ...zone, lines };
}

function keyOf({ text, ttl }: Pick<Held, "text" | "ttl">): string {
  return `${text} ${ttl}`;
}

interface Removal {
  readonly domain: string;
  readonly held: readonly Held[];
  readonly zone: ZoneFigures;
  readonly declared: readonly string[];
  readonly settings: GateSettings & Circumstances;
}

interface Judged extends Pick<Share, "touched" | "missing"> {
  /** What counts for all gates; undefined where none may refuse it. */
  readonly verdict?: Exclude<Verdict, "within">;
  readonly gates: readonly string[];
  /** Whether one is that of the share. */
  readonly ofShare: boolean;
}

/** What the gates say of a removal. */
function judged({
  domain,
  held,
  zone,
  declared,
  settings: { maxChangeShare, missingOf, parallel = Infinity },
}: Removal): Judged {
  const later = Math.max(0, held.filter(({ step }) => kindOf(step.type) === "Record").length - parallel);
  const { share, touched, missing } = shareOf(
    zone,
    maxChangeShare,
    (left) => missingOf?.(domain, left) ?? 0,
    later,
  );
  const verdictOf = (takes: boolean | undefined): Verdict =>
    takes === undefined ? "may exceed" : !takes ? "within" : later > 0 ? "exceeds later" : "exceeds";
  const asked: (readonly [Verdict, string])[] = [
    [share, `maxChangeShare (${maxChangeShare} %)`],
    [verdictOf(takesNameServers(domain, held, zone)), "the NS records of the apex"],
    [verdictOf(takesMail(domain, held, declared, zone)), "the last MX record"],
  ];
  const verdict = ofMostWeight.find((each) => asked.some(([said]) => said === each));
  return {
    ...(verdict === undefined ? {} : { verdict }),
    gates: asked.flatMap(([said, gate]) => (said === "within" ? [] : [gate])),
    ofShare: share !== "within",
    touched,
    missing,
  };
}

const verdicts = {
  "may exceed": "may refuse it",
  exceeds: "refuses it",
  "exceeds later":
    "refuses it after a part: the engine hands over the deletions of single `Record`s a few at a time (`--parallel`), so that some go first",
};

/** What is known of a gate before the up. */
type Verdict = "within" | keyof typeof verdicts;

/** Where several gates stand, what counts for all. */
const ofMostWeight = ["exceeds", "exceeds later", "may exceed"] as const;

interface Share {
  readonly share: Verdict;
  /** How many records the up removes or changes. */
  readonly touched: number;
  /** How many earlier runs have removed. */
  readonly missing: number;
}

/**
 * Whether the share is too large; of a zone that was not read, if it has no records but those that the plan knows of.
 * @param later how many removals the gate does not know of when the first are to go
 */
function shareOf(
  { lines, unchanged, live }: ZoneFigures,
  maxChangeShare: number,
  missingOf: (left: number) => number,
  later: number,
): Share {
  const count = (...signs: PlanLine["sign"][]): number =>
    lines.filter(({ sign, text }) => signs.includes(sign) && !text.startsWith("share ")).length;
  const touched = count("-", "~");
  const known = live ?? touched + count("=", "!") + unchanged;
  const missing = missingOf(known);
  const isOver = (found: number, gone: number): boolean =>
    found >= fewest && (gone / found) * 100 > maxChangeShare;
  if (live === undefined)
    return {
      share: isOver(Math.max(fewest, known + missing), touched + missing) ? "may exceed" : "within",
      touched,
      missing,
    };
  // What the up makes counts as well, where the zone is read again before the removal.
  const isOverAt = (left: number, of = touched): boolean =>
    isOver(left + missingOf(left), of + missingOf(left));
  const then = live + count("+");
  if (!isOverAt(live) && !isOverAt(then)) return { share: "within", touched, missing };
  const share =
    !isOverAt(live) || !isOverAt(then)
      ? "may exceed"
      : isOverAt(then, touched - later)
        ? "exceeds"
        : "exceeds later";
  return { share, touched, missing };
}

/** Whether an NS record of the apex goes; undefined where it may be gone already. */
function takesNameServers(domain: string, held: readonly Held[], { live }: ZoneFigures): boolean | undefined {
  return (
    held.some(({ text }) => text.startsWith(`${domain}. NS `)) && (live === undefined ? undefined : true)
  );
}

/** Whether the last MX record of the domain, or of its apex, goes; undefined where nobody has read which are live. */
function takesMail(
  domain: string,
  held: readonly Held[],
  declared: readonly string[],
  { lines, liveMail }: ZoneFigures,
): boolean | undefined {
  const apex = (texts: readonly string[]): string[] =>
    texts.filter((text) => text.startsWith(`${domain}. MX`));
  const going = held.map(({ text }) => text).filter(isMail);
  const staying = declared.filter(isMail);
  if (going.length === 0 || (staying.length > 0 && (apex(going).length === 0 || apex(staying).length > 0)))
    return false;
  if (liveMail === undefined) return undefined;
  const leaving = lines
    .flatMap(({ sign, text, ttl, before = { text, ttl } }) =>
      (sign === "-" || sign === "~") && !before.ttl.endsWith("(disabled)") ? [before.text] : [],
    )
    .filter(isMail);
  const isLastOfApex = apex(going).length > 0 && apex(liveMail).length <= apex(leaving).length;
  return isLastOfApex || liveMail.length <= leaving.length;
}
