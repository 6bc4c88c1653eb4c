/**
 * Case as DNS has it: only the 26 letters of ASCII fold (RFC 4343 §3). JavaScript's own functions fold other letters into
 * them, such as the dotless `ı` into `I`.
 */

/** The text with `a` to `z` in upper case. */
export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** The text with `A` to `Z` in lower case. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** True for a text that holds half a surrogate pair, which no UTF-8 and so no file, state or call can hold. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
