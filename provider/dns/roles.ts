/** What a zone loses with a record. A safety gate asks before a run takes the last record of a role. */
import { limitOf } from "./limits";
import type { DnsRecord } from "./record";
import { isAddress } from "./types";

export const roles = ["apex NS", "apex MX", "MX", "apex address", "other"] as const;
export type Role = (typeof roles)[number];

/** An alias or a URL forward at the apex answers like an address. */
export function roleOf({ name, type }: Pick<DnsRecord, "name" | "type">): Role {
  if (type === "MX") return name === "@" ? "apex MX" : "MX";
  if (name !== "@") return "other";
  if (type === "NS") return "apex NS";
  const answers = isAddress({ type }) || type === "CNAME" || limitOf(type) === "urlForwards";
  return answers ? "apex address" : "other";
}
