/** Compares the measurements of the three services for one workload. */
import { type Measurement, median } from "./measure.ts"
import type { Workload } from "./workloads.ts"

/** A loss of up to this fraction is accepted. If the noise is larger, a loss up to the noise is accepted. */
const ACCEPTED_LOSS = 0.03

export const ARMS = ["before", "again", "now"] as const
export type Arm = (typeof ARMS)[number]

export type Difference = {
  readonly workload: Workload
  /** The median of requests per second over all rounds. */
  readonly before: number
  readonly now: number
  /** The median ratio of this checkout to the commit, with one ratio for each round. */
  readonly ratio: number
  /** The range of the middle half of these ratios. */
  readonly spread: readonly [number, number]
  /** The noise: how far the ratio is from 1 if the commit is compared with itself. */
  readonly noise: number
  /** The ratio of processor time per request. It is shown, but not judged. */
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
    // If the ratio is not a number, this counts as a loss.
    isLoss: !(ratio >= 1 - Math.max(ACCEPTED_LOSS, noise)),
  }
}
