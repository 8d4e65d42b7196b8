/** What is wrong with what somebody typed about an app of their own, field by field. The rules are those of `own-app.ts`. */
import { removalProblem } from "../permissions/ceiling-removal.rules.ts"
import type { Client, ClientType } from "../records/client.rules.ts"
import { REDIRECT_URIS_AT_MOST } from "../kernel/limits.ts"
import { isAdmin } from "../permissions/permission.rules.ts"
import type { Catalogue } from "../permissions/permission-catalogue.rules.ts"
import {
  type AddressRules,
  type OpenSchemes,
  registerableRedirectUri,
} from "../records/redirect-registration.rules.ts"
import { parseCeiling, parseClientName } from "../records/registration.rules.ts"
import { lookAlikeProblem } from "../kernel/visible-text.ts"

export type OwnAppField = "type" | "name" | "redirect_uris" | "permission"

/** `message` may have several lines. */
export type OwnAppProblem = { readonly field: OwnAppField; readonly message: string }

/** As a form holds it. */
export type TypedOwnApp = {
  /** Null where neither was chosen. */
  readonly type: ClientType | null
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly permissions: readonly string[]
  readonly stepUp: boolean
}

/** `registered` is the app as it is; null for one that is registered now. Empty where every field is right. */
export function ownAppProblems(
  catalogue: Catalogue,
  typed: TypedOwnApp,
  registered: Pick<Client, "ceiling" | "redirectUris"> | null,
  schemes: OpenSchemes,
): readonly OwnAppProblem[] {
  const { type, name, redirectUris, permissions } = typed
  const rules = { schemes, registered: registered?.redirectUris ?? [] }
  const found: readonly (readonly [OwnAppField, string | null])[] = [
    ["type", type === null ? "Choose what kind of app it is." : null],
    ["name", nameProblem(name)],
    // Whatever a confidential app may register, a public one may as well.
    ["redirect_uris", addressesProblem(redirectUris, type ?? "public", rules)],
    ["permission", permissionsProblem(catalogue, permissions, registered?.ceiling ?? [])],
  ]
  return found.flatMap(([field, message]) => (message === null ? [] : [{ field, message }]))
}

function nameProblem(name: string): string | null {
  const parsed = parseClientName(name)
  return parsed.ok ? lookAlikeProblem(name) : parsed.error
}

/** Every line that cannot be registered, by its number and why, a line each. */
export function addressesProblem(
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
): string | null {
  const added = names.filter((name) => !ceiling.includes(name))
  const withheld = added.find(isAdmin)
  if (withheld !== undefined) return `Only an administrator allows an app ${withheld}.`
  const parsed = parseCeiling(catalogue, added)
  return parsed.ok ? removalProblem(catalogue, ceiling, names) : parsed.error
}
