/** The directives of master files: $ORIGIN and $INCLUDE (RFC 1035 §5.1), $TTL (RFC 2308 §4), and BIND's $GENERATE. */
import { upperAscii } from "../ascii";
import { nearest } from "../nearest";
import { showPlain } from "../quoting";
import { hostOf, isTime, ttlOf } from "./fields";
import { countOf, expandTemplate, maxGenerated, maxGeneratedCharacters, quotedDataOf, rangeOf, wordsOf, type QuotedData, type Range } from "./generate";
import type { Reader } from "./read";
import type { Entry, Token } from "./scan";

/** The text of an `$INCLUDE`, and the file as messages call it; or why there is none. */
export type Included = { readonly file: string; readonly text: string } | { readonly problem: string };

/** What an `$INCLUDE` puts back at its end, as BIND does: the origin and the owner. */
export interface Scope {
  readonly file: string;
  /** Canonical, without the dot; undefined after an `$ORIGIN` that could not be read. */
  origin: string | undefined;
  /** The owner last named; `unknown` after a problem with it, which is not told again. */
  owner: { readonly name: string } | "unknown" | undefined;
  /** The files that include this one, the outermost first. */
  readonly above: readonly string[];
}

const maxDepth = 10;
/** Files that include others twice on ten levels would otherwise make a thousand of one. */
const maxIncluded = 1000;

const directives = ["$ORIGIN", "$TTL", "$INCLUDE", "$GENERATE"];

/** Carries a directive out. */
export function readDirective(reader: Reader, entry: Entry, first: Token, scope: Scope): void {
  const name = upperAscii(first.raw);
  if (!directives.includes(name)) {
    const guess = nearest(name, directives);
    const next = guess === undefined ? `zone files have ${directives.join(", ")}` : `did you mean ${guess}?`;
    reader.error(first, scope, `${showPlain(first.raw)} is no directive; ${next}`);
  } else if (entry.indented) reader.error(first, scope, `${name} begins with white space; write it at the start of its line`);
  else if (entry.broken) {
    // What was broken has been told; names that hang on the origin stay silent.
    if (name === "$ORIGIN") scope.origin = undefined;
  } else if (name === "$ORIGIN") origin(reader, entry, first, scope);
  else if (name === "$TTL") ttl(reader, entry, first, scope);
  else if (name === "$INCLUDE") include(reader, entry, first, scope);
  else generate(reader, entry, first, scope);
}

/** The words after a directive: one at least. */
function words(reader: Reader, { tokens }: Entry, first: Token, scope: Scope, most: number, form: string): Token[] | undefined {
  const rest = tokens.slice(1);
  if (rest.length > 0 && rest.length <= most) return rest;
  return reader.error(rest[most] ?? first, scope, `${upperAscii(first.raw)} needs ${form}`);
}

function origin(reader: Reader, entry: Entry, first: Token, scope: Scope): void {
  const [token] = words(reader, entry, first, scope, 1, 'a name, such as "$ORIGIN example.com."') ?? [];
  scope.origin = token === undefined ? undefined : originOf(reader, token, scope);
}

function originOf(reader: Reader, token: Token, scope: Scope): string | undefined {
  const found = hostOf(token, scope.origin, reader.options.domain);
  if (found === undefined) return undefined;
  if ("problem" in found) return reader.error(token, scope, found.problem);
  if (found.warning !== undefined) reader.findings.warn(reader.position(token, scope), found.warning);
  return found.host;
}

function ttl(reader: Reader, entry: Entry, first: Token, scope: Scope): void {
  const [token] = words(reader, entry, first, scope, 1, 'a time, such as "$TTL 600" or "$TTL 1h"') ?? [];
  if (token === undefined) return;
  if (token.quoted || !isTime(token.raw)) {
    reader.error(token, scope, `${showPlain(token.raw)} is no time; write seconds, or units such as 1h30m (w, d, h, m, s)`);
    return;
  }
  const read = ttlOf(token.raw);
  if ("problem" in read) reader.error(token, scope, read.problem);
  else reader.defaultTtl = read.ttl;
}

