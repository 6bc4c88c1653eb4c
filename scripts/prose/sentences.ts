/** The sentences of a page or of a file's comments. */

export function sentencesOfPage(text: string): string[] {
  const prose = text
    .replace(/^(`{3,}|~{3,})[^]*?^\1/gm, "")
    .replace(/^(?:#|\s*[|<>]).*$/gm, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return prose.split(/\n\s*\n|^\s*(?:[-*+]|\d+\.) /m).flatMap(sentencesIn);
}

/**
 * The sentences of comments in TypeScript, JavaScript or Go. Comments are found by a pattern, so that a string with the look
 * of a comment counts, too. Examples do not count. Each tag and each list item begins a sentence.
 */
export function sentencesOfCode(text: string): string[] {
  const blocks = text.matchAll(/\/\*\*?([^]*?)\*\//g);
  const lines = text.matchAll(/(?:^|\s)\/\/ (.+(?:\n[ \t]*\/\/ .+)*)/g);
  return [
    ...[...blocks].map(([, content = ""]) => content.replace(/^[ \t]*\* ?/gm, "")),
    ...[...lines].map(([, content = ""]) => content.replace(/^[ \t]*\/\/ /gm, "")),
  ]
    .filter((comment) => !/^\s*(?:eslint|@ts)/.test(comment))
    .map((comment) => comment.replace(/@example[^]*/, ""))
    .flatMap((comment) => comment.split(/@(?:param|returns|throws|remarks)\b(?: \w+(?= ))?|\n\s*\n|^- /m))
    .flatMap(sentencesIn);
}

function sentencesIn(paragraph: string): string[] {
  return paragraph
    .replace(/`[^`]*`|\{@link [^}]*\}/g, "code")
    .replace(/[*_]/g, "")
    .replace(/\s+/g, " ")
    .split(/(?<=[.!?])\s+(?=[A-Z"(])/)
    .map((sentence) => sentence.replace(/^\W+/, "").trim())
    .filter((sentence) => / .* /.test(sentence));
}
