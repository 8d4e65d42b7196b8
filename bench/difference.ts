/** What three arms of one run say about a workload. */
import { type Measurement, median } from "./measure.ts"
import type { Workload } from "./workloads.ts"

/** A loss up to this is accepted, and one up to the noise where that is larger. */
const ACCEPTED_LOSS = 0.03

export const ARMS = ["before", "again", "now"] as const
export type Arm = (typeof ARMS)[number]

export type Difference = {
  readonly workload: Workload
  /** Requests a second: medians of the rounds. */
  readonly before: number
  readonly now: number
  /** Of this checkout to the commit: the median of the rounds' own ratios. */
  readonly ratio: number
  /** The middle half of those ratios. */
  readonly spread: readonly [number, number]
  /** How far the same median is from 1 where the commit is compared with itself. */
  readonly noise: number
  /** Processor time a request, of this checkout to the commit; for reading only. */
  readonly processorRatio: number
  readonly isLoss: boolean
}

export type Sample = Pick<Measurement, "requestsPerSecond" | "serverMicroseconds">

export function differenceOf(
  workload: Workload,
  measured: Readonly<Record<Arm, readonly Sample[]>>,
): Difference {
  const rates = (arm: Arm) => measured[arm].map(({ requestsPerSecond }) => requestsPerSecond)
  const costs = (arm: Arm) => measured[arm].map(({ serverMicroseconds }) => serverMicroseconds)
  const ofCommit = (of: typeof rates) =>
    of("now").map((one, i) => (2 * one) / ((of("before")[i] ?? 0) + (of("again")[i] ?? 0)))
  const ratios = ofCommit(rates)
  const ratio = median(ratios)
  const noise = Math.abs(1 - median(rates("again").map((rate, i) => rate / (rates("before")[i] ?? 0))))
  const sorted = ratios.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN
  return {
    workload,
    before: median([...rates("before"), ...rates("again")]),
    now: median(rates("now")),
    ratio,
    spread: [at(0.25), at(0.75)],
    noise,
    processorRatio: median(ofCommit(costs)),
    // A ratio that is not a number is a loss too.
    isLoss: !(ratio >= 1 - Math.max(ACCEPTED_LOSS, noise)),
  }
}
