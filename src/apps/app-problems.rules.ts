/** Finds the problems in each field of a registration form. The rules themselves are in `registration.rules.ts`. */
import { removalProblem } from "../model/permissions/ceiling-removal.rules.ts"
import { type Problem, type Result } from "../kernel/result.ts"
import { parseJson } from "../kernel/json.ts"
import { parseClientKeys } from "../model/clients/key-set.rules.ts"
import type { Switches } from "../model/clients/app-switches.rules.ts"
import { type OpenidMembers, postLogoutProblem } from "../model/clients/openid-members.rules.ts"
import type { Client, ClientKeys, ClientType } from "../model/clients/client.rules.ts"
import { type Workload, workloadFrom } from "../model/clients/workload.rules.ts"
import { REDIRECT_URIS_AT_MOST } from "../kernel/limits.ts"
import type { Catalog } from "../model/permissions/permission-catalog.rules.ts"
import { type AddressRules, registerableRedirectUri } from "../model/clients/redirect-registration.rules.ts"
import {
  parseCeiling,
  parseClientName,
  PUBLIC_WITH_KEY,
  resourceServerProblem,
} from "../model/clients/registration.rules.ts"
import { parseAppGroups } from "../model/permissions/group.rules.ts"
import { lookAlikeProblem } from "../kernel/visible-text.ts"
import { ownersPermissionProblem, type Owner } from "./own-app.rules.ts"

export type AppField =
  | "type"
  | "name"
  | "redirect_uris"
  | "permission"
  | "groups"
  | "post_logout_redirect_uris"
  | "keys"
  | "resource_server"
  | "owner"
  | "service_account"

/** A message may have several lines. */
export type AppProblem = { readonly field: AppField; readonly message: string }

/** The values of the form, valid or not. */
export type TypedApp = Switches &
  OpenidMembers & {
    /** The value is null if the person chose no type. */
    readonly type: ClientType | null
    readonly name: string
    readonly redirectUris: readonly string[]
    readonly permissions: readonly string[]
    /** The groups that it is for. Only administrators set them. */
    readonly groups: readonly string[]
    /** A JWK set as text, or its URL. Both are empty for an app without keys. Only administrators set the URL. */
    readonly jwks: string
    readonly jwksUri: string
    /** The platform whose tokens authenticate the app. Only administrators set it. */
    readonly workload: Workload
    /** The owner's name. It is empty for an app without an owner. Only administrators set it. */
    readonly owner: string
    /** The name of the service account that the app is bound to. It is empty for an app without one. */
    readonly serviceAccount: string
  }

/**
 * Returns the problems of the form. This function does not check whether the account `typed.owner` exists. `registered`
 * is null for a new app. `owner` is null if an administrator sends the form.
 */
export function appProblems(
  catalog: Catalog,
  typed: TypedApp,
  registered: Pick<Client, "ceiling" | "redirectUris" | "binding"> | null,
  owner: Pick<Owner, "openSchemes"> | null,
): readonly AppProblem[] {
  const { type, name, redirectUris, permissions, resourceServer } = typed
  const rules = { schemes: owner?.openSchemes ?? "any", registered: registered?.redirectUris ?? [] } as const
  const found: readonly (readonly [AppField, string | null])[] = [
    ["type", type === null ? "Choose what kind of app it is." : null],
    ["name", nameProblem(name, owner !== null)],
    // A form without a type is checked by the rules for public apps. Those rules accept every redirect URI that a
    // confidential app may have.
    ["redirect_uris", addressesProblem(redirectUris, type ?? "public", rules)],
    ["permission", permissionsProblem(catalog, permissions, registered, owner !== null)],
    ["groups", groupsProblem(typed.groups)],
    ["post_logout_redirect_uris", postLogoutProblem(typed.postLogoutRedirectUris)],
    ["keys", keysProblem(typed)],
    ["resource_server", type === null ? null : resourceServerProblem({ type, resourceServer })],
  ]
  return found.flatMap(([field, message]) => (message === null ? [] : [{ field, message }]))
}

export type TypedKeys = Pick<TypedApp, "jwks" | "jwksUri" | "workload">

/** Parses the keys in the form. Returns null if it contains no keys. */
export function typedKeys({ jwks, jwksUri, workload }: TypedKeys): Result<ClientKeys | null, Problem> {
  return parseClientKeys({
    jwks: jwks === "" ? undefined : (parseJson(jwks) ?? null),
    jwksUri: jwksUri === "" ? undefined : jwksUri,
    workload: workloadFrom((member) => workload[member]),
  })
}

function groupsProblem(names: readonly string[]): string | null {
  const parsed = parseAppGroups(names)
  return parsed.ok ? null : parsed.error
}

function keysProblem(typed: TypedApp): string | null {
  const keys = typedKeys(typed)
  if (!keys.ok) return keys.error
  return keys.value !== null && typed.type === "public" ? PUBLIC_WITH_KEY : null
}

function nameProblem(name: string, isOwners: boolean): string | null {
  const parsed = parseClientName(name)
  if (!parsed.ok) return parsed.error
  return isOwners ? lookAlikeProblem(name) : null
}

/** Returns one line for each invalid redirect URI, with its number in the list and the reason. */
function addressesProblem(
  uris: readonly string[],
  type: ClientType,
  { schemes, registered }: AddressRules,
): string | null {
  if (new Set(uris).size > REDIRECT_URIS_AT_MOST)
    return `An app has at most ${REDIRECT_URIS_AT_MOST} redirect URIs.`
  const problems = uris.flatMap((uri, at) => {
    if (registered.includes(uri)) return []
    const checked = registerableRedirectUri(uri, type, schemes)
    return checked.ok ? [] : [uris.length === 1 ? checked.error : `Line ${at + 1}: ${checked.error}`]
  })
  return problems.length === 0 ? null : problems.join("\n")
}

function permissionsProblem(
  catalog: Catalog,
  names: readonly string[],
  registered: Pick<Client, "ceiling" | "binding"> | null,
  isOwners: boolean,
): string | null {
  const ceiling: readonly string[] = registered?.ceiling ?? []
  const added = names.filter((name) => !ceiling.includes(name))
  const withheld = isOwners ? ownersPermissionProblem(catalog, registered, names) : null
  if (withheld !== null) return withheld
  const parsed = parseCeiling(catalog, added)
  return parsed.ok ? removalProblem(catalog, ceiling, names) : parsed.error
}
