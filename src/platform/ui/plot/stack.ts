/** Stacks the values of several series at each point. */

export type Layer = { readonly series: number; readonly from: number; readonly to: number }

/** Returns one stack for each point, from the bottom up. Zeros are left out. */
export function stacks(
  series: readonly (readonly number[])[],
  points: number,
): readonly (readonly Layer[])[] {
  return Array.from({ length: points }, (_, point) => {
    const layers: Layer[] = []
    let from = 0
    for (const [number, counts] of series.entries()) {
      const count = counts[point] ?? 0
      if (count > 0) layers.push({ series: number, from, to: from + count })
      from += Math.max(0, count)
    }
    return layers
  })
}

export function highest(all: readonly (readonly Layer[])[]): number {
  return Math.max(0, ...all.map((layers) => layers.at(-1)?.to ?? 0))
}

export type Run = { readonly start: number; readonly values: readonly number[] }

/** Splits the values at gaps (null). */
export function runs(values: readonly (number | null)[]): readonly Run[] {
  const found: { start: number; values: number[] }[] = []
  let open: { start: number; values: number[] } | null = null
  for (const [at, value] of values.entries()) {
    if (value === null) open = null
    else if (open === null) found.push((open = { start: at, values: [value] }))
    else open.values.push(value)
  }
  return found
}
