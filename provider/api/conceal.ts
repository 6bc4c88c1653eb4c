/** Hides secrets in texts of the service: whole, and fragments of eight characters in several forms. */
import { groupBy } from "../support/collections";
import { hiddenText } from "../support/secret";

const FRAGMENT = 8;

/** In base64, the ends of a fragment share digits with other text. */
const forms: readonly ((fragment: string) => string)[] = [
  (fragment) => fragment,
  encodeURIComponent,
  (fragment) => [...fragment].reverse().join(""),
  (fragment) => Buffer.from(fragment).toString("hex"),
  (fragment) => [...Buffer.from(fragment)].map((octet) => `\\${String(octet).padStart(3, "0")}`).join(""),
  ...[0, 1, 2].map((before) => (fragment: string) => {
    const bytes = Buffer.from(" ".repeat(before) + fragment);
    return bytes.toString("base64").slice(Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3));
  }),
];

/** A secret of fewer than eight characters is found only whole and plain. */
export function concealing(secrets: readonly string[]): (text: string) => string {
  let sought: Sought | undefined;
  return (text) => {
    sought ??= soughtIn(secrets);
    const { width, byStart } = sought;
    if (text.length < width) return text;
    const lower = inLowerCase(text);
    const isHidden = new Uint8Array(text.length);
    for (let at = 0; at + width <= lower.length; at += 1)
      for (const part of byStart.get(lower.slice(at, at + width)) ?? [])
        if (lower.startsWith(part, at)) isHidden.fill(1, at, at + part.length);
    let shown = "";
    for (let at = 0; at < text.length; at += 1)
      if (isHidden[at] === 0) shown += text.charAt(at);
      else if (isHidden[at - 1] !== 1) shown += hiddenText;
    return shown;
  };
}

interface Sought {
  /** The length of the shortest part. */
  readonly width: number;
  /** The first characters of parts, `width` of them → the parts */
  readonly byStart: ReadonlyMap<string, readonly string[]>;
}

function soughtIn(secrets: readonly string[]): Sought {
  const parts = [...new Set(secrets.flatMap(partsOf).map(inLowerCase))].filter((part) => part !== "");
  const width = parts.reduce((least, { length }) => Math.min(least, length), Infinity);
  return { width, byStart: groupBy(parts, (part) => part.slice(0, width)) };
}

function partsOf(secret: string): string[] {
  const fragments = Array.from({ length: Math.max(0, secret.length - FRAGMENT + 1) }, (_, at) =>
    secret.slice(at, at + FRAGMENT),
  );
  return fragments.length === 0
    ? [secret]
    : fragments.flatMap((fragment) => forms.map((form) => form(fragment)));
}

/** Keeps the length, unlike `toLowerCase`. */
function inLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
