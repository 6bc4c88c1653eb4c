/** $ORIGIN and $INCLUDE (RFC 1035 §5.1), $TTL (RFC 2308 §4), and BIND's $GENERATE. */
import { upperAscii } from "../ascii";
import { nearest } from "../../support/nearest";
import { didYouMean, reason, type Reason } from "../../problems";
import { showPlain } from "../quoting";
import { hostOf, isTime, showToken, ttlOf } from "./fields";
import { generate } from "./generate";
import { position, type Scope, type ZoneReader } from "./scope";
import type { Entry, Token } from "./tokens";

const maxDepth = 10;
/** Files may include others twice on each level. */
const maxIncluded = 1000;

const directives = ["$ORIGIN", "$TTL", "$INCLUDE", "$GENERATE"];

export function readDirective(reader: ZoneReader, entry: Entry, first: Token, scope: Scope): void {
  const name = upperAscii(first.raw);
  if (!directives.includes(name)) {
    const hint = didYouMean(nearest(name, directives), `zone files have ${directives.join(", ")}`);
    return reader.report(first, scope, reason("word.unknown", { given: showToken(first.raw), hint }));
  }
  scope.isZone = true;
  if (entry.indented) return reader.report(first, scope, reason("line.indented"));
  if (entry.broken) {
    // Names after a broken $ORIGIN have no further problems.
    if (name === "$ORIGIN") scope.origin = undefined;
    return;
  }
  const [, ...words] = entry.tokens;
  const [word] = words;
  const hasForm = word !== undefined && words.length <= (name === "$INCLUDE" ? 2 : 1);
  const refuse = (example: string): undefined =>
    reader.report(
      words[name === "$INCLUDE" ? 2 : 1] ?? first,
      scope,
      reason("directive.form", { name, example }),
    );
  if (name === "$GENERATE") generate(reader, entry, first, scope);
  else if (name === "$ORIGIN")
    scope.origin = hasForm ? originOf(reader, word, scope) : refuse("$ORIGIN example.com.");
  else if (name === "$TTL") return hasForm ? ttl(reader, word, scope) : refuse("$TTL 1h");
  else if (!hasForm) refuse("$INCLUDE hosts.zone");
  else if (reader.options.include === undefined) reader.report(first, scope, reason("include.unfit"));
  else include(reader, reader.options.include, word, words[1], scope);
}

function originOf(reader: ZoneReader, token: Token, scope: Scope): string | undefined {
  const found = hostOf(token, scope.origin, reader.options.domain);
  if (found === undefined) return undefined;
  if ("problem" in found) return reader.report(token, scope, found.problem);
  if (found.warning !== undefined) reader.report(token, scope, found.warning);
  return found.host;
}

function ttl(reader: ZoneReader, token: Token, scope: Scope): void {
  const isWord = !token.quoted && isTime(token.raw);
  const read = isWord ? ttlOf(token.raw) : { problem: reason("time.unfit", { given: showPlain(token.raw) }) };
  if ("problem" in read) reader.report(token, scope, read.problem);
  else reader.defaultTtl = read.ttl;
}

function include(
  reader: ZoneReader,
  open: NonNullable<ZoneReader["options"]["include"]>,
  token: Token,
  name: Token | undefined,
  scope: Scope,
): void {
  const above = [...scope.above, scope.file];
  const report = (why: Reason): void => reader.report(token, scope, why);
  const origin = name === undefined ? scope.origin : originOf(reader, name, scope);
  const found = open(token.raw.replace(/\\(["\\])/g, "$1"), position(token, scope));
  if ("problem" in found) return report(found.problem);
  const { file } = found;
  if (above.includes(file) || above.length > maxDepth) return report(reason("include.deep", { file }));
  if (++reader.included > maxIncluded) {
    if (reader.included === maxIncluded + 1) report(reason("include.deep", { file }));
    return;
  }
  const kind = reader.read(found.text, { file, origin, owner: scope.owner, above, isZone: false });
  if (kind !== "entries") report(reason(kind === "empty" ? "file.empty" : "include.comments", { file }));
}
