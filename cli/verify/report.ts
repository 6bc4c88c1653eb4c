/** The report of `verify`, as a table or as JSON. */
import { ownerOf, partOf, type DeclaredEntry } from "../../provider/dns";
import { groupBy } from "../../provider/support/collections";
import { count, listed } from "../../provider/support/text";
import { print } from "../command";
import { table } from "../table";
import { log, type Terminal } from "../terminal";
import type { Servers } from "./ask";
import { whyNotAsked } from "./compare";
import type { Difference, Examined } from "./examine";

export interface Verification {
  readonly found: Examined;
  readonly chosen: readonly DeclaredEntry[];
  readonly servers: Servers;
  readonly warnings: readonly string[];
  readonly problems: readonly string[];
  /** Seconds, with `--wait`. */
  readonly waited?: number | undefined;
}

export function jsonOf({ found, chosen, servers, warnings, problems, waited }: Verification): object {
  const { served, differences, unanswered } = found;
  const notAsked = notAskedIn(chosen);
  return {
    cachedUntil: found.cachedUntil === undefined ? undefined : timeOf(found.cachedUntil),
    ok: problems.length === 0 && differences.every(({ kind }) => kind === "ttl"),
    summary: {
      declared: chosen.length,
      served,
      missing: ofKind(differences, "missing"),
      otherTtl: ofKind(differences, "ttl"),
      more: ofKind(differences, "more"),
      notAsked: notAsked.length,
      unanswered,
    },
    waited,
    differences: differences.map(({ further: _further, ...difference }) => difference),
    notAsked,
    servers: Object.fromEntries(servers),
    warnings,
    problems,
  };
}

function notAskedIn(chosen: readonly DeclaredEntry[]): { name: string; type: string; reason: string }[] {
  return chosen.flatMap((record) => {
    const reason = whyNotAsked(record);
    return reason === undefined
      ? []
      : [{ name: ownerOf(record.name, record.domain), type: record.type, reason }];
  });
}

/** The counts are the last line, after the messages, which go to standard error. */
export function show(terminal: Terminal, verification: Verification): void {
  const { found, warnings, problems } = verification;
  const { differences } = found;
  const { bold, green, red, yellow } = terminal.out.colours;
  const rows = differences.map(({ name, type, declared, served, kind, ids = [] }) => [
    name,
    type,
    shortData(declared, served),
    `${kind === "more" ? "also " : ""}${shortData(served, declared)}${ids.length > 0 ? ` (record ${ids.join(", ")})` : ""}`,
  ]);
  const [head = "", ...lines] = table(["name", "type", "declared", "served"], rows);
  const paint = (i: number) => (differences[i]?.kind === "missing" ? red : yellow);
  if (rows.length > 0) print(terminal, [bold(head), ...lines.map((line, i) => paint(i)(line)), ""]);
  print(terminal, notesOf(verification));
  log(terminal, "warning", warnings);
  log(terminal, "error", problems);
  const isFine = problems.length === 0 && differences.length === 0;
  const isWarning = problems.length === 0 && differences.every(({ kind }) => kind === "ttl");
  const outcome = isFine ? green : isWarning ? yellow : red;
  terminal.out.line(outcome(summaryOf(verification)));
}

function shortData(data: string, other: string): string {
  const shown = partOf(data, other);
  return shown === undefined ? data : `${shown.part} ${shown.length}`;
}

function summaryOf({ found, chosen, waited }: Verification): string {
  const { served, differences, unanswered, onOtherLine } = found;
  const notAsked = notAskedIn(chosen).length;
  const missing = ofKind(differences, "missing");
  const [ttls, more] = [ofKind(differences, "ttl"), ofKind(differences, "more")];
  const parts = [
    `${served} of ${chosen.length - notAsked} declared records${notAsked > 0 ? " that DNS can be asked for" : ""} are served`,
    ...(ttls > 0 ? [`${ttls} of them with another TTL`] : []),
    ...(more > 0 ? [`${count(more, "answer")} with further records`] : []),
    ...(missing > 0 ? [`${missing} ${missing === 1 ? "is" : "are"} not`] : []),
    ...(onOtherLine.length > 0 ? [`${onOtherLine.length} cannot be seen from here`] : []),
    ...(unanswered > 0 ? [`no answer for ${unanswered}`] : []),
  ];
  return (
    parts.join("; ") + (waited === undefined || waited === 0 ? "" : `, after ${count(waited, "second")}`)
  );
}

function notesOf({ found: { cachedUntil }, chosen }: Verification): string[] {
  const notAsked = notAskedIn(chosen);
  const reasons = [...groupBy(notAsked, ({ reason }) => reason)].sort(([a], [b]) => (a < b ? -1 : 1));
  const leftOut = reasons.map(([reason, records]) => {
    const names = records.map(({ name, type }) => `${name} ${type}`);
    return `${listed(names, 3)} (${reason})`;
  });
  return [
    ...(leftOut.length === 0
      ? []
      : [`${count(notAsked.length, "declared record")} not asked for, as intended: ${leftOut.join("; ")}`]),
    ...(cachedUntil === undefined ? [] : [`Caches can hold old answers until ${timeOf(cachedUntil)}`]),
  ];
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+/, "");
}

function ofKind(differences: readonly Difference[], kind: Difference["kind"]): number {
  return differences.filter((each) => each.kind === kind).length;
}
