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
  /** The median ratio of this checkout to the commit, with one ratio for each start of the services. */
  readonly ratio: number
  /** The range of the middle half of these ratios. */
  readonly spread: readonly [number, number]
  /**
   * The noise: how far the ratio can be from 1 if the commit is compared with itself. This is the distance that was
   * measured, or twice its standard error if that is larger.
   */
  readonly noise: number
  /** The processor time per request. It is shown, but not judged. */
  readonly cost: { readonly before: Cost; readonly now: Cost; readonly ratio: number }
  readonly isLoss: boolean
}

/** Microseconds of processor per request, as the median of the starts. */
export type Cost = {
  readonly node: number
  /** The processor time of PostgreSQL. On SQLite it is 0. */
  readonly database: number
  readonly both: number
  /** The range of the middle half of `both`. */
  readonly spread: readonly [number, number]
}

export type Sample = Pick<Measurement, "requestsPerSecond" | "serverMicroseconds" | "databaseMicroseconds">

/** The rounds between one start of the services and the next. */
export type StartSamples = Readonly<Record<Arm, readonly Sample[]>>

export function differenceOf(workload: Workload, starts: readonly StartSamples[]): Difference {
  const rates = (samples: readonly Sample[]) => samples.map(({ requestsPerSecond }) => requestsPerSecond)
  const costs = (samples: readonly Sample[]) => samples.map(bothOf)
  const all = (arm: Arm) => starts.flatMap((start) => rates(start[arm]))
  const ratios = starts.map((start) => nowToCommit(start, rates))
  const ratio = median(ratios)
  const noise = noiseOf(
    starts.map(({ before, again }) => median(rates(again).map((rate, i) => rate / (rates(before)[i] ?? 0)))),
  )
  return {
    workload,
    before: median([...all("before"), ...all("again")]),
    now: median(all("now")),
    ratio,
    spread: middleHalf(ratios),
    noise,
    cost: {
      before: costOf(starts.map(({ before, again }) => [...before, ...again])),
      now: costOf(starts.map(({ now }) => now)),
      ratio: median(starts.map((start) => nowToCommit(start, costs))),
    },
    // If the ratio is not a number, this counts as a loss.
    isLoss: !(ratio >= 1 - Math.max(ACCEPTED_LOSS, noise)),
  }
}

/** The clock of a process has steps of ten milliseconds, so each start counts with the mean of its rounds. */
function costOf(starts: readonly (readonly Sample[])[]): Cost {
  const means = (of: (one: Sample) => number) =>
    starts.map((samples) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length)
  const both = means(bothOf)
  return {
    node: median(means((one) => one.serverMicroseconds)),
    database: median(means(databaseOf)),
    both: median(both),
    spread: middleHalf(both),
  }
}

function bothOf(one: Sample): number {
  return one.serverMicroseconds + databaseOf(one)
}

export function middleHalf(values: readonly number[]): readonly [number, number] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN
  return [at(0.25), at(0.75)]
}

function databaseOf({ databaseMicroseconds }: Sample): number {
  return databaseMicroseconds ?? 0
}

/** Returns the median ratio over the rounds of one start. */
function nowToCommit(
  { before, again, now }: StartSamples,
  of: (samples: readonly Sample[]) => readonly number[],
): number {
  return median(of(now).map((one, i) => (2 * one) / ((of(before)[i] ?? 0) + (of(again)[i] ?? 0))))
}

/** The starts are independent of each other. The rounds of one start are not. */
function noiseOf(ratios: readonly number[]): number {
  const logarithms = ratios.map(Math.log)
  const mean = logarithms.reduce((sum, one) => sum + one, 0) / ratios.length
  const squares = logarithms.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  const error = ratios.length < 2 ? 0 : Math.sqrt(squares / (ratios.length - 1) / ratios.length)
  return Math.max(Math.abs(1 - median(ratios)), 2 * error)
}
