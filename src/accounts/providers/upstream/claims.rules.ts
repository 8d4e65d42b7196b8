/** What the claims of a sign-in provider mean here. A claim counts only in the form that the provider documents. */
import type {
  ClaimRule,
  OpenIdProvider,
  SignInProvider,
  Trust,
} from "../../../model/sign-in/provider.rules.ts"

import { type EmailAddress, parseEmailAddress } from "../../../model/mail/email-address.rules.ts"

export type Claims = Readonly<Record<string, unknown>>

type ByPreset = Pick<SignInProvider, "preset">

/** The values of a list that count. Those after them are ignored. */
const VALUES_AT_MOST = 1000

/** Whether the claim has the value of the rule, or is a list that contains it. */
export function holds(provider: ByPreset, claims: Claims, { name, value }: ClaimRule): boolean {
  return valuesOf(provider, claims, name).includes(value)
}

/** Returns the groups that the rule of the provider gives for these claims, sorted. Null without such a rule. */
export function givenGroups(
  provider: Pick<SignInProvider, "preset" | "groups">,
  claims: Claims,
): readonly string[] | null {
  const { groups: rule } = provider
  if (rule === null) return null
  const values = valuesOf(provider, claims, rule.name).slice(0, VALUES_AT_MOST)
  const given = values.flatMap((value) => (typeof value === "string" ? (rule.map.get(value) ?? []) : []))
  return [...new Set(given)].sort()
}

/**
 * Returns what the claim is, or what its list contains. An e-mail address or a telephone number counts only if the
 * provider verified it: people edit both in their profile.
 */
