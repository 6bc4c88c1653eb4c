/** The syntax of YAML files. Tokens are checked before the library builds a tree. */
import { Composer, Parser, visit, type CST, type Document, type LineCounter } from "yaml";
import { hasLoneSurrogate } from "../ascii";
import { reason, type Reason } from "../../problems";
import { showPlain, trimSpace } from "../quoting";

export interface TokenProblem {
  readonly offset: number;
  readonly problem: Reason;
}

export function parseYaml(
  text: string,
  lines: LineCounter,
): { readonly document: Document.Parsed | undefined; readonly problems: readonly TokenProblem[] } {
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const monster = monsterOf(tokens);
  if (monster !== undefined) return { document: undefined, problems: [monster] };
  const composer = new Composer({ version: "1.2", schema: "core", merge: false });
  const [document, second] = composer.compose(tokens, true, text.length);
  const problems = tagsOf(tokens);
  if (second !== undefined)
    problems.push({ offset: second.range[0], problem: reason("yaml.unfit", { what: "a second document" }) });
  for (const { pos, message, code } of [...(document?.errors ?? []), ...(document?.warnings ?? [])]) {
    if (code === "TAG_RESOLVE_FAILED") continue;
    const [first = ""] = message.trim().split("\n", 1);
    // A wildcard looks like an alias without a name. Other messages quote the file after a colon.
    const isWildcard = code === "BAD_ALIAS" && first.includes("empty");
    const detail = trimSpace(first).replace(/: ".*$/, "");
    const problem = isWildcard ? aliasProblem("") : reason("yaml.syntax", { detail });
    problems.push({ offset: pos[0], problem });
  }
  if (document !== undefined && problems.length === 0)
    visit(document, {
      // A few lines of aliases could make millions of records.
      Alias: (_, { source, range }) =>
        void problems.push({ offset: range?.[0] ?? 0, problem: aliasProblem(source) }),
      Scalar: (_, { value, range }) => {
        if (typeof value === "string" && hasLoneSurrogate(value))
          problems.push({ offset: range?.[0] ?? 0, problem: reason("text.half-character") });
      },
    });
  return { document: document ?? undefined, problems };
}

function aliasProblem(source: string): Reason {
  const word = `*${source.slice(0, 24)}`;
  return reason("yaml.alias", { word, given: showPlain(word) });
}

/**
 * The first structure that would end or block the process: the library recurses (brackets ended Node 20, observed
 * 2026-11-21), and compares each key of a map with every other.
 */
export function monsterOf(
  tokens: readonly CST.Token[],
  most = { depth: 20, keys: 100 },
): TokenProblem | undefined {
  for (const { token, depth } of walk(tokens)) {
    const offset = "offset" in token ? token.offset : 0;
    if (depth > most.depth) return { offset, problem: reason("yaml.unfit", { what: "deeply nested lists" }) };
    const isMap =
      token.type === "block-map" || (token.type === "flow-collection" && token.start.source === "{");
    if (isMap && token.items.length > most.keys)
      return { offset, problem: reason("yaml.unfit", { what: `maps of over ${most.keys} keys` }) };
  }
  return undefined;
}

/** The core schema's tags (`!!str`) count, too. */
function tagsOf(tokens: readonly CST.Token[]): TokenProblem[] {
  const tags: TokenProblem[] = [];
  for (const { token } of walk(tokens)) {
    const items = "items" in token ? token.items.flatMap(({ start, sep }) => [...start, ...(sep ?? [])]) : [];
    for (const { type, offset, source } of token.type === "document" ? token.start : items)
      if (type === "tag")
        tags.push({ offset, problem: reason("yaml.unfit", { what: `the tag ${source.slice(0, 24)}` }) });
  }
  return tags.sort((a, b) => a.offset - b.offset);
}

function* walk(
  tokens: readonly CST.Token[],
): Generator<{ readonly token: CST.Token; readonly depth: number }> {
  const open = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const { token } = next;
    const parts = "items" in token ? token.items : token.type === "document" ? [token] : [];
    const depth = next.depth + (token.type === "document" ? 0 : 1);
    for (const part of parts)
      for (const child of ["key" in part ? part.key : undefined, part.value])
        if (child !== undefined && child !== null) open.push({ token: child, depth });
  }
}
