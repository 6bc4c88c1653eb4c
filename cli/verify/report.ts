/** The report of `verify`, as a table or as JSON. */
import { partOf } from "../../provider/dns";
import { groupBy } from "../../provider/support/collections";
import { count, listed } from "../../provider/support/text";
import { print } from "../command";
import { table } from "../table";
import { log, type Terminal } from "../terminal";
import type { Server } from "./ask";
import type { Difference, Examined } from "./examine";

export interface Report {
  readonly result: Examined;
  /** Records that no server is asked for. */
  readonly notAsked: readonly { readonly name: string; readonly type: string; readonly reason: string }[];
  readonly warnings: readonly string[];
  readonly troubles: readonly string[];
  readonly servers: ReadonlyMap<string, readonly Server[]>;
  readonly total: number;
  /** Seconds, with `--wait`. */
  readonly waited: number | undefined;
}

export function jsonOf({ result, notAsked, warnings, troubles, servers, total, waited }: Report): object {
  const { served, differences, unanswered } = result;
  return {
    ok: troubles.length === 0 && differences.every(({ kind }) => kind === "ttl"),
    summary: {
      declared: total,
      served,
      missing: ofKind(differences, "missing"),
      otherTtl: ofKind(differences, "ttl"),
      notAsked: notAsked.length,
      unanswered,
    },
    waited,
    differences,
    notAsked,
    servers: Object.fromEntries(servers),
    warnings,
    troubles,
  };
}

export function show(terminal: Terminal, report: Report): void {
  const { result, warnings, troubles } = report;
  const rows = result.differences.map(({ name, type, declared, served }) => [
    name,
    type,
    shortData(declared, served),
    shortData(served, declared),
  ]);
  if (rows.length > 0) print(terminal, [...table(["name", "type", "declared", "served"], rows), ""]);
  print(terminal, [summaryOf(report)]);
  log(terminal, "warning", warnings);
  log(terminal, "error", troubles);
}

/** @param other the data in the other column */
function shortData(data: string, other: string): string {
  const shown = partOf(data, other);
  return shown === undefined ? data : `${shown.part} ${shown.length}`;
}

function summaryOf({ result, notAsked, total, waited }: Report): string {
  const { served, differences, unanswered, onOtherLine } = result;
  const missing = ofKind(differences, "missing");
  const ttls = ofKind(differences, "ttl");
  const parts = [
    `${served} of ${total - notAsked.length} declared records${notAsked.length > 0 ? " that DNS can be asked for" : ""} are served`,
    ...(ttls > 0 ? [`${ttls} of them with another TTL`] : []),
    ...(missing > 0 ? [`${missing} ${missing === 1 ? "is" : "are"} not`] : []),
    ...(onOtherLine.length > 0 ? [`${onOtherLine.length} cannot be seen from here`] : []),
    ...(unanswered > 0 ? [`no answer for ${unanswered}`] : []),
  ];
  const summary = parts.join("; ") + (waited === undefined ? "" : `, after ${count(waited, "second")}`);
  if (notAsked.length === 0) return summary;
  const reasons = [...groupBy(notAsked, ({ reason }) => reason)].sort(([a], [b]) => (a < b ? -1 : 1));
  const leftOut = reasons.map(
    ([reason, records]) =>
      `${listed(
        records.map(({ name, type }) => `${name} ${type}`),
        3,
      )} (${reason})`,
  );
  return `${summary}\n${count(notAsked.length, "further record")} not asked for, as intended: ${leftOut.join("; ")}`;
}

function ofKind(differences: readonly Difference[], kind: Difference["kind"]): number {
  return differences.filter((each) => each.kind === kind).length;
}
