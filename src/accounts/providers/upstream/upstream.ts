/** An OpenID Connect provider as this service, its client, sees it. OpenID Connect Core §3.1, RFC 9207, RFC 7636. */
import type * as OAuth from "oauth4webapi"
import type { AuthorizationServer, Client, IDToken, TokenEndpointResponse } from "oauth4webapi"
import { type Result, err, ok } from "../../../kernel/result.ts"
import { systemClock } from "../../../kernel/clock.ts"
import type { Services } from "../../../platform/services/services.ts"
import { ISSUER_ALGORITHMS } from "../../../model/clients/key-set.rules.ts"
import { isSubject, SUBJECT_FORM } from "../../../model/sign-in/identity.rules.ts"
import { issuerOfTenant, type OpenIdProvider, TENANT_PLACE } from "../../../model/sign-in/provider.rules.ts"
import { proveStatement } from "../../../platform/statements/prove.ts"
import {
  parseStatement,
  type Statement,
  type StatementFault,
} from "../../../platform/statements/statement.rules.ts"
import { decoders } from "../../../platform/http/request.ts"
import type { Claims } from "./claims.rules.ts"
import { clientAuthentication } from "./client-secret.ts"
import { exchangeAtGithub, githubAuthorization } from "./github.ts"
import { metadataOf } from "./metadata.ts"
import { BYTES_AT_MOST, fetchFrom, jsonOf } from "./provider-request.ts"
import { errorAnswer, shown, UpstreamError, type UpstreamFailure } from "./upstream-failure.ts"

type Needs = Pick<Services, "outgoing" | "clock" | "log">

/** What one sign-in sends to the provider, and what its answer must match. */
export type Flow = {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Whether the person must authenticate at the provider now. */
  readonly isFresh: boolean
}

/** A person whom the provider has authenticated. */
export type Arrived = {
  readonly issuer: string
  readonly subject: string
  /** The claims of the ID token. Their signature and their audience have been checked. */
  readonly claims: Claims
  /** Asks the provider for further claims about the same person. */
  readonly moreClaims: () => Promise<Result<Claims, UpstreamFailure>>
}

export async function authorizationUrl(
  services: Needs,
  provider: OpenIdProvider,
  flow: Flow,
): Promise<Result<string, UpstreamFailure>> {
  const { calculatePKCECodeChallenge } = await import("oauth4webapi")
  const challenge = await calculatePKCECodeChallenge(flow.verifier)
  const common = {
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: flow.redirectUri,
    scope: provider.scopes.join(" "),
    state: flow.state,
    code_challenge: challenge,
    code_challenge_method: "S256",
  }
  if (provider.preset === "github") return ok(githubAuthorization(provider, common))
  const metadata = await metadataOf(services, provider)
  if (!metadata.ok) return metadata
  const url = new URL(metadata.value.authorization_endpoint ?? "")
  const { acr } = provider.secondFactor
  const more = {
    nonce: flow.nonce,
    ...(flow.isFresh && { prompt: "login", max_age: "0" }),
    ...(acr.length > 0 && { acr_values: acr.join(" ") }),
  }
  for (const [name, value] of Object.entries({ ...common, ...more })) url.searchParams.set(name, value)
  return ok(url.href)
}

/** Checks the answer that the browser brought back, and exchanges its code. */
export async function exchange(
  services: Needs,
  provider: OpenIdProvider,
  parameters: URLSearchParams,
  flow: Flow,
): Promise<Result<Arrived, UpstreamFailure>> {
  try {
    if (provider.preset === "github") return await exchangeAtGithub(services, provider, parameters, flow)
    const metadata = await metadataOf(services, provider)
    return metadata.ok ? await exchangeCode(services, provider, metadata.value, parameters, flow) : metadata
  } catch (problem) {
    return err(await failureOf(problem))
  }
}

