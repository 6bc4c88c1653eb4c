/** The roles of records in a zone. A safety gate asks before a run takes the last record of a role. */
import { limitOf } from "./limits";
import type { DnsRecord } from "./record";
import { isAddress } from "./types";

export const roles = ["apex NS", "apex MX", "MX", "apex address", "other"] as const;
export type Role = (typeof roles)[number];

/** The names of the gates that have no role. The up and the plan print them. */
export const gateNames = {
  share: "many changes",
  zone: "every record of the zone",
  guard: "protected records",
} as const;

/** Live records. A smaller zone has no gate for the share of its changes. */
export const fewestForShare = 10;

/** An alias or a URL forward at the apex answers like an address. */
export function roleOf({ name, type }: Pick<DnsRecord, "name" | "type">): Role {
  if (type === "MX") return name === "@" ? "apex MX" : "MX";
  if (name !== "@") return "other";
  if (type === "NS") return "apex NS";
  const answers = isAddress({ type }) || type === "CNAME" || limitOf(type) === "urlForwards";
  return answers ? "apex address" : "other";
}
