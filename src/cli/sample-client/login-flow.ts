/**
 * Signs in as a native app (RFC 8252, RFC 7636, RFC 9207). The metadata must name this issuer (RFC 8414 §3.3). The app
 * listens on a loopback port and opens a browser, which returns with a code. The app checks `state` and `iss`. It then
 * exchanges the code and the PKCE verifier for tokens.
 */
import * as oauth from "oauth4webapi"
import {
  AppRefused,
  bodyOf,
  clientOf,
  discover,
  type Discovered,
  errorText,
  isErrorBody,
  isSecureAddress,
  messageOf,
  withReadableErrors,
} from "./sample-client.ts"
import { type Answer, done } from "../../platform/cli/command.ts"
import type { DeviceSignIn } from "./device-flow.ts"
import { LOGIN_REDIRECT } from "./login-app.ts"
import { checkAuthorization } from "./login-check.ts"
import { listenForRedirect, type Redirect } from "./login-listener.ts"
import { openBrowser } from "./open-browser.ts"
import { visibleJson } from "../../platform/cli/print.ts"

export type SignIn = DeviceSignIn & { readonly opensBrowser: boolean }

const TIMEOUT_MS = 10 * 60 * 1000

/** Signs in and prints the token response unchanged. */
export async function signIn(input: SignIn): Promise<Answer> {
  return await withReadableErrors(async () => {
    const tokens = await throughBrowser(input, await discover(input.issuer))
    return done(tokens, visibleJson(tokens))
  })
}

async function throughBrowser(input: SignIn, discovered: Discovered): Promise<unknown> {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const listener = await listenForRedirect(state, AbortSignal.timeout(TIMEOUT_MS))
  const { redirectUri } = listener
  try {
    const challenge = await oauth.calculatePKCECodeChallenge(verifier)
    const address = authorizationAddress(input, discovered.service, { redirectUri, state, challenge })
    await checkAuthorization(address, input.clientId, LOGIN_REDIRECT)
    const isOpened = input.opensBrowser && openBrowser(address)
    process.stderr.write(
      `${isOpened ? "Opening your browser" : "Open this in a browser"}:\n\n  ${address.href}\n\nWaiting for the browser to return. Press Ctrl-C to cancel.\n`,
    )
    const returned = await listener.returned
    return await finish(returned, () =>
      exchange(input, discovered, { returned, state, verifier, redirectUri }),
    )
  } finally {
    listener.close()
  }
}

/** Runs `body` and shows its result in the browser too. */
async function finish<T>(returned: Redirect, body: () => Promise<T>): Promise<T> {
  try {
    const value = await body()
    await returned.answer({
      isSignedIn: true,
      text: "You can close this window and return to the terminal.",
    })
    return value
  } catch (error) {
    await returned.answer({ isSignedIn: false, text: messageOf(error) })
    throw error
  }
}

function authorizationAddress(
  { clientId, scope, resource, installationName, issuer }: SignIn,
  service: oauth.AuthorizationServer,
  { redirectUri, state, challenge }: { redirectUri: string; state: string; challenge: string },
): URL {
  const address = new URL(service.authorization_endpoint ?? "")
  // The operating system opens this URL, so only secure schemes are allowed.
  if (!isSecureAddress(address, issuer))
    throw new AppRefused("The authorization endpoint of the service is not an https address.")
  const parameters = {
    client_id: clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...(scope !== null && { scope }),
    ...(resource !== null && { resource }),
    ...(installationName !== null && { installation_name: installationName }),
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address
}

type Exchange = {
  readonly returned: Redirect
  readonly state: string
  readonly verifier: string
  readonly redirectUri: string
}

async function exchange(
  app: SignIn,
  { service, http }: Discovered,
  { returned, state, verifier, redirectUri }: Exchange,
): Promise<unknown> {
  const { client, authentication } = clientOf(app)
  const response = await oauth.authorizationCodeGrantRequest(
    service,
    client,
    authentication,
    oauth.validateAuthResponse(service, client, returned.parameters, state),
    redirectUri,
    verifier,
    http,
  )
  const body = await bodyOf(response)
  if (response.status === 401 && isErrorBody(body)) throw new AppRefused(errorText(body))
  await oauth.processAuthorizationCodeResponse(service, client, response)
  return body
}
