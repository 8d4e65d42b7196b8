/** The health of an app: its counts, and ratios of them. */
import type { Reason } from "../oauth/refusal.rules.ts"
import { reasonsIn, sum } from "./series.rules.ts"
import type { Tally } from "../records/tally.rules.ts"
import type { CountedEvent } from "../records/tally-names.rules.ts"

export type AppCounts = {
  /** Credentials of which the app fetched the first tokens. */
  readonly issued: number
  readonly refreshes: number
  /** Refreshes that got the same pair again, within the grace window. */
  readonly replays: number
  /** Credentials revoked because a refresh token came long after its retirement. */
  readonly reuses: number
  readonly codeReplays: number
  /** Refused requests that a correct app would not send, by reason, most frequent first. */
  readonly errors: readonly { readonly reason: Reason; readonly count: number }[]
}

/** The counts with what is computed from them. */
export type Health = AppCounts & {
  /** The share of refreshes that were repeated, from 0 to 1. */
  readonly replayShare: number
  readonly errorCount: number
}

/** The share of refreshes that were repeated, from 0 to 1. */
export function replayShare({ replays, refreshes }: Pick<AppCounts, "replays" | "refreshes">): number {
  return replays === 0 ? 0 : replays / (replays + refreshes)
}

/** Sorts apps, the worst first. Signing people out weighs most. */
export function badness(counts: AppCounts): number {
  const { reuses, codeReplays, replays, errors } = counts
  return (reuses + codeReplays) * 100 + replays + sum(errors.map(({ count }) => count))
}

/** The health in the tallies of one app, over any buckets. */
export function healthOf(tallies: readonly Tally[]): Health {
  const byName = new Map<string, number>()
  for (const { name, count } of tallies) byName.set(name, (byName.get(name) ?? 0) + count)
  const of = (name: CountedEvent) => byName.get(name) ?? 0
  const errors = reasonsIn(byName.keys())
    .filter(({ reason }) => !NO_ERRORS_OF_THE_APP.has(reason))
    .map(({ name, reason }) => ({ reason, count: byName.get(name) ?? 0 }))
    .toSorted((a, b) => b.count - a.count)
  const [refreshes, replays] = [of("credential.refreshed"), of("credential.repeated")]
  return {
    issued: of("credential.issued"),
    refreshes,
    replays,
    reuses: of("credential.reused"),
    codeReplays: of("code.replayed"),
    errors,
    replayShare: replayShare({ refreshes, replays }),
    errorCount: sum(errors.map(({ count }) => count)),
  }
}

/** Answers that a good app gets as well: the decision is pending, the account holder refused, the budget is spent. */
const NO_ERRORS_OF_THE_APP: ReadonlySet<Reason> = new Set<Reason>([
  "devicePending",
  "deviceDenied",
  "deviceApprovalVoid",
  "deviceExpired",
  "accessDenied",
  "budgetSpent",
  "elevationLacking",
])
