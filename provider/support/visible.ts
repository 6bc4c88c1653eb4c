/**
 * Makes invisible characters visible. A stranger's text may contain controls, marks that change the direction
 * of writing, or blanks without width. It then looks like another text.
 */

/**
 * Controls, format characters, line separators and others that fonts do not draw
 * (Default_Ignorable_Code_Point).
 */
export const invisible = "\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{DI}";

const characters = new RegExp(`[${invisible}]`, "gu");
/** Characters that move the cursor as expected. */
const blank = /[\t-\r\u0085\u2028\u2029]/;
/** Escapes that this package writes to a terminal: colours, and the removal of a progress line. */
const sequence = /^(?:\r|\u001b\[(?:\d+(?:;\d+)*m|K))/;

/**
 * The text with invisible characters as escapes such as `\u202e`, except line feeds and tabs. JSON keeps its
 * meaning.
 */
export function visible(text: string): string {
  return text.replace(characters, (found) => (found === "\n" || found === "\t" ? found : escaped(found)));
}

/** The text on one line. Line feeds, tabs and the like become blanks. */
export function visibleLine(text: string): string {
  return text.replace(characters, (found) => (blank.test(found) ? " " : escaped(found)));
}

/** The same, but colours stay. */
export function visibleOnTerminal(text: string): string {
  return text.replace(characters, (found, at: number) =>
    found === "\n" || found === "\t" || sequence.test(text.slice(at, at + 16)) ? found : escaped(found),
  );
}

function escaped(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
