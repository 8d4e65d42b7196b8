/** Returns the name that begins with `word` or is nearest by edit distance. Returns null if every name is too far. */
export function nearest(word: string, names: Iterable<string>): string | null {
  let best: string | null = null
  let least = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const name of names) {
    const isBeginning = word.length > 1 && name.startsWith(word)
    // The edit distance is at least the difference in length, so names of a very different length are skipped.
    if (!isBeginning && Math.abs(word.length - name.length) >= least) continue
    const far = isBeginning ? 0.5 : distance(word, name)
    if (far < least && far < Math.max(word.length, name.length)) [best, least] = [name, far]
  }
  return best
}

/** Returns " Did you mean X?", or an empty string. */
export function didYouMean(word: string, names: Iterable<string>): string {
  const name = nearest(word, names)
  return name === null ? "" : ` Did you mean ${name}?`
}

/** Returns the edit distance, which counts insertions, deletions, replacements, and swaps of adjacent letters. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[j - 2] ?? 0) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
