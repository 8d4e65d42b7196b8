/** Axes with round numbers, starting at zero, and axes with round times. */
import { DAY, HOUR, MINUTE } from "../../../kernel/time.ts"

export type Axis = {
  /** The value at the top of the plot. It has a tick, and no value is larger. */
  readonly top: number
  /** Evenly spaced values from 0 to `top`. */
  readonly ticks: readonly number[]
}

const STEPS_AT_MOST = 4

/** Returns an axis with whole numbers. The axis of an empty plot goes from 0 to 1. */
export function countAxis(largest: number): Axis {
  const step = niceStep(Math.max(1, largest) / STEPS_AT_MOST)
  const steps = Math.max(1, Math.ceil(largest / step))
  return { top: step * steps, ticks: Array.from({ length: steps + 1 }, (_, i) => i * step) }
}

/** Returns the smallest of 1, 2, 5, 10, 20, 50, … that is at least `least`. */
function niceStep(least: number): number {
  let power = 1
  while (power * 10 < least) power *= 10
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? power * 10
}

export type TimeRange = {
  readonly from: number
  /** The length of one point in seconds. */
  readonly step: number
  readonly points: number
}

type TimeTick = {
  readonly at: number
  /** The position in the plot, from 0 to 1. The tick of a day is in the middle of the day. */
  readonly place: number
}

const strides = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
]

const TIMES_AT_MOST = 5

/** Ticks at round times of day. For points of days, at whole days, counted back from the last day. */
export function timeTicks({ from, step, points }: TimeRange): readonly TimeTick[] {
  const length = step * points
  const stride = strides.find((one) => one >= step && length / one <= TIMES_AT_MOST) ?? length
  const isOfDays = step >= DAY
  const last = from + length - step
  const first = isOfDays
    ? last - Math.floor((last - from) / stride) * stride
    : Math.ceil(from / stride) * stride
  const ticks: TimeTick[] = []
  for (let at = first; at < from + length; at += stride)
    ticks.push({ at, place: (at - from + (isOfDays ? step / 2 : 0)) / length })
  return ticks
}
