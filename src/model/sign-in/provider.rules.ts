/** A sign-in provider of the configuration file, and what its preset means. */
import type { PublicKey } from "../clients/key-set.rules.ts"
import { discoveryOf } from "../clients/workload.rules.ts"
import type { ClientId, Permission } from "../../kernel/ids.ts"

/** The presets of providers that this service is a client of. */
export const presets = ["google", "entra", "github", "apple", "keycloak"] as const

export type Preset = (typeof presets)[number]

/** A claim that must have this value, or a list that contains it. A name with dots may lead into objects. */
export type ClaimRule = { readonly name: string; readonly value: string }

/** The group that each value of a claim puts an account into. The claim is as in a `ClaimRule`. */
export type GroupRule = { readonly name: string; readonly map: ReadonlyMap<string, string> }

/** How this service authenticates at the provider. The values come from files. */
export type ProviderSecret =
  | { readonly kind: "none" }
  | { readonly kind: "secret"; readonly secret: string }
  /** The private key of `private_key_jwt`, as PEM. */
  | { readonly kind: "key"; readonly pem: string; readonly keyId: string | null }
  /** The private key with which Apple's client secrets are signed, as PEM. */
  | { readonly kind: "apple"; readonly pem: string; readonly keyId: string; readonly teamId: string }

/** Whose first sign-in creates an account. Without a domain and a claim, that of every person. */
export type AccountRules = { readonly domains: readonly string[]; readonly claim: ClaimRule | null }

/** For what an operator may trust a provider beyond signing in. */
export type Trust = {
  /** Who is an administrator. Null gives and takes no administration. */
  readonly administrators: ClaimRule | null
  /** The domains whose e-mail addresses this provider may assert. */
  readonly authoritativeDomains: readonly string[]
  /** The values that stand for a second factor. */
  readonly secondFactor: { readonly acr: readonly string[]; readonly amr: readonly string[] }
}

/** An application is never trusted so. */
export const NO_TRUST: Trust = {
  administrators: null,
  authoritativeDomains: [],
  secondFactor: { acr: [], amr: [] },
}

type AnyProvider = Trust & {
  /** The name in URLs and on the command line. */
  readonly name: string
  /** What ID tokens or assertions must name as theirs. For several tenants of Entra it contains `{tenantid}`. */
  readonly issuer: string
  readonly label: string
  /** Null stands for `preferred_username`, or `username` of an application, then the address before its `@`. */
  readonly usernameClaim: string | null
  /** The rules for accounts that the first sign-in creates. Null creates none. */
  readonly createAccounts: AccountRules | null
  /** Who is in which groups. Null gives and takes no groups. */
  readonly groups: GroupRule | null
  /** What its word gives without a consent: ORG-1. Missing for most. */
  readonly assertions?: Assertions
}

/** A provider that this service is a client of: OpenID Connect, or GitHub. */
export type OpenIdProvider = AnyProvider & {
  readonly preset: Preset | null
  /** The URL of the metadata. Null for GitHub, which has none. */
  readonly metadataUrl: string | null
  readonly clientId: string
  readonly secret: ProviderSecret
  readonly scopes: readonly string[]
  /** A PNG image. */
  readonly icon: Uint8Array | null
  readonly allowedRanges: readonly string[]
}

/** The keys with which an application signs its assertions, as `proveStatement` takes them. */
export type ApplicationKeys =
  | { readonly kind: "file"; readonly keys: readonly PublicKey[] }
  | { readonly kind: "url"; readonly jwksUri: string; readonly allowedRanges: null }
  /** The shared key of `HS256`. */
  | { readonly kind: "secret"; readonly secret: Uint8Array }

/** An application of the operator with a sign-in of its own: LOGIN-1. Its issuer is its name, which is no URL. */
export type ApplicationProvider = AnyProvider & {
  readonly preset: "application"
  /** Where the application asks the person to sign in. */
  readonly url: string
  readonly keys: ApplicationKeys
  /** Whether people see no other way to sign in. */
  readonly only: boolean
  /** For this time after an assertion, its session authorizes. */
  readonly sessionSeconds: number
  /** The `client_id` of the app that manages the accounts of this provider. Null for none. */
  readonly manager: string | null
}

export type SignInProvider = OpenIdProvider | ApplicationProvider

/** The apps that an organization may connect, and the permissions that it may give them. */
export type Assertions = {
  readonly clients: readonly ClientId[]
  readonly permissions: readonly Permission[]
}

/**
 * Claims that people write about themselves, or that pass to another person (OpenID Connect Core §5.1, §5.7; the login
 * of GitHub is its `preferred_username`). The last line has other common names of them.
 */
