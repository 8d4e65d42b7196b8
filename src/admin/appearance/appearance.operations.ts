/** Operations on the appearance, for administrators. */
import { ICON_BYTES_AT_MOST } from "../../kernel/limits.ts"
import type { LogoMember } from "../../model/appearance.rules.ts"
import { refused } from "../../platform/http/api-error.ts"
import { byAdministrator, success } from "../api/call.ts"
import type { Body } from "../api/input.ts"
import { type Operation, operation } from "../api/operation.ts"
import { appearancePatchShape, appearanceRecord, appearanceShape } from "./appearance-record.ts"
import { changeAppearance, setLogo, storedAppearance, storeLogo } from "./appearance.ts"

const PATH = "/api/admin/appearance"

const picture: Body<Uint8Array> = {
  picture: ["image/png", "image/jpeg", "image/webp", "image/gif"],
  most: ICON_BYTES_AT_MOST,
  read: (bytes) => bytes,
}

export const appearanceOperations: readonly Operation[] = [
  operation("GET", PATH, "adminGetAppearance", {
    summary: "Get the name, color, logos and links of the service",
    needs: ["admin:settings"],
    answers: appearanceShape,
    run: async ({ services }) => success(appearanceRecord(await storedAppearance(services), services.issuer)),
  }),
  operation("PATCH", PATH, "adminUpdateAppearance", {
    summary: "Change the name, color and links of the service; takes effect within a second",
    notes: "Null resets a member. If one is wrong, none is changed.",
    needs: ["admin:settings"],
    body: appearancePatchShape,
    answers: appearanceShape,
    run: async ({ services, body, ...call }) => {
      const changed = await changeAppearance(services, body, byAdministrator(call))
      if (changed.ok) return success(appearanceRecord(changed.value, services.issuer))
      const { member, problem } = changed.error
      return refused("INVALID_ARGUMENT", `body.${member}: ${problem}`)
    },
  }),
  ...logoOperations(`${PATH}/logo`, "logo", ["adminSetLogo", "adminRemoveLogo"], "the logo"),
  ...logoOperations(
    `${PATH}/logo-dark`,
    "logoDark",
    ["adminSetDarkLogo", "adminRemoveDarkLogo"],
    "the logo for dark backgrounds",
  ),
]

function logoOperations(
  path: string,
  member: LogoMember,
  [set, remove]: readonly ["adminSetLogo" | "adminSetDarkLogo", "adminRemoveLogo" | "adminRemoveDarkLogo"],
  what: string,
): readonly Operation[] {
  return [
    operation("PUT", path, set, {
      summary: `Set ${what}`,
      notes: "It is encoded again, at most 512 × 512.",
      needs: ["admin:settings"],
      body: picture,
      answers: appearanceShape,
      run: async ({ services, body, ...call }) => {
        const stored = await setLogo(services, member, body, byAdministrator(call))
        return stored.ok
          ? success(appearanceRecord(stored.value, services.issuer))
          : refused("INVALID_ARGUMENT", `body: ${stored.error}`)
      },
    }),
    operation("DELETE", path, remove, {
      summary: `Remove ${what}`,
      needs: ["admin:settings"],
      answers: appearanceShape,
      run: async ({ services, ...call }) =>
        success(
          appearanceRecord(await storeLogo(services, member, null, byAdministrator(call)), services.issuer),
        ),
    }),
  ]
}
