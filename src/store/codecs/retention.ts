/**
 * Computes when a row may be deleted. The time is rounded up to a whole day. Refreshes and visits then rewrite the
 * index entry at most once a day.
 */
import { type Credential, refreshEndsAt } from "../../model/credential.rules.ts"
import type { DeviceGrant } from "../../model/device-grant.rules.ts"
import {
  DEVICE_SECONDS,
  KEPT_AFTER_END_SECONDS,
  REFUSED_KEPT_SECONDS,
  UNANSWERED_KEPT_AFTER_END_SECONDS,
} from "../../kernel/limits.ts"
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from "../../kernel/account-limits.ts"
import { DAY } from "../../kernel/time.ts"

export function credentialDeleteAfter(credential: Credential): number {
  return wholeDay(logicalEnd(credential) + KEPT_AFTER_END_SECONDS)
}

export function endedCredentialDeleteAfter(overAt: number): number {
  return wholeDay(overAt + KEPT_AFTER_END_SECONDS)
}

export function sessionDeleteAfter(createdAt: number, seenAt: number): number {
  return wholeDay(sessionEndsAt(createdAt, seenAt))
}

/** Returns the last second of the session. */
export function sessionEndsAt(createdAt: number, seenAt: number): number {
  return Math.min(createdAt + SESSION_SECONDS, seenAt + SESSION_IDLE_SECONDS)
}

/**
 * Returns the time of deletion before rounding. Null keeps the stored time. An expired grant keeps it, because its
 * stored time already counts from the expiry.
 */
export function deviceGrantDeleteAfter({ request, answer }: DeviceGrant): number | null {
  switch (answer.state) {
    case "pending":
      return unansweredDeleteAfter(request.expiresAt)
    case "approved":
      return answer.approvedAt + DEVICE_SECONDS + KEPT_AFTER_END_SECONDS
    case "redeemed":
      return redeemedDeleteAfter(answer.redeemedAt)
    case "denied":
      return refusedDeleteAfter(answer.deniedAt)
    case "expired":
      return null
  }
}

export const unansweredDeleteAfter = (expiresAt: number) => expiresAt + UNANSWERED_KEPT_AFTER_END_SECONDS
export const redeemedDeleteAfter = (redeemedAt: number) => redeemedAt + KEPT_AFTER_END_SECONDS
export const refusedDeleteAfter = (deniedAt: number) => deniedAt + REFUSED_KEPT_SECONDS

function logicalEnd({ consent, code, life }: Credential): number {
  switch (life.state) {
    case "issued":
      return code?.expiresAt ?? consent.endsAt
    case "active":
      return refreshEndsAt(consent, life.family)
    case "revoked":
      return life.revokedAt
    case "ended":
      return life.endedAt
  }
}

function wholeDay(at: number): number {
  return Math.ceil(at / DAY) * DAY
}
