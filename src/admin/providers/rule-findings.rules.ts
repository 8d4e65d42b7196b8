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

/** The part of the provider's metadata that says which claims it releases. */
type Metadata = { readonly claims_supported?: unknown }

export function ruleFindings(
  provider: OpenIdProvider,
  metadata: Metadata | null,
): readonly ProviderFinding[] {
  const { assertions } = provider
  const seen = assertions === undefined ? null : `The provider ${connects(assertions)}, without a consent.`
  const given: readonly ProviderFinding[] =
    seen === null ? [] : [{ check: "assertions", state: "fine", seen }]
  return [...openFindings(provider), ...claimFindings(provider, metadata), ...given]
}

/** The apps that the word of a provider connects, and what it may give them. ORG-1. */
export function connects({ clients, permissions }: Assertions): string {
  return `connects ${clients.join(", ")} with at most ${permissions.join(", ")}`
}

function openFindings(provider: OpenIdProvider): readonly ProviderFinding[] {
  const { createAccounts: rules } = provider
  const isOpen = rules !== null && rules.domains.length === 0 && rules.claim === null && isOpenToAll(provider)
  if (!isOpen) return []
  const seen = "Every person with an account at this provider gets one here. Add domains or a claim."
  return [{ check: "create_accounts", state: "warning", seen }]
}

/** The claims that the rules need. A provider that does not release them refuses people for no visible reason. */
function claimFindings(provider: OpenIdProvider, metadata: Metadata | null): readonly ProviderFinding[] {
  const { preset, createAccounts, authoritativeDomains, administrators, groups } = provider
  const findings = [
    ...(needsVerified(provider) ? [addressFinding(provider, metadata)] : []),
    ...[createAccounts?.claim ?? null, administrators, groups].flatMap((rule) =>
      rule !== null && isUnlisted(provider, metadata, rule.name)
        ? warning(
            `The provider does not list the claim ${rule.name}. Let it release the claim to this client.`,
          )
        : [],
    ),
  ]
  if (preset !== "entra") return findings
  return [
    ...(authoritativeDomains.length > 0
      ? warning(
          "Entra sends no email_verified, so authoritative_domains connects no account. Use account link.",
        )
      : []),
    ...((createAccounts?.domains.length ?? 0) > 0 || hasEmailRule(provider)
      ? warning(
          "Addresses and domains need the claim xms_edov. Add it to the ID token in the app registration, as an optional claim.",
        )
      : []),
    ...findings.filter(({ seen }) => !seen.includes("email_verified")),
  ]
}

function addressFinding(provider: OpenIdProvider, metadata: Metadata | null): ProviderFinding {
  const { preset, scopes } = provider
  if (preset !== "github" && !scopes.includes("email"))
    return one("warning", "The rules need the scope email.")
  if (isUnlisted(provider, metadata, "email_verified"))
    return one(
      "warning",
      "The provider does not list the claim email_verified. Without it, no address counts as verified.",
    )
  return one(
    "fine",
    "The rules need the claim email_verified with the boolean true. The log names a missing claim.",
  )
}

/** Keycloak lists only a few of its claims. */
function isUnlisted({ preset }: OpenIdProvider, metadata: Metadata | null, name: string): boolean {
  const listed = metadata?.claims_supported
  return preset !== "keycloak" && Array.isArray(listed) && !listed.includes(name.replace(/\..*/s, ""))
}

function one(state: CheckState, seen: string): ProviderFinding {
  return { check: "claims", state, seen }
}

function warning(seen: string): readonly ProviderFinding[] {
  return [one("warning", seen)]
}