function valuesOf(provider: ByPreset, claims: Claims, name: string): readonly unknown[] {
  if (name === "phone_number" && claims["phone_number_verified"] !== true) return []
  const claim: unknown = name === "email" ? verifiedEmail(provider, claims) : claimOf(claims, name)
  return Array.isArray(claim) ? claim : [claim]
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
 * Returns the e-mail address if the provider verified it in its own way, or null.
 *
 * - Google: `email_verified`, and the domain is a workspace (`hd`) or gmail.com. Google once verified mailboxes of other
 *   domains, which may have another owner today.
 * - Entra: `xms_edov`. Any tenant sets an address, and `email_verified` is not Entra's.
 * - Others: `email_verified`. For GitHub it is set only for the primary, verified address.
 *
 * Each mark is the boolean true. The text "true" is not.
 */
function verifiedEmail({ preset }: ByPreset, claims: Claims): string | null {
  const email = claims["email"]
  if (typeof email !== "string") return null
  const domain = domainOf(email)
  if (domain === null || claims[preset === "entra" ? "xms_edov" : "email_verified"] !== true) return null
  const isProven = preset !== "google" || domain === "gmail.com" || workspaceOf(claims) === domain
  return isProven ? email : null
}

/** Returns the domain that the provider verified for this person, or null. `hd` of Google proves it without an address. */
function verifiedDomain(provider: ByPreset, claims: Claims): string | null {
  return provider.preset === "google" ? workspaceOf(claims) : domainOf(verifiedEmail(provider, claims))
}

function workspaceOf(claims: Claims): string | null {
  return textOf(claims["hd"])?.toLowerCase() ?? null
}

/** Returns the e-mail address for which the operator trusts this provider, or null. It always needs `email_verified`. */
export function trustedAddress(
  { preset, authoritativeDomains }: ByPreset & Pick<Trust, "authoritativeDomains">,
  claims: Claims,
): EmailAddress | null {
  if (authoritativeDomains.length === 0 || claims["email_verified"] !== true) return null
  const address = confirmedAddress({ preset }, claims)
  const domain = domainOf(address?.addressKey ?? null)
  return domain !== null && authoritativeDomains.includes(domain) ? address : null
}

/** Returns the address of the person if the provider verified it, or null. */
export function confirmedAddress(provider: ByPreset, claims: Claims): EmailAddress | null {
  const address = parseEmailAddress(verifiedEmail(provider, claims) ?? "")
  return address.ok ? address.value : null
}

/** Says which claim is missing or wrong, for the log. */
export function whyUnverified({ preset }: ByPreset, claims: Claims): string {
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
  if (rules.claim !== null && !holds(provider, claims, rules.claim)) return "claim"
  if (rules.domains.length === 0) return null
  const domain = verifiedDomain(provider, claims)
  if (domain === null) return "unverified"
  return rules.domains.includes(domain) ? null : "domain"
}

const SHOWN_LENGTH_AT_MOST = 200
/** People know the name that an application shows them. */
const OF_APPLICATION = ["name", "username", "email"]

/** The username that a new account gets if it is free. The text is not checked. A page shows it if it does not fit. */
export function suggestedUsername({ preset, usernameClaim }: SignInProvider, claims: Claims): string | null {
  const usual = preset === "application" ? "username" : "preferred_username"
  const claim = usernameClaim === null ? claims[usual] : claimOf(claims, usernameClaim)
  const name =
    textOf(claim) ?? (usernameClaim === null ? textOf(claims["email"])?.replace(/@.*$/s, "") : null)
  return name?.slice(0, SHOWN_LENGTH_AT_MOST) ?? null
}

/** Whether the configuration maps the authentication of this sign-in to a second factor. */
export function isSecondFactor({ secondFactor }: Pick<Trust, "secondFactor">, idToken: Claims): boolean {
  const { acr, amr } = idToken
  if (typeof acr === "string" && secondFactor.acr.includes(acr)) return true
  return Array.isArray(amr) && amr.some((method) => (secondFactor.amr as readonly unknown[]).includes(method))
}

/** The methods that the provider names. RFC 8176 registers short ones. */
export function methodsIn({ amr }: Claims): { readonly amr?: readonly string[] } {
  if (!Array.isArray(amr)) return {}
  const named = amr.filter((one): one is string => typeof one === "string" && /^[\w.:-]{1,40}$/.test(one))
  return named.length === 0 ? {} : { amr: named.slice(0, 10) }
}

/** The name by which people recognize the account at the provider. It identifies nothing. */
export function shownNameOf({ preset }: ByPreset, claims: Claims): string | null {
  const names = preset === "application" ? OF_APPLICATION : ["email", "preferred_username", "name"]
  const [name] = names.flatMap((one) => textOf(claims[one]) ?? [])
  return name?.slice(0, SHOWN_LENGTH_AT_MOST) ?? null
}

/** The claims that a decision may need, besides those of every ID token. */
export function neededClaims(provider: OpenIdProvider, isKnown: boolean): readonly string[] {
  const { administrators, groups, createAccounts } = provider
  const given = [administrators, groups].flatMap((rule) =>
    rule === null ? [] : withMarks(provider, rule.name),
  )
  if (isKnown) return given
  const claim = createAccounts?.claim ?? null
  const needed = [
    "email",
    "preferred_username",
    ...(needsVerified(provider) ? ["email_verified"] : []),
    ...given,
    ...(claim === null ? [] : withMarks(provider, claim.name)),
  ]
  return [...new Set(needed)]
}

/** Returns the claim of a rule, and the one by which the provider says that it verified it. */
function withMarks({ preset }: ByPreset, name: string): readonly string[] {
  if (name === "phone_number") return [name, "phone_number_verified"]
  return name === "email" ? [name, preset === "entra" ? "xms_edov" : "email_verified"] : [name]
}

/** Whether a rule of the provider counts only addresses with `email_verified`. */
export function needsVerified(provider: OpenIdProvider): boolean {
  const { preset, createAccounts, authoritativeDomains } = provider
  const isForDomains = preset !== "google" && preset !== "entra" && (createAccounts?.domains.length ?? 0) > 0
  return isForDomains || authoritativeDomains.length > 0 || (preset !== "entra" && hasEmailRule(provider))
}

/** Whether a rule of the provider rests on an e-mail address. */
export function hasEmailRule({ administrators, groups, createAccounts }: OpenIdProvider): boolean {
  return [administrators, groups, createAccounts?.claim].some((rule) => rule?.name === "email")
}

/** The claims that say whether another one is verified. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  email: ["email_verified", "xms_edov"],
  phone_number: ["phone_number_verified"],
}

/**
 * Adds the claims of userinfo. Those of the ID token win. A mark such as `email_verified` speaks of the value beside it,
 * so both come from one answer, or from two that have the same value.
 */
export function withUserinfo(idToken: Claims, userinfo: Claims): Claims {
  const claims: Record<string, unknown> = { ...userinfo, ...idToken }
  for (const [name, marks] of Object.entries(MARKS))
    for (const mark of marks) {
      const isOwn = idToken[name] !== undefined && idToken[mark] !== undefined
      const isBeside = idToken[name] === undefined || idToken[name] === userinfo[name]
      claims[mark] = isOwn ? idToken[mark] : isBeside ? userinfo[mark] : undefined
    }
  return claims
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null
}
