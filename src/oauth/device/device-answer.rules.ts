/**
 * Decides the account holder's answer on the device page: interface DG-3…DG-6, DG-8. Permissions for hub administration
 * need two clicks on Authorize. The first click grants nothing.
 */
import type { Account, Session } from "../../model/account.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { CREDENTIAL_SECONDS } from "../../kernel/limits.ts"
import { consentedTo } from "../../model/self-registration.rules.ts"
import type { DocumentProblem } from "../clients/document-policy.rules.ts"
import { resolveClient } from "../clients/resolve.rules.ts"
import type { Permission, TokenId, UserId } from "../../kernel/ids.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import { type DeviceGrant, deviceAsOf, type DeviceState } from "../../model/device-grant.rules.ts"
import { isSwitchedOff, tokenIdOf, persistObservedDeviceExpiry } from "./device-poll.rules.ts"
import { decideDevice } from "./device-table.rules.ts"
import { isAdmin, reachesHubAdministration } from "../../model/permissions/permission.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { registeredAndConsented } from "../../model/permissions/reach.rules.ts"
import { openidFacts } from "../../model/openid-facts.rules.ts"
import { OPENID } from "../../model/permissions/openid-permissions.rules.ts"
import type { Bounds, Standing } from "../../model/permissions/standing.rules.ts"
import { leftByGroups } from "../authorize/consent.rules.ts"

export type DeviceAnswer = {
  readonly grant: DeviceGrant | null
  readonly authorizes: boolean
  /** Whether the form comes from the confirmation page. */
  readonly isConfirmed: boolean
  readonly userId: UserId
  readonly granted: readonly Permission[]
  /** The account and the app now. */
  readonly standing: Standing
  readonly bounds: Bounds
  /** What id_tokens say about the sign-in of the person who answers. */
  readonly openid: string
  readonly now: number
  readonly address: string
}

export type DeviceOutcome =
  | "approved"
  | "denied"
  | "confirm"
  | "answered-before"
  | "answered-by-another"
  /** The ten minutes of the grant have passed: DG-7. */
  | "too-late"
  /** The page showed an admin permission, but the account is no longer an administrator: DG-8. */
  | "administration-withdrawn"
  /** The account left the groups that the app, or everything on the page, is for: GROUP-5. */
  | "groups-withdrawn"
  /** The page showed a permission that is no longer in the app's registration. */
  | "request-changed"

/** An app that is gone, which cannot be approved. */
const NOTHING: Bounds = { ceiling: [], groups: [] }

type StoredForAnswer = {
  readonly session: Session | null
  readonly account: Account | null
  readonly client: Client | null
  readonly deviceGrant: DeviceGrant | null
  readonly spentTicket: unknown
  readonly documentProblem: DocumentProblem | null
}

/** Decides on a form of the device page. Uses up the ticket only if administration was withdrawn. */
export function decideDeviceSubmission(
  catalog: Catalog,
  { session, account, client: found, deviceGrant: grant, spentTicket, documentProblem }: StoredForAnswer,
  answer: Omit<DeviceAnswer, "grant" | "standing" | "bounds" | "openid">,
  ticketId: TokenId,
): Decided<DeviceOutcome | "not-yours" | DocumentProblem> {
  const { authorizes, now } = answer
  const client = resolveClient(found, now)
  if (session === null || account === null || !account.enabled) return decided("not-yours")
  if (authorizes && (client === null || !client.enabled)) return decided("app-gone")
  if (authorizes && client !== null && grant !== null && isSwitchedOff(client, grant))
    return decided("app-gone")
  if (authorizes && documentProblem !== null) return decided(documentProblem)
  if (authorizes && spentTicket !== null) return decided("answered-before")
  const present = { standing: account, bounds: client ?? NOTHING, openid: openidFacts(session, null, null) }
  const decision = decideDeviceAnswer(catalog, { ...answer, ...present, grant })
  // The form must not grant admin permissions if the account becomes an administrator again, so its ticket is used up.
  // The button Refuse still works.
  if (decision.answer === "administration-withdrawn" || decision.answer === "groups-withdrawn")
    return { ...decision, changes: [{ change: "ticketSpent", ticketId, at: now }] }
  if (decision.answer !== "approved" || client === null) return decision
  const tokenId = grant === null ? null : tokenIdOf(grant.request.grantId)
  return {
    ...decision,
    changes: [
      ...decision.changes,
      ...consentedTo(client, now + CREDENTIAL_SECONDS),
      ...(client.endsWithSession && tokenId !== null
        ? [{ change: "sessionCredentialAdded", tokenId, session } as const]
        : []),
    ],
  }
}

export function decideDeviceAnswer(catalog: Catalog, answer: DeviceAnswer): Decided<DeviceOutcome> {
  const { grant, authorizes, isConfirmed, userId, now, address } = answer
  if (grant === null) return decided<DeviceOutcome>("too-late")
  const granted = leftByGroups(catalog, answer.bounds, answer.standing, answer.granted)
  const left = { ...answer, granted }
  const isSure = isConfirmed || !reachesHubAdministration(catalog, granted)
  const decision = decideDevice(
    grant,
    authorizes && answer.granted.length > 0 ? { event: "authorized", isSure } : { event: "refused" },
    now,
  )
  const facts = { userId, clientId: grant.request.clientId, address }
  switch (decision.decision) {
    case "approve":
      if (granted.length === 0) return decided<DeviceOutcome>("groups-withdrawn")
      if (lacksAdministration(left)) return decided<DeviceOutcome>("administration-withdrawn")
      return decided<DeviceOutcome>(
        "approved",
        answeredGrant(grant, {
          state: "approved",
          userId,
          granted,
          approvedAt: now,
          openid: granted.includes(OPENID) ? answer.openid : null,
        }),
        eventRecorded("device-approved", now, facts),
      )
    case "deny":
      return decided<DeviceOutcome>(
        "denied",
        answeredGrant(grant, { state: "denied", deniedAt: now, userId }),
        eventRecorded("device-refused", now, facts),
      )
    case "confirm":
      return decided<DeviceOutcome>(confirmed(catalog, left))
    case "leave": {
      const seen = deviceAsOf(grant, now)
      return decided<DeviceOutcome>(
        answeredBy(seen.answer, userId),
        ...persistObservedDeviceExpiry(grant, seen),
      )
    }
    case "answer":
    case "redeem":
      throw new Error("an account holder never polls")
  }
}

export function answeredGrant({ request }: DeviceGrant, answer: DeviceState): Change {
  return { change: "deviceGrantChanged", grant: { request, answer } }
}

/** The confirmation page lists the permissions of the first page. All of them must still be grantable. */
function confirmed(catalog: Catalog, answer: DeviceAnswer): DeviceOutcome {
  if (lacksAdministration(answer)) return "administration-withdrawn"
  const left = registeredAndConsented(catalog, answer.granted, answer.bounds.ceiling)
  return left.length < answer.granted.length ? "request-changed" : "confirm"
}

/**
 * Whether an admin permission needs an account that is no longer an administrator. Without this check, the consent
 * would take effect if the account became an administrator again. DG-8.
 */
function lacksAdministration({ granted, standing }: DeviceAnswer): boolean {
  return !standing.admin && granted.some(isAdmin)
}

function answeredBy(answer: DeviceState, userId: UserId): DeviceOutcome {
  if (answer.state === "pending" || answer.state === "expired") return "too-late"
  return answer.userId === userId ? "answered-before" : "answered-by-another"
}
