/** Which operations on apps need elevation. ELEV-1, AUTH-9, API-10. */
import { type AppTrust, powersGiven } from "../../accounts/elevation.rules.ts"
import type { Json } from "../../kernel/json.ts"
import { findApp } from "../../apps/app.ts"
import { memberOf } from "../api/input.ts"
import type { ElevationRule } from "../api/operation.ts"
import { namesOf } from "../../model/permissions/scope.rules.ts"

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
    ["jwks", "jwks_uri", "workload"].some((name) => memberOf(body, name) !== undefined)
      ? ["app.change-keys"]
      : [],
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
  const [serviceAccount, groups] = [memberOf(body, "service_account"), memberOf(body, "groups")]
  return {
    verified: memberOf(body, "verified") === true,
    resourceServer: memberOf(body, "resource_server") === true,
    rememberConsent: memberOf(body, "remember_consent") === true,
    permissions: typeof scope === "string" ? namesOf(scope) : undefined,
    groups: Array.isArray(groups) ? groups.map(String) : undefined,
    owner: typeof owner === "string" || owner === null ? owner : undefined,
    serviceAccount: typeof serviceAccount === "string" ? serviceAccount : undefined,
  }
}
