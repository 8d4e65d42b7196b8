/** The audit trail: what happened, to whom, from where. Identifiers and addresses only, never a secret. */
import type { ClientId, TokenId, UserId } from "../kernel/ids.ts"

export const eventKinds = [
  "account-added",
  "account-changed",
  "account-disabled",
  "account-enabled",
  "account-removed",
  "administration-granted",
  "administration-withdrawn",
  "password-changed",
  "factor-added",
  "factor-removed",
  "factors-reset",
  "factor-refused",
  "codes-closed",
  "codes-opened",
  "recovery-code-used",
  "signed-in",
  "sign-in-refused",
  "signed-out",
  "app-registered",
  "app-changed",
  "app-disabled",
  "app-enabled",
  "app-removed",
  "app-secret-rotated",
  "consented",
  "consent-refused",
  "device-approved",
  "device-refused",
  "elevated",
  "elevation-refused",
  "code-exchanged",
  "device-code-redeemed",
  "code-replayed",
  "refresh-repeated-elsewhere",
  "refresh-token-reused",
  "credential-revoked",
  "setting-changed",
] as const

export type EventKind = (typeof eventKinds)[number]

export type Event = {
  readonly kind: EventKind
  readonly at: number
  readonly userId: UserId | null
  readonly clientId: ClientId | null
  readonly tokenId: TokenId | null
  /** The account that did it, where that is not `userId` itself; null for the command line as well. */
  readonly actorId: UserId | null
  /** The network address that the request came from; null for the command line. */
  readonly address: string | null
  /** A few words for people: a setting's name, why something was revoked. */
  readonly detail: string | null
}

/** An event with missing facts as null. The actor is null if it is the account itself. */
export function event(kind: EventKind, at: number, facts: Partial<Omit<Event, "kind" | "at">> = {}): Event {
  const { userId, actorId } = facts
  return {
    kind,
    at,
    userId: null,
    clientId: null,
    tokenId: null,
    address: null,
    detail: null,
    ...facts,
    actorId: actorId === undefined || actorId === userId ? null : actorId,
  }
}
