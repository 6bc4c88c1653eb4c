export type Props = Readonly<Record<string, unknown>>;

/** The engine's placeholder for a value that is unknown in a preview (pulumi-notes.md, check). */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/**
 * For both front ends. Values have no marks of secrets. A half-done operation throws an Error with `id`,
 * `properties` and `reasons`. `urn` is the digest of the resource's URN, which the engine sends to the plugin only.
 */
export interface Lifecycle {
  /** @param olds the inputs in the state; empty for a new resource */
  check(olds: Props, news: Props): Promise<{ inputs?: Props; failures?: CheckFailure[] }>;
  /** The engine compares the canonical inputs itself. `changes`: update a resource with unchanged inputs. */
  diff(id: string, olds: Props, news: Props): Promise<{ replaces?: string[]; changes?: true }>;
  create(inputs: Props, urn?: string): Promise<{ id: string; outs: Props }>;
  /** @returns an empty object if the resource is gone */
  read(id: string, props?: Props): Promise<{ id?: string; props?: Props; inputs?: Props }>;
  update(id: string, olds: Props, news: Props, urn?: string): Promise<{ outs: Props }>;
  delete(id: string, props: Props, urn?: string): Promise<void>;
}

/** Of no property: the engine would print a named property's whole value. */
function failure(reason: string): CheckFailure {
  return { property: "", reason };
}

export function refusal(news: Props, reasons: readonly string[]) {
  return { inputs: { ...news }, failures: reasons.map(failure) };
}
