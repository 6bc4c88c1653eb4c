/**
 * What the safety gates may say of removals of which no host is asked in a preview: the engine asks about what a program
 * no longer has only when it deletes it. Where no other resource had its zone read, nobody knows how large that is, so the plan
 * tells what may come. Pure.
 */
import { canonicalDomain } from "../../provider/dns";
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
  const domains = String(confirmed ?? "").split(/[\s,"[\]]+/).filter((domain) => domain !== "").map((domain) => canonicalDomain(domain));
  return { maxChangeShare, confirmedDomains: domains.flatMap((each) => ("domain" in each ? [each.domain] : [])) };
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
 */
export function gateNotes(goes: ReadonlyMap<string, readonly Held[]>, zones: ReadonlyMap<string, ZoneFigures>, declared: (domain: string) => readonly string[], settingsOf: (held: Held) => GateSettings & Circumstances): GateNote[] {
  const noted = [...goes].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([domain, held]) => {
    const [first] = held;
    const zone = zones.get(domain);
    if (first === undefined || zone === undefined) return [];
    const { maxChangeShare, confirmedDomains, missingOf, parallel = Infinity } = settingsOf(first);
    if (confirmedDomains.includes(domain)) return [];
    const later = Math.max(0, held.filter(({ step }) => kindOf(step.type) === "Record").length - parallel);
    const { share, touched, missing } = shareOf(zone, maxChangeShare, (left) => missingOf?.(domain, left) ?? 0, later);
    const verdictOf = (takes: boolean | undefined): Verdict => (takes === undefined ? "may exceed" : !takes ? "within" : later > 0 ? "exceeds later" : "exceeds");
    const asked: (readonly [Verdict, string])[] = [
      [share, `maxChangeShare (${maxChangeShare} %)`],
      [verdictOf(takesNameServers(domain, held, zone)), "the NS records of the apex"],
      [verdictOf(takesMail(domain, held, declared(domain), zone)), "the last MX record"],
    ];
    const gates = asked.flatMap(([each, gate]) => (each === "within" ? [] : [gate]));
    const most = ofMostWeight.find((verdict) => asked.some(([each]) => each === verdict));
    if (most === undefined) return [];
    const beside = share === "within" ? [] : [
      ...(touched > held.length ? [`${count(touched - held.length, "other record")} that it removes or changes`] : []),
      ...(missing > 0 ? [`${missing} that runs of the last day removed before this gate stopped them`] : []),
    ];
    const what = `${count(held.length, "record")}${beside.length === 0 ? "" : `, beside ${beside.join(" and ")},`}`;
    // Each provider's process counts by itself.
    const verdict = most === "exceeds" && held.some(({ step }) => step.provider !== first.step.provider) ? "may exceed" : most;
    return [{ domain, confirmedDomains, checked: held, refused: verdict === "exceeds" ? held : [], checks: `${domain}: the up checks the removal of ${what} against ${gates.join(" and ")} and ${verdicts[verdict]}` }];
  });
  // One command opens them all, and keeps open what is.
  const domains = [...new Set([...noted.flatMap(({ confirmedDomains }) => confirmedDomains), ...noted.map(({ domain }) => domain)])].join(",");
  return noted.map(({ checks, checked, refused }) => ({ checked, refused, text: `${checks}. If it is meant, name the domain: \`LEGACYDNS_CONFIRMED_DOMAINS=${domains} pulumi up\`, or \`confirmedDomains\` on an explicit Provider` }));
}

const verdicts = {
  "may exceed": "may refuse it",
  exceeds: "refuses it",
  "exceeds later": "refuses it after a part: the engine hands over the deletions of single `Record`s a few at a time (`--parallel`), so that some go first",
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
function shareOf({ lines, unchanged, live }: ZoneFigures, maxChangeShare: number, missingOf: (left: number) => number, later: number): Share {
  const count = (...signs: PlanLine["sign"][]): number => lines.filter(({ sign, text }) => signs.includes(sign) && !text.startsWith("share ")).length;
  const touched = count("-", "~");
  const known = live ?? touched + count("=", "!") + unchanged;
  const missing = missingOf(known);
  const isOver = (found: number, gone: number): boolean => found >= fewest && (gone / found) * 100 > maxChangeShare;
  if (live === undefined) return { share: isOver(Math.max(fewest, known + missing), touched + missing) ? "may exceed" : "within", touched, missing };
  // What the up makes counts as well, where the zone is read again before the removal.
  const isOverAt = (left: number, of = touched): boolean => isOver(left + missingOf(left), of + missingOf(left));
  const then = live + count("+");
  if (!isOverAt(live) && !isOverAt(then)) return { share: "within", touched, missing };
  const share = !isOverAt(live) || !isOverAt(then) ? "may exceed" : isOverAt(then, touched - later) ? "exceeds" : "exceeds later";
  return { share, touched, missing };
}

/** Whether an NS record of the apex goes; undefined where it may be gone already. */
function takesNameServers(domain: string, held: readonly Held[], { live }: ZoneFigures): boolean | undefined {
  return held.some(({ text }) => text.startsWith(`${domain}. NS `)) && (live === undefined ? undefined : true);
}

/** Whether the last MX record of the domain, or of its apex, goes; undefined where nobody has read which are live. */
function takesMail(domain: string, held: readonly Held[], declared: readonly string[], { lines, liveMail }: ZoneFigures): boolean | undefined {
  const apex = (texts: readonly string[]): string[] => texts.filter((text) => text.startsWith(`${domain}. MX`));
  const going = held.map(({ text }) => text).filter(isMail);
  const staying = declared.filter(isMail);
  if (going.length === 0 || (staying.length > 0 && (apex(going).length === 0 || apex(staying).length > 0))) return false;
  if (liveMail === undefined) return undefined;
  const leaving = lines.flatMap(({ sign, text, ttl, before = { text, ttl } }) => ((sign === "-" || sign === "~") && !before.ttl.endsWith("(disabled)") ? [before.text] : [])).filter(isMail);
  const isLastOfApex = apex(going).length > 0 && apex(liveMail).length <= apex(leaving).length;
  return isLastOfApex || liveMail.length <= leaving.length;
}
