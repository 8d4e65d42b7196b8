/**
 * Reads counts and returns them as series for plots and as the health of apps. Reads in small steps, so that requests
 * are not blocked.
 */
import { setImmediate as nextTurn } from "node:timers/promises"
import { type Finding, findingsOf } from "./findings.rules.ts"
import { badness, type Health, healthOf } from "./app-health.rules.ts"
import type { ClientId } from "../../kernel/ids.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import {
  Lines,
  type Period,
  periods,
  type Series,
  seriesOf,
  type Span,
  spanOf,
  type Totals,
  totalsOf,
} from "./series.rules.ts"
import { bucketAt, type Grain, grains, type Tally } from "../../model/tally.rules.ts"
import { DAY } from "../../kernel/time.ts"
import type { Gauges } from "../../store/list-shapes.ts"
import { talliesOfApps } from "./closed-day-cache.ts"
import type { Services } from "../../platform/services/services.ts"

type Needs = Pick<Services, "store" | "clock">

export type Overview<P extends Period = Period> = Span & {
  readonly period: P
  readonly series: Series
  /** The totals of the whole period. */
  readonly totals: Totals
  /** The current values of the gauges. */
  readonly gauges: Gauges
}

/** `at` is the start of the day in UTC. */
export type DayHealth = Health & { readonly at: number }

export type AppHealth = {
  readonly clientId: ClientId
  readonly days: number
  /** The days are sorted, oldest first. */
  readonly perDay: readonly DayHealth[]
  readonly total: Health
  /** The findings are sorted, worst first. */
  readonly findings: readonly Finding[]
}

export type RankedApp = {
  readonly clientId: ClientId
  /** The value is null if the app was removed. */
  readonly client: Client | null
  readonly total: Health
  readonly findings: readonly Finding[]
}

/** One read covers this many seconds. A month of hours has many rows, so other requests run between reads. */
const READ_SECONDS = 2 * DAY

/**
 * `finished` leaves out the current hour or day. Access tokens may read only finished buckets. A count that grows would
 * reveal each rotation of a credential within a second. Interface CRED-5.
 */
export type Counted = "live" | "finished"

/**
 * Returns the time up to which buckets are read. With `live`, this is the end of the current bucket, otherwise its
 * start.
 */
function endOf(counted: Counted, grain: Grain, now: number): number {
  const start = bucketAt(grain, now)
  return counted === "live" ? start + grains[grain] : start
}

/** Returns series and totals of the last hour, day or month. */
export async function overview<P extends Period>(
  { store, clock }: Needs,
  period: P,
  counted: Counted,
): Promise<Overview<P>> {
  const now = clock.now()
  const until = endOf(counted, periods[period].grain, now)
  const span = spanOf(period, until - 1)
  const lines = new Lines(span)
  for (let since = span.from; since < until; since += READ_SECONDS) {
    const part = { grain: periods[period].grain, since, until: Math.min(until, since + READ_SECONDS) }
    lines.add(await store.tallies(part))
    await nextTurn()
  }
  const gauges = await store.gauges(now)
  return { period, ...span, series: seriesOf(lines), totals: totalsOf(lines), gauges }
}

/** Returns the counts of an app for each of the last days, and findings for its developer. */
export async function appHealth(
  { store, clock }: Needs,
  clientId: ClientId,
  days: number,
  counted: Counted,
): Promise<AppHealth> {
  const until = endOf(counted, "day", clock.now())
  const from = until - days * DAY
  const tallies = await store.tallies({ grain: "day", since: from, until, clientId })
  const perDay = Array.from({ length: days }, (_, i) => {
    const at = from + i * DAY
    return { at, ...healthOf(tallies.filter((one) => one.at === at)) }
  })
  const total = healthOf(tallies)
  return { clientId, days, perDay, total, findings: findingsOf(total) }
}

/** Returns the apps with problems, worst first. */
export async function appsHealth(
  { store, clock }: Needs,
  days: number,
  limit: number,
  counted: Counted,
): Promise<readonly RankedApp[]> {
  const until = endOf(counted, "day", clock.now())
  const byApp = new Map<ClientId, Tally[]>()
  for (const one of await talliesOfApps({ store, clock }, until - days * DAY, until))
    if (one.clientId !== null) addTo(byApp, one.clientId, one)
  const worst = [...byApp]
    .map(([clientId, tallies]) => ({ clientId, total: healthOf(tallies) }))
    .filter(({ total }) => badness(total) > 0)
    .toSorted((a, b) => badness(b.total) - badness(a.total))
    .slice(0, limit)
  return Promise.all(
    worst.map(async ({ clientId, total }) => {
      const { client } = await store.read({ client: clientId })
      return { clientId, client, total, findings: findingsOf(total) }
    }),
  )
}

function addTo(byApp: Map<ClientId, Tally[]>, clientId: ClientId, tally: Tally): void {
  const known = byApp.get(clientId)
  if (known === undefined) byApp.set(clientId, [tally])
  else known.push(tally)
}
