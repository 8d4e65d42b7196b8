/** Operations on the appearance, for administrators. */
import type { MemberProblems } from "../../model/appearance-changes.rules.ts"
import { type Appearance, isLogo, type LogoMember, memberNames } from "../../model/appearance.rules.ts"
import type { Result } from "../../kernel/result.ts"
import { refused } from "../../platform/http/api-error.ts"
import type { Services } from "../../platform/services/services.ts"
import { byAdministrator, success } from "../api/call.ts"
import { pictureBody } from "../api/input.ts"
import { type Operation, operation } from "../api/operation.ts"
import { appearancePatchShape, appearanceRecord, appearanceShape } from "./appearance-record.ts"
import { changeAppearance, setLogo, storedAppearance } from "./appearance.ts"

const PATH = "/api/admin/appearance"

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
    run: async ({ services, body, ...call }) =>
      answer(services, await changeAppearance(services, body, byAdministrator(call))),
  }),
  ...logoOperations("logo", "logo", ["adminSetLogo", "adminRemoveLogo"], "the logo"),
  ...logoOperations(
    "logo-dark",
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
    operation("PUT", `${PATH}/${path}`, set, {
      summary: `Set ${what}`,
      notes: "It is encoded again, at most 512 × 512.",
      needs: ["admin:settings"],
      body: pictureBody,
      answers: appearanceShape,
      run: async ({ services, body, ...call }) =>
        answer(services, await setLogo(services, member, body, byAdministrator(call))),
    }),
    operation("DELETE", `${PATH}/${path}`, remove, {
      summary: `Remove ${what}`,
      needs: ["admin:settings"],
      answers: appearanceShape,
      run: async ({ services, ...call }) =>
        answer(services, await changeAppearance(services, { [member]: null }, byAdministrator(call))),
    }),
  ]
}

function answer({ issuer }: Services, changed: Result<Appearance, MemberProblems>) {
  if (changed.ok) return success(appearanceRecord(changed.value, issuer))
  const [problem = ""] = memberNames.flatMap((member) => {
    const text = changed.error[member]
    return text === undefined ? [] : [`${isLogo(member) ? "body" : `body.${member}`}: ${text}`]
  })
  return refused("INVALID_ARGUMENT", problem)
}
