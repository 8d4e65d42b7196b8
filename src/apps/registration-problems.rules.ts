/** What is wrong with a registration as an administrator typed it, field by field. The rules are those of `registration.ts`. */
import { removalProblem } from "../permissions/ceiling-removal.rules.ts"
import type { Client, ClientType } from "../records/client.rules.ts"
import { addressesProblem } from "./own-app-problems.rules.ts"
import type { Catalogue } from "../permissions/permission-catalogue.rules.ts"
import { parseCeiling, parseClientName, resourceServerProblem } from "../records/registration.rules.ts"

export type RegistrationField = "type" | "name" | "redirect_uris" | "permission" | "resource_server" | "owner"

/** `message` may have several lines. */
export type RegistrationProblem = { readonly field: RegistrationField; readonly message: string }

/** As a form holds it. */
export type TypedRegistration = {
  /** Null where neither was chosen. */
  readonly type: ClientType | null
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly permissions: readonly string[]
  readonly resourceServer: boolean
}

/** `registered` is the app as it is; null for one that is registered now. Empty where every field is right. */
export function registrationProblems(
  catalogue: Catalogue,
  typed: TypedRegistration,
  registered: Pick<Client, "ceiling" | "redirectUris"> | null,
): readonly RegistrationProblem[] {
  const { type, redirectUris, permissions, resourceServer } = typed
  const name = parseClientName(typed.name)
  const rules = { schemes: "any", registered: registered?.redirectUris ?? [] } as const
  const ceiling: readonly string[] = registered?.ceiling ?? []
  const added = parseCeiling(
    catalogue,
    permissions.filter((permission) => !ceiling.includes(permission)),
  )
  const found: readonly (readonly [RegistrationField, string | null])[] = [
    ["name", name.ok ? null : name.error],
    ["type", type === null ? "Choose what kind of app it is." : null],
    ["redirect_uris", addressesProblem(redirectUris, type ?? "public", rules)],
    ["permission", added.ok ? removalProblem(catalogue, ceiling, permissions) : added.error],
    ["resource_server", type === null ? null : resourceServerProblem({ type, resourceServer })],
  ]
  return found.flatMap(([field, message]) => (message === null ? [] : [{ field, message }]))
}
