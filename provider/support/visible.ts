/**
 * Makes a text show all its characters. A stranger's text may hold some that a reader does not see: controls, marks that
 * turn the direction of writing, blanks without width. It then looks like another text.
 */

/** Controls, format characters, separators of lines, and all else that fonts draw as nothing (Default_Ignorable_Code_Point). */
export const invisible = "\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{DI}";

const characters = new RegExp(`[${invisible}]`, "gu");
/** What moves a cursor as a reader expects. */
const blank = /[\t-\r\u0085\u2028\u2029]/;
/** What this package writes to a terminal: colours, and an end of a line that the next text overwrites. */
const sequence = /^(?:\r|\u001b\[(?:\d+(?:;\d+)*m|K))/;

/** The text with each invisible character as `\u202e`, but for line feeds and tabs. JSON stays the same JSON. */
export function visible(text: string): string {
  return text.replace(characters, (found) => (found === "\n" || found === "\t" ? found : escaped(found)));
}

/** The text on one line: line feeds, tabs and the like are blanks. */
export function visibleLine(text: string): string {
  return text.replace(characters, (found) => (blank.test(found) ? " " : escaped(found)));
}

/** The same for a text that has colours: those stay, whoever wrote them. */
export function visibleOnTerminal(text: string): string {
  return text.replace(characters, (found, at: number) =>
    found === "\n" || found === "\t" || sequence.test(text.slice(at, at + 16)) ? found : escaped(found),
  );
}

function escaped(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
