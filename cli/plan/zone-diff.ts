/**
 * The plan of a zone as a diff of that zone: one line a record, as the zone has it, in the order of the zone, with the
 * lines around each change. What the up leaves as it is has a sign of its own, so that `+` and `-` are what the zone
 * really gains and loses. Pure.
 */
import { shortText } from "../../provider/dns";
import { append } from "../../provider/gather";
import { visibleLine } from "../../provider/support/visible";
import { compare, orderOf } from "./records";
import type { DomainPlan, PlanLine } from "./report";
import { outcomes } from "./text";

/** `adopt`: live already; `stay`: left as it is though the program asks for something else; `undecided`: the update decides; `refuse`: refused, or not begun; `gap`: lines left out. */
export type DiffKind =
  "add" | "remove" | "adopt" | "stay" | "undecided" | "refuse" | "other" | "same" | "gap";

export interface DiffLine {
  readonly kind: DiffKind;
  /** With its sign, on one line. */
  readonly text: string;
}

const signs: Readonly<Record<DiffKind, string>> = {
  add: "+ ",
  remove: "- ",
  adopt: "= ",
  stay: "! ",
  undecided: "? ",
  refuse: "x ",
  other: "~ ",
  same: "  ",
  gap: "@@ ",
};
/** Unchanged lines shown on each side of a change. */
const around = 2;

/** The diff of a zone; none where nothing happens to it. */
export function zoneDiff({ lines, kept }: DomainPlan): DiffLine[] {
  const items = [
    ...lines.map((line) => ({ order: orderOf(line.text), diff: linesOf(line), changes: true })),
    ...kept.map(({ text, ttl }) => ({
      order: orderOf(text),
      diff: [lineOf("same", shortText(text), ttl)],
      changes: false,
    })),
  ].sort((a, b) => compare(a.order, b.order));
  const near = new Set(
    items.flatMap(({ changes }, at) =>
      changes ? Array.from({ length: 2 * around + 1 }, (_, i) => at - around + i) : [],
    ),
  );
  const shown: DiffLine[] = [];
  let left = 0;
  const close = (): void => {
    if (left > 0)
      shown.push({ kind: "gap", text: `${signs.gap}${left.toLocaleString("en-US")} unchanged @@` });
    left = 0;
  };
  for (const [at, { diff }] of items.entries()) {
    if (!near.has(at)) {
      left += 1;
      continue;
    }
    close();
    append(shown, diff);
  }
  close();
  return shown;
}

/** Whether a line tells of something that happens, or should. */
export function tells({ kind }: DiffLine): boolean {
  return kind !== "same" && kind !== "gap";
}

function linesOf({ sign, text: whole, ttl, before: was, outcome }: PlanLine): DiffLine[] {
  const text = shortText(whole, was?.text);
  const before = was === undefined ? undefined : { text: shortText(was.text, whole), ttl: was.ttl };
  const fails = outcome === "fails" ? ", and the up fails" : "";
  switch (sign) {
    case "+":
      return [lineOf("add", text, ttl)];
    case "=":
      return [lineOf("adopt", text, ttl, "live already: adopted")];
    case "-":
      return [lineOf("remove", text, ttl)];
    case "~":
      return before === undefined
        ? [lineOf("other", text, ttl)]
        : [lineOf("remove", before.text, before.ttl), lineOf("add", text, ttl)];
    case "!":
      if (before === undefined) return [lineOf("stay", text, ttl, `no longer declared: stays${fails}`)];
      return [
        lineOf(
          "stay",
          before.text,
          before.ttl,
          `${declared(text, ttl, before)} is declared: stays as it is${fails}`,
        ),
      ];
    case "?":
      return [lineOf("undecided", before?.text ?? text, before?.ttl ?? ttl, outcomes.undecided)];
    case "x":
      if (before === undefined) return [lineOf("refuse", text, ttl, outcomes[outcome ?? "refused"])];
      return [
        lineOf(
          "refuse",
          before.text,
          before.ttl,
          `${declared(text, ttl, before)} is declared: ${outcomes[outcome ?? "refused"]}`,
        ),
      ];
  }
}

/** What is declared in place of what is live. */
function declared(text: string, ttl: string, before: { readonly text: string }): string {
  return before.text === text ? `TTL ${ttl}` : zvisibleLine(text, ttl);
}

function lineOf(kind: DiffKind, text: string, ttl: string, note?: string): DiffLine {
  return {
    kind,
    text: visibleLine(`${signs[kind]}${zvisibleLine(text, ttl)}${note === undefined ? "" : ` ; ${note}`}`),
  };
}

/** `www.example.com. A 192.0.2.1` and `600` as `www.example.com. 600 A 192.0.2.1`; the default TTL is left out, as in a state. */
function zvisibleLine(text: string, ttl: string): string {
  const [, owner, rest] = /^(.*?\.) ([A-Z][A-Z0-9]* .*)$/s.exec(text) ?? [];
  if (owner === undefined || rest === undefined) return `${text} ${ttl}`.trim();
  const [, seconds, note] = /^(\d+|default)?(?: ?\((.*)\))?$/s.exec(ttl) ?? [];
  if (seconds === undefined && note === undefined) return `${text} ${ttl}`.trim();
  return `${owner}${seconds === undefined || seconds === "default" ? "" : ` ${seconds}`} ${rest}${note === undefined ? "" : ` ; ${seconds === undefined ? "TTL " : ""}${note}`}`;
}
