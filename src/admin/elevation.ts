/** Rules for operations that need elevation only for some requests. ELEV-1, AUTH-9, API-10. */
import { type AppTrust, powersGiven } from "../accounts/elevation.rules.ts"
import type { Json } from "../kernel/json.ts"
import { accountOfId } from "../accounts/account-by-id.ts"
import { findApp } from "../apps/app.ts"
import type { ElevationRule } from "./api/operation.ts"
import { namesOf } from "../model/permissions/scope.rules.ts"

/** A credential may revoke itself without elevation. Elevation is needed to revoke another credential. */
export const unlessOwnCredential: ElevationRule<"credential.revoke" | "credential.revoke-itself"> = {
  when: "for any other than itself",
  effectsOf: ({ bearer, path }) => [
    path["token_id"] === bearer.credential.consent.tokenId ? "credential.revoke-itself" : "credential.revoke",
  ],
}

/**
 * Granting and withdrawing administration need elevation. Elevation is checked before the account is looked up, so a
 * request for an unknown account needs it too.
 */
export const changeOfAdministration: ElevationRule<
  "account.grant-administration" | "account.withdraw-administration"
> = {
  when: "to change administration",
  effectsOf: async ({ context, path, body }) => {
    const admin = memberOf(body, "admin")
    if (typeof admin !== "boolean") return []
    const account = await accountOfId(context.services, path["user_id"] ?? "")
    if (account?.admin === admin) return []
    return [admin ? "account.grant-administration" : "account.withdraw-administration"]
  },
}

export const grantOfAdministration: ElevationRule<"account.grant-administration"> = {
  when: "to grant administration",
  effectsOf: ({ body }) => (memberOf(body, "admin") === true ? ["account.grant-administration"] : []),
}

type Power = ReturnType<typeof powersGiven>[number]

export const powerForAnApp: ElevationRule<Power> = {
  when: "to give an app power",
  effectsOf: async ({ context, path, body }) => {
    const id = path["client_id"]
    const found = id === undefined ? null : await findApp(context.services, id)
    return powersGiven(found?.ok === true ? found.value : null, trustIn(body))
  },
}

export const changeOfKeys: ElevationRule<"app.change-keys"> = {
  when: "to change the keys",
  effectsOf: ({ body }) =>
    ["jwks", "jwks_uri"].some((name) => memberOf(body, name) !== undefined) ? ["app.change-keys"] : [],
}

export const changeOfAnApp: ElevationRule<Power | "app.change-keys"> = {
  when: `${powerForAnApp.when} or ${changeOfKeys.when}`,
  effectsOf: async (call) => [
    ...(await changeOfKeys.effectsOf(call)),
    ...(await powerForAnApp.effectsOf(call)),
  ],
}

function trustIn(body: Json | undefined): AppTrust {
  const [owner, scope] = [memberOf(body, "owner"), memberOf(body, "scope")]
  const serviceAccount = memberOf(body, "service_account")
  return {
    verified: memberOf(body, "verified") === true,
    resourceServer: memberOf(body, "resource_server") === true,
    permissions: typeof scope === "string" ? namesOf(scope) : undefined,
    owner: typeof owner === "string" || owner === null ? owner : undefined,
    serviceAccount: typeof serviceAccount === "string" ? serviceAccount : undefined,
  }
}

function memberOf(body: Json | undefined, name: string): Json | undefined {
  return body instanceof Map ? body.get(name) : undefined
}
