/** The limits of a package. */
export const limits = {
  "limit.ttl": [
    "<domain>: TTL below <least>, the minimum of its package, <package>",
    "declare ttl <least> or more",
  ],
  "limit.mixed-wildcard": [
    "<domain>: its package, <package>, has no mixed wildcards",
    'write "*" as a whole label',
  ],
  "limit.levels": ["<domain>: its package, <package>, has <limit> <kind>", "use shorter names"],
  "limit.records": [
    "<domain>: <added> <noun> to create and <used> live exceed <limit>, the limit of <package>",
    "declare fewer, or take a larger package",
  ],
} as const;
