/** A file of another tool as a tree of parts, with all errors of its syntax. */
import { readFileSync } from "node:fs";
import { parseEvents, YAMLException, type Event } from "js-yaml";
import { marksIn } from "../../provider/dns/zone-file";
import { number } from "../../provider/support/text";
import { codeOf } from "../errors";
import type { Conversion } from "./conversion";
import { dump, Reader, type Part, type PositionOf, type Report } from "./tree";

/** The root of a file; undefined after a problem. */
export function readTree(file: string, conversion: Conversion): Part | undefined {
  const text = readText(file, conversion);
  if (text === undefined) return undefined;
  const before = conversion.problems.length;
  const at = positionsIn(file, text);
  const error = (offset: number, message: string): undefined => conversion.error(at(offset), message);
  for (const { index, 1: comment = "" } of text.matchAll(/(?<![^\s])#(.*)/g))
    for (const mark of marksIn(comment)) conversion.note(at(index), mark);
  const reader = new Reader(text, eventsIn(text, error), at, error);
  const root = reader.document();
  if (root.size - reader.written > mostAdded)
    error(0, `its aliases stand for over ${number(mostAdded)} values; ${dump}`);
  if (!reader.isAtEnd) error(reader.document().offset, "a second document begins here, and one is read");
  return conversion.problems.length > before ? undefined : root;
}

const failures: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "this is a folder; name the files in it",
  ERR_ENCODING_INVALID_ENCODED_DATA: "this is not UTF-8 text",
};

function readText(file: string, conversion: Conversion): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    return conversion.error(file, failures[codeOf(error)] ?? "it could not be read");
  }
}

function positionsIn(file: string, text: string): PositionOf {
  const starts: number[] = [];
  for (let start = 0; start > 0 || starts.length === 0; start = text.indexOf("\n", start) + 1)
    starts.push(start);
  return (offset) => {
    let line = 0;
    let end = starts.length;
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else end = middle;
    }
    return { file, line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

const maxDepth = 200;

/** None after an error. The library ends at the first one, so each entry behind it is read on its own. */
function eventsIn(text: string, error: Report): Event[] {
  const [events, end] = parsed(text, 0, error);
  // The lines of one map in brackets are no entries.
  if (end !== undefined && !/^[[{]/m.test(text))
    for (const { 0: entry, index } of text.matchAll(/^[^\s#\]}].*\n?(?:(?:[^\S\n]|[#\]}]).*\n?|\n)*/gm))
      if (index > end) parsed(entry, index, error);
  return events;
}

/** @returns the events and the place of an error */
function parsed(text: string, offset: number, error: Report): [Event[], number?] {
  try {
    return [parseEvents(text, { maxDepth })];
  } catch (failure) {
    if (!(failure instanceof YAMLException)) throw failure;
    const { position = 0 } = failure.mark ?? {};
    const isClosing = /(?:^|\n)[ \t]*[\]}]$/.test(text.slice(0, position + 1));
    const help = isClosing ? "; indent a closing bracket further than its name" : "";
    error(offset + position, `cannot be read: ${failure.reason}${help}`);
    return [[], offset + position];
  }
}

/** A few aliases of lists of aliases could stand for more values than a computer can count. */
const mostAdded = 100_000;
