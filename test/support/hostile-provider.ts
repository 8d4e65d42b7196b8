/** A provider that the test makes lie: in its metadata, its tokens, its keys and its claims. */
import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { CLIENT, type ProviderHost } from "./oidc.ts"

type Json = Readonly<Record<string, unknown>>
type Keys = Awaited<ReturnType<typeof generateKeyPair>>

/** What the provider says about one person. A test replaces members. */
export class HostileProvider {
  readonly host: ProviderHost
  readonly #keys: Keys
  readonly #jwk: Json
  /** Members that replace those of the metadata, the ID token and the userinfo. */
  metadata: Json = {}
  idToken: Json = {}
  userinfo: Json = {}
  /** Signs the ID token in place of the provider. */
  sign: ((claims: Json) => Promise<string>) | null = null
  /** Answers a path in place of the provider. */
  answer: ((path: string, response: ServerResponse, body: string) => boolean) | null = null
  /** The nonce of the last authorization request. */
  nonce = ""
  now: () => number
  /** Another origin whose page `/login?back=…` a person sees before the way back. */
  loginAt: string | null = null
  forms: URLSearchParams[] = []
  headers: IncomingMessage["headers"][] = []

  private constructor(host: ProviderHost, keys: Keys, jwk: Json, now: () => number) {
    this.host = host
    this.#keys = keys
    this.#jwk = jwk
    this.now = now
    host.serve((request, response) => void this.#respond(request, response))
  }

  static async open(host: ProviderHost, now: () => number): Promise<HostileProvider> {
    const keys = await generateKeyPair("ES256", { extractable: true })
    return new HostileProvider(
      host,
      keys,
      { ...(await exportJWK(keys.publicKey)), kid: "one", alg: "ES256" },
      now,
    )
  }

  /** Makes it honest again. */
  reset(): void {
    this.metadata = {}
    this.idToken = {}
    this.userinfo = {}
    this.sign = null
    this.answer = null
    this.forms = []
    this.headers = []
    this.host.asked.length = 0
  }

  claims(): Json {
    const now = this.now()
    const usual = { iss: this.host.url, aud: CLIENT.id, sub: "ada-at-work", iat: now, exp: now + 300 }
    return { ...usual, nonce: this.nonce, ...this.idToken }
  }

  /** The query of the callback after a visit to `url`. */
  visit(url: string, more: Record<string, string> = {}): string {
    const { searchParams } = new URL(url)
    this.nonce = searchParams.get("nonce") ?? ""
    const query = new URLSearchParams({ code: "a-code", state: searchParams.get("state") ?? "", ...more })
    return query.toString()
  }

  signed(claims: Json, header: { readonly alg: string; readonly kid?: string }, key = this.#keys.privateKey) {
    return new SignJWT({ ...claims }).setProtectedHeader(header).sign(key)
  }

  /** A shared-secret signature with the public key as the secret: the classic swap of algorithms. */
  swapped(claims: Json): Promise<string> {
    const secret = createHash("sha256").update(JSON.stringify(this.#jwk)).digest()
    return new SignJWT({ ...claims }).setProtectedHeader({ alg: "HS256", kid: "one" }).sign(secret)
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").replace(/\?.*/s, "")
    if (path === "/auth") return this.#authorize(request.url ?? "", response)
    let body = ""
    for await (const piece of request as AsyncIterable<Buffer>) body += piece.toString()
    this.headers.push(request.headers)
    if (body !== "") this.forms.push(new URLSearchParams(body))
    if (this.answer?.(path, response, body) === true) return
    const json = await this.#jsonAt(path)
    if (json === null) return void response.writeHead(404).end()
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json))
  }

  #authorize(url: string, response: ServerResponse): void {
    const { searchParams } = new URL(url, this.host.url)
    const back = `${searchParams.get("redirect_uri")}?${this.visit(`${this.host.url}${url}`)}`
    const location =
      this.loginAt === null ? back : `${this.loginAt}/login?${new URLSearchParams({ back }).toString()}`
    response.writeHead(303, { location }).end()
  }

  async #jsonAt(path: string): Promise<Json | null> {
    const { url } = this.host
    switch (path) {
      case "/.well-known/openid-configuration":
        return {
          issuer: url,
          authorization_endpoint: `${url}/auth`,
          token_endpoint: `${url}/token`,
          jwks_uri: `${url}/jwks`,
          userinfo_endpoint: `${url}/me`,
          id_token_signing_alg_values_supported: ["ES256", "HS256", "none"],
          ...this.metadata,
        }
      case "/jwks":
        return { keys: [this.#jwk] }
      case "/token": {
        const claims = this.claims()
        const idToken = await (this.sign?.(claims) ?? this.signed(claims, { alg: "ES256", kid: "one" }))
        return { access_token: "an-access-token", token_type: "Bearer", id_token: idToken }
      }
      case "/me":
        return { sub: this.claims()["sub"], ...this.userinfo }
      default:
        return null
    }
  }
}
