import { createHmac } from "node:crypto";
import type { Secret } from "../settings";

/** Derived, so that no file contains it. */
export function markKeyOf(token: Secret): Buffer {
  return createHmac("sha256", token.reveal()).update("pulumi-legacydns marks").digest();
}
