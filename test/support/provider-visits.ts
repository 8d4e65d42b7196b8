/** A service with the sign-in provider `corp`, which says what the test wants, and the ways of people through it. */
import assert from "node:assert/strict"
import type { TestContext } from "node:test"
import { linkAccount } from "../../src/accounts/providers/link.ts"
import type { OpenIdProvider, SignInProvider } from "../../src/model/sign-in/provider.rules.ts"
import { Browser } from "./browser.ts"
import { type TestClock, testClock } from "./clock.ts"
import { signedInBrowser } from "./connect.ts"
import { fixture, type ServiceGiven } from "./fixture.ts"
import { HostileProvider } from "./hostile-provider.ts"
import { leadsTo, ProviderHost, providerAt, TRUSTED } from "./oidc.ts"
import { wholeFile } from "./spawn.ts"
import type { TestServer } from "./test-server.ts"
import { OPERATOR } from "./test-server.ts"

type Page = Awaited<ReturnType<Browser["get"]>>
type Claims = Readonly<Record<string, unknown>>

export type ProviderFixture = {
  readonly clock: TestClock
  readonly host: ProviderHost
  readonly upstream: HostileProvider
  /** The providers that the service offers. A test may change them. */
  readonly providers: Map<string, SignInProvider>
  readonly server: TestServer
}

/** Opens a service and a provider. Without a span, they run until the last test of the file. */
export async function providerFixture({
  span = wholeFile(),
  ...given
}: ServiceGiven = {}): Promise<ProviderFixture> {
  const clock = given.clock ?? testClock()
  const host = await ProviderHost.open()
  span.after(() => host.close())
  const upstream = await HostileProvider.open(host, () => clock.now())
  const providers = new Map<string, SignInProvider>()
  const { testServer: server } = await fixture({ ...given, outgoing: TRUSTED, providers, clock, span })
  return { clock, host, upstream, providers, server }
}

export class ProviderVisits {
  readonly clock: TestClock
  readonly host: ProviderHost
  readonly upstream: HostileProvider
  readonly server: TestServer
  readonly #providers: Map<string, SignInProvider>
  #made = 0

  private constructor({ clock, host, upstream, server, providers }: ProviderFixture) {
    this.clock = clock
    this.host = host
    this.upstream = upstream
    this.server = server
    this.#providers = providers
  }

  /** Opens the service and the provider. Without a span, they run until the last test of the file. */
  static async open(given: ServiceGiven = {}): Promise<ProviderVisits> {
    const visits = new ProviderVisits(await providerFixture(given))
    visits.offer()
    return visits
  }

  /** The configuration has this provider from now on. Without copies of its metadata and without counted attempts. */
  offer(more: Partial<OpenIdProvider> = {}, name = "corp"): OpenIdProvider {
    const provider = providerAt(this.host.url, { name, ...more })
    this.#providers.set(name, provider)
    return provider
  }

  /** The provider `corp`, as the configuration has it now. */
  get provider(): SignInProvider {
    return this.#providers.get("corp") ?? this.offer()
  }

  /** The configuration has no provider of this name any more. */
  withdraw(name: string): void {
    this.#providers.delete(name)
  }

  /** Undoes what a test changed, when it ends. The windows of all limits are over then. */
  restoreAfter(t: TestContext): void {
    t.after(() => {
      this.upstream.reset()
      this.#providers.clear()
      this.offer()
      this.clock.advance(3600)
    })
  }

  newName(): string {
    return `person${++this.#made}`
  }

  /** Adds an account, and signs it in by its password. */
  async person(admin = false): Promise<{ name: string; userId: string; browser: Browser }> {
    const name = this.newName()
    const userId = await this.server.addAccount(name, admin)
    return { name, userId, browser: await signedInBrowser(this.server, name) }
  }

  /** Links an account as the operator does. */
  async link(name: string, subject: string, provider: SignInProvider = this.offer()): Promise<void> {
    const linked = await linkAccount(this.server.latchkey, provider, name, subject, OPERATOR)
    assert.ok(linked.ok, linked.ok ? "" : linked.error)
  }

  /** Presses the button on the sign-in page. Returns the page in between, which leads to the provider. */
  async begin(browser = new Browser(this.server.url), name = "corp"): Promise<Page> {
    return browser.submit(await browser.get("/sign-in"), `/sign-in/with/${name}`, {})
  }

  /** Presses the button on the sign-in page, and comes back as the person with these claims. */
  async arrive(
    claims: Claims,
    browser = new Browser(this.server.url),
    name = "corp",
  ): Promise<{ browser: Browser; page: Page }> {
    const between = await this.begin(browser, name)
    return { browser, page: await this.comeBack(browser, between, claims, name) }
  }

  /** Connects the account of `browser` to the subject of these claims. */
  async connect(browser: Browser, claims: Claims): Promise<Page> {
    const page = await browser.get("/account/security")
    const between = await browser.submit(page, "/account/security/connect", { provider: "corp" })
    return this.comeBack(browser, between, claims)
  }

  comeBack(browser: Browser, between: Page, claims: Claims, name = "corp"): Promise<Page> {
    this.upstream.idToken = claims
    return browser.get(`/sign-in/with/${name}/callback?${this.upstream.visit(leadsTo(between))}`)
  }
}
