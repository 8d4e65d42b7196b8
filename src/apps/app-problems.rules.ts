/** What is wrong with a typed registration, field by field. The rules are those of `registration.rules.ts`. */
import { removalProblem } from "../permissions/ceiling-removal.rules.ts"
import type { Client, ClientType } from "../records/client.rules.ts"
import { REDIRECT_URIS_AT_MOST } from "../kernel/limits.ts"
import { isAdmin } from "../permissions/permission.rules.ts"
import type { Catalogue } from "../permissions/permission-catalogue.rules.ts"
import { type AddressRules, registerableRedirectUri } from "../records/redirect-registration.rules.ts"
import { parseCeiling, parseClientName, resourceServerProblem } from "../records/registration.rules.ts"
import { lookAlikeProblem } from "../kernel/visible-text.ts"
import type { Owner } from "./own-app.rules.ts"

export type AppField = "type" | "name" | "redirect_uris" | "permission" | "resource_server" | "owner"

/** `message` may have several lines. */
export type AppProblem = { readonly field: AppField; readonly message: string }

/** What was typed and ticked, valid or not. */
export type TypedApp = {
  /** Null where neither was chosen. */
  readonly type: ClientType | null
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly permissions: readonly string[]
  readonly stepUp: boolean
  readonly verified: boolean
  readonly resourceServer: boolean
  /** The owner's username; empty for none. Only administrators set it, like the two before. */
  readonly owner: string
}

/**
 * Empty if every field is valid. Does not check whether the account in `typed.owner` exists. `registered` is null for a
 * new app. `owner` is null for an administrator.
 */
export function appProblems(
  catalogue: Catalogue,
  typed: TypedApp,
  registered: Pick<Client, "ceiling" | "redirectUris"> | null,
  owner: Pick<Owner, "openSchemes"> | null,
): readonly AppProblem[] {
  const { type, name, redirectUris, permissions, resourceServer } = typed
  const rules = { schemes: owner?.openSchemes ?? "any", registered: registered?.redirectUris ?? [] } as const
  const ceiling = registered?.ceiling ?? []
  const found: readonly (readonly [AppField, string | null])[] = [
    ["type", type === null ? "Choose what kind of app it is." : null],
    ["name", nameProblem(name, owner !== null)],
    // A public app may register every address that a confidential one may.
    ["redirect_uris", addressesProblem(redirectUris, type ?? "public", rules)],
    ["permission", permissionsProblem(catalogue, permissions, ceiling, owner !== null)],
    ["resource_server", type === null ? null : resourceServerProblem({ type, resourceServer })],
  ]
  return found.flatMap(([field, message]) => (message === null ? [] : [{ field, message }]))
}

function nameProblem(name: string, isOwners: boolean): string | null {
  const parsed = parseClientName(name)
  if (!parsed.ok) return parsed.error
  return isOwners ? lookAlikeProblem(name) : null
}

/** The number of each invalid line and the reason, one per line. */
function addressesProblem(
  uris: readonly string[],
  type: ClientType,
  { schemes, registered }: AddressRules,
): string | null {
  if (new Set(uris).size > REDIRECT_URIS_AT_MOST)
    return `An app has at most ${REDIRECT_URIS_AT_MOST} redirect addresses.`
  const problems = uris.flatMap((uri, at) => {
    if (registered.includes(uri)) return []
    const checked = registerableRedirectUri(uri, type, schemes)
    return checked.ok ? [] : [uris.length === 1 ? checked.error : `Line ${at + 1}: ${checked.error}`]
  })
  return problems.length === 0 ? null : problems.join("\n")
}

function permissionsProblem(
  catalogue: Catalogue,
  names: readonly string[],
  ceiling: readonly string[],
  isOwners: boolean,
): string | null {
  const added = names.filter((name) => !ceiling.includes(name))
  const withheld = isOwners ? added.find(isAdmin) : undefined
  if (withheld !== undefined) return `Only an administrator can let an app ask for ${withheld}.`
  const parsed = parseCeiling(catalogue, added)
  return parsed.ok ? removalProblem(catalogue, ceiling, names) : parsed.error
}
