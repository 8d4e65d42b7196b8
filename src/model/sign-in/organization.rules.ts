/**
 * What an organization may give by its signed word: the entry `assertions` of its sign-in provider. Interface ORG-1.
 * The configuration decides at every request, like a ceiling.
 */
import type { ClientId, Permission, UserId } from "../../kernel/ids.ts"
import type { Catalog } from "../permissions/permission-catalog.rules.ts"
import { isAdmin, lastingClosure, sorted } from "../permissions/permission.rules.ts"
import { reach } from "../permissions/reach.rules.ts"
import type { Bounds, Standing } from "../permissions/standing.rules.ts"
import type { Assertions, SignInProviders } from "./provider.rules.ts"

/** An organization may not connect the app to the account. `provider` is the name of its sign-in provider. */
export type OrganizationBlock = {
  readonly userId: UserId
  readonly clientId: ClientId
  readonly provider: string
  readonly blockedAt: number
}

/** The part of a consent that says whose word it is. */
type Given = {
  readonly clientId: ClientId
  readonly scope: readonly Permission[]
  readonly organization?: string
}

/** Returns what the organization may give the app now, with everything implied. Null if it may not connect the app. */
export function givenBy(
  catalog: Catalog,
  assertions: Assertions | null | undefined,
  clientId: ClientId,
): readonly Permission[] | null {
  if (assertions?.clients.includes(clientId) !== true) return null
  const closed = [...lastingClosure(catalog, assertions.permissions)]
  return sorted(catalog, closed).filter((name) => !isAdmin(name))
}

/**
 * Whether what is stored under `name` counts for the provider. Under a name that no entry has any more it counts for
 * each, so that a renamed entry lifts no block. The name stays where an entry gets another issuer.
 */
export function isNameOf(providers: SignInProviders, name: string | undefined, provider: string): boolean {
  return name !== undefined && (name === provider || !providers.has(name))
}

/** Whether an organization gave the credential, and may no longer connect its app. */
export function isWithdrawn(providers: SignInProviders, { organization, clientId }: Given): boolean {
  if (organization === undefined) return false
  return providers.get(organization)?.assertions?.clients.includes(clientId) !== true
}

/** Returns what a credential reaches, within what its organization may give now. */
export function reachOf(
  catalog: Catalog,
  providers: SignInProviders,
  consent: Given,
  bounds: Bounds,
  standing: Standing,
): readonly Permission[] {
  const reached = reach(catalog, consent.scope, bounds, standing)
  if (consent.organization === undefined) return reached
  const { assertions } = providers.get(consent.organization) ?? {}
  const given = givenBy(catalog, assertions, consent.clientId) ?? []
  return reached.filter((name) => given.includes(name))
}
