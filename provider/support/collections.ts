export function gather<K, V>(map: Map<K, V>, key: K, fresh: V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  map.set(key, fresh);
  return fresh;
}

export function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, [V, ...V[]]> {
  const groups = new Map<K, [V, ...V[]]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

export function split<T>(values: Iterable<T>, passes: (value: T) => boolean): [T[], T[]] {
  const [passing, others]: [T[], T[]] = [[], []];
  for (const value of values) (passes(value) ? passing : others).push(value);
  return [passing, others];
}

export function chunks<T>(values: readonly T[], most: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / most) }, (_, i) =>
    values.slice(i * most, (i + 1) * most),
  );
}

export function halves<T>(values: readonly T[]): T[][] {
  return chunks(values, Math.ceil(values.length / 2));
}

/** `push` accepts about 120,000 arguments at most. */
export function append<T>(list: T[], values: Iterable<T>): void {
  for (const value of values) list.push(value);
}

/** `Math.max` has the same limit. */
export function largest(numbers: Iterable<number>, least = -Infinity): number {
  let most = least;
  for (const each of numbers) if (each > most) most = each;
  return most;
}

export function smallest(numbers: Iterable<number>): number {
  let least = Infinity;
  for (const each of numbers) if (each < least) least = each;
  return least;
}

export function domainsOf(records: readonly { readonly domain: string }[]): string[] {
  return [...new Set(records.map(({ domain }) => domain))];
}

/** The values of both lists. An object in both is there once. */
export function union<T>(first: readonly T[], second: readonly T[]): T[] {
  const all = new Set(first);
  for (const value of second) all.add(value);
  return [...all];
}
