import { createHmac } from "node:crypto";
import type { Secret } from "../settings";

/** The key of the marks that stand for secrets. It is derived from the login token, so that no file contains it. */
export function markKeyOf(token: Secret): Buffer {
  return createHmac("sha256", token.reveal()).update("pulumi-legacydns marks").digest();
}
