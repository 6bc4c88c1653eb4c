/** Marks the configuration of an explicit `Provider`, which takes nothing from the environment. */
export const explicitKey = "legacydns:explicit";
