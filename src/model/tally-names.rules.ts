/** The names of counters. Says which counters each change or refusal increments. */
import type { ClientId } from "../kernel/ids.ts"
import type { Change } from "./change.rules.ts"
import { reasons as rows } from "./refusals/reasons.rules.ts"
import type { Event, EventKind } from "./event.rules.ts"
import type { Reason } from "./refusals/refusal.rules.ts"

/** The counters, with their meaning for operators. */
export const countedEvents = {
  "consent.granted": "an account holder consented to an app",
  "consent.refused": "an account holder refused an app",
  "credential.issued": "an app fetched the first tokens of a credential",
  "credential.refreshed": "a credential was refreshed",
  "credential.repeated": "a refresh within the grace window got the same pair",
  "credential.reused": "a reused refresh token revoked a credential",
  "credential.revoked": "an app, account holder or administrator revoked a credential",
  "credential.ended": "a response first reported an expired credential",
  "code.replayed": "a replayed authorization code revoked a credential",
  "service-token.issued": "an app got an access token of a service account",
  "organization-token.issued": "an app got an access token by the word of an organization",
  "step-up.asked": "an app asked for a step-up",
  "step-up.proven": "an account holder proved a factor for a step-up",
  "step-up.refused": "an account holder refused a step-up",
  "device.asked": "a machine asked for a device code",
  "device.approved": "an account holder approved a device grant",
  "device.refused": "an account holder refused a device grant",
  "device.expired": "a machine polled an expired device grant",
  "device.redeemed": "a machine fetched the tokens of a device grant",
  "sign-in.done": "an account holder signed in",
  "sign-in.refused": "a sign-in was refused",
  "app.registered": "an app was registered",
  "introspection.answered": "a resource server introspected a live token",
  "service.fault": "a bug caused a 500",
  "service.unavailable": "the database could not answer a request",
} as const

export type CountedEvent = keyof typeof countedEvents

/**
 * Values that are measured from time to time. Each measurement adds its value and increments the number of
 * measurements. Several nodes may measure, because a bucket shows the sum divided by the number.
 */
export const gauges = { installations: "installations", looks: "installations.looks" } as const

type Gauge = (typeof gauges)[keyof typeof gauges]

export type TallyName = CountedEvent | `refused.${Reason}` | Gauge

const reasons = Object.keys(rows) as readonly Reason[]

export const refusedNames = Object.fromEntries(
  reasons.map((reason) => [reason, `refused.${reason}`]),
) as Readonly<Record<Reason, `refused.${Reason}`>>

const reasonOf: ReadonlyMap<string, Reason> = new Map(reasons.map((reason) => [refusedNames[reason], reason]))

/** Returns the reason that a counter counts. Returns null if the counter counts no refusals. */
export function refusalOf(name: string): Reason | null {
  return reasonOf.get(name) ?? null
}

/** The counter of each kind of event. The type requires an entry for every kind of event. */
const ofEvents: { readonly [K in EventKind]: CountedEvent | null } = {
  "account-added": null,
  "account-changed": null,
  "language-changed": null,
  "account-disabled": null,
  "account-enabled": null,
  "account-removed": null,
  "account-managed": null,
  "account-invited": null,
  "invitation-accepted": null,
  "invitation-revoked": null,
  "administration-granted": null,
  "administration-withdrawn": null,
  "groups-joined": null,
  "groups-left": null,
  "group-changed": null,
  "password-changed": null,
  "email-changed": null,
  "email-restored": null,
  "email-removed": null,
  "recovery-link-made": null,
  "recovery-refused": null,
  "factor-added": null,
  "factor-removed": null,
  "factors-reset": null,
  "factor-refused": null,
  "codes-closed": null,
  "codes-opened": null,
  "recovery-code-used": null,
  "identity-linked": null,
  "identity-unlinked": null,
  "signed-in": "sign-in.done",
  "sign-in-refused": "sign-in.refused",
  "guessing-suspected": null,
  "signed-out": null,
  "app-registered": "app.registered",
  "app-changed": null,
  "app-disabled": null,
  "app-enabled": null,
  "app-removed": null,
  "app-secret-rotated": null,
  "service-account-bound": null,
  "organization-connected": "credential.issued",
  "organization-allowed": null,
  consented: "consent.granted",
  "consent-refused": "consent.refused",
  "remembered-consent-used": null,
  "remembered-consent-ended": null,
  "device-approved": "device.approved",
  "device-refused": "device.refused",
  elevated: "step-up.proven",
  "elevation-refused": "step-up.refused",
  "code-exchanged": "credential.issued",
  "device-code-redeemed": "device.redeemed",
  "imported-token-exchanged": "credential.issued",
  "code-replayed": "code.replayed",
  // The token endpoint counts this event as a repeat.
  "refresh-repeated-elsewhere": null,
  "refresh-token-reused": "credential.reused",
  "credential-revoked": "credential.revoked",
  imported: null,
  "service-secret-replaced": null,
  "service-secret-forgotten": null,
  "setting-changed": null,
  "signing-key-changed": null,
}

type Counted = { readonly name: CountedEvent; readonly clientId: ClientId | null }

const nothing: readonly Counted[] = []

/** The token endpoint itself counts refreshes, because their changes look like other changes. */
export function countedOf(change: Change): readonly Counted[] {
  switch (change.change) {
    case "eventRecorded":
      return countedOfEvent(change.event)
    case "credentialChanged": {
      const { life, consent } = change.credential
      return life.state === "ended" ? [{ name: "credential.ended", clientId: consent.clientId }] : nothing
    }
    case "deviceGrantAdded": {
      const { purpose, clientId } = change.grant.request
      return [{ name: purpose.purpose === "access" ? "device.asked" : "step-up.asked", clientId }]
    }
    case "deviceGrantChanged": {
      const { request, answer } = change.grant
      return answer.state === "expired" && request.purpose.purpose === "access"
        ? [{ name: "device.expired", clientId: request.clientId }]
        : nothing
    }
    default:
      return nothing
  }
}

/** Returns the counters of an event. A redeemed device code also counts as an issued credential. */
function countedOfEvent({ kind, clientId }: Event): readonly Counted[] {
  const name = ofEvents[kind]
  if (name === null) return nothing
  const counted = { name, clientId }
  return kind === "device-code-redeemed" ? [{ name: "credential.issued", clientId }, counted] : [counted]
}
