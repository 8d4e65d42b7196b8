/** What in an entry of `sign_in_providers` can be read, but must not be used. */
import {
  type ClaimRule,
  isOfManyTenants,
  isSelfAsserted,
  type Preset,
  type SignInProvider,
} from "../../model/sign-in/provider.rules.ts"
import type { OpenIdEntry } from "./provider-entries.ts"

export function problemOfScopes(preset: Preset | null, scopes: readonly string[]): string | null {
  if (scopes.some((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)))
    return "scopes: expected a list of names"
  if (preset !== "github" && !scopes.includes("openid")) return "scopes: expected openid among them"
  if (preset === "apple" && scopes.length > 1)
    return "scopes: Apple sends a name or an e-mail address only by a form from its own site, so only openid is possible"
  return null
}

export function problemOfSecrets(
  preset: Preset | null,
  { secretFile, keyFile, keyId, teamId }: Pick<OpenIdEntry, "secretFile" | "keyFile" | "keyId" | "teamId">,
): string | null {
  if (secretFile !== null && keyFile !== null)
    return "expected client_secret_file or client_key_file, and not both"
  if (preset === "apple" && (keyFile === null || keyId === null || teamId === null))
    return "Apple needs client_key_file, key_id and team_id"
  if (preset !== "apple" && teamId !== null) return "team_id: only the preset apple has one"
  if (preset === "github" && secretFile === null) return "GitHub needs client_secret_file"
  return null
}

type Trusted = Pick<
  SignInProvider,
  "preset" | "issuer" | "groups" | "createAccounts" | "assertions" | "authoritativeDomains" | "administrators"
>

export type TrustProblem = {
  readonly at: "authoritative_domains" | "administrators" | "groups" | "create_accounts" | "assertions"
  readonly problem: string
}

/**
 * A rule needs claims that one organization answers for. With several tenants, each tenant assigns itself roles and
 * names any address. A claim that people write about themselves proves nothing at any provider.
 */
export function problemOfTrust(provider: Trusted): TrustProblem | null {
  const { preset, authoritativeDomains, administrators, groups, createAccounts } = provider
  const many = isOfManyTenants(provider)
  if (authoritativeDomains.length > 0) {
    const at = "authoritative_domains"
    if (many) return { at, problem: "any tenant can name any address. Name one tenant" }
    if (preset === "apple") return { at, problem: "Apple sends no e-mail address here" }
  }
  if (provider.assertions !== undefined) {
    const at = "assertions"
    if (many) return { at, problem: "any tenant can name any person. Name one tenant" }
    if (preset === "github") return { at, problem: "GitHub signs no assertions" }
  }
  return (
    problemOfRule("administrators", administrators, many) ??
    problemOfRule("groups", groups, many) ??
    problemOfRule("create_accounts", createAccounts?.claim ?? null, many)
  )
}

function problemOfRule(
  at: TrustProblem["at"],
  rule: Pick<ClaimRule, "name"> | null,
  many: boolean,
): TrustProblem | null {
  if (rule === null) return null
  if (many) return { at, problem: "any tenant can give its people any claim. Name one tenant" }
  if (!isSelfAsserted(rule.name)) return null
  return { at, problem: `people choose ${rule.name} themselves. Name a group, a role, email or sub` }
}
