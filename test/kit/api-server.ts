/** A real service behind a front, with people and an app, and kits of one API that ask the service. */
import {
  type Access,
  type Checked,
  createResourceServer,
  type Requirement,
  type ResourceServer,
  type ResourceServerOptions,
  type Trouble,
} from "../../packages/resource-server/src/resource-server.ts"
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import type { Browser } from "../support/browser.ts"
import { send, signedInBrowser } from "../support/connect.ts"
import { TestServer, type TestServerOptions, PASSWORD, type TestApp } from "../support/test-server.ts"
import { until } from "../support/until.ts"
import { openCode, poll, started } from "../oauth/device/device.ts"
import { grant } from "../support/grant.ts"
import { joinGroups } from "../support/join-groups.ts"
import { untilInEffect } from "./in-effect.ts"
import { Front } from "./front.ts"

export const RESOURCE = "https://api.example/notes"

export class ApiServer {
  readonly testServer: TestServer
  readonly front: Front
  readonly app: TestApp
  readonly api: TestApp
  readonly bob: Browser
  /** The problems that the kits have reported. */
  readonly troubles: Trouble[] = []
  readonly #kits: ResourceServer[] = []

  private constructor(testServer: TestServer, front: Front, app: TestApp, api: TestApp, bob: Browser) {
    this.testServer = testServer
    this.front = front
    this.app = app
    this.api = api
    this.bob = bob
  }

  static async open(options: Omit<TestServerOptions, "baseUrl"> = {}): Promise<ApiServer> {
    const front = await Front.open()
    const testServer = await TestServer.open({ ...options, baseUrl: front.url })
    front.leadTo(() => testServer.url)
    await testServer.set("rate_limit.oauth_anonymous", "off")
    await testServer.addAccount("root", true)
    await joinGroups(testServer.store, await testServer.addAccount("bob"), "staff", "on-call")
    const permissions = ["account:read", "files:write"]
    const app = await testServer.addApp({ permissions, stepUp: true })
    const api = await testServer.addApp({
      type: "confidential",
      resourceServer: true,
      permissions: [],
      redirectUris: [],
    })
    const bob = await signedInBrowser(front, "bob")
    return new ApiServer(testServer, front, app, api, bob)
  }

  /** Creates a kit of the API. `more` adds or replaces options. */
  kit(more: Partial<ResourceServerOptions> = {}): ResourceServer {
    const kit = createResourceServer({
      issuer: this.front.url,
      clientId: this.api.clientId,
      clientSecret: this.api.secret ?? "",
      resource: RESOURCE,
      permissions: ["files:read", "files:write", "admin:accounts"],
      clock: this.testServer.clock,
      onTrouble: (trouble) => this.troubles.push(trouble),
      ...more,
    })
    this.#kits.push(kit)
    return kit
  }

  /** Returns a kit whose stream already reports every change. */
  async liveKit(more: Partial<ResourceServerOptions> = {}): Promise<ResourceServer> {
    const kit = this.kit(more)
    await kit.verify({ headers: {} })
    await until(() => kit.isLive(), "the stream is ready")
    return kit
  }

  /** Creates a new credential of bob's account. */
  grant(app: TestApp = this.app, more: Record<string, string> = {}): Promise<TokenResponse> {
    return grant(this.testServer, this.bob, app, more)
  }

  async revoke(
    { access_token }: Pick<TokenResponse, "access_token">,
    clientId = this.app.clientId,
  ): Promise<void> {
    await send(this.front, "/oauth/revoke", { token: access_token, client_id: clientId })
  }

  /** Bob proves a factor for a credential of an app. */
  async elevate({ access_token }: Pick<TokenResponse, "access_token">): Promise<void> {
    const opened = await send(this.front, "/oauth/step-up", {}, { authorization: `Bearer ${access_token}` })
    const ceremony = started(opened.body)
    const page = await openCode(this.bob, ceremony.userCode)
    await this.bob.submit(page, "/oauth/consent", { decision: "authorize", password: PASSWORD })
    const answer = await poll(this.front, this.app, ceremony)
    if (answer.body["elevated"] !== true) throw new Error(JSON.stringify(answer.body))
  }

  /** Resolves when `kit` has received all changes so far. A revocation by this test is then in effect. */
  async everythingReceived(kit: ResourceServer): Promise<void> {
    const marker = await this.grant()
    passed(await check(kit, marker))
    await this.revoke(marker)
    await untilRefused(kit, marker)
  }

  /** Ends the streams of all kits so far. */
  closeKits(): void {
    for (const kit of this.#kits.splice(0)) kit.close()
  }

  async close(): Promise<void> {
    this.closeKits()
    await this.front.close()
    await this.testServer.close()
  }
}

/** Returns a request with this token and nothing else. */
export function carrying({ access_token }: Pick<TokenResponse, "access_token">) {
  return { headers: { authorization: `Bearer ${access_token}` } }
}

export async function check(
  kit: ResourceServer,
  held: Pick<TokenResponse, "access_token">,
  ...requirements: readonly Requirement[]
): Promise<Checked> {
  return kit.verify(carrying(held), ...requirements)
}

export function passed(checked: Checked): Access {
  if (!checked.ok) throw new Error(`refused: ${checked.refusal.reason}`)
  return checked.access
}

/** Returns why the request was refused. Returns null if it passed. */
export function reasonOf(checked: Checked): string | null {
  return checked.ok ? null : checked.refusal.reason
}

/** Waits until `held` is refused. Throws after a second, because a change must be in effect by then. */
export function untilRefused(kit: ResourceServer, held: Pick<TokenResponse, "access_token">): Promise<void> {
  return untilInEffect(async () => !(await check(kit, held)).ok, "the token is refused")
}
