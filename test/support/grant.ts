/** Creates credentials with a browser that is already signed in, because signing in hashes a password. */
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import type { Browser } from "./browser.ts"
import { codeFor, exchange, newVerifier, REDIRECT_URI } from "./connect.ts"
import type { TestServer, TestApp } from "./test-server.ts"

/** Creates a new credential of the browser's account for `app`. `more` is added to the authorization request. */
export async function grant(
  testServer: TestServer,
  browser: Browser,
  app: TestApp,
  more: Record<string, string> = {},
): Promise<TokenResponse> {
  const { code, verifier } = await issueCode(browser, app, more)
  const { redirect_uri } = { redirect_uri: REDIRECT_URI, ...more }
  const answer = await exchange(testServer, app, code, verifier, { redirect_uri })
  if (answer.status !== 200) throw new Error(`the exchange answered ${JSON.stringify(answer.body)}`)
  return answer.body as unknown as TokenResponse
}

export type IssuedCode = { readonly code: string; readonly verifier: string }

/** Returns a new authorization code with its verifier. */
export async function issueCode(
  browser: Browser,
  app: TestApp,
  more: Record<string, string> = {},
): Promise<IssuedCode> {
  const { verifier, challenge } = newVerifier()
  return { code: await codeFor(browser, app, challenge, more), verifier }
}

/** Returns the id of the credential that a code, an access token or a refresh token belongs to. */
export function tokenIdOf(token: string): string {
  return token.slice(4, 30)
}
