/**
 * Computes what a credential reaches, at every request. Interface PERM.
 *
 * The reach is the intersection of three sets: the consent, the closure of the current ceiling, and what the account
 * may do now. A new permission in the ceiling or a new implication therefore extends no consent.
 */
import type { Permission } from "../../kernel/ids.ts"
import { lastingClosure, sorted } from "./permission.rules.ts"
import type { Catalog } from "./permission-catalog.rules.ts"
import { admits, type Bounds, mayHold, type Standing } from "./standing.rules.ts"

/**
 * The consent of a service account's credential, which covers everything that the registration allows. No permission
 * can have this name, because it is not a scope-token (RFC 6749 appendix A.4).
 */
export const REGISTERED = '"registered"' as Permission

export function isRegistered([first]: readonly Permission[]): boolean {
  return first === REGISTERED
}

/** Returns the consented permissions. For a service account, these are all permissions that the ceiling allows. */
export function consentedTo(
  catalog: Catalog,
  consentScope: readonly Permission[],
  ceiling: readonly Permission[],
): readonly Permission[] {
  return isRegistered(consentScope) ? sorted(catalog, lastingClosure(catalog, ceiling)) : consentScope
}

/** In the catalog's order. Equal lists from the store are one list, so the latest result of each consent is kept. */
export function reach(
  catalog: Catalog,
  consentScope: readonly Permission[],
  { ceiling, groups }: Bounds,
  standing: Standing,
): readonly Permission[] {
  const known = latest.get(consentScope)
  if (
    known?.catalog === catalog &&
    known.ceiling === ceiling &&
    known.appGroups === groups &&
    known.admin === standing.admin &&
    known.groups === standing.groups
  )
    return known.reached
  const reached = computeReach(catalog, consentScope, { ceiling, groups }, standing)
  const { admin, groups: ofAccount } = standing
  latest.set(consentScope, { catalog, ceiling, appGroups: groups, admin, groups: ofAccount, reached })
  return reached
}

type Reached = Standing & {
  readonly catalog: Catalog
  readonly ceiling: readonly Permission[]
  readonly appGroups: readonly string[]
  readonly reached: readonly Permission[]
}

const latest = new WeakMap<readonly Permission[], Reached>()

function computeReach(
  catalog: Catalog,
  consentScope: readonly Permission[],
  { ceiling, groups }: Bounds,
  standing: Standing,
): readonly Permission[] {
  if (!admits(groups, standing)) return []
  return sorted(catalog, registeredAndConsented(catalog, consentScope, ceiling)).filter((name) =>
    mayHold(catalog, name, standing),
  )
}

/** Returns the consented permissions that the ceiling allows, whichever account it is. In the order of the consent. */
export function registeredAndConsented(
  catalog: Catalog,
  consentScope: readonly Permission[],
  ceiling: readonly Permission[],
): readonly Permission[] {
  const allowed = lastingClosure(catalog, ceiling)
  return isRegistered(consentScope) ? [...allowed] : consentScope.filter((name) => allowed.has(name))
}
