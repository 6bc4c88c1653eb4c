/** The directives of master files: $ORIGIN and $INCLUDE (RFC 1035 §5.1), $TTL (RFC 2308 §4), and BIND's $GENERATE. */
import { upperAscii } from "../ascii";
import { nearest } from "../nearest";
import { reason, type Reason } from "../../problems";
import { showPlain } from "../quoting";
import { hostOf, isTime, showToken, ttlOf } from "./fields";
import {
  countOf,
  expandTemplate,
  maxGenerated,
  maxGeneratedCharacters,
  quotedDataOf,
  rangeOf,
  wordsOf,
  type QuotedData,
  type Range,
} from "./generate";
import type { Reader } from "./read";
import type { Entry, Token } from "./scan";

/** The text of an `$INCLUDE`, and the file as messages call it; or why there is none. */
export type Included = { readonly file: string; readonly text: string } | { readonly problem: Reason };

/** What an `$INCLUDE` puts back at its end, as BIND does: the origin and the owner. */
export interface Scope {
  readonly file: string;
  /** Canonical, without the dot; undefined after an `$ORIGIN` that could not be read. */
  origin: string | undefined;
  /** The owner last named; `unknown` after a problem with it, which is not told again. */
  owner: { readonly name: string } | "unknown" | undefined;
  /** The files that include this one, the outermost first. */
  readonly above: readonly string[];
  /** Whether a line of the file was a directive, or had a type or a class where a record has it. */
  isZone: boolean;
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
    reader.tell(
      first,
      scope,
      reason("directive.unknown", { given: showToken(first.raw), guess, known: directives.join(", ") }),
    );
    return;
  }
  scope.isZone = true;
  if (entry.indented) reader.tell(first, scope, reason("directive.indented", { name }));
  else if (entry.broken) {
    // What was broken has been told; names that hang on the origin stay silent.
    if (name === "$ORIGIN") scope.origin = undefined;
  } else if (name === "$ORIGIN") origin(reader, entry, first, scope);
  else if (name === "$TTL") ttl(reader, entry, first, scope);
  else if (name === "$INCLUDE") include(reader, entry, first, scope);
  else generate(reader, entry, first, scope);
}

/** The words after a directive: one at least. */
function words(
  reader: Reader,
  { tokens }: Entry,
  first: Token,
  scope: Scope,
  most: number,
  form: "origin" | "ttl" | "include",
): Token[] | undefined {
  const rest = tokens.slice(1);
  if (rest.length > 0 && rest.length <= most) return rest;
  return reader.tell(rest[most] ?? first, scope, reason(`${form}.form`));
}

function origin(reader: Reader, entry: Entry, first: Token, scope: Scope): void {
  const [token] = words(reader, entry, first, scope, 1, "origin") ?? [];
  scope.origin = token === undefined ? undefined : originOf(reader, token, scope);
}

function originOf(reader: Reader, token: Token, scope: Scope): string | undefined {
  const found = hostOf(token, scope.origin, reader.options.domain);
  if (found === undefined) return undefined;
  if ("problem" in found) return reader.tell(token, scope, found.problem);
  if (found.warning !== undefined) reader.findings.tell(reader.position(token, scope), found.warning);
  return found.host;
}

function ttl(reader: Reader, entry: Entry, first: Token, scope: Scope): void {
  const [token] = words(reader, entry, first, scope, 1, "ttl") ?? [];
  if (token === undefined) return;
  if (token.quoted || !isTime(token.raw)) {
    reader.tell(token, scope, reason("time.unfit", { given: showPlain(token.raw) }));
    return;
  }
  const read = ttlOf(token.raw);
  if ("problem" in read) reader.tell(token, scope, read.problem);
  else reader.defaultTtl = read.ttl;
}

