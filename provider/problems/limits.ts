/** The limits of a domain's package (docs/settings.md, limits). */
import { warning } from "./kinds";

export const limits = {
  "limit.ttl": [
    "<domain>: TTL below <least>, the minimum of its package, <package>",
    "declare ttl <least> or more",
  ],
  "limit.mixed-wildcard": [
    "<domain>: its package, <package>, has no mixed wildcards",
    'write "*" as a whole label, or take a larger package',
  ],
  "limit.levels": [
    "<domain>: its package, <package>, has <limit> <kind>",
    "use shorter names, or take a larger package",
  ],
  "limit.records": [
    "<domain>: <added> <noun> to create and <used> live exceed <limit>, the limit of <package>",
    "declare fewer, or take a larger package",
  ],
  "limit.balancing": warning(
    "<domain>: more than <limit> addresses at one name, the load balancing of its package, <package>",
    "declare fewer, or take a larger package; the service may refuse them",
  ),
} as const;
