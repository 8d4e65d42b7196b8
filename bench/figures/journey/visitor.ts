/** A browser and an app of the whole journey. It fills in whatever forms a product shows. */
import { createHash, randomBytes } from "node:crypto"
import { Agent } from "node:http"
import { hiddenFields } from "../../../test/support/browser.ts"
import { ACCOUNTS, usernameOf } from "./product.ts"
import { type Answer, type Fields, send, tokenOf } from "./send.ts"

export const CALLBACK = "http://127.0.0.1:51234/callback"
const REFRESHES = 10
/** With more sign-ins at a time, they would only wait for each other. */
export const TOGETHER = 16
/** A sign-in and a consent with redirects between three programs take fewer steps. */
const STEPS_AT_MOST = 16

/** A product, as a browser and an app see it. */
export type Site = {
  readonly origin: string
  readonly authorize: string
  readonly token: string
  readonly revoke: string
  readonly clientId: string
  /** Another app, for a credential that stays. Keycloak ends a session with the last credential. */
  readonly otherClientId: string
  readonly scope: string
  /** Further parameters of the authorization request. */
  readonly more?: Readonly<Record<string, string>>
  readonly password: string
  /** What the buttons of the forms send. */
  readonly buttons: Readonly<Record<string, string>>
}

export class Visitor {
  readonly #site: Site
  readonly #agent: Agent
  readonly #username: string
  /** The address of the visitor, as a proxy names it. */
  readonly #address: string
  readonly #cookies = new Map<string, string>()
  requests = 0
  /** How often a password was asked for. */
  signIns = 0

  constructor(site: Site, agent: Agent, at: number) {
    this.#site = site
    this.#agent = agent
    this.#username = usernameOf(at % ACCOUNTS)
    // Each visitor has a network of its own, because a network has a small part of the password queue.
    this.#address = `10.${(at >> 8) & 255}.${at & 255}.7`
  }

  /** Signs in and connects an app that stays, so that the session stays too. */
  async stay(): Promise<void> {
    await this.connect(this.#site.otherClientId)
  }

  /** Connects an app, signs in if it is asked to, refreshes ten times and revokes. */
  async travel(): Promise<void> {
    const { token, revoke, clientId: client_id } = this.#site
    let refresh = await this.connect(client_id)
    for (let left = REFRESHES; left > 0; left--) {
      refresh = tokenOf(await this.#post(token, refreshOf(client_id, refresh)))
    }
    const { status, text } = await this.#post(revoke, { client_id, token: refresh })
    if (status !== 200) throw new Error(`the revocation answered ${status} ${text}`)
  }

  /** Returns the refresh token of a new credential. */
  async connect(client_id = this.#site.clientId): Promise<string> {
    const verifier = randomBytes(32).toString("base64url")
    const code = await this.#consent(client_id, createHash("sha256").update(verifier).digest("base64url"))
    const form = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: CALLBACK }
    return tokenOf(await this.#post(this.#site.token, { client_id, ...form }))
  }

  async #consent(clientId: string, challenge: string): Promise<string> {
    const { authorize, scope, more } = this.#site
    const query = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: CALLBACK,
      scope,
      state: randomBytes(12).toString("base64url"),
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...more,
    })
    let url = `${authorize}?${query.toString()}`
    let answer = await this.#visit(url, null)
    for (let step = 0; step < STEPS_AT_MOST; step++) {
      if (answer.location !== null) {
        const next = new URL(answer.location, url)
        if (next.href.startsWith(CALLBACK)) return codeIn(next)
        url = next.href
        answer = await this.#visit(url, null)
      } else {
        const { action, fields } = this.#filled(answer)
        url = new URL(action, url).href
        answer = await this.#visit(url, fields)
      }
    }
    throw new Error("the browser is not sent back")
  }

  /** Fills in the form of a page: the name and the password, or the consent. */
  #filled({ status, text }: Answer): { readonly action: string; readonly fields: Record<string, string> } {
    const own = /<form[^>]*\saction="([^"]*(?:sign-in|consent|login-actions)[^"]*)"/.exec(text)?.[1]
    if (own === undefined) throw new Error(`no form: ${status} ${text.slice(0, 600)}`)
    const action = own.replaceAll("&amp;", "&")
    const isSignIn = text.includes('name="password"')
    if (isSignIn) this.signIns++
    const filled = isSignIn ? { username: this.#username, password: this.#site.password } : this.#site.buttons
    return { action, fields: { ...hiddenFields(text, own), ...filled } }
  }

  async #visit(url: string, fields: Fields | null): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const headers = {
      accept: "text/html",
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      ...(fields !== null && { origin: this.#site.origin, "sec-fetch-site": "same-origin" }),
      ...(cookie !== "" && { cookie }),
    }
    return this.#send(url, headers, fields)
  }

  #post(url: string, fields: Fields): Promise<Answer> {
    return this.#send(url, {}, fields)
  }

  async #send(url: string, headers: Fields, fields: Fields | null): Promise<Answer> {
    this.requests++
    const answer = await send(this.#agent, url, { "x-forwarded-for": this.#address, ...headers }, fields)
    for (const line of answer.cookies) this.#keep(line)
    return answer
  }

  #keep(line: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === "" || /max-age=0/i.test(line)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

function codeIn(url: URL): string {
  const code = url.searchParams.get("code")
  if (code === null) throw new Error(`no code: ${url.search}`)
  return code
}

/** Returns the refresh tokens of new credentials. */
export async function connectMany(site: Site, count: number): Promise<string[]> {
  const agent = new Agent({ keepAlive: true })
  const tokens: string[] = []
  let next = 0
  const line = async () => {
    while (next < count) tokens.push(await new Visitor(site, agent, next++).connect())
  }
  await Promise.all(Array.from({ length: TOGETHER }, line))
  agent.destroy()
  return tokens
}

export function refreshOf(clientId: string, token: string): Fields {
  return { client_id: clientId, grant_type: "refresh_token", refresh_token: token }
}
