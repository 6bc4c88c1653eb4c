// Stand-in until dns/nearest exists.
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  return candidates.find((c) => c.toLowerCase().startsWith(word.toLowerCase().slice(0, 3)));
}
