/** The syntax of YAML files. Tokens are checked before the library builds a tree. */
import { Composer, Parser, type CST, type Document, type LineCounter } from "yaml";
import { reason, type Reason } from "../../problems";
import { showPlain, trimSpace } from "../quoting";

export interface TokenProblem {
  readonly offset: number;
  readonly problem: Reason;
}

export interface YamlTree {
  readonly document: Document.Parsed | undefined;
  readonly problems: readonly TokenProblem[];
  readonly broken: readonly number[];
}

export function parseYaml(text: string, lines: LineCounter): YamlTree {
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const monster = monsterOf(tokens);
  if (monster !== undefined) return { document: undefined, problems: [monster], broken: [] };
  const composer = new Composer({ version: "1.2", schema: "core", merge: false });
  const [document, second] = composer.compose(tokens, true, text.length);
  const problems: TokenProblem[] = tagsOf(tokens);
  for (const { pos, message, code } of [...(document?.errors ?? []), ...(document?.warnings ?? [])]) {
    if (code === "TAG_RESOLVE_FAILED") continue;
    const [first = ""] = message.trim().split("\n", 1);
    // A wildcard looks like an alias without a name. Other messages quote the file after a colon.
    const isWildcard = code === "BAD_ALIAS" && first.includes("empty");
    const said = trimSpace(first).replace(/: ".*$/, "");
    const problem = isWildcard
      ? reason("yaml.alias", { word: "*", given: showPlain("*") })
      : reason("yaml.syntax", { said });
    problems.push({ offset: pos[0], problem });
  }
  const broken = problems.map(({ offset }) => offset).sort((a, b) => a - b);
  if (second !== undefined)
    problems.unshift({ offset: second.range[0], problem: reason("yaml.second-document") });
  return { document: document ?? undefined, problems, broken };
}

/**
 * The first structure that would end or block the process: the library recurses (brackets ended Node 20,
 * observed 2026-11-21), and compares each key of a map with every other.
 */
export function monsterOf(
  tokens: readonly CST.Token[],
  most = { depth: 20, keys: 1000 },
): TokenProblem | undefined {
  const open: { readonly token: CST.Token; readonly depth: number }[] = tokens.map((token) => ({
    token,
    depth: 0,
  }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    const offset = "offset" in token ? token.offset : 0;
    if (depth > most.depth) return { offset, problem: reason("yaml.deep") };
    if ("items" in token) {
      const isMap =
        token.type === "block-map" || (token.type === "flow-collection" && token.start.source === "{");
      if (isMap && token.items.length > most.keys)
        return { offset, problem: reason("yaml.keys", { most: most.keys }) };
    }
    for (const child of childrenOf(token))
      open.push({ token: child, depth: token.type === "document" ? depth : depth + 1 });
  }
  return undefined;
}

/** The core schema's tags (`!!str`) count, too. */
function tagsOf(tokens: readonly CST.Token[]): TokenProblem[] {
  const tags: TokenProblem[] = [];
  const open: CST.Token[] = [...tokens];
  for (let token = open.pop(); token !== undefined; token = open.pop()) {
    const parts =
      token.type === "document"
        ? [token.start]
        : "items" in token
          ? token.items.flatMap(({ start, sep }) => [start, sep ?? []])
          : [];
    for (const { type, offset, source } of parts.flat())
      if (type === "tag") tags.push({ offset, problem: reason("yaml.tag", { given: source.slice(0, 24) }) });
    for (const child of childrenOf(token)) open.push(child);
  }
  return tags.sort((a, b) => a.offset - b.offset);
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === "document") return token.value === undefined ? [] : [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap(({ key, value }) => [...(key ? [key] : []), ...(value ? [value] : [])]);
}
