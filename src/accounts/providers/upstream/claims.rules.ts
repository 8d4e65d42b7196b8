/** What the claims of a sign-in provider mean here. A claim counts only in the form that the provider documents. */
import type { ClaimRule, SignInProvider } from "../../../model/sign-in/provider.rules.ts"

import { type EmailAddress, parseEmailAddress } from "../../../model/mail/email-address.rules.ts"

export type Claims = Readonly<Record<string, unknown>>

/** Whether the claim has the value of the rule, or is a list that contains it. */
export function holds(claims: Claims, { name, value }: ClaimRule): boolean {
  const claim = claimOf(claims, name)
  return claim === value || (Array.isArray(claim) && claim.includes(value))
}

/** Returns a claim by its name. A name with dots may lead into objects, such as `realm_access.roles` of Keycloak. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let found: unknown = claims
  for (const part of name.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Claims)[part]
  }
  return found
}

/**
 * Returns the domain that the provider has verified for this person, or null.
 *
 * - Google: only `hd` proves the membership in a workspace. An e-mail address at its domain does not.
 * - Entra: an e-mail address is set by any tenant. `xms_edov` says that the tenant owns the domain.
 * - Others: the domain of an e-mail address whose `email_verified` is the boolean true. The text "true" is not.
 */
function verifiedDomain({ preset }: Pick<SignInProvider, "preset">, claims: Claims): string | null {
  if (preset === "google") return textOf(claims["hd"])?.toLowerCase() ?? null
  if (preset === "entra") return claims["xms_edov"] === true ? domainOf(textOf(claims["email"])) : null
  return claims["email_verified"] === true ? domainOf(textOf(claims["email"])) : null
}

/**
 * Returns the e-mail address for which the operator trusts this provider, or null. `email_verified` must be the boolean
 * true. Google also must name the domain as a workspace (`hd`), because it once verified mailboxes of other domains.
 */
export function trustedAddress(
  { preset, authoritativeDomains }: Pick<SignInProvider, "preset" | "authoritativeDomains">,
  claims: Claims,
): EmailAddress | null {
  const { email, email_verified: isVerified, hd } = claims
  if (authoritativeDomains.length === 0 || isVerified !== true || typeof email !== "string") return null
  const address = parseEmailAddress(email)
  const domain = address.ok ? domainOf(address.value.addressKey) : null
  if (!address.ok || domain === null || !authoritativeDomains.includes(domain)) return null
  const isProven = preset !== "google" || domain === "gmail.com" || textOf(hd)?.toLowerCase() === domain
  return isProven ? address.value : null
}

/** Says which claim is missing or wrong, for the log. */
export function whyUnverified({ preset }: Pick<SignInProvider, "preset">, claims: Claims): string {
  const claim = preset === "google" ? "hd" : preset === "entra" ? "xms_edov" : "email_verified"
  if (claims[claim] === undefined) return `the claim ${claim} is missing`
  if (preset !== "google" && claims[claim] !== true) return `the claim ${claim} is not the boolean true`
  return "the claim email is missing or no address"
}

function domainOf(address: string | null): string | null {
  const [, domain] = /^[^@\s]+@([^@\s]+)$/.exec(address ?? "") ?? []
  return domain?.toLowerCase() ?? null
}

/** Why the provider's rules create no account for these claims. */
export type NotCreated = "off" | "unverified" | "domain" | "claim"

/** Returns null if the first sign-in of a person with these claims creates an account. */
export function notCreated(provider: SignInProvider, claims: Claims): NotCreated | null {
  const rules = provider.createAccounts
  if (rules === null) return "off"
  if (rules.claim !== null && !holds(claims, rules.claim)) return "claim"
  if (rules.domains.length === 0) return null
  const domain = verifiedDomain(provider, claims)
  if (domain === null) return "unverified"
  return rules.domains.includes(domain) ? null : "domain"
}

const SHOWN_LENGTH_AT_MOST = 200

/** The username that a new account gets if it is free. The text is not checked. A page shows it if it does not fit. */
export function suggestedUsername({ usernameClaim }: SignInProvider, claims: Claims): string | null {
  const claim = usernameClaim === null ? claims["preferred_username"] : claimOf(claims, usernameClaim)
  const name =
    textOf(claim) ?? (usernameClaim === null ? textOf(claims["email"])?.replace(/@.*$/s, "") : null)
  return name?.slice(0, SHOWN_LENGTH_AT_MOST) ?? null
}

/** Whether the configuration maps the authentication of this sign-in to a second factor. */
export function isSecondFactor({ secondFactor }: SignInProvider, idToken: Claims): boolean {
  const { acr, amr } = idToken
  if (typeof acr === "string" && secondFactor.acr.includes(acr)) return true
  return Array.isArray(amr) && amr.some((method) => (secondFactor.amr as readonly unknown[]).includes(method))
}

/** The name by which people recognize the account at the provider. It identifies nothing. */
export function shownNameOf(claims: Claims): string | null {
  const name = textOf(claims["email"]) ?? textOf(claims["preferred_username"]) ?? textOf(claims["name"])
  return name?.slice(0, SHOWN_LENGTH_AT_MOST) ?? null
}

/** The claims that a decision may need, besides those of every ID token. */
export function neededClaims(provider: SignInProvider, isKnown: boolean): readonly string[] {
  const administrators = provider.administrators === null ? [] : [provider.administrators.name]
  if (isKnown) return administrators
  const claim = provider.createAccounts?.claim ?? null
  const rules = claim === null ? administrators : [...administrators, claim.name]
  return ["email", "preferred_username", ...(needsVerified(provider) ? ["email_verified"] : []), ...rules]
}

/** Whether a rule of the provider counts only addresses with `email_verified`. */
export function needsVerified({ preset, createAccounts, authoritativeDomains }: SignInProvider): boolean {
  const isForDomains = preset !== "google" && preset !== "entra" && (createAccounts?.domains.length ?? 0) > 0
  return isForDomains || authoritativeDomains.length > 0
}

/**
 * Adds the claims of userinfo. Those of the ID token win. `email_verified` speaks of the address beside it, so both come
 * from one answer, or from two that name the same address.
 */
export function withUserinfo(idToken: Claims, userinfo: Claims): Claims {
  const { email, email_verified: isVerified, ...more } = userinfo
  const known = idToken["email"]
  if (known === undefined) return { ...more, ...idToken, email, email_verified: isVerified }
  const isSame = known === email && idToken["email_verified"] === undefined
  return { ...more, ...idToken, ...(isSame && { email_verified: isVerified }) }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null
}