async function exchangeCode(
  services: Needs,
  provider: OpenIdProvider,
  metadata: AuthorizationServer,
  parameters: URLSearchParams,
  flow: Flow,
): Promise<Result<Arrived, UpstreamFailure>> {
  const oauth = await import("oauth4webapi")
  const client = clientOf(oauth, services, provider)
  const through = { [oauth.customFetch]: fetchFrom(services, provider) }
  const validated = oauth.validateAuthResponse(metadata, client, parameters, flow.state)
  const authentication = await clientAuthentication(provider, metadata, services.clock.now())
  const response = await oauth.authorizationCodeGrantRequest(
    metadata,
    client,
    authentication,
    validated,
    flow.redirectUri,
    flow.verifier,
    through,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(
    await ofTenant(metadata, provider, response),
    client,
    response,
    { expectedNonce: flow.nonce, requireIdToken: true },
  )
  await checkSignature(services, provider, metadata, tokens.id_token)
  return ok(arrived(services, provider, metadata, tokens, oauth.getValidatedIdTokenClaims(tokens)))
}

/** Checks the signature of the ID token. The library checks its claims. */
async function checkSignature(
  services: Needs,
  { allowedRanges }: OpenIdProvider,
  { jwks_uri: jwksUri = "", id_token_signing_alg_values_supported: named = [] }: AuthorizationServer,
  idToken: unknown,
): Promise<void> {
  const statement = statementOf(idToken)
  const algorithms = ISSUER_ALGORITHMS.filter((algorithm) => named.includes(algorithm))
  const proof = statement.ok
    ? await proveStatement(services, statement.value, { jwksUri, allowedRanges }, algorithms)
    : statement
  if (proof.ok) return
  const kind = proof.error === "keysUnavailable" ? "unreachable" : "invalid"
  throw new UpstreamError({ kind, detail: `The ID token is refused: ${proof.error}.` })
}

/** The provider itself handed the ID token over, so any type is right. */
function statementOf(idToken: unknown): Result<Statement, StatementFault> {
  const jwt = typeof idToken === "string" ? idToken : undefined
  return parseStatement(jwt, decoders.base64Url, { types: "any", lengthAtMost: BYTES_AT_MOST })
}

function arrived(
  services: Needs,
  provider: OpenIdProvider,
  metadata: AuthorizationServer,
  tokens: TokenEndpointResponse,
  idToken: IDToken | undefined,
): Arrived {
  if (idToken === undefined) throw new Error("a checked response has an ID token")
  if (!isSubject(idToken.sub))
    throw new UpstreamError({ kind: "invalid", detail: `The provider's sub does not have ${SUBJECT_FORM}.` })
  const moreClaims = async (): Promise<Result<Claims, UpstreamFailure>> => {
    if (metadata.userinfo_endpoint === undefined) return ok({})
    try {
      const oauth = await import("oauth4webapi")
      const client = clientOf(oauth, services, provider)
      const through = { [oauth.customFetch]: fetchFrom(services, provider) }
      const response = await oauth.userInfoRequest(metadata, client, tokens.access_token, through)
      return ok(await oauth.processUserInfoResponse(metadata, client, idToken.sub, response))
    } catch (problem) {
      return err(await failureOf(problem))
    }
  }
  return { issuer: idToken.iss, subject: idToken.sub, claims: { ...idToken }, moreClaims }
}

/** The clock of this service decides. The library has only the clock of the machine. */
function clientOf(
  oauth: Pick<typeof OAuth, "clockSkew" | "clockTolerance">,
  { clock }: Needs,
  { clientId }: OpenIdProvider,
): Client {
  return {
    client_id: clientId,
    [oauth.clockSkew]: clock.now() - systemClock.now(),
    [oauth.clockTolerance]: 60,
  }
}

/**
 * With several tenants, the issuer of an ID token is that of its tenant, which its `tid` names. It is read before the
 * token is checked. The check then demands the issuer of this tenant.
 */
async function ofTenant(
  metadata: AuthorizationServer,
  provider: OpenIdProvider,
  response: Response,
): Promise<AuthorizationServer> {
  if (!provider.issuer.includes(TENANT_PLACE)) return metadata
  const tokens = (await jsonOf(response.clone())) as { readonly id_token?: unknown } | undefined
  const statement = statementOf(tokens?.id_token)
  const issuer = issuerOfTenant(provider, statement.ok && statement.value.claims.get("tid"))
  if (issuer === null) throw new UpstreamError({ kind: "invalid", detail: "The ID token names no tenant." })
  return { ...metadata, issuer }
}

/** Turns what the library throws into a failure. Its messages are fixed sentences, without text of the provider. */
async function failureOf(problem: unknown): Promise<UpstreamFailure> {
  if (problem instanceof UpstreamError) return problem.failure
  const oauth = await import("oauth4webapi")
  if (problem instanceof oauth.AuthorizationResponseError) return errorAnswer(problem.error)
  if (problem instanceof oauth.ResponseBodyError) {
    const isOurs = /^(?:invalid_client|unauthorized_client|unsupported_grant_type)$/.test(problem.error)
    const detail = `The token endpoint answered with the error ${shown(problem.error)}.`
    return { kind: isOurs ? "misconfigured" : "refused", detail }
  }
  if (problem instanceof oauth.WWWAuthenticateChallengeError)
    return { kind: "refused", detail: `The provider answered with status ${problem.status} and a challenge.` }
  if (problem instanceof oauth.OperationProcessingError || problem instanceof oauth.UnsupportedOperationError)
    return { kind: "invalid", detail: `${problem.message} (${problem.code ?? "no code"})` }
  // A value of another type than the protocol has.
  if (problem instanceof TypeError)
    return { kind: "invalid", detail: "An answer has a value that cannot be used." }
  throw problem
}
