/** Which operations on accounts need elevation. ELEV-1, AUTH-9, API-10. */
import { accountOfId } from "../../accounts/account-by-id.ts"
import { memberOf } from "../api/input.ts"
import type { ElevationRule } from "../api/operation.ts"

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
