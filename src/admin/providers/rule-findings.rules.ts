/** Finds rules of a sign-in provider that can never hold, or that admit the whole world. */
import { type Assertions, isOpenToAll, type OpenIdProvider } from "../../model/sign-in/provider.rules.ts"
import { hasEmailRule, needsVerified } from "../../accounts/providers/upstream/claims.rules.ts"

export type CheckState = "fine" | "warning" | "problem"

export type ProviderFinding = {
  readonly check: string
  readonly state: CheckState
  /** What was seen, and what to do about it. */
  readonly seen: string
}

export const fine = (check: string, seen: string): ProviderFinding => ({ check, state: "fine", seen })
export const warning = (check: string, seen: string): ProviderFinding => ({ check, state: "warning", seen })
export const problem = (check: string, seen: string): ProviderFinding => ({ check, state: "problem", seen })

/** The part of the provider's metadata that says which claims it releases. */
type Metadata = { readonly claims_supported?: unknown }

export function ruleFindings(
  provider: OpenIdProvider,
  metadata: Metadata | null,
): readonly ProviderFinding[] {
  const { createAccounts: rules, assertions } = provider
  const isOpen = rules !== null && rules.domains.length === 0 && rules.claim === null && isOpenToAll(provider)
  const everyone = "Every person with an account at this provider gets one here. Add domains or a claim."
  return [
    ...(isOpen ? [warning("create_accounts", everyone)] : []),
    ...claimFindings(provider, metadata),
    ...(assertions === undefined
      ? []
      : [fine("assertions", `The provider ${connects(assertions)}, without a consent.`)]),
  ]
}

/** The apps that the word of a provider connects, and what it may give them. ORG-1. */
export function connects({ clients, permissions }: Assertions): string {
  return `connects ${clients.join(", ")} with at most ${permissions.join(", ")}`
}

const XMS_EDOV =
  "Addresses and domains need the claim xms_edov. Add it to the ID token in the app registration, as an optional claim."
const UNLISTED_MARK =
  "The provider does not list the claim email_verified. Without it, no address counts as verified."
const NEEDED_MARK =
  "The rules need the claim email_verified with the boolean true. The log names a missing claim."
const NO_EMAIL_VERIFIED =
  "Entra sends no email_verified, so authoritative_domains connects no account. Use account link."

/** The claims that the rules need. A provider that does not release them refuses people for no visible reason. */
function claimFindings(provider: OpenIdProvider, metadata: Metadata | null): readonly ProviderFinding[] {
  const { preset, createAccounts, authoritativeDomains, administrators, groups } = provider
  const unlisted = [createAccounts?.claim ?? null, administrators, groups].flatMap((rule) =>
    rule !== null && isUnlisted(provider, metadata, rule.name)
      ? `The provider does not list the claim ${rule.name}. Let it release the claim to this client.`
      : [],
  )
  const findings = [
    ...(needsVerified(provider) ? [addressFinding(provider, metadata)] : []),
    ...unlisted.map((seen) => warning("claims", seen)),
  ]
  if (preset !== "entra") return findings
  const needsAddress = (createAccounts?.domains.length ?? 0) > 0 || hasEmailRule(provider)
  return [
    ...(authoritativeDomains.length > 0 ? [warning("claims", NO_EMAIL_VERIFIED)] : []),
    ...(needsAddress ? [warning("claims", XMS_EDOV)] : []),
    ...findings.filter(({ seen }) => !seen.includes("email_verified")),
  ]
}

function addressFinding(provider: OpenIdProvider, metadata: Metadata | null): ProviderFinding {
  const { preset, scopes } = provider
  if (preset !== "github" && !scopes.includes("email"))
    return warning("claims", "The rules need the scope email.")
  const isMissing = isUnlisted(provider, metadata, "email_verified")
  return isMissing ? warning("claims", UNLISTED_MARK) : fine("claims", NEEDED_MARK)
}

/** Keycloak lists only a few of its claims. */
function isUnlisted({ preset }: OpenIdProvider, metadata: Metadata | null, name: string): boolean {
  const listed = metadata?.claims_supported
  return preset !== "keycloak" && Array.isArray(listed) && !listed.includes(name.replace(/\..*/s, ""))
}
