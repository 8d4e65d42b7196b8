/** What every app registration must satisfy. Interface CLIENT-*; RFC 7591 §2. */
import type { Permission } from "../kernel/ids.ts"
import type { Client, ClientType } from "./client.rules.ts"
import { CLIENT_NAME_LENGTH_AT_MOST, REDIRECT_URIS_AT_MOST } from "../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { sorted } from "../permissions/permission.rules.ts"
import type { Catalogue } from "../permissions/permission-catalogue.rules.ts"
import { type AddressRules, registerableRedirectUri } from "./redirect-registration.rules.ts"
import { didYouMean } from "../kernel/suggest.ts"
import { codePointCount, isVisibleLabel } from "../kernel/visible-text.ts"

/** The part of a client that its registration sets and a later change may set again. */
export type Registration = Pick<
  Client,
  "type" | "name" | "redirectUris" | "ceiling" | "verified" | "stepUp" | "resourceServer"
>

export type AskedRegistration = Omit<Registration, "ceiling"> & { readonly permissions: readonly string[] }

/** Checks a whole registration; names of permissions become the ceiling, in the catalogue's order. */
export function parseRegistration(
  catalogue: Catalogue,
  asked: AskedRegistration,
  rules: AddressRules,
): Result<Registration, Problem> {
  const { type, verified, stepUp, resourceServer } = asked
  const name = parseClientName(asked.name)
  if (!name.ok) return name
  const redirectUris = parseRedirectUris(asked.redirectUris, type, rules)
  if (!redirectUris.ok) return redirectUris
  const ceiling = parseCeiling(catalogue, asked.permissions)
  if (!ceiling.ok) return ceiling
  const withoutSecret = resourceServerProblem(asked)
  if (withoutSecret !== null) return err(withoutSecret)
  return ok({
    type,
    name: name.value,
    redirectUris: redirectUris.value,
    ceiling: ceiling.value,
    verified,
    stepUp,
    resourceServer,
  })
}

/** Null where there is nothing against it. */
export function resourceServerProblem({
  type,
  resourceServer,
}: Pick<Registration, "type" | "resourceServer">): string | null {
  return resourceServer && type === "public"
    ? "A resource server proves itself with a secret: only a confidential app can be one."
    : null
}

/** The name as the consent page shows it. */
export function parseClientName(text: string): Result<string, Problem> {
  const name = text.normalize("NFC").trim()
  if (name === "") return err("The name of an app is empty.")
  if (!isVisibleLabel(name)) return err("The name of an app has no control, format or invisible characters.")
  return codePointCount(name) <= CLIENT_NAME_LENGTH_AT_MOST
    ? ok(name)
    : err(`The name of an app has at most ${CLIENT_NAME_LENGTH_AT_MOST} characters.`)
}

/** Each address once, in the order given. */
function parseRedirectUris(
  uris: readonly string[],
  type: ClientType,
  { schemes, registered }: AddressRules,
): Result<readonly string[], Problem> {
  const once = [...new Set(uris)]
  if (once.length > REDIRECT_URIS_AT_MOST)
    return err(`An app has at most ${REDIRECT_URIS_AT_MOST} redirect addresses.`)
  for (const uri of once.filter((address) => !registered.includes(address))) {
    const checked = registerableRedirectUri(uri, type, schemes)
    if (!checked.ok)
      return err(`The redirect address ${JSON.stringify(uri)} cannot be registered: ${checked.error}`)
  }
  return ok(once)
}

export function parseCeiling(
  catalogue: Catalogue,
  names: readonly string[],
): Result<readonly Permission[], Problem> {
  const unknown = names.find((name) => !catalogue.has(name as Permission))
  if (unknown !== undefined)
    return err(`There is no permission ${JSON.stringify(unknown)}.${didYouMean(unknown, catalogue.keys())}`)
  return ok(sorted(catalogue, new Set(names as readonly Permission[])))
}
