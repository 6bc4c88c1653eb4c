/** Computes a value once for each object, and keeps it as long as the object. */
export function perObject<K extends object, V>(compute: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>();
  return (of) => {
    const kept = known.get(of);
    if (kept !== undefined) return kept;
    const value = compute(of);
    known.set(of, value);
    return value;
  };
}
