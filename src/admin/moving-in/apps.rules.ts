/** Decides which apps of a source move in. The rules are those of every registration. MOVE-6. */
import { isClientId, isDocumentUrl } from "../../kernel/identifier.ts"
import type { Permission } from "../../kernel/ids.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { isAdmin } from "../../model/permissions/permission.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { registerableRedirectUri } from "../../model/clients/redirect-registration.rules.ts"
import { parseRegistration, type Registration } from "../../model/clients/registration.rules.ts"
import type { MovedApp, Skipped } from "./moved.rules.ts"
import { withoutAdministration } from "./tokens.rules.ts"

/** A shorter secret could be guessed from its digest. */
const SECRET_LENGTH_AT_LEAST = 32

export type JudgedApp = {
  readonly app: MovedApp
  readonly registration: Registration
  /** The secret that the app keeps. Null if it gets a new one, or if the file has only its digest. */
  readonly secret: string | null
}

export type AppJudgment = {
  readonly judged: Result<JudgedApp, null>
  readonly skipped: readonly Skipped[]
}

export function judgeApp(catalog: Catalog, app: MovedApp): AppJudgment {
  const skip = (what: Skipped["what"], reason: string): Skipped => ({ what, name: app.clientId, reason })
  if (!isClientId(app.clientId) || isDocumentUrl(app.clientId))
    return refused(skip("app", "Its client_id has characters other than letters, digits and -._~."))
  const addresses = app.redirectUris.map((uri) => ({ uri, problem: addressProblem(uri, app) }))
  const unknown = app.permissions.filter((name) => isAdmin(name) || !catalog.has(name as Permission))
  const parsed = parseRegistration(
    catalog,
    {
      type: app.type,
      name: app.name,
      redirectUris: addresses.filter(({ problem }) => problem === null).map(({ uri }) => uri),
      permissions: app.permissions.filter((name) => !unknown.includes(name)),
    },
    { schemes: "any", registered: [] },
  )
  if (!parsed.ok) return refused(skip("app", parsed.error))
  const isKept = app.secret !== null && app.secret.length >= SECRET_LENGTH_AT_LEAST
  return {
    judged: ok({ app, registration: parsed.value, secret: isKept ? app.secret : null }),
    skipped: [
      ...addresses.flatMap(({ uri, problem }) =>
        problem === null ? [] : [skip("redirect URI", `${uri}: ${problem}`)],
      ),
      ...unknown.map((name) =>
        skip(
          "permission",
          isAdmin(name) ? withoutAdministration(name) : `There is no permission ${JSON.stringify(name)}.`,
        ),
      ),
      ...(app.type === "public" || isKept || app.secretDigest !== null
        ? []
        : [skip("secret", secretProblem(app))]),
    ],
  }
}

function refused(reason: Skipped): AppJudgment {
  return { judged: err(null), skipped: [reason] }
}

function addressProblem(uri: string, { type }: MovedApp): string | null {
  if (uri.includes("*")) return "A wildcard is not a redirect URI. Register each address."
  const checked = registerableRedirectUri(uri, type, "any")
  return checked.ok ? null : checked.error
}

function secretProblem({ secret, otherMethod }: MovedApp): string {
  if (otherMethod !== undefined)
    return `The app authenticates by ${otherMethod}. Give it a key with app update --jwks, or a new secret.`
  const why = secret === null ? "The file hides it" : `It has fewer than ${SECRET_LENGTH_AT_LEAST} characters`
  return `${why}. Give the app a new one.`
}
