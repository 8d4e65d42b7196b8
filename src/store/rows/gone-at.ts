/**
 * When a row may go. Rounded up to a whole day, so that what moves it (a refresh, a visit) rewrites its index entry
 * once a day at the most.
 */
import { type Credential, refreshEndsAt } from "../../core/credential.ts"
import { KEPT_AFTER_END_SECONDS, SESSION_IDLE_SECONDS, SESSION_SECONDS } from "../../core/limits.ts"
import { DAY } from "../../core/time.ts"

export function credentialGoneAt(credential: Credential): number {
  return wholeDay(logicalEnd(credential) + KEPT_AFTER_END_SECONDS)
}

export function overCredentialGoneAt(overAt: number): number {
  return wholeDay(overAt + KEPT_AFTER_END_SECONDS)
}

export function sessionGoneAt(createdAt: number, seenAt: number): number {
  return wholeDay(Math.min(createdAt + SESSION_SECONDS, seenAt + SESSION_IDLE_SECONDS))
}

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
