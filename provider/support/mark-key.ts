/**
 * The key of marks. Messages and the journal contain a mark in place of a secret. Guesses cannot be tested
 * without the key.
 */
import { createHmac } from "node:crypto";
import type { Secret } from "../settings";

/**
 * Derived from the login token, so that no file contains it. Every process with the same token has the same
 * key. After the token is replaced, marks differ, and marks in journals of earlier runs cannot be read.
 */
export function markKeyOf(token: Secret): Buffer {
  return createHmac("sha256", token.reveal()).update("pulumi-legacydns marks").digest();
}
