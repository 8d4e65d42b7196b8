/** The rules for every app registration. Interface CLIENT-*; RFC 7591 §2. */
import type { Permission } from "../../kernel/ids.ts"
import {
  type AppSwitch,
  type SwitchUpdate,
  defaultSwitches,
  type Switches,
  switchesAfter,
} from "./app-switches.rules.ts"
import type { Client, ClientType } from "./client.rules.ts"
import { CLIENT_NAME_LENGTH_AT_MOST, REDIRECT_URIS_AT_MOST } from "../../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { defaultOpenid, openidAfter, type OpenidMembers, type OpenidUpdate } from "./openid-members.rules.ts"
import { parseAppGroups } from "../permissions/group.rules.ts"
import { unknownPermission } from "../permissions/openid-permissions.rules.ts"
import { sorted } from "../permissions/permission.rules.ts"
import type { Catalog } from "../permissions/permission-catalog.rules.ts"
import { type AddressRules, registerableRedirectUri } from "./redirect-registration.rules.ts"
import { codePointCount, isVisibleLabel } from "../../kernel/visible-text.ts"

/** The part of a client that its registration sets. */
export type Registration = Switches &
  OpenidMembers &
  Pick<Client, "type" | "keys" | "name" | "redirectUris" | "ceiling" | "groups">

export type RegistrationInput = SwitchUpdate &
  OpenidUpdate &
  Omit<Registration, "ceiling" | "keys" | "groups" | AppSwitch | keyof OpenidMembers> & {
    readonly permissions: readonly string[]
    /** If null or omitted, a confidential app authenticates with a client secret. */
    readonly keys?: Registration["keys"] | undefined
    /** The groups that the app is for. An app without groups is for every account. */
    readonly groups?: Registration["groups"] | undefined
  }

export const PUBLIC_WITH_KEY = "A public app cannot hold a key. Register a confidential one."

/** Checks a registration. The requested permission names become the ceiling, in the catalog's order. */
export function parseRegistration(
  catalog: Catalog,
  input: RegistrationInput,
  rules: AddressRules,
): Result<Registration, Problem> {
  const { type, keys = null } = input
  if (keys !== null && type === "public") return err(PUBLIC_WITH_KEY)
  const name = parseClientName(input.name)
  if (!name.ok) return name
  const redirectUris = parseRedirectUris(input.redirectUris, type, rules)
  if (!redirectUris.ok) return redirectUris
  const ceiling = parseCeiling(catalog, input.permissions)
  if (!ceiling.ok) return ceiling
  const groups = parseAppGroups(input.groups ?? [])
  if (!groups.ok) return groups
  const openid = openidAfter(defaultOpenid, input)
  if (!openid.ok) return openid
  const withoutSecret = resourceServerProblem(input)
  if (withoutSecret !== null) return err(withoutSecret)
  return ok({
    type,
    keys,
    name: name.value,
    redirectUris: redirectUris.value,
    ceiling: ceiling.value,
    groups: groups.value,
    ...openid.value,
    ...switchesAfter(defaultSwitches, input),
  })
}

export function resourceServerProblem({
  type,
  resourceServer,
}: Pick<RegistrationInput, "type" | "resourceServer">): string | null {
  return resourceServer === true && type === "public"
    ? "A resource server authenticates with a secret or a key, so only a confidential app can be one."
    : null
}

/** Parses the name of the app, which the consent page shows. */
export function parseClientName(text: string): Result<string, Problem> {
  const name = text.normalize("NFC").trim()
  if (name === "") return err("The name of an app is empty.")
  if (!isVisibleLabel(name)) return err("The name of an app has no control, format or invisible characters.")
  return codePointCount(name) <= CLIENT_NAME_LENGTH_AT_MOST
    ? ok(name)
    : err(`The name of an app has at most ${CLIENT_NAME_LENGTH_AT_MOST} characters.`)
}

/** Returns the valid URIs without duplicates. Their order is kept. */
function parseRedirectUris(
  uris: readonly string[],
  type: ClientType,
  { schemes, registered }: AddressRules,
): Result<readonly string[], Problem> {
  const once = [...new Set(uris)]
  if (once.length > REDIRECT_URIS_AT_MOST)
    return err(`An app has at most ${REDIRECT_URIS_AT_MOST} redirect URIs.`)
  for (const uri of once.filter((address) => !registered.includes(address))) {
    const checked = registerableRedirectUri(uri, type, schemes)
    if (!checked.ok)
      return err(`The redirect URI ${JSON.stringify(uri)} cannot be registered: ${checked.error}`)
  }
  return ok(once)
}

export function parseCeiling(
  catalog: Catalog,
  names: readonly string[],
): Result<readonly Permission[], Problem> {
  const unknown = names.find((name) => !catalog.has(name as Permission))
  if (unknown !== undefined) return err(unknownPermission(catalog, unknown))
  return ok(sorted(catalog, new Set(names as readonly Permission[])))
}
