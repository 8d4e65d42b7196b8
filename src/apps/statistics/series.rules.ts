/** Arranges counts as series for plots. A series has one number for each point. */
import type { Reason } from "../../model/refusals/refusal.rules.ts"
import type { Grain, Tally } from "../../model/tally.rules.ts"
import { gauges, type CountedEvent, countedEvents, refusalOf } from "../../model/tally-names.rules.ts"
import { DAY, HOUR, MINUTE } from "../../kernel/time.ts"

/** `grain` is the size of the buckets that are read. `step` is the length of a point in seconds. */
export const periods = {
  hour: { grain: "minute", step: MINUTE, points: 60 },
  day: { grain: "hour", step: HOUR, points: 24 },
  month: { grain: "hour", step: DAY, points: 30 },
} as const satisfies Record<string, { grain: Grain; step: number; points: number }>

export type Period = keyof typeof periods

export const periodNames = Object.keys(periods) as readonly Period[]

/** A series starts at `from`, and each point lasts `step` seconds. */
export type Span = {
  /** The start of the first point. */
  readonly from: number
  /** The length of one point in seconds. */
  readonly step: number
  readonly points: number
}

/** Returns the span whose last point contains `now`. */
export function spanOf(period: Period, now: number): Span {
  const { step, points } = periods[period]
  return { from: now - (now % step) - (points - 1) * step, step, points }
}

export type DeviceOutcome = "asked" | "approved" | "refused" | "expired" | "redeemed"

/** Series have one number for each point. The last point is incomplete. */
export type Series = {
  readonly issued: readonly number[]
  readonly refreshed: readonly number[]
  readonly repeated: readonly number[]
  readonly revoked: readonly number[]
  readonly reused: readonly number[]
  readonly signIns: readonly number[]
  readonly signInsRefused: readonly number[]
  readonly introspections: readonly number[]
  /**
   * The refusals, most frequent reasons first. If there are more than seven reasons, the last entry has the reason null
   * and sums the others.
   */
  readonly refusals: readonly { readonly reason: Reason | null; readonly counts: readonly number[] }[]
  readonly devices: readonly { readonly outcome: DeviceOutcome; readonly counts: readonly number[] }[]
  /** The number of active installations. The value is null for a point without a sample. */
  readonly installations: readonly (number | null)[]
}

export type Totals = Readonly<Record<CountedEvent, number>> & { readonly refusals: number }

/** A plot shows at most this many reasons as separate lines. The other reasons share one line. */
const REASONS_SHOWN = 6

/** A pending decision is not a refusal, although the protocol calls it an error. */
const WAITING: Reason = "devicePending"

const deviceOutcomes: Readonly<Record<DeviceOutcome, CountedEvent>> = {
  asked: "device.asked",
  approved: "device.approved",
  refused: "device.refused",
  expired: "device.expired",
  redeemed: "device.redeemed",
}

/** Collects counts as one series for each counter name. */
export class Lines {
  readonly points: number
  readonly #span: Span
  readonly #byName = new Map<string, number[]>()

  constructor(span: Span) {
    this.points = span.points
    this.#span = span
  }

  /** Adds counts of buckets within the span. */
  add(tallies: readonly Tally[]): void {
    const { from, step } = this.#span
    for (const { at, name, count } of tallies) {
      const point = Math.floor((at - from) / step)
      const line = this.#byName.get(name) ?? this.#none()
      line[point] = (line[point] ?? 0) + count
      this.#byName.set(name, line)
    }
  }

  of(name: string): readonly number[] {
    return this.#byName.get(name) ?? this.#none()
  }

  get names(): Iterable<string> {
    return this.#byName.keys()
  }

  #none(): number[] {
    return Array<number>(this.points).fill(0)
  }
}

export function seriesOf(lines: Lines): Series {
  const outcomes = Object.entries(deviceOutcomes) as readonly [DeviceOutcome, CountedEvent][]
  const seen = lines.of(gauges.installations)
  return {
    issued: lines.of("credential.issued"),
    refreshed: lines.of("credential.refreshed"),
    repeated: lines.of("credential.repeated"),
    revoked: lines.of("credential.revoked"),
    reused: lines.of("credential.reused"),
    signIns: lines.of("sign-in.done"),
    signInsRefused: lines.of("sign-in.refused"),
    introspections: lines.of("introspection.answered"),
    refusals: refusalsOf(lines),
    devices: outcomes.map(([outcome, name]) => ({ outcome, counts: lines.of(name) })),
    installations: lines
      .of(gauges.looks)
      .map((looks, i) => (looks === 0 ? null : Math.round((seen[i] ?? 0) / looks))),
  }
}

function refusalsOf(lines: Lines): Series["refusals"] {
  const ranked = reasonsIn(lines.names)
    .map(({ name, reason }) => ({ reason, counts: lines.of(name) }))
    .toSorted((a, b) => sum(b.counts) - sum(a.counts))
  const rest = ranked.slice(REASONS_SHOWN)
  if (rest.length < 2) return ranked
  const together = Array.from({ length: lines.points }, (_, i) =>
    rest.reduce((all, { counts }) => all + (counts[i] ?? 0), 0),
  )
  return [...ranked.slice(0, REASONS_SHOWN), { reason: null, counts: together }]
}

export function reasonsIn(
  names: Iterable<string>,
): readonly { readonly name: string; readonly reason: Reason }[] {
  return [...names].flatMap((name) => {
    const reason = refusalOf(name)
    return reason === null || reason === WAITING ? [] : [{ name, reason }]
  })
}

export function totalsOf(lines: Lines): Totals {
  const names = Object.keys(countedEvents) as readonly CountedEvent[]
  const totals = Object.fromEntries(names.map((name) => [name, sum(lines.of(name))])) as Record<
    CountedEvent,
    number
  >
  const refusals = reasonsIn(lines.names).reduce((all, { name }) => all + sum(lines.of(name)), 0)
  return { ...totals, refusals }
}

export function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
