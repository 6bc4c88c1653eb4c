/** Help lines that several diagnostics share. */

/** The place of a resource's removal setting. `resource-of-provider`: its own, under an explicit `Provider`. */
export type RemovalSetBy = "stack" | "provider" | "resource" | "resource-of-provider";

/** @param own the resource's `removal` */
export function removalSetBy(own: string | undefined, isExplicit: boolean): RemovalSetBy {
  if (own === undefined) return isExplicit ? "provider" : "stack";
  return isExplicit ? "resource-of-provider" : "resource";
}

export interface How {
  readonly removalSetBy: RemovalSetBy;
  /** The program declares its successor. */
  readonly isReplaced?: boolean | undefined;
  readonly change: boolean;
  readonly full: boolean;
  /** The resource is one `Record`, which has no `undeclared`. */
  readonly single?: boolean | undefined;
  /** The program has no manifest, so a later resource may declare records that this one does not. */
  readonly mayDeclareLater?: boolean | undefined;
  /** The run refreshes. */
  readonly hasRefreshed?: boolean;
  /** It declares `undeclared: "remove"`. */
  readonly removesUndeclared?: boolean | undefined;
}

/** `delete`: an update in which the engine deletes a resource. */
export type Command = "up" | "delete" | "destroy";

export const help = {
  again: "<again>",
  allow: "allow it: <allow>",
  retain: "stop tracking them: <retain>",
  delete: "delete them in the service's console, then <again>",
} as const;

/** Remedies for live records that no resource manages, in full mode. */
export function unmanagedHelp({ single, removesUndeclared }: How) {
  const set = removesUndeclared
    ? ""
    : `${single ? "declare it in a RecordBatch with" : "set"} undeclared: "remove", then `;
  return {
    remove: `delete every undeclared record of the domain: ${set}run \`pulumi up --refresh\``,
    other: single
      ? "if this Record made them (--replace): add --refresh; if another one did: declare both in one RecordBatch"
      : "declare another name",
  };
}

/** How a user lets changes of these domains pass the safety gates. */
export function confirmHelp(
  isExplicit: boolean,
  domains: readonly string[],
  command: "up" | "destroy",
): string {
  return isExplicit
    ? `add it to confirmedDomains on the Provider, then run \`pulumi up\`${command === "up" ? "" : " and `pulumi destroy`"}`
    : `LEGACYDNS_CONFIRMED_DOMAINS=${domains.join(",")} pulumi ${command}`;
}

export function commandsOf(how: How, command: Command) {
  const { change, mayDeclareLater, removalSetBy: setBy } = how;
  const [run, pulumi] = command === "destroy" ? ["destroy", "pulumi destroy"] : ["update", "pulumi up"];
  const isOwn = setBy === "resource" || setBy === "resource-of-provider";
  const place = isOwn ? "the resource" : "the Provider";
  const then = command === "destroy" ? "run `pulumi up`, then `pulumi destroy`" : "run `pulumi up`";
  const removal = (word: "retain" | "delete"): string =>
    setBy === "stack"
      ? `LEGACYDNS_REMOVAL=${word} ${pulumi}`
      : command === "delete" && how.isReplaced !== true
        ? `declare it again with removal: "${word}", ${then}, then take it out`
        : `set removal: "${word}" on ${place}, then ${then}`;
  const operations =
    setBy === "provider" || setBy === "resource-of-provider"
      ? `set undocumentedOperations: true on the Provider, then ${then}`
      : command === "up"
        ? "pulumi config set legacydns:undocumentedOperations true"
        : `LEGACYDNS_UNDOCUMENTED_OPERATIONS=true ${pulumi}`;
  const allow = change ? removal("delete") : isOwn ? `${operations}; and ${removal("delete")}` : operations;
  return {
    again: `run \`${pulumi}\` again`,
    allow,
    /**
     * For records that a resource no longer declares. The provider learns the resources of such a program one
     * by one, in the order of their dependencies.
     */
    later:
      mayDeclareLater === true && command === "up"
        ? "if a later resource declares them: let this one depend on it (dependsOn)"
        : `allow it: ${allow}`,
    /** For live records that nothing seems to manage. */
    program: mayDeclareLater === true ? "nothing, if a later resource of the program declares them" : "",
    /** For those that a run with a refresh deletes. */
    refresh: how.hasRefreshed
      ? "run `pulumi up --refresh`, which deletes them (nothing more to do if it is this command)"
      : "after this up, run `pulumi up --refresh`: it deletes them, because a refresh shows what all resources own",
    retain: removal("retain"),
    why: change
      ? `\`removal\` is not delete, so nothing is deleted and the ${run} ends with an error.`
      : `The documented API cannot change or delete records, so the ${run} ends with an error.`,
  };
}
