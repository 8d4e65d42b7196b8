/** A real OpenID Connect provider, `oidc-provider`, over https on loopback. It signs in whom the test names. */
import { createServer, request as httpsRequest, type Server } from "node:https"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { generateKeyPairSync } from "node:crypto"
import { Provider } from "oidc-provider"
import type { OutgoingConfig } from "../../src/platform/outgoing/guarded-fetch.ts"
import { issuerPlace, type OpenIdProvider } from "../../src/model/sign-in/provider.rules.ts"
import type { Browser } from "./browser.ts"
import { selfSigned } from "./certificate.ts"
import type { TestServer } from "./test-server.ts"

const certificate = selfSigned("localhost", "*.provider.test")
export const PROVIDER_CA = certificate.cert

/** Trusts the certificate. Only the provider's own ranges allow loopback. */
export const TRUSTED: OutgoingConfig = { allowedRanges: [], certificates: certificate.cert }

export const CLIENT = { id: "latchkey", secret: "a secret of the provider's client" } as const

/** A server over https that a test may replace while it runs. */
export class ProviderHost {
  readonly #server: Server
  /** The requests that came, such as `POST /token`. */
  readonly asked: string[] = []
  #handle: RequestListener = (_, response) => void response.writeHead(404).end()

  private constructor(server: Server) {
    this.#server = server
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      this.asked.push(`${request.method} ${(request.url ?? "").replace(/\?.*/s, "")}`)
      this.#handle(request, response)
    })
  }

  static async open(): Promise<ProviderHost> {
    const server = createServer(certificate)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return new ProviderHost(server)
  }

  get url(): string {
    return `https://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  serve(handle: RequestListener): void {
    this.#handle = handle
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** The configuration of a provider at this URL. */
export function providerAt(issuer: string, more: Partial<OpenIdProvider> = {}): OpenIdProvider {
  return {
    name: "corp",
    preset: null,
    ...issuerPlace(null, issuer),
    clientId: CLIENT.id,
    secret: { kind: "secret", secret: CLIENT.secret },
    scopes: ["openid", "profile", "email"],
    label: "Work",
    icon: null,
    usernameClaim: null,
    allowedRanges: ["127.0.0.0/8"],
    createAccounts: null,
    authoritativeDomains: [],
    secondFactor: { acr: [], amr: [] },
    administrators: null,
    groups: null,
    ...more,
  }
}

export type Member = {
  readonly sub: string
  readonly claims?: Readonly<Record<string, unknown>>
  readonly acr?: string
  readonly amr?: readonly string[]
}

/** A provider at which the next person is `member`. Without one, the sign-in is canceled. */
export class OidcProvider {
  readonly host: ProviderHost
  member: Member | null = null

  constructor(host: ProviderHost) {
    this.host = host
  }

  /** Serves the provider for these redirect URIs. */
  accept(...redirectUris: readonly string[]): void {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
    const provider = new Provider(this.host.url, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: redirectUris,
          response_types: ["code"],
          grant_types: ["authorization_code"],
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] },
      cookies: { keys: ["a key for cookies"] },
      features: { devInteractions: { enabled: false } },
      claims: {
        openid: ["sub"],
        acr: null,
        amr: null,
        auth_time: null,
        profile: ["preferred_username", "name", "groups"],
        email: ["email", "email_verified"],
      },
      acrValues: ["phr"],
      pkce: { required: () => true },
      ttl: { Session: 3600, Interaction: 600, Grant: 3600, AccessToken: 600, IdToken: 600 },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, ...this.member?.claims }),
      }),
      loadExistingGrant: async (context: {
        oidc: { session: { accountId: string }; client: { clientId: string }; provider: Provider }
      }) => {
        const { session, client, provider: own } = context.oidc
        const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId })
        grant.addOIDCScope("openid profile email")
        await grant.save()
        return grant
      },
    })
    const callback = provider.callback()
    this.host.serve((request, response) => {
      if (!(request.url ?? "").startsWith("/interaction/")) return callback(request, response)
      const { member } = this
      const result =
        member === null
          ? { error: "access_denied", error_description: "canceled" }
          : { login: { accountId: member.sub, remember: false, acr: member.acr, amr: member.amr } }
      void provider.interactionFinished(request, response, result)
    })
  }
}

type Visited = { readonly status: number; readonly location: string | null }

/** Follows the redirects of a provider as a browser does, until they lead away from it. Returns where they lead. */
export async function visitProvider(start: string, cookies = new Map<string, string>()): Promise<string> {
  let url = start
  const { origin } = new URL(start)
  for (let step = 0; step < 10; step += 1) {
    const { location } = await visit(url, cookies)
    if (location === null) throw new Error(`${url} does not redirect`)
    url = new URL(location, url).href
    if (new URL(url).origin !== origin) return url
  }
  throw new Error("too many redirects")
}

function visit(url: string, cookies: Map<string, string>): Promise<Visited> {
  const { promise, resolve, reject } = Promise.withResolvers<Visited>()
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  const request = httpsRequest(url, { ca: PROVIDER_CA, headers: { cookie }, agent: false }, (response) => {
    for (const line of response.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    response.resume()
    response.on("end", () =>
      resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? null }),
    )
  })
  request.on("error", reject)
  request.end()
  return promise
}

type Page = Awaited<ReturnType<Browser["get"]>>

/** Returns the URL of the provider to which a page goes on by itself. */
export function leadsTo({ status, headers }: Page): string {
  const [, url] = /^0; url=(.+)$/.exec(headers.get("refresh") ?? "") ?? []
  if (status !== 200 || url === undefined) throw new Error(`the page (${status}) leads nowhere`)
  return url
}

/** Submits the button of a provider on `page`. Returns the page to which the provider sends the browser back. */
export async function signInWith(
  server: TestServer,
  browser: Browser,
  page: Page,
  name = "corp",
): Promise<Page> {
  const between = await browser.submit(page, `/sign-in/with/${name}`, {})
  return comeBack(server, browser, leadsTo(between))
}

export async function comeBack(server: TestServer, browser: Browser, url: string): Promise<Page> {
  const back = await visitProvider(url)
  if (!back.startsWith(`${server.issuer}/`)) throw new Error(`the provider leads to ${back}`)
  return browser.get(back.slice(server.issuer.length))
}
