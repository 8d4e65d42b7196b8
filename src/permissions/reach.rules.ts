/**
 * What a credential reaches, worked out at every request. Interface PERM.
 *
 * Three sets meet: the consent, which is never rewritten; the closure of the registered ceiling as it is now; and what
 * the account itself may do now. An intersection only: nothing that is added to a ceiling or to the table of
 * implications widens a consent that was given before.
 */
import type { Permission } from "../kernel/ids.ts"
import { isAdmin, lastingClosure, sorted } from "./permission.rules.ts"
import type { Catalogue } from "./permission-catalogue.rules.ts"

/** The permissions that hold now, in the catalogue's order. */
export function reach(
  catalogue: Catalogue,
  consentScope: readonly Permission[],
  ceiling: readonly Permission[],
  accountIsAdmin: boolean,
): Permission[] {
  const allowed = lastingClosure(catalogue, ceiling)
  const reached = consentScope.filter((name) => allowed.has(name) && (accountIsAdmin || !isAdmin(name)))
  return sorted(catalogue, reached)
}
