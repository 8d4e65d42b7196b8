/** One browser for many tests. It signs in again when the clock has moved further than the lifetime of a session. */
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import type { Browser } from "./browser.ts"
import { refresh, send, signedInBrowser } from "./connect.ts"
import type { TestServer, TestApp } from "./test-server.ts"
import { grant } from "./grant.ts"

export class SignedInAccount {
  readonly #server: TestServer
  readonly #username: string
  #browser: Browser | null = null
  #from = ""

  constructor(testServer: TestServer, username: string) {
    this.#server = testServer
    this.#username = username
  }

  /** Returns a browser in which the account is signed in now. */
  async browser(): Promise<Browser> {
    const day = Math.floor(this.#server.clock.now() / 86_400)
    const from = `${this.#server.url} ${day}`
    if (this.#browser === null || from !== this.#from)
      this.#browser = await signedInBrowser(this.#server, this.#username)
    this.#from = from
    return this.#browser
  }

  async grant(app: TestApp, more: Record<string, string> = {}): Promise<TokenResponse> {
    return grant(this.#server, await this.browser(), app, more)
  }
}

/** Refreshes, which must succeed. */
export async function rotated(
  testServer: TestServer,
  app: TestApp,
  { refresh_token }: Pick<TokenResponse, "refresh_token">,
  more: Record<string, string> = {},
): Promise<TokenResponse> {
  const answer = await refresh(testServer, app, refresh_token, more)
  if (answer.status !== 200) throw new Error(`the refresh answered ${JSON.stringify(answer.body)}`)
  return answer.body as unknown as TokenResponse
}

/** Returns the response of the service's own API to an access token. */
export async function call(testServer: TestServer, path: string, token: string) {
  const response = await fetch(testServer.url + path, { headers: { authorization: `Bearer ${token}` } })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body }
}

export function introspected(testServer: TestServer, server: TestApp, token: string) {
  const client = { client_id: server.clientId, client_secret: server.secret ?? "" }
  return send(testServer, "/oauth/introspect", { ...client, token })
}
