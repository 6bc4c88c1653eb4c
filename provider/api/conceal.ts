/**
 * Hides secrets in texts of the service: whole ones and fragments of eight characters, in either case, as they are,
 * percent-encoded, reversed, as hexadecimal digits, as `\DDD` or in base64. A text can repeat a secret in other forms, so the text of a call
 * that carries a secret value is not shown at all (client.ts).
 */

/** Stands for a secret. */
const BLOT = "[secret]";
/** A shorter part of a secret is part of too many words. */
const FRAGMENT = 8;

/** The forms of a fragment. Its base64 depends on its place in the encoded text, and lacks the digits that it shares. */
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

/** Takes these secrets out of a text. Of a secret of fewer than eight characters only the whole one is found, as it is. */
export function concealing(secrets: readonly string[]): (text: string) => string {
  const sought = new Set(secrets.flatMap(partsOf).map(inLowerCase));
  sought.delete("");
  return (text) => {
    const lower = inLowerCase(text);
    const isHidden = new Uint8Array(text.length);
    for (const part of sought)
      for (let at = lower.indexOf(part); at >= 0; at = lower.indexOf(part, at + 1))
        isHidden.fill(1, at, at + part.length);
    let shown = "";
    for (let at = 0; at < text.length; at += 1)
      if (isHidden[at] === 0) shown += text.charAt(at);
      else if (isHidden[at - 1] !== 1) shown += BLOT;
    return shown;
  };
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
