/** Checks that a sign-in provider fits its configuration. Names the usual mistakes. It signs in no one. */
import { randomSecret } from "../../../kernel/random.ts"
import type { Services } from "../../../services/services.ts"
import type { SignInProvider } from "../../../records/sign-in/provider.rules.ts"
import { isOpenToAll } from "../../../records/sign-in/provider.rules.ts"
import type { AuthorizationServer } from "oauth4webapi"
import { callbackUrl } from "../leave.ts"
import { readMetadata } from "../upstream/metadata.ts"
import { fetchFrom, jsonOf } from "../upstream/provider-request.ts"
import { exchange, type Flow } from "../upstream/upstream.ts"
import { UpstreamError } from "../upstream/upstream-failure.ts"

type Needs = Pick<Services, "outgoing" | "clock">

export type CheckState = "fine" | "warning" | "problem"

export type ProviderFinding = {
  readonly check: string
  readonly state: CheckState
  /** What was seen, and what to do about it. */
  readonly seen: string
}

/** `baseUrl` is null if it is not known. A wrong redirect URI is then not noticed. */
export async function checkProvider(
  services: Needs,
  provider: SignInProvider,
  baseUrl: string | null,
): Promise<readonly ProviderFinding[]> {
  if (provider.preset === "github")
    return [await clientFinding(services, provider, baseUrl), ...ruleFindings(provider, null)]
  const metadata = await readMetadata(services, provider)
  if (!metadata.ok) return [{ check: "metadata", state: "problem", seen: metadata.error.detail }]
  return [
    { check: "metadata", state: "fine", seen: `The issuer is ${provider.issuer}.` },
    await keysFinding(services, provider, metadata.value),
    await clientFinding(services, provider, baseUrl),
    ...ruleFindings(provider, metadata.value),
  ]
}

async function keysFinding(
  services: Needs,
  provider: SignInProvider,
  { jwks_uri: url = "" }: AuthorizationServer,
): Promise<ProviderFinding> {
  try {
    const response = await fetchFrom(services, provider)(url, { method: "GET", headers: {} })
    const json = (await jsonOf(response)) as { readonly keys?: unknown } | undefined
    const count = Array.isArray(json?.keys) ? json.keys.length : 0
    return count > 0
      ? { check: "keys", state: "fine", seen: `${count === 1 ? "One key" : `${count} keys`} at ${url}.` }
      : { check: "keys", state: "problem", seen: `There are no keys at ${url}. ID tokens cannot be checked.` }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return { check: "keys", state: "problem", seen: error.failure.detail }
  }
}

/** Sends a code that does not exist. A provider that refuses only the code has accepted the client. */
async function clientFinding(
  services: Needs,
  provider: SignInProvider,
  baseUrl: string | null,
): Promise<ProviderFinding> {
  const state = randomSecret()
  const redirectUri = callbackUrl(baseUrl ?? "https://unknown.invalid", provider.name)
  const flow: Flow = { redirectUri, state, nonce: randomSecret(), verifier: randomSecret(), isFresh: false }
  const parameters = new URLSearchParams({ state, code: `check-${randomSecret()}`, iss: provider.issuer })
  const answer = await exchange(services, provider, parameters, flow)
  if (answer.ok)
    return { check: "client", state: "problem", seen: "The provider accepts codes that it never issued." }
  const { kind, detail } = answer.error
  if (kind === "refused")
    return { check: "client", state: "fine", seen: "The provider accepts client id and secret." }
  const advice = kind === "misconfigured" ? " Compare client_id and the secret's file with the provider." : ""
  return { check: "client", state: kind === "busy" ? "warning" : "problem", seen: detail + advice }
}

/** Rules that can never hold, or that admit the whole world. */
function ruleFindings(
  provider: SignInProvider,
  metadata: AuthorizationServer | null,
): readonly ProviderFinding[] {
  const { createAccounts: rules, preset, scopes } = provider
  if (rules === null) return []
  const warn = (seen: string) => [{ check: "create_accounts", state: "warning", seen }] as const
  if (rules.domains.length === 0 && rules.claim === null && isOpenToAll(provider))
    return warn("Every person with an account at this provider gets one here. Add domains or a claim.")
  if (rules.domains.length === 0 || preset === "google" || preset === "github") return []
  const claims = metadata?.claims_supported
  if (!scopes.includes("email")) return warn("The domains need the scope email.")
  if (preset === "entra")
    return warn(
      "The domains need the claim xms_edov. Add it to the ID token in the app registration, as an optional claim.",
    )
  return Array.isArray(claims) && !claims.includes("email_verified")
    ? warn("The provider does not list the claim email_verified. Without it, no domain counts as verified.")
    : []
}
