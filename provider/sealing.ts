/** Texts that pass through a file and that nobody reads there: sealed with a key that only the two processes know. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const method = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** A new key, as text. */
export function newSealingKey(): string {
  return randomBytes(32).toString("base64url");
}

/** @param key of {@link newSealingKey} */
export function seal(text: string, key: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(method, Buffer.from(key, "base64url"), nonce);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

/** @throws Error for what {@link seal} has not made with this key */
export function unseal(sealed: string, key: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv(method, Buffer.from(key, "base64url"), bytes.subarray(0, nonceBytes));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
    "utf8",
  );
}
