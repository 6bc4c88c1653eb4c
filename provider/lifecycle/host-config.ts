/** Marks the configuration of an explicit `Provider`, which does not read the environment. */
export const explicitKey = "legacydns:explicit";
