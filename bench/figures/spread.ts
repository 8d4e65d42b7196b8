/** The middle of several rounds, and how far they lie apart. */
import { median } from "../measure.ts"
import type { Spread } from "./results.ts"

export function spreadOf(all: readonly number[]): Spread {
  return { middle: round(median(all)), least: round(Math.min(...all)), most: round(Math.max(...all)) }
}

/** Returns the smallest value that this part of all values does not exceed. */
export function quantile(all: readonly number[], part: number): number {
  const sorted = all.toSorted((a, b) => a - b)
  return round(sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN)
}

/** Four digits are enough for every figure. */
export function round(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(4)) : value
}
