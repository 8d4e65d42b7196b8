/** A service with the application `shop`, and the ways of people through it. */
import { Browser } from "./browser.ts"
import { type TestClock, testClock } from "./clock.ts"
import { fixture, type ServiceGiven } from "./fixture.ts"
import { leadsTo, TRUSTED } from "./oidc.ts"
import { type AssertionClaims, Product } from "./product.ts"
import type { TestServer } from "./test-server.ts"
import type { ApplicationProvider, SignInProvider } from "../../src/model/sign-in/provider.rules.ts"

export type Page = Awaited<ReturnType<Browser["get"]>>

export class ProductVisits {
  readonly clock: TestClock
  readonly product: Product
  readonly providers: Map<string, SignInProvider>
  readonly server: TestServer

  private constructor(of: Pick<ProductVisits, "clock" | "product" | "providers" | "server">) {
    this.clock = of.clock
    this.product = of.product
    this.providers = of.providers
    this.server = of.server
  }

  static async open(
    given: ServiceGiven = {},
    more: Partial<ApplicationProvider> = {},
  ): Promise<ProductVisits> {
    const clock = given.clock ?? testClock()
    const product = new Product(() => clock.now())
    const providers = new Map<string, SignInProvider>([["shop", product.provider(more)]])
    // The first administrator is there, because an application does not set a service up.
    const made = { outgoing: TRUSTED, admins: ["chief"], ...given, clock, providers }
    const { testServer: server } = await fixture(made)
    return new ProductVisits({ clock, product, providers, server })
  }

  /** The configuration has the application with these members from now on. */
  offer(more: Partial<ApplicationProvider> = {}): void {
    this.providers.set("shop", this.product.provider(more))
  }

  browser(): Browser {
    return new Browser(this.server.url)
  }

  /** Presses the button on a page. Returns the URL at the product to which the browser goes. */
  async begin(browser: Browser, path = "/sign-in"): Promise<string> {
    return leadsTo(await browser.submit(await browser.get(path), "/sign-in/with/shop", {}))
  }

  /** The path with which the browser comes back from the product. */
  async answer(asked: string, claims: AssertionClaims): Promise<string> {
    return this.pathOf(await this.product.answer(asked, claims))
  }

  pathOf(url: string): string {
    return url.slice(this.server.issuer.length)
  }

  /** Goes to the product, and comes back as the person with these claims. */
  async arrive(claims: AssertionClaims, browser = this.browser(), path = "/sign-in"): Promise<Arrived> {
    const asked = await this.begin(browser, path)
    return { browser, page: await browser.get(await this.answer(asked, claims)) }
  }
}

export type Arrived = { readonly browser: Browser; readonly page: Page }
