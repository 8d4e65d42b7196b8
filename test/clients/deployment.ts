/** Where clients find the service: at its own address, or behind deploy/nginx.conf with TLS. */
import { join } from "node:path"
import { Nginx } from "../deploy/nginx.ts"
import { freePort } from "../support/free-port.ts"
import { answerDevice } from "../oauth/device/device.ts"
import type { Browser } from "../support/browser.ts"
import { type AppIdentity, own, send, signedInBrowser } from "../support/connect.ts"
import {
  addAccount,
  addApp,
  addResourceServer,
  addServiceAccount,
  openRegistration,
  switchBudgetOff,
} from "../support/seed.ts"
import { newDirectory, type Span, SpawnedServer } from "../support/spawn.ts"
import { Signer } from "../support/signer.ts"
import type { Decision, Way } from "./client.ts"

/** The redirect URIs of apps in the table. Loopback URIs may have any port. */
export const REDIRECT_URIS = [
  "https://app.example/callback",
  "http://127.0.0.1/callback",
  "http://127.0.0.1",
  "http://localhost/callback",
] as const

/** The requested scope. It reaches more permissions than it names. */
export const SCOPE = "account:read credentials:write"

/** The confidential apps are bound to this service account. */
export const SERVICE_ACCOUNT = "robot"

/** This file contains the permissions of the example behind the MCP client. */
export const CONFIGURATION = join(import.meta.dirname, "../../examples/latchkey.yaml")

export class Deployment {
  readonly span: Span
  readonly url: string
  /** A file with the certificate to trust. The value is null without TLS. */
  readonly certificate: string | null
  /** The browser in which alice is signed in. */
  readonly alice: Browser
  readonly resourceServer: AppIdentity
  /** The private key of the app that has one. */
  readonly signer: Signer
  readonly #apps: Readonly<Record<"public" | "confidential" | "key", AppIdentity>>
  #answered: Promise<unknown> = Promise.resolve()

  private constructor(
    span: Span,
    server: SpawnedServer,
    alice: Browser,
    apps: Apps,
    certificate: string | null,
  ) {
    this.span = span
    this.url = server.url
    this.alice = alice
    this.certificate = certificate
    this.resourceServer = apps.resourceServer
    this.signer = apps.signer
    this.#apps = apps
  }

  static async direct(span: Span, configuration = CONFIGURATION): Promise<Deployment> {
    const dir = newDirectory(span)
    const apps = await seeded(dir)
    const server = await SpawnedServer.start(span, dir, { LATCHKEY_CONFIG: configuration })
    return new Deployment(span, server, await signedInBrowser(server, "alice"), apps, null)
  }

  static async behindNginx(span: Span): Promise<Deployment> {
    const dir = newDirectory(span)
    const apps = await seeded(dir)
    const [node, port] = [await freePort(), await freePort()]
    const server = await SpawnedServer.start(span, dir, {
      LATCHKEY_CONFIG: CONFIGURATION,
      LATCHKEY_PORT: String(node),
      LATCHKEY_BASE_URL: `https://localhost:${port}`,
      LATCHKEY_TRUSTED_PROXIES: "127.0.0.1",
    })
    const nginx = await Nginx.start(span, { nodes: [node, node], port })
    return new Deployment(span, server, await signedInBrowser(server, "alice"), apps, nginx.certificate)
  }

  /** Returns the app that an administrator registered for this way. */
  app(way: Exclude<Way, "registered">): AppIdentity {
    return this.#apps[way === "public" || way === "key" ? way : "confidential"]
  }

  /** Returns what a resource server learns about a token. */
  async introspected(token: string): Promise<Record<string, unknown>> {
    return (await send(this, "/oauth/introspect", { ...own(this.resourceServer), token })).body
  }

  /**
   * Alice types the code and decides. She enters one code at a time. During its look-up, a code counts as wrong, and an
   * account has only five attempts.
   */
  async answer(userCode: string, decision: Decision): Promise<void> {
    const answered = this.#answered.then(() => answerDevice(this.alice, { userCode }, decision))
    this.#answered = answered.catch(() => undefined)
    await answered
  }

  /** Alice ends the access of an app on her account page. */
  async endAccess(tokenId: string): Promise<void> {
    const page = await this.alice.get(`/account/end-access?token_id=${tokenId}`)
    const { status } = await this.alice.submit(page, "/account/end-access", {})
    if (status !== 303) throw new Error(`the account page answered ${status}`)
  }

  /** The environment of a program that does not run on Node. */
  get environment(): Record<string, string> {
    const { certificate } = this
    if (certificate === null) return {}
    return { CURL_CA_BUNDLE: certificate, REQUESTS_CA_BUNDLE: certificate, SSL_CERT_FILE: certificate }
  }
}

type Apps = Readonly<Record<"public" | "confidential" | "key" | "resourceServer", AppIdentity>> & {
  readonly signer: Signer
}

async function seeded(dir: string): Promise<Apps> {
  await addAccount(dir, "alice")
  await openRegistration(dir)
  await switchBudgetOff(dir)
  const redirectUris = [...REDIRECT_URIS]
  const permissions = SCOPE.split(" ")
  const signer = await Signer.make()
  await addServiceAccount(dir, SERVICE_ACCOUNT)
  const bound = {
    type: "confidential",
    redirectUris,
    permissions,
    serviceAccountName: SERVICE_ACCOUNT,
  } as const
  return {
    public: await addApp(dir, { type: "public", redirectUris, permissions }),
    confidential: await addApp(dir, bound),
    key: await addApp(dir, { ...bound, keys: signer.keys }),
    resourceServer: await addResourceServer(dir),
    signer,
  }
}
