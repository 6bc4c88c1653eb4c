/** The findings of `check` as text, as JSON and as GitHub's annotations. */
import { relative, resolve } from "node:path";
import { positionText, type SourcePosition } from "../../provider/dns/zone-file";
import type { Diagnostic } from "../../provider/problems";
import { visible, visibleLine } from "../../provider/support/visible";
import { Painted, painted, type Colours } from "../terminal";

export interface Annotation {
  readonly level: "error" | "warning" | "note";
  /** A note of a file has none. */
  readonly code: string | null;
  readonly position?: SourcePosition | undefined;
  readonly message: string;
  readonly details?: readonly string[];
  readonly help: readonly string[];
}

export interface Finding extends Annotation {
  readonly position: SourcePosition;
  readonly details: readonly string[];
}

/** Level of a zone check → level of its finding. */
export const checkLevels = { refuse: "error", warn: "warning", note: "note" } as const;

export function diagnosed(level: Finding["level"], position: SourcePosition, found: Diagnostic): Finding {
  const { code, title, records, help } = found;
  const details = records.map(({ text, note }) => (note === undefined ? text : `${text}  ${note}`));
  return { level, code, position, message: visibleLine(title), details: details.map(visibleLine), help };
}

export function noted(position: SourcePosition, message: string): Finding {
  return { level: "note", code: null, position, message: visibleLine(message), details: [], help: [] };
}

/** A help stands once, below the first finding that has it. */
export function textOf(findings: readonly Finding[], { bold, red, yellow }: Colours): Painted {
  const shown = new Set<string>();
  const lines = findings.flatMap(({ level, code, position, message, details, help }) => {
    const place = bold(`${visibleLine(positionText(position))}:`);
    const word = (level === "error" ? red : yellow)(`${level}:`);
    const fresh = help.filter((each) => !shown.has(each));
    for (const each of fresh) shown.add(each);
    return [
      painted`${place} ${word} ${message}${code === null ? "" : ` [${code}]`}\n`,
      ...[...details, ...fresh.map((each) => `help: ${each}`)].map((each) => painted`  ${each}\n`),
    ];
  });
  return Painted.join(lines);
}

const annotations = { error: "error", warning: "warning", note: "notice" } as const;

/**
 * In the form of https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands, escaped as
 * packages/core/src/command.ts of https://github.com/actions/toolkit does it.
 *
 * @param workspace where GitHub's paths begin
 */
export function annotationOf(annotation: Annotation, workspace: string): string {
  const { level, code, position, message, details = [], help } = annotation;
  const file = relative(workspace, resolve(position?.file ?? "")).replaceAll("\\", "/");
  const at = position && { file, line: position.line, col: position.column };
  const place = { ...at, title: code ?? level };
  const properties = Object.entries(place).map(([name, value]) => {
    const text = dataText(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C");
    return `${name}=${text}`;
  });
  const lines = [message, ...details, ...help.map((each) => `help: ${each}`)];
  return `::${annotations[level]} ${properties.join(",")}::${dataText(lines.join("\n"))}`;
}

function dataText(text: string): string {
  return visible(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
