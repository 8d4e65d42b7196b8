/** A real service in its own process, an app, and an API as which the Go programs ask. The service can be killed. */
import { join } from "node:path"
import type { Browser } from "../../test/support/browser.ts"
import {
  authorizePath,
  decide,
  exchange,
  newVerifier,
  REDIRECT_URI,
  send,
  signedInBrowser,
} from "../../test/support/connect.ts"
import { databaseIn } from "../../test/support/database.ts"
import { freePort } from "../../test/support/free-port.ts"
import { addAccount } from "../../test/support/seed.ts"
import { done, newDirectory, type Span, SpawnedServer } from "../../test/support/spawn.ts"
import { Membership } from "../membership.ts"

const CONFIG = join(import.meta.dirname, "../../examples/latchkey.yaml")

type Added = { readonly client_id: string; readonly client_secret: string }

export class World {
  readonly browser: Browser
  readonly #span: Span
  readonly #dir: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #api: Added
  readonly #clientId: string
  #service: SpawnedServer
  /** The APIs that tokens name. */
  readonly #resources: string[] = []

  private constructor(
    span: Span,
    dir: string,
    environment: Readonly<Record<string, string>>,
    ids: { readonly api: Added; readonly clientId: string },
    opened: { readonly service: SpawnedServer; readonly browser: Browser },
  ) {
    this.#span = span
    this.#dir = dir
    this.#environment = environment
    this.#api = ids.api
    this.#clientId = ids.clientId
    this.#service = opened.service
    this.browser = opened.browser
  }

  static async open(span: Span): Promise<World> {
    const dir = newDirectory(span)
    await addAccount(dir, "bob")
    for (const [key, value] of [
      ["rate_limit.oauth_anonymous", "off"],
      ["registration.open", "on"],
    ] as const)
      await done(dir, ["setting", "set", key, value])
    const add = (...args: string[]) => done<Added>(dir, ["app", "add", "--config", CONFIG, ...args])
    const api = await add("--name", "Notes API", "--type", "confidential", "--resource-server")
    const notes = ["--redirect", REDIRECT_URI, "--permission", "notes:write"]
    const { client_id: clientId } = await add("--name", "Notes", "--type", "public", ...notes)
    const environment = { LATCHKEY_CONFIG: CONFIG, LATCHKEY_PORT: String(await freePort()) }
    const service = await SpawnedServer.start(span, dir, environment)
    const browser = await signedInBrowser(service, "bob")
    return new World(span, dir, environment, { api, clientId }, { service, browser })
  }

  get url(): string {
    return this.#service.url
  }

  /** The environment of a Go program that listens on `port`. */
  environment(port: number): Readonly<Record<string, string>> {
    return {
      PORT: String(port),
      LATCHKEY_ISSUER: this.url,
      LATCHKEY_CLIENT_ID: this.#api.client_id,
      LATCHKEY_CLIENT_SECRET: this.#api.client_secret,
    }
  }

  /** Tokens name this API from now on. */
  serves(resource: string): void {
    this.#resources.push(resource)
  }

  /** Creates a new credential of bob's account and returns its access token. */
  async token(scope = "notes:write"): Promise<string> {
    const app = { clientId: this.#clientId, secret: null }
    const { verifier, challenge } = newVerifier()
    const address = new URL(authorizePath(app, challenge, { scope }), this.url)
    for (const resource of this.#resources) address.searchParams.append("resource", resource)
    const back = await decide(this.browser, address, "authorize")
    const answer = await exchange(this.#service, app, back.searchParams.get("code") ?? "", verifier)
    if (answer.status !== 200) throw new Error(`the exchange answered ${answer.status}`)
    return String(answer.body["access_token"])
  }

  /** The app is for a group from now on, and bob is in it. */
  async membership(): Promise<Membership> {
    const store = await (await databaseIn(this.#dir, "sqlite")).open()
    this.#span.after(() => store.close())
    return Membership.open(store, "bob", this.#clientId)
  }

  async revoke(token: string, clientId = this.#clientId): Promise<void> {
    const { status } = await send(this.#service, "/oauth/revoke", { token, client_id: clientId })
    if (status !== 200) throw new Error(`the revocation answered ${status}`)
  }

  /** Issues access tokens of service accounts, because a credential of a person has only a few. */
  async serviceTokens(count: number, perApp: number): Promise<readonly string[]> {
    const tokens: string[] = []
    for (let made = 0; tokens.length < count; made++) {
      const app = await this.#boundApp(`robot-${made}`)
      const form = {
        client_id: app.client_id,
        client_secret: app.client_secret,
        grant_type: "client_credentials",
      }
      for (let left = Math.min(perApp, count - tokens.length); left > 0; left--) {
        const { status, body } = await send(this.#service, "/oauth/token", form)
        if (status !== 200) throw new Error(`the token endpoint answered ${status} ${JSON.stringify(body)}`)
        tokens.push(String(body["access_token"]))
      }
    }
    return tokens
  }

  async #boundApp(name: string): Promise<Added> {
    await done(this.#dir, ["account", "add", name, "--service"])
    const bound = ["--type", "confidential", "--service-account", name, "--permission", "notes:read"]
    return done<Added>(this.#dir, ["app", "add", "--config", CONFIG, "--name", name, ...bound])
  }

  async kill(): Promise<void> {
    await this.#service.stop("SIGKILL")
  }

  /** Starts the service again with what is on disk, on the same port. */
  async startAgain(): Promise<void> {
    this.#service = await SpawnedServer.start(this.#span, this.#dir, this.#environment)
  }
}
