/** A small identity provider of an organization. It signs ID-JAGs, and gives them for a person's token by token exchange. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { ProviderHost } from "./oidc.ts"
import { randomId, Signer } from "./signer.ts"

type Json = Readonly<Record<string, unknown>>

export const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag"

export class IdentityProvider {
  readonly host: ProviderHost
  signer: Signer
  readonly #now: () => number
  /** Whether its keys can be fetched. */
  isUp = true
  /** The forms of token exchanges. */
  readonly exchanges: URLSearchParams[] = []
  /** The `client_id` in assertions. The identity provider knows which app asks. */
  client = ""

  private constructor(host: ProviderHost, signer: Signer, now: () => number) {
    this.host = host
    this.signer = signer
    this.#now = now
    host.serve((request, response) => void this.#respond(request, response))
  }

  static async open(now: () => number): Promise<IdentityProvider> {
    return new IdentityProvider(await ProviderHost.open(), await Signer.make(), now)
  }

  get url(): string {
    return this.host.url
  }

  /** Signs an assertion. A member that is undefined is left out. */
  assertion(claims: Json, header: Json = {}, signer = this.signer): Promise<string> {
    const now = this.#now()
    const usual = { iss: this.url, client_id: this.client, jti: randomId(), iat: now, exp: now + 300 }
    const whole = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined)
    return signer.sign(Object.fromEntries(whole), { typ: "oauth-id-jag+jwt", ...header })
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ""
    for await (const piece of request as AsyncIterable<Buffer>) body += piece.toString()
    const json = this.isUp ? await this.#jsonAt(request.url ?? "", body) : null
    if (json === null) return void response.writeHead(404).end()
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json))
  }

  async #jsonAt(path: string, body: string): Promise<Json | null> {
    const { url } = this
    switch (path) {
      case "/.well-known/openid-configuration":
      case "/.well-known/oauth-authorization-server":
        return {
          issuer: url,
          authorization_endpoint: `${url}/auth`,
          token_endpoint: `${url}/token`,
          jwks_uri: `${url}/jwks`,
          response_types_supported: ["code"],
          grant_types_supported: ["urn:ietf:params:oauth:grant-type:token-exchange"],
        }
      case "/jwks":
        return { keys: [{ ...this.signer.publicJwk, alg: this.signer.alg }] }
      case "/token":
        return this.#exchange(new URLSearchParams(body))
      default:
        return null
    }
  }

  /** The subject token is the name of the person. */
  async #exchange(form: URLSearchParams): Promise<Json | null> {
    this.exchanges.push(form)
    if (form.get("requested_token_type") !== ID_JAG) return null
    const { audience, resource, scope, subject_token: sub } = Object.fromEntries(form)
    const access_token = await this.assertion({ sub, aud: audience, resource, scope })
    return { access_token, issued_token_type: ID_JAG, token_type: "N_A", expires_in: 300, scope }
  }
}
