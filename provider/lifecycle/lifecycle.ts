/**
 * What the engine asks of a resource type, with either front end: a dynamic provider (dynamic/) or the native
 * plugin (native/). A front end passes plain values, and marks secrets and unknown values in its own way.
 */

export type Props = Readonly<Record<string, unknown>>;

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** One resource type. What is half done is thrown as an Error with `id`, `properties` and `reasons`. */
export interface Lifecycle {
  /** @param olds the inputs that the state holds; empty for what is new. */
  check(olds: Props, news: Props): Promise<{ inputs?: Props; failures?: CheckFailure[] }>;
  /**
   * The inputs are canonical, so the engine finds the differences itself. `changes`: the resource must be updated although its
   * inputs are unchanged.
   */
  diff(id: string, olds: Props, news: Props): Promise<{ replaces?: string[]; changes?: true }>;
  create(inputs: Props): Promise<{ id: string; outs: Props }>;
  /** @returns nothing where the resource is gone. */
  read(id: string, props?: Props): Promise<{ id?: string; props?: Props; inputs?: Props }>;
  update(id: string, olds: Props, news: Props): Promise<{ outs: Props }>;
  delete(id: string, props: Props): Promise<void>;
}
