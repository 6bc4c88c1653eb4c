/**
 * Case in DNS: only the 26 letters of ASCII fold (RFC 4343 §3). JavaScript also folds other letters into them, such as
 * the dotless `ı` into `I`.
 */

/** The text with `a` to `z` in upper case. */
export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** The text with `A` to `Z` in lower case. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether a text has half a surrogate pair. UTF-8 has no such characters, and so no file, state or call has them. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