function include(reader: Reader, entry: Entry, first: Token, scope: Scope): void {
  const [file, name] = words(reader, entry, first, scope, 2, 'a file and perhaps an origin, such as "$INCLUDE hosts.zone"') ?? [];
  if (file === undefined) return;
  const open = reader.options.include;
  const above = [...scope.above, scope.file];
  if (open === undefined) {
    reader.error(first, scope, "$INCLUDE needs files, and there is only this text; put the records of the other file here");
    return;
  }
  const origin = name === undefined ? scope.origin : originOf(reader, name, scope);
  const raw = file.raw.replace(/\\(["\\])/g, "$1");
  const found = open(raw, reader.position(file, scope));
  if ("problem" in found) reader.error(file, scope, found.problem);
  else if (above.includes(found.file)) {
    reader.error(file, scope, `${found.file} includes itself: ${[...above, found.file].join(" → ")}; take one $INCLUDE out`);
  } else if (above.length > maxDepth) {
    reader.error(file, scope, `files include files more than ${maxDepth} levels deep; include fewer from one another`);
  } else if (++reader.included > maxIncluded) {
    if (reader.included === maxIncluded + 1) reader.error(file, scope, `more than ${maxIncluded} files are included; put some together`);
  } else {
    const kind = reader.read(found.text, { file: found.file, origin, owner: scope.owner, above });
    if (kind === "empty") {
      reader.error(file, scope, `${found.file} is empty; write its records anew, or a comment where it is to have none`);
    } else if (kind === "comments") {
      reader.findings.warn(reader.position(file, scope), `${found.file} holds comments only, and no record`);
    }
  }
}

function generate(reader: Reader, entry: Entry, first: Token, scope: Scope): void {
  const [, rangeToken, ...template] = entry.tokens;
  if (rangeToken === undefined || template.length < 3) {
    reader.error(first, scope, '$GENERATE needs a range, a name, a type and data, such as "$GENERATE 1-9 host$ A 192.0.2.$"');
    return;
  }
  const range = rangeOf(rangeToken.raw);
  if (typeof range === "string") {
    reader.error(rangeToken, scope, range);
    return;
  }
  const data = quotedDataOf(template);
  if (data?.ambiguous === true) {
    const message = `the text in quotes is one text here, and BIND reads its words and joins them; write "\\"…\\"" where others read the file as well`;
    reader.findings.warn(reader.position(data.token, scope), message);
  }
  if (!roomFor(reader, range, rangeToken, template, scope)) return;
  const { problems } = reader.findings;
  for (let number = range.start; number <= range.stop; number += range.step) {
    const tokens = generated(template, data, number);
    if ("problem" in tokens) {
      reader.error(tokens.token, scope, tokens.problem);
      return;
    }
    const [owner] = tokens;
    if (owner === undefined) return;
    const before = problems.length;
    // As in BIND, the owner before stays the one of the lines that follow: what is generated names none for them.
    reader.record({ ...entry, indented: false, tokens }, owner, { ...scope });
    // What is wrong with one of them is mostly wrong with all.
    if (problems.slice(before).some(({ severity }) => severity === "error")) return;
  }
}

/** Whether the zone has room for what a line makes; counts it, or tells what was asked for. */
function roomFor(reader: Reader, range: Range, rangeToken: Token, template: readonly Token[], scope: Scope): boolean {
  const { generated } = reader;
  const records = countOf(range);
  let characters = 0;
  for (const token of template) {
    const longest = expandTemplate(token.raw, range.stop);
    if (typeof longest !== "string") return reader.error(token, scope, longest.problem) ?? false;
    characters += longest.length * records;
  }
  const asked = generated.records + records;
  const before = generated.records === 0 ? "" : ` after ${generated.records} of others`;
  if (asked > maxGenerated) {
    const message = `${rangeToken.raw} makes ${records} records${before}, and the $GENERATE lines of a zone make at most ${maxGenerated} together; write shorter ranges`;
    return reader.error(rangeToken, scope, message) ?? false;
  }
  if (generated.characters + characters > maxGeneratedCharacters) {
    const message = `the ${records} records have ${characters} characters${before === "" ? "" : ` after ${generated.characters} of others`}, and the $GENERATE lines of a zone make at most ${maxGeneratedCharacters} together; write shorter templates`;
    return reader.error(rangeToken, scope, message) ?? false;
  }
  reader.generated = { records: asked, characters: generated.characters + characters };
  return true;
}

/** A template's words for one number. */
function generated(template: readonly Token[], data: QuotedData | undefined, number: number): Token[] | { readonly problem: string; readonly token: Token } {
  const tokens: Token[] = [];
  for (const token of template) {
    const quoted = token === data?.token ? data : undefined;
    const raw = expandTemplate(quoted?.template ?? token.raw, number);
    if (typeof raw !== "string") return { problem: raw.problem, token };
    if (quoted?.asWords !== true) tokens.push({ ...token, raw });
    else {
      const words = wordsOf(raw, token);
      if ("problem" in words) return { problem: words.problem, token };
      for (const word of words) tokens.push(word);
    }
  }
  return tokens;
}
