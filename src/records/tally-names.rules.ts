/** What is counted: every name of a tally, and what is counted for a change or a refusal. */
import type { ClientId } from "../kernel/ids.ts"
import type { Change } from "./change.rules.ts"
import { reasons as rows } from "../oauth/reasons.rules.ts"
import type { Event, EventKind } from "./event.rules.ts"
import type { Reason } from "../oauth/refusal.rules.ts"

/** Each name with the meaning of one count, for people who watch it. */
export const countedEvents = {
  "consent.granted": "an account holder consented to an app in a browser",
  "consent.refused": "an account holder refused an app in a browser",
  "credential.issued": "an app fetched the first tokens of a credential",
  "credential.refreshed": "a credential was refreshed",
  "credential.repeated": "a refresh within the grace window got the pair that it had got before",
  "credential.reused": "a credential was revoked: a refresh token came long after its retirement",
  "credential.revoked": "a credential was revoked by its app, its account holder or an administrator",
  "credential.ended": "a response reported for the first time that a credential had expired",
  "code.replayed": "a credential was revoked: its authorization code came twice",
  "step-up.asked": "an app asked for a step-up",
  "step-up.proven": "an account holder proved a factor for a step-up",
  "step-up.refused": "an account holder refused a step-up",
  "device.asked": "a machine asked for a device code",
  "device.approved": "an account holder approved a device grant",
  "device.refused": "an account holder refused a device grant",
  "device.expired": "a machine learned that its device grant had expired",
  "device.redeemed": "a machine fetched the tokens of a device grant",
  "sign-in.done": "an account holder signed in",
  "sign-in.refused": "a sign-in was refused",
  "app.registered": "an app was registered",
  "introspection.answered": "a resource server introspected a live token",
  "service.fault": "a request met a bug and was answered 500",
  "service.unavailable": "the database could not answer a request",
} as const

export type CountedEvent = keyof typeof countedEvents

/**
 * Figures that are looked at now and then. Each look adds what it saw and one more look, so that any number of nodes
 * may look: what a bucket says is the one divided by the other.
 */
export const gauges = { installations: "installations", looks: "installations.looks" } as const

export type Gauge = (typeof gauges)[keyof typeof gauges]

export type TallyName = CountedEvent | `refused.${Reason}` | Gauge

const reasons = Object.keys(rows) as readonly Reason[]

/** `refused.<reason>` of each reason, made once. */
export const refusedNames = Object.fromEntries(
  reasons.map((reason) => [reason, `refused.${reason}`]),
) as Readonly<Record<Reason, `refused.${Reason}`>>

const reasonOf: ReadonlyMap<string, Reason> = new Map(reasons.map((reason) => [refusedNames[reason], reason]))

/** The reason that a name counts, or null. */
export function refusalOf(name: string): Reason | null {
  return reasonOf.get(name) ?? null
}

/** What an event of the audit trail counts as. Leaving a kind out does not compile. */
const ofEvents: { readonly [K in EventKind]: CountedEvent | null } = {
  "account-added": null,
  "account-changed": null,
  "account-disabled": null,
  "account-enabled": null,
  "account-removed": null,
  "administration-granted": null,
  "administration-withdrawn": null,
  "password-changed": null,
  "factor-added": null,
  "factor-removed": null,
  "factors-reset": null,
  "factor-refused": null,
  "codes-closed": null,
  "codes-opened": null,
  "recovery-code-used": null,
  "signed-in": "sign-in.done",
  "sign-in-refused": "sign-in.refused",
  "signed-out": null,
  "app-registered": "app.registered",
  "app-changed": null,
  "app-disabled": null,
  "app-enabled": null,
  "app-removed": null,
  "app-secret-rotated": null,
  consented: "consent.granted",
  "consent-refused": "consent.refused",
  "device-approved": "device.approved",
  "device-refused": "device.refused",
  elevated: "step-up.proven",
  "elevation-refused": "step-up.refused",
  "code-exchanged": "credential.issued",
  "device-code-redeemed": "device.redeemed",
  "code-replayed": "code.replayed",
  // Counted as a repeat, with those from the same network.
  "refresh-repeated-elsewhere": null,
  "refresh-token-reused": "credential.reused",
  "credential-revoked": "credential.revoked",
  "setting-changed": null,
}

export type Counted = { readonly name: CountedEvent; readonly clientId: ClientId | null }

const nothing: readonly Counted[] = []

/** What a change counts as. Refreshes are counted by their answers instead, because their changes look like others. */
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

/** What a machine fetches is a credential issued as well. */
function countedOfEvent({ kind, clientId }: Event): readonly Counted[] {
  const name = ofEvents[kind]
  if (name === null) return nothing
  const counted = { name, clientId }
  return kind === "device-code-redeemed" ? [{ name: "credential.issued", clientId }, counted] : [counted]
}
