/** A sign-in provider as administrators see it. It contains no secret. */
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import { callbackUrl } from "../../accounts/providers/leave.ts"

export function providerRecord(provider: SignInProvider, baseUrl: string | null) {
  const { name, preset, label, createAccounts, groups, administrators, authoritativeDomains } = provider
  const { assertions = null } = provider
  return {
    name,
    preset,
    label,
    ...placeOf(provider),
    creates_accounts: createAccounts !== null,
    /** The domains whose confirmed addresses connect accounts. */
    authoritative_domains: authoritativeDomains,
    gives_administration: administrators !== null,
    gives_groups: [...new Set(groups?.map.values())].sort() as readonly string[],
    /** The apps that its word connects, and the permissions that it gives. Null for none. ORG-1. */
    assertions,
    /** What the operator registers at the provider. Null if the base URL is not known. */
    redirect_uri: baseUrl === null ? null : callbackUrl(baseUrl, name),
  }
}

function placeOf(provider: SignInProvider) {
  if (provider.preset !== "application") {
    const { issuer, clientId, scopes } = provider
    return { issuer, client_id: clientId, scopes: scopes.join(" ") }
  }
  const { issuer, url, keys, only, sessionSeconds, manager } = provider
  return { issuer, url, keys: keys.kind, only, session_minutes: sessionSeconds / 60, manager }
}
