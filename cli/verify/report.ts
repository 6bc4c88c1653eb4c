/** The report of `verify`, as a table or as JSON. */
import { partOf, quote, unquote } from "../../provider/dns";
import { groupBy } from "../../provider/support/collections";
import { count, listed } from "../../provider/support/text";
import { print } from "../command";
import { table } from "../table";
import { coloursOf, log, type Terminal } from "../terminal";
import type { Server } from "./ask";
import type { Difference, Examined } from "./examine";

const mostNamed = 3;

export interface Report {
  readonly result: Examined;
  /** Records that no server is asked for. */
  readonly notAsked: readonly { readonly name: string; readonly type: string; readonly reason: string }[];
  readonly warnings: readonly string[];
  readonly troubles: readonly string[];
  readonly servers: ReadonlyMap<string, readonly Server[]>;
  readonly total: number;
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
  const colours = coloursOf(terminal, terminal.out);
  const { result, warnings, troubles } = report;
  const rows = table(
    result.differences,
    [
      { title: "name", cell: ({ name }) => name },
      { title: "type", cell: ({ type }) => type },
      { title: "declared", cell: ({ declared, served }) => shortData(declared, served) },
      {
        title: "served",
        cell: ({ declared, served }) => shortData(served, declared),
        paint: (text, { kind }) => (kind === "ttl" ? colours.yellow(text) : colours.red(text)),
      },
    ],
    colours,
  );
  if (rows.length > 0) print(terminal, [...rows, ""]);
  print(terminal, [summaryOf(report)]);
  log(terminal, "warning", warnings);
  log(terminal, "error", troubles);
}

const quoted = /"(?:[^"\\]|\\.)*"/g;

/**
 * A cell's data. Long texts and lists are shortened as in `plan`.
 * @param other the data in the other column
 */
function shortData(data: string, other: string): string {
  const [beside = ""] = other.match(quoted) ?? [];
  const texts = data.replace(quoted, (text) => {
    const shown = partOf(textIn(text), textIn(beside));
    return shown === undefined ? text : `${quote(shown.part)} ${shown.length}`;
  });
  const shown = partOf(texts, other);
  return shown === undefined ? texts : `${shown.part} ${shown.length}`;
}

function textIn(quotedText: string): string {
  return unquote(quotedText) ?? quotedText;
}

function summaryOf({ result, notAsked, total, waited }: Report): string {
  const { served, differences, unanswered, onOtherLine } = result;
  const leftOut = [...groupBy(notAsked, ({ reason }) => reason)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, records]) => {
      const names = records.map(({ name, type }) => `${name} ${type}`);
      return `${listed(names, mostNamed)} (${reason})`;
    });
  const missing = ofKind(differences, "missing");
  const ttls = ofKind(differences, "ttl");
  const parts = [
    `${served} of ${total - notAsked.length} declared records${notAsked.length > 0 ? " that DNS can be asked for" : ""} are served`,
    ...(ttls > 0 ? [`${ttls} of them with another TTL`] : []),
    ...(missing > 0 ? [`${missing} ${missing === 1 ? "is" : "are"} not`] : []),
    ...(onOtherLine.length > 0 ? [`${onOtherLine.length} cannot be seen from here`] : []),
    ...(unanswered > 0 ? [`no answer for ${unanswered}`] : []),
  ];
  const whole = parts.join("; ");
  const after = waited === undefined || waited === 0 ? whole : `${whole}, after ${count(waited, "second")}`;
  // This is no failure: only the service could answer.
  return leftOut.length === 0
    ? after
    : `${after}\n${count(notAsked.length, "further record")} not asked for, as intended: ${leftOut.join("; ")}`;
}

function ofKind(differences: readonly Difference[], kind: Difference["kind"]): number {
  return differences.filter((each) => each.kind === kind).length;
}
