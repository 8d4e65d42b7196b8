/** The audit trail. Events contain identifiers and addresses, but never a secret. */
import type { ClientId, TokenId, UserId } from "../kernel/ids.ts"

/**
 * Every kind of event, with its mark. An operator should look into each serious one: the console shows it in another
 * color, and one of the alert rules in `deploy/` fires on it.
 */
const marks = {
  "account-added": "plain",
  "account-changed": "plain",
  "language-changed": "plain",
  "account-disabled": "plain",
  "account-enabled": "plain",
  "account-removed": "serious",
  "account-managed": "plain",
  "account-invited": "plain",
  "invitation-accepted": "plain",
  "invitation-revoked": "plain",
  "administration-granted": "serious",
  "administration-withdrawn": "plain",
  "groups-joined": "plain",
  "groups-left": "plain",
  "group-changed": "plain",
  "password-changed": "plain",
  "email-changed": "plain",
  "email-restored": "plain",
  "email-removed": "plain",
  "recovery-link-made": "plain",
  "recovery-refused": "plain",
  "factor-added": "plain",
  "factor-removed": "plain",
  "factors-reset": "serious",
  "factor-refused": "plain",
  "codes-closed": "serious",
  "codes-opened": "plain",
  "recovery-code-used": "plain",
  "identity-linked": "plain",
  "identity-unlinked": "plain",
  "signed-in": "plain",
  "sign-in-refused": "plain",
  "guessing-suspected": "serious",
  "signed-out": "plain",
  "app-registered": "plain",
  "app-changed": "plain",
  "app-disabled": "plain",
  "app-enabled": "plain",
  "app-removed": "plain",
  "app-secret-rotated": "serious",
  "service-account-bound": "plain",
  "organization-connected": "plain",
  "organization-allowed": "plain",
  consented: "plain",
  "consent-refused": "plain",
  "remembered-consent-used": "plain",
  "remembered-consent-ended": "plain",
  "device-approved": "plain",
  "device-refused": "plain",
  elevated: "plain",
  "elevation-refused": "plain",
  "code-exchanged": "plain",
  "device-code-redeemed": "plain",
  "imported-token-exchanged": "plain",
  "code-replayed": "serious",
  "refresh-repeated-elsewhere": "serious",
  "refresh-token-reused": "serious",
  "credential-revoked": "plain",
  imported: "plain",
  "service-secret-replaced": "serious",
  "service-secret-forgotten": "serious",
  "setting-changed": "serious",
  "signing-key-changed": "serious",
} as const

export type EventKind = keyof typeof marks

export const eventKinds = Object.keys(marks) as readonly EventKind[]

export const seriousKinds = eventKinds.filter(isSerious)

export function isSerious(kind: EventKind): boolean {
  return marks[kind] === "serious"
}

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

export type EventFacts = Partial<Omit<Event, "kind" | "at" | "actorId">> & Pick<Actor, "actorId">

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
