/** The value of a key, put there first where it is missing. */
export function gather<K, V>(map: Map<K, V>, key: K, fresh: V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  map.set(key, fresh);
  return fresh;
}
