/** The audit trail. Events contain identifiers and addresses, but never a secret. */
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
  "email-changed",
  "email-restored",
  "email-removed",
  "recovery-link-made",
  "recovery-refused",
  "factor-added",
  "factor-removed",
  "factors-reset",
  "factor-refused",
  "codes-closed",
  "codes-opened",
  "recovery-code-used",
  "identity-linked",
  "identity-unlinked",
  "signed-in",
  "sign-in-refused",
  "signed-out",
  "app-registered",
  "app-changed",
  "app-disabled",
  "app-enabled",
  "app-removed",
  "app-secret-rotated",
  "service-account-bound",
  "consented",
  "consent-refused",
  "device-approved",
  "device-refused",
  "elevated",
  "elevation-refused",
  "code-exchanged",
  "device-code-redeemed",
  "imported-token-exchanged",
  "code-replayed",
  "refresh-repeated-elsewhere",
  "refresh-token-reused",
  "credential-revoked",
  "imported",
  "setting-changed",
] as const

export type EventKind = (typeof eventKinds)[number]

/** Who makes a change, and the IP address of the request. The command line has none. */
export type Actor = {
  readonly address: string | null
  /** The account that makes the change. It is undefined if an account changes itself, and for the command line. */
  readonly actorId?: UserId | null | undefined
}

export type Event = {
  readonly kind: EventKind
  readonly at: number
  readonly userId: UserId | null
  readonly clientId: ClientId | null
  readonly tokenId: TokenId | null
  /** The account that acted, if it is not `userId`. The value is null for the command line. */
  readonly actorId: UserId | null
  /** The network address of the request. The value is null for the command line. */
  readonly address: string | null
  /** A short text for people, such as a setting with its value, or the reason for a revocation. */
  readonly detail: string | null
}

type EventFacts = Partial<Omit<Event, "kind" | "at" | "actorId">> & Pick<Actor, "actorId">

/** Creates an event. Facts that are left out become null. `actorId` becomes null if it equals `userId`. */
export function event(kind: EventKind, at: number, facts: EventFacts = {}): Event {
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
