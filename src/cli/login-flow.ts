/**
 * The story of a native app that signs in (RFC 8252, RFC 7636, RFC 9207):
 * 1. it reads the service's metadata and checks that they are the issuer's own (RFC 8414 §3.3);
 * 2. it listens on a loopback port and sends the browser to the authorization endpoint;
 * 3. the browser comes back with a code: `state` and `iss` are checked;
 * 4. it exchanges the code, with the verifier that only it knows, for tokens.
 */
import * as oauth from "oauth4webapi"
import { isLoopback } from "../base-url.ts"
import { type Answer, done, refused } from "./command.ts"
import { listenForReturn, type Return } from "./login-listener.ts"
import { openBrowser } from "./open-browser.ts"
import { visible } from "./print.ts"

export type SignIn = {
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string | null
  readonly scope: string | null
  readonly installationName: string | null
  readonly opensBrowser: boolean
}

const PATIENCE_MILLISECONDS = 10 * 60 * 1000

/** Answers the token response as the service gave it. */
export async function signIn(asked: SignIn): Promise<Answer> {
  const http = {
    [oauth.allowInsecureRequests]: isLoopback(asked.issuer) && asked.issuer.protocol === "http:",
  }
  try {
    const service = await discover(asked.issuer, http)
    const tokens = await throughBrowser(asked, service, http)
    return done(tokens, JSON.stringify(tokens, null, 2))
  } catch (error) {
    return refused(inWords(error))
  }
}

type Http = { readonly [oauth.allowInsecureRequests]: boolean }

async function discover(issuer: URL, http: Http): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...http })
  if (response.status !== 200)
    throw new LoginRefused(
      `${issuer.href} is no authorization service: its metadata answers ${response.status}.`,
    )
  return await oauth.processDiscoveryResponse(issuer, response)
}

async function throughBrowser(
  asked: SignIn,
  service: oauth.AuthorizationServer,
  http: Http,
): Promise<unknown> {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const listener = await listenForReturn(state, AbortSignal.timeout(PATIENCE_MILLISECONDS))
  try {
    const challenge = await oauth.calculatePKCECodeChallenge(verifier)
    const address = authorizationAddress(asked, service, {
      redirectUri: listener.redirectUri,
      state,
      challenge,
    })
    const isOpened = asked.opensBrowser && openBrowser(address)
    process.stderr.write(
      `${isOpened ? "Your browser opens" : "Open this in a browser"}:\n\n  ${address.href}\n\nWaiting for the browser to come back; Ctrl-C gives up.\n`,
    )
    const returned = await listener.returned
    return await finish(returned, () =>
      exchange(asked, service, http, { returned, state, verifier, redirectUri: listener.redirectUri }),
    )
  } finally {
    listener.close()
  }
}

/** The browser hears how it went, whichever way. */
async function finish<T>(returned: Return, body: () => Promise<T>): Promise<T> {
  try {
    const value = await body()
    await returned.answer({
      isSignedIn: true,
      text: "You can close this window and go back to the terminal.",
    })
    return value
  } catch (error) {
    await returned.answer({ isSignedIn: false, text: inWords(error) })
    throw error
  }
}

function authorizationAddress(
  { clientId, scope, installationName, issuer }: SignIn,
  service: oauth.AuthorizationServer,
  { redirectUri, state, challenge }: { redirectUri: string; state: string; challenge: string },
): URL {
  const address = new URL(service.authorization_endpoint ?? "")
  // A browser is told to open this: nothing but a web address, and plain http only on this machine.
  if (
    address.protocol !== "https:" &&
    !(address.protocol === "http:" && isLoopback(issuer) && isLoopback(address))
  )
    throw new LoginRefused("The service's authorization endpoint is not an https address.")
  const parameters = {
    client_id: clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...(scope !== null && { scope }),
    ...(installationName !== null && { installation_name: installationName }),
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address
}

type Exchange = {
  readonly returned: Return
  readonly state: string
  readonly verifier: string
  readonly redirectUri: string
}

async function exchange(
  { clientId, clientSecret }: SignIn,
  service: oauth.AuthorizationServer,
  http: Http,
  { returned, state, verifier, redirectUri }: Exchange,
): Promise<unknown> {
  const client = { client_id: clientId }
  const authentication = clientSecret === null ? oauth.None() : oauth.ClientSecretBasic(clientSecret)
  const parameters = oauth.validateAuthResponse(service, client, returned.parameters, state)
  const response = await oauth.authorizationCodeGrantRequest(
    service,
    client,
    authentication,
    parameters,
    redirectUri,
    verifier,
    http,
  )
  // The library reads a body once and rewrites some members; what is printed is what the service said.
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  if (response.status === 401 && isErrorBody(body)) throw new LoginRefused(errorInWords(body))
  await oauth.processAuthorizationCodeResponse(service, client, response)
  return body
}

class LoginRefused extends Error {}

type ErrorBody = { readonly error: string; readonly error_description?: string | undefined }

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === "object" && body !== null && "error" in body && typeof body.error === "string"
}

function errorInWords({ error, error_description: description }: ErrorBody): string {
  return visible(description === undefined ? error : `${error}: ${description}`)
}

/** What went wrong, as the service or the network said it. Faults of this program are thrown on. */
function inWords(error: unknown): string {
  if (error instanceof LoginRefused) return error.message
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return errorInWords(error)
  if (error instanceof oauth.OperationProcessingError)
    return `The service's answer cannot be trusted: ${visible(error.message)}.`
  if (error instanceof DOMException && error.name === "TimeoutError")
    return "Nobody came back from the browser in ten minutes."
  if (error instanceof TypeError && error.cause instanceof Error)
    return `The service cannot be reached: ${error.cause.message === "" ? String((error.cause as NodeJS.ErrnoException).code) : error.cause.message}`
  throw error
}
