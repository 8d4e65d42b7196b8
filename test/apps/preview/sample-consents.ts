/** Two accounts, two organizations, and what a change of an account makes of its standing. */
import type { UserId } from "../../../src/kernel/ids.ts"
import type { SignInProviders } from "../../../src/model/sign-in/provider.rules.ts"
import type { accountPreview } from "../../../src/apps/preview/reach-preview.rules.ts"
import { CLIENT_ID, permissions, sampleCatalog, standing } from "../../support/core-sample.ts"
import type { Standing } from "../../../src/model/permissions/standing.rules.ts"
import type { HeldConsent } from "../../../src/model/credential.rules.ts"

export const ada = "ada" as UserId
export const bob = "bob" as UserId

/** The organization `work` gives the app `files:read`, with what it implies, and `other` no longer connects it. */
const assertions = { clients: [CLIENT_ID], permissions: permissions("files:read") }
const entries = [
  ["work", { name: "work", assertions }],
  ["other", { name: "other" }],
] as const
export const providers = new Map<string, unknown>(entries) as SignInProviders
export const rules = { catalog: sampleCatalog, providers }

/** What a change of an account makes of it. Null if its access ends. */
export function standingAfter(
  change: Parameters<typeof accountPreview>[1],
  one: HeldConsent,
): Standing | null {
  if (change === "account-disabled" || change === "account-removed") return null
  const isShift = change === "administration-granted" || change === "administration-withdrawn"
  return isShift ? standing(change === "administration-granted") : one
}
