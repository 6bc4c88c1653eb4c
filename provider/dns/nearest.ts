/** The nearest name: what somebody who wrote an unknown word may have meant. */

/**
 * The candidate that is nearest to a misspelt word: case aside, a beginning of it (two letters at least), or at most
 * a third of its letters away (two in a word of four or five, one in a shorter one). Undefined when none is near.
 * @example nearest("vlaue", ["name", "type", "value"]) // "value"
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const name = candidate.toLowerCase();
    const begins = wanted.length >= 2 && name.startsWith(wanted);
    const allowed = Math.min(Math.max(name.length > 3 ? 2 : 1, Math.floor(name.length / 3)), name.length - 1);
    // Words of very different lengths are not compared letter by letter.
    const distance = begins
      ? 1
      : Math.abs(wanted.length - name.length) > allowed
        ? Infinity
        : editDistance(wanted, name);
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein's distance, by one row. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