const SELF_ASSERTED: ReadonlySet<string> = new Set(
  (
    "name given_name family_name middle_name nickname preferred_username profile picture website gender birthdate zoneinfo " +
    "locale address updated_at " +
    "username user_name login nick display_name displayName bio company location blog"
  ).split(" "),
)

/** Claims that count only with a mark of their own, which no part of them has. */
const VERIFIED: ReadonlySet<string> = new Set(["email", "phone_number"])

/** Whether people choose the value. No rule may rest on it. A name with dots may lead into an object that they write. */
export function isSelfAsserted(name: string): boolean {
  const [first = ""] = name.split(".", 1)
  return SELF_ASSERTED.has(first) || (VERIFIED.has(first) && first !== name)
}

export type SignInProviders = ReadonlyMap<string, SignInProvider>

export const PROVIDER_NAME = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/

/** The place of the tenant in the issuer that Entra publishes for several tenants. */
export const TENANT_PLACE = "{tenantid}"

const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad"
const TENANT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const labels: Readonly<Record<Preset, string>> = {
  google: "Google",
  entra: "Microsoft",
  github: "GitHub",
  apple: "Apple",
  keycloak: "Keycloak",
}

const issuers: Readonly<Record<Preset, string | null>> = {
  google: "https://accounts.google.com",
  entra: "https://login.microsoftonline.com",
  github: "https://github.com",
  apple: "https://appleid.apple.com",
  keycloak: null,
}

/** Returns the preset whose rules hold for this issuer, also where the file names only the issuer. */
export function presetOf(issuer: string): Preset | null {
  if (issuer === issuers.google) return "google"
  return issuer.startsWith(`${issuers.entra}/`) ? "entra" : null
}

/** The `issuer` of a preset. Null if the file must name it. */
export function usualIssuer(preset: Preset | null): string | null {
  return preset === null ? null : issuers[preset]
}

export function usualLabel(preset: Preset | null, name: string): string {
  return preset === null ? name : labels[preset]
}

/** Apple answers a request for a name or an e-mail address with a form from its own site, so none is asked for. */
export function usualScopes(preset: Preset | null): readonly string[] {
  if (preset === "github") return ["read:user", "user:email"]
  return preset === "apple" ? ["openid"] : ["openid", "profile", "email"]
}

export type IssuerPlace = Pick<OpenIdProvider, "issuer" | "metadataUrl">

/** Returns the issuer of an Entra tenant. `at` is the host of the cloud. Null for a tenant of another form. */
export function entraIssuer(at: string, tenant: string): IssuerPlace | null {
  const id = tenant === "consumers" ? CONSUMERS : tenant
  const isMany = id === "common" || id === "organizations"
  if (!isMany && !TENANT.test(id)) return null
  return {
    issuer: `${at}/${isMany ? TENANT_PLACE : id}/v2.0`,
    metadataUrl: discoveryOf(`${at}/${id}/v2.0`),
  }
}

export function issuerPlace(preset: Preset | null, issuer: string): IssuerPlace {
  if (preset === "github") return { issuer, metadataUrl: null }
  return { issuer, metadataUrl: discoveryOf(issuer) }
}

/** Returns the issuer that a token of this tenant must name. Null for a tenant that is not an id. */
export function issuerOfTenant({ issuer }: Pick<SignInProvider, "issuer">, tenant: unknown): string | null {
  if (!issuer.includes(TENANT_PLACE)) return issuer
  return typeof tenant === "string" && TENANT.test(tenant) ? issuer.replace(TENANT_PLACE, tenant) : null
}

/** Whether tokens of this provider may name the issuer. */
export function isIssuerOf({ issuer }: Pick<SignInProvider, "issuer">, named: string): boolean {
  const [before = "", after] = issuer.split(TENANT_PLACE)
  if (after === undefined) return named === issuer
  const isAround = named.startsWith(before) && named.endsWith(after)
  return isAround && issuerOfTenant({ issuer }, named.slice(before.length, -after.length)) === named
}

/**
 * Whether no single organization answers for the claims of this provider. The tenant `consumers` of Entra counts: it is
 * the one of all private accounts.
 */
export function isOfManyTenants({ issuer }: Pick<SignInProvider, "issuer">): boolean {
  return issuer.includes(TENANT_PLACE) || issuer.includes(CONSUMERS)
}

/** Whether any person in the world can have an account at this provider. */
export function isOpenToAll({ preset, issuer }: Pick<SignInProvider, "preset" | "issuer">): boolean {
  if (preset === "google" || preset === "apple" || preset === "github") return issuer === issuers[preset]
  return isOfManyTenants({ issuer })
}
