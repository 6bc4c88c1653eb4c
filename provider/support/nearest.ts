/** The nearest candidate: it begins with the word, or a third of its letters differ. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const name = candidate.toLowerCase();
    const allowed = Math.min(Math.max(name.length > 3 ? 2 : 1, Math.floor(name.length / 3)), name.length - 1);
    const isBeginning = wanted.length >= 2 && name.startsWith(wanted);
    const isFar = Math.abs(wanted.length - name.length) > allowed;
    const distance = isBeginning ? 1 : isFar ? Infinity : editDistance(wanted, name);
    if (distance > allowed || distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

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