function include(reader: Reader, entry: Entry, first: Token, scope: Scope): void {
  const [file, name] = words(reader, entry, first, scope, 2, "include") ?? [];
  if (file === undefined) return;
  const open = reader.options.include;
  const above = [...scope.above, scope.file];
  if (open === undefined) {
    reader.tell(first, scope, reason("include.no-files"));
    return;
  }
  const origin = name === undefined ? scope.origin : originOf(reader, name, scope);
  const raw = file.raw.replace(/\\(["\\])/g, "$1");
  const found = open(raw, reader.position(file, scope));
  if ("problem" in found) reader.tell(file, scope, found.problem);
  else if (above.includes(found.file)) {
    reader.tell(
      file,
      scope,
      reason("include.itself", { file: found.file, chain: [...above, found.file].join(" → ") }),
    );
  } else if (above.length > maxDepth) {
    reader.tell(file, scope, reason("include.deep", { most: maxDepth }));
  } else if (++reader.included > maxIncluded) {
    if (reader.included === maxIncluded + 1)
      reader.tell(file, scope, reason("include.many", { most: maxIncluded }));
  } else {
    const kind = reader.read(found.text, {
      file: found.file,
      origin,
      owner: scope.owner,
      above,
      isZone: false,
    });
    if (kind === "empty") {
      reader.tell(file, scope, reason("include.empty", { file: found.file }));
    } else if (kind === "comments") {
      reader.findings.tell(reader.position(file, scope), reason("include.comments", { file: found.file }));
    }
  }
}

function generate(reader: Reader, entry: Entry, first: Token, scope: Scope): void {
  const [, rangeToken, ...template] = entry.tokens;
  if (rangeToken === undefined || template.length < 3) {
    reader.tell(first, scope, reason("generate.form"));
    return;
  }
  const range = rangeOf(rangeToken.raw);
  if ("code" in range) {
    reader.tell(rangeToken, scope, range);
    return;
  }
  const data = quotedDataOf(template);
  if (data?.ambiguous === true) {
    reader.findings.tell(reader.position(data.token, scope), reason("generate.ambiguous"));
  }
  if (!roomFor(reader, range, rangeToken, template, scope)) return;
  for (let number = range.start; number <= range.stop; number += range.step) {
    const tokens = generated(template, data, number);
    if ("problem" in tokens) {
      reader.tell(tokens.token, scope, tokens.problem);
      return;
    }
    const [owner] = tokens;
    if (owner === undefined) return;
    const before = reader.findings.errors;
    // As in BIND, the owner before stays the one of the lines that follow: what is generated names none for them.
    reader.record({ ...entry, indented: false, tokens }, owner, { ...scope });
    // What is wrong with one of them is mostly wrong with all.
    if (reader.findings.errors > before) return;
  }
}

/** Whether the zone has room for what a line makes; counts it, or tells what was asked for. */
function roomFor(
  reader: Reader,
  range: Range,
  rangeToken: Token,
  template: readonly Token[],
  scope: Scope,
): boolean {
  const { generated } = reader;
  const records = countOf(range);
  let characters = 0;
  for (const token of template) {
    const longest = expandTemplate(token.raw, range.stop);
    if (typeof longest !== "string") return reader.tell(token, scope, longest.problem) ?? false;
    characters += longest.length * records;
  }
  const asked = generated.records + records;
  if (asked > maxGenerated) {
    return (
      reader.tell(
        rangeToken,
        scope,
        reason("generate.records", {
          given: rangeToken.raw,
          records,
          before: generated.records,
          most: maxGenerated,
        }),
      ) ?? false
    );
  }
  if (generated.characters + characters > maxGeneratedCharacters) {
    const sum = {
      records,
      characters,
      before: generated.records === 0 ? 0 : generated.characters,
      most: maxGeneratedCharacters,
    };
    return reader.tell(rangeToken, scope, reason("generate.characters", sum)) ?? false;
  }
  reader.generated = { records: asked, characters: generated.characters + characters };
  return true;
}

/** A template's words for one number. */
function generated(
  template: readonly Token[],
  data: QuotedData | undefined,
  number: number,
): Token[] | { readonly problem: Reason; readonly token: Token } {
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
