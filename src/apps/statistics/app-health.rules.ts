/** The health of an app, as counts and ratios. */
import type { Reason } from "../../model/refusals/refusal.rules.ts"
import { reasonsIn, sum } from "./series.rules.ts"
import type { Tally } from "../../model/tally.rules.ts"
import type { CountedEvent } from "../../model/tally-names.rules.ts"

export type AppCounts = {
  /** The number of credentials whose first tokens the app received. */
  readonly issued: number
  readonly refreshes: number
  /** The number of access tokens for its service account. */
  readonly serviceTokens: number
  /** The number of refreshes that were repeated in the grace period and got the same pair again. */
  readonly replays: number
  /** The number of credentials that were revoked because a refresh token was reused after the grace period. */
  readonly reuses: number
  readonly codeReplays: number
  /** Refused requests that a correct app would not send. They are counted by reason, most frequent first. */
  readonly errors: readonly { readonly reason: Reason; readonly count: number }[]
}

/** The counts of an app, and ratios of these counts. */
export type Health = AppCounts & {
  /** The share of refreshes that were repeated, from 0 to 1. */
  readonly replayShare: number
  readonly errorCount: number
}

/** The share of refreshes that were repeated, from 0 to 1. */
export function replayShare({ replays, refreshes }: Pick<AppCounts, "replays" | "refreshes">): number {
  return replays === 0 ? 0 : replays / (replays + refreshes)
}

/** The share of its requests that were refused for these reasons, from 0 to 1. */
export function refusedShare(counts: AppCounts, refused: number): number {
  const { issued, refreshes, serviceTokens, replays, errors } = counts
  const all = issued + refreshes + serviceTokens + replays + sum(errors.map(({ count }) => count))
  return refused === 0 ? 0 : refused / all
}

/**
 * Returns a number by which apps are sorted, worst first. Revoked credentials weigh most, because they sign people out.
 */
export function badness(counts: AppCounts): number {
  const { reuses, codeReplays, replays, errors } = counts
  return (reuses + codeReplays) * 100 + replays + sum(errors.map(({ count }) => count))
}

/** Computes the health of one app from its tallies, over any number of buckets. */
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
    serviceTokens: of("service-token.issued"),
    replays,
    reuses: of("credential.reused"),
    codeReplays: of("code.replayed"),
    errors,
    replayShare: replayShare({ refreshes, replays }),
    errorCount: sum(errors.map(({ count }) => count)),
  }
}

/** Correct apps get these refusals too: a pending decision, a refusal by the account holder, and a rate limit. */
const NO_ERRORS_OF_THE_APP: ReadonlySet<Reason> = new Set<Reason>([
  "devicePending",
  "deviceDenied",
  "deviceApprovalVoid",
  "deviceExpired",
  "accessDenied",
  "loginRequired",
  "consentRequired",
  "budgetSpent",
  "elevationLacking",
])
