/**
 * GitHub, which is no OpenID Connect provider: no ID token, errors with status 200, and the verified address in a list.
 * The key is the number of the account. Its name can pass to another person.
 */
import { type Result, err, ok } from "../../../kernel/result.ts"
import { sameCharacters } from "../../../kernel/constant-time.ts"
import type { Services } from "../../../platform/services/services.ts"
import type { OpenIdProvider } from "../../../model/sign-in/provider.rules.ts"
import type { Claims } from "./claims.rules.ts"
import { fetchFrom, jsonOf } from "./provider-request.ts"
import type { Arrived, Flow } from "./upstream.ts"
import { errorAnswer, shown, UpstreamError, type UpstreamFailure } from "./upstream-failure.ts"

type Needs = Pick<Services, "outgoing">
type Answer = Result<Readonly<Record<string, unknown>>, UpstreamFailure>

const NO_REPLY = /@users\.noreply\.github\.com$/i

export function githubAuthorization(
  { issuer }: OpenIdProvider,
  parameters: Readonly<Record<string, string>>,
): string {
  return `${issuer}/login/oauth/authorize?${new URLSearchParams(parameters).toString()}`
}

/** A GitHub Enterprise server has its API below its own host. */
function apiOf({ issuer }: OpenIdProvider): string {
  return issuer === "https://github.com" ? "https://api.github.com" : `${issuer}/api/v3`
}

/** Throws `UpstreamError` if GitHub does not answer. */
export async function exchangeAtGithub(
  services: Needs,
  provider: OpenIdProvider,
  parameters: URLSearchParams,
  { state, verifier, redirectUri }: Flow,
): Promise<Result<Arrived, UpstreamFailure>> {
  if (!sameCharacters(parameters.get("state") ?? "", state))
    return err(invalid("The state is not that of this sign-in."))
  const problem = parameters.get("error")
  if (problem !== null) return err(errorAnswer(problem))
  const code = parameters.get("code")
  if (code === null) return err(invalid("The answer has no code."))
  const form = new URLSearchParams({
    client_id: provider.clientId,
    client_secret: provider.secret.kind === "secret" ? provider.secret.secret : "",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
  const tokens = objectOf(
    await ask(services, provider, `${provider.issuer}/login/oauth/access_token`, null, form),
  )
  if (!tokens.ok) return tokens
  const { access_token: token, error } = tokens.value
  if (typeof error === "string" || typeof token !== "string") {
    const isOurs = error === "incorrect_client_credentials" || error === "redirect_uri_mismatch"
    const detail = `The token endpoint answered with the error ${shown(String(error))}.`
    return err({ kind: isOurs ? "misconfigured" : "refused", detail })
  }
  const user = objectOf(await ask(services, provider, `${apiOf(provider)}/user`, token, null))
  if (!user.ok) return user
  const { id, login } = user.value
  if (typeof id !== "number" || !Number.isSafeInteger(id) || id <= 0)
    return err(invalid("GitHub named no number of an account."))
  return ok({
    issuer: provider.issuer,
    subject: String(id),
    claims: { ...(typeof login === "string" && { preferred_username: login }) },
    moreClaims: () => addressOf(services, provider, token),
  })
}

/** Returns the primary address if GitHub has verified it. It runs after the exchange, so it throws no failure. */
async function addressOf(
  services: Needs,
  provider: OpenIdProvider,
  token: string,
): Promise<Result<Claims, UpstreamFailure>> {
  try {
    const { json } = await ask(services, provider, `${apiOf(provider)}/user/emails`, token, null)
    return ok(verifiedAddressIn(Array.isArray(json) ? json : []))
  } catch (problem) {
    if (problem instanceof UpstreamError) return err(problem.failure)
    throw problem
  }
}

function verifiedAddressIn(list: readonly unknown[]): Claims {
  for (const entry of list) {
    if (typeof entry !== "object" || entry === null) continue
    const { email, primary, verified } = entry as Readonly<Record<string, unknown>>
    if (primary === true && verified === true && typeof email === "string" && !NO_REPLY.test(email))
      return { email, email_verified: true }
  }
  return {}
}

async function ask(
  services: Needs,
  provider: OpenIdProvider,
  url: string,
  token: string | null,
  form: URLSearchParams | null,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const headers = {
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(form !== null && { "content-type": "application/x-www-form-urlencoded" }),
  }
  const sent = { method: form === null ? "GET" : "POST", headers, body: form ?? undefined }
  const response = await fetchFrom(services, provider)(url, sent)
  return { status: response.status, json: await jsonOf(response) }
}

function objectOf({ status, json }: { readonly status: number; readonly json: unknown }): Answer {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return err(invalid("GitHub did not answer with a JSON object."))
  if (status !== 200 && !("error" in json))
    return err({ kind: "refused", detail: `GitHub answered with status ${status}.` })
  return ok(json as Readonly<Record<string, unknown>>)
}

function invalid(detail: string): UpstreamFailure {
  return { kind: "invalid", detail }
}
