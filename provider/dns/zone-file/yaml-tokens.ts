/**
 * What the tokens of a YAML file tell before a tree is made of them: what would keep or end the process, and the tags, which
 * mean nothing in a zone.
 */
import type { CST } from "yaml";
import { reason, type Reason } from "../../problems";

/** A problem, and where it begins. */
export interface Told {
  readonly offset: number;
  readonly problem: Reason;
}

/** Far more than a zone needs: records, a record, its values. */
const maxDepth = 20;
/** The library compares every key with every other. */
const maxKeys = 1000;

/**
 * What would keep or end the process: maps without end, and deep nesting. The parser of tokens needs no stack, but the composer descends by
 * recursion, and a file of brackets alone ends the whole process (observed 2026-11-21, Node 20: out of memory while it
 * compiles an expression at the stack's end).
 */
export function monsterOf(
  tokens: readonly CST.Token[],
  most = { depth: maxDepth, keys: maxKeys },
): Told | undefined {
  const open: { readonly token: CST.Token; readonly depth: number }[] = tokens.map((token) => ({
    token,
    depth: 0,
  }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    const offset = "offset" in token ? token.offset : 0;
    if (depth > most.depth) return { offset, problem: reason("yaml.deep") };
    if (token.type === "document") {
      if (token.value !== undefined) open.push({ token: token.value, depth });
    } else if ("items" in token) {
      const isMap =
        token.type === "block-map" || (token.type === "flow-collection" && token.start.source === "{");
      if (isMap && token.items.length > most.keys)
        return { offset, problem: reason("yaml.keys", { most: most.keys }) };
      for (const { key, value } of token.items) {
        if (key) open.push({ token: key, depth: depth + 1 });
        if (value) open.push({ token: value, depth: depth + 1 });
      }
    }
  }
  return undefined;
}

/** Every tag, the core schema's own (`!!str`) as well: values are what they are without. */
export function tagsOf(tokens: readonly CST.Token[]): Told[] {
  const tags: Told[] = [];
  const tell = (parts: readonly CST.SourceToken[] | undefined): void => {
    for (const { type, offset, source } of parts ?? []) {
      if (type === "tag") tags.push({ offset, problem: reason("yaml.tag", { given: source.slice(0, 24) }) });
    }
  };
  const open: CST.Token[] = [...tokens];
  for (let token = open.pop(); token !== undefined; token = open.pop()) {
    if (token.type === "document") {
      tell(token.start);
      if (token.value !== undefined) open.push(token.value);
    } else if ("items" in token) {
      for (const { start, key, sep, value } of token.items) {
        tell(start);
        tell(sep);
        if (key) open.push(key);
        if (value) open.push(value);
      }
    }
  }
  return tags.sort((a, b) => a.offset - b.offset);
}
