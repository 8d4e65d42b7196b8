/** The steps by which an app gets a credential. A test can change any step. */
import { createHash, randomBytes } from "node:crypto"
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { Browser } from "./browser.ts"
import { PASSWORD } from "./test-server.ts"

/** The URL at which a service listens. This may be a `TestServer` or a server in its own process. */
export type Listening = { readonly url: string }

/** The credentials of an app. `secret` is null for a public app. */
export type AppIdentity = { readonly clientId: string; readonly secret: string | null }

export type Verifier = { readonly verifier: string; readonly challenge: string }

export function newVerifier(): Verifier {
  const verifier = randomBytes(32).toString("base64url")
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

export const REDIRECT_URI = "https://app.example/callback"

export function authorizePath(
  app: AppIdentity,
  challenge: string,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({
    client_id: app.clientId,
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    state: "st/ate +1",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  })
  return `/oauth/authorize?${query.toString()}`
}

/** Sends a form to an endpoint for apps. `fields` may contain anything. */
export async function send(
  testServer: Listening,
  path: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await fetch(testServer.url + path, {
    method: "POST",
    body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) }
}

/** Returns the client parameters of a body: `client_id`, and the secret of a confidential app. */
export function own(app: AppIdentity): Record<string, string> {
  return { client_id: app.clientId, ...(app.secret !== null && { client_secret: app.secret }) }
}

/** Returns the header of a client that authenticates by HTTP Basic. */
export function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${btoa(`${id}:${secret}`)}` }
}

export async function signedInBrowser(testServer: Listening, username: string): Promise<Browser> {
  const browser = new Browser(testServer.url)
  const answer = await browser.signIn(username, PASSWORD)
  if (answer.status !== 303) throw new Error(`sign-in answered ${answer.status}`)
  return browser
}

/** Consents in a signed-in browser. Returns the code that the app receives. */
export async function codeFor(
  browser: Browser,
  app: AppIdentity,
  challenge: string,
  more: Record<string, string> = {},
): Promise<string> {
  const page = await browser.get(authorizePath(app, challenge, more))
  const answer = await browser.submit(page, "/oauth/consent", { decision: "authorize" })
  const code = new URL(answer.location ?? "about:blank").searchParams.get("code")
  if (code === null)
    throw new Error(`consent answered ${answer.status} ${answer.location}: ${answer.text.slice(0, 500)}`)
  return code
}

export function exchange(
  testServer: Listening,
  app: AppIdentity,
  code: string,
  verifier: string,
  more: Record<string, string> = {},
) {
  const grant = {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
  }
  return send(testServer, "/oauth/token", { ...own(app), ...grant, ...more })
}

export function refresh(
  testServer: Listening,
  app: AppIdentity,
  refreshToken: string,
  more: Record<string, string> = {},
) {
  return send(testServer, "/oauth/token", {
    ...own(app),
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    ...more,
  })
}

/** Runs the whole flow. Returns a new credential of `username` for `app`. */
export async function connect(
  testServer: Listening,
  app: AppIdentity,
  username: string,
  more: Record<string, string> = {},
): Promise<TokenResponse> {
  return connectIn(await signedInBrowser(testServer, username), testServer, app, more)
}

/** Creates a new credential of the account that is signed in to `browser`. */
export async function connectIn(
  browser: Browser,
  testServer: Listening,
  app: AppIdentity,
  more: Record<string, string> = {},
): Promise<TokenResponse> {
  const { verifier, challenge } = newVerifier()
  const code = await codeFor(browser, app, challenge, more)
  const { redirect_uri } = { redirect_uri: REDIRECT_URI, ...more }
  const answer = await exchange(testServer, app, code, verifier, { redirect_uri })
  if (answer.status !== 200)
    throw new Error(`the exchange answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body as unknown as TokenResponse
}

/** Opens the URL that a client library created and decides. Returns where the browser is redirected. */
export async function decide(browser: Browser, address: URL, decision: "authorize" | "refuse"): Promise<URL> {
  const page = await browser.get(address.href)
  const answer = await browser.submit(page, "/oauth/consent", { decision })
  if (answer.status !== 303)
    throw new Error(`consent answered ${answer.status}: ${answer.text.slice(0, 500)}`)
  return new URL(answer.location ?? "")
}
