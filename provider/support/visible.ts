/** Makes invisible characters visible: a stranger's text may look like another one. */

export const invisible = "\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{DI}";

const characters = new RegExp(`[${invisible}]`, "gu");
const blank = /[\t-\r\u0085\u2028\u2029]/;
/** As escapes such as `\u202e`, except line feeds and tabs. */
export function visible(text: string): string {
  return text.replace(characters, (found) => (found === "\n" || found === "\t" ? found : escaped(found)));
}

export function visibleLine(text: string): string {
  return text.replace(characters, (found) => (blank.test(found) ? " " : escaped(found)));
}

function escaped(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
