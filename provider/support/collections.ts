/** Lists by key, and in parts. */

/** The value of a key. If the key is missing, `fresh` is added. */
export function gather<K, V>(map: Map<K, V>, key: K, fresh: V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  map.set(key, fresh);
  return fresh;
}

/** Key → its values, in the order of the keys' first occurrence. */
export function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) gather<K, V[]>(groups, keyOf(value), []).push(value);
  return groups;
}

/** The values that pass, and the others. */
export function split<T>(values: Iterable<T>, passes: (value: T) => boolean): [T[], T[]] {
  const [passing, others]: [T[], T[]] = [[], []];
  for (const value of values) (passes(value) ? passing : others).push(value);
  return [passing, others];
}

/** The values in parts of at most `most` elements. */
export function chunks<T>(values: readonly T[], most: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / most) }, (_, i) =>
    values.slice(i * most, (i + 1) * most),
  );
}

/** The values in two parts, or fewer if there are fewer than two values. */
export function halves<T>(values: readonly T[]): T[][] {
  return chunks(values, Math.ceil(values.length / 2));
}

/**
 * Adds values to a list. A call has at most about 120,000 arguments, so a long list cannot be spread into
 * `push`.
 */
export function append<T>(list: T[], values: Iterable<T>): void {
  for (const value of values) list.push(value);
}

/** The largest of the numbers and `least`. Unlike `Math.max`, it accepts any number of them. */
export function largest(numbers: Iterable<number>, least = -Infinity): number {
  let most = least;
  for (const each of numbers) if (each > most) most = each;
  return most;
}

/** The smallest of the numbers; Infinity if there are none. */
export function smallest(numbers: Iterable<number>): number {
  let least = Infinity;
  for (const each of numbers) if (each < least) least = each;
  return least;
}

/** The domains of records, each once. */
export function domainsOf(records: readonly { readonly domain: string }[]): string[] {
  return [...new Set(records.map(({ domain }) => domain))];
}
