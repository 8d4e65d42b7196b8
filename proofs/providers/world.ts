/** The service and its provider, and the way of a person through both. */
import { linkAccount } from "../../src/accounts/providers/link.ts"
import { callbackUrl } from "../../src/accounts/providers/leave.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import type { UserId } from "../../src/kernel/ids.ts"
import type { OpenIdProvider, SignInProvider } from "../../src/model/sign-in/provider.rules.ts"
import { Browser } from "../../test/support/browser.ts"
import { selfSigned } from "../../test/support/certificate.ts"
import { leadsTo, providerAt } from "../../test/support/oidc.ts"
import type { Span } from "../../test/support/spawn.ts"
import { TestServer } from "../../test/support/test-server.ts"
import type { Attempt } from "../proof.ts"
import { Keycloak, KeycloakBrowser } from "./keycloak.ts"
import { PASSWORD_THERE, realmWith, SECRET } from "./realm.ts"

type Page = Awaited<ReturnType<Browser["get"]>>

/** A person with a browser here, and one with its own session at Keycloak. */
export type Visitor = { readonly here: Browser; readonly there: KeycloakBrowser }

export class World {
  readonly keycloak: Keycloak
  readonly server: TestServer
  readonly #configured: Map<string, SignInProvider>
  realm = "staff"
  signIns = 0

  private constructor(keycloak: Keycloak, server: TestServer, configured: Map<string, SignInProvider>) {
    this.keycloak = keycloak
    this.server = server
    this.#configured = configured
  }

  static async open(span: Span, { work, engine, say }: Attempt, zip: string): Promise<World> {
    const certificate = selfSigned("localhost")
    const configured = new Map<string, SignInProvider>()
    const server = await TestServer.open({
      engine,
      // The clock of the machine, because Keycloak has no other.
      clock: { ...systemClock, advance: () => undefined, setWall: () => undefined },
      outgoing: { allowedRanges: [], certificates: certificate.cert },
      providers: configured,
    })
    span.after(() => server.close())
    const realm = realmWith(callbackUrl(server.issuer, "staff"))
    const keycloak = await Keycloak.unpack(zip, work, certificate, realm)
    span.after(() => keycloak.stop())
    say("Keycloak starts")
    await keycloak.start()
    await server.addAccount("chief", true)
    const world = new World(keycloak, server, configured)
    world.offer()
    return world
  }

  /** The configuration has the provider like this from now on. */
  offer(more: Partial<OpenIdProvider> = {}): OpenIdProvider {
    const provider = providerAt(`${this.keycloak.url}/realms/${this.realm}`, {
      name: "staff",
      preset: "keycloak",
      label: "Staff",
      secret: { kind: "secret", secret: SECRET },
      ...more,
    })
    this.#configured.set("staff", provider)
    return provider
  }

  visitor(): Visitor {
    return { here: new Browser(this.server.url), there: new KeycloakBrowser(this.keycloak) }
  }

  /** Presses the button on `page`, signs in at Keycloak, and returns the page to which the browser comes back. */
  async through({ here, there }: Visitor, name: string, page: Page): Promise<Page> {
    const between = await here.submit(page, "/sign-in/with/staff", {})
    return this.comeBack({ here, there }, name, between)
  }

  async comeBack({ here, there }: Visitor, name: string, between: Page): Promise<Page> {
    const back = await there.visit(leadsTo(between), name, PASSWORD_THERE)
    const answer = await here.get(back.slice(this.server.issuer.length))
    if (answer.status === 303) this.signIns += 1
    return answer
  }

  async signIn(name: string, visitor = this.visitor()): Promise<{ visitor: Visitor; page: Page }> {
    return { visitor, page: await this.through(visitor, name, await visitor.here.get("/sign-in")) }
  }

  async accountOf(name: string) {
    return (await this.server.store.read({ accountByName: name })).accountByName
  }

  async linksOf(userId: UserId) {
    return (await this.server.store.read({ identities: userId })).identities ?? []
  }

  async link(name: string, subject: string): Promise<void> {
    const linked = await linkAccount(this.server.latchkey, this.offer(), name, subject, { address: null })
    if (!linked.ok) throw new Error(linked.error)
  }
}
