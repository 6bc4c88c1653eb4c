/** Case in DNS: only ASCII folds (RFC 4343 §3). JavaScript also folds others, such as `ı` into `I`. */

export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** UTF-8 has no half of a surrogate pair, and so no file, state or call has one. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
