/** The look-ups of a program: they read from the service, in a preview and in an update. */
export type { DomainArgs } from "./arguments";
export { LookupError } from "./errors";
export type { LookupInputs, LookupOptions } from "./lookup";
export { zoneEntries } from "./entries";
export * from "./domains";
export * from "./jobs";
export * from "./records";
