/** An app with a page of its own, which a person visits to sign in. It runs as a program. */
import { type ChildProcess, spawn } from "node:child_process"
import { decide } from "../../support/connect.ts"
import { Browser } from "../../support/browser.ts"
import { freePort } from "../../support/free-port.ts"
import { environmentWith } from "../../support/spawn.ts"
import { until } from "../../support/until.ts"
import type { Decision } from "../client.ts"
import { COMPILED } from "../mcp-python.ts"
import type { OpenidService } from "./service.ts"

const PATIENCE_MILLISECONDS = 120_000

export type SiteProgram = {
  /** The name in docs/clients.md. */
  readonly name: string
  /** Returns the command, which listens on this port. */
  readonly command: (settings: Settings) => readonly string[]
  /** The path of its redirect URI. */
  readonly callback: string
  /** Where the person signs in. The default is the first page, which leads to the service by itself. */
  readonly begin?: (visitor: Browser) => Promise<Page>
}

export type Settings = Readonly<Record<"BASE" | "CLIENT_ID" | "CLIENT_SECRET" | "PORT", string>>

export type Page = Awaited<ReturnType<Browser["get"]>>

export class Site {
  readonly url: string
  readonly #program: SiteProgram
  readonly #service: OpenidService
  readonly #child: ChildProcess
  #said = ""

  private constructor(service: OpenidService, program: SiteProgram, settings: Settings) {
    this.#service = service
    this.#program = program
    this.url = `http://127.0.0.1:${settings.PORT}`
    const { certificate } = service
    const [file = "", ...args] = program.command(settings)
    this.#child = spawn(file, args, {
      env: environmentWith({
        ...settings,
        NODE_EXTRA_CA_CERTS: certificate,
        REQUESTS_CA_BUNDLE: certificate,
        SSL_CERT_FILE: certificate,
        PYTHONPYCACHEPREFIX: COMPILED,
      }),
      stdio: ["ignore", "pipe", "pipe"],
    })
    const heard = (part: Buffer) => (this.#said += part.toString())
    this.#child.stdout?.on("data", heard)
    this.#child.stderr?.on("data", heard)
    service.span.after(() => this.#child.kill("SIGKILL"))
  }

  static async open(service: OpenidService, program: SiteProgram): Promise<Site> {
    const { clientId, secret } = await service.register(`http://127.0.0.1${program.callback}`)
    const site = new Site(service, program, {
      BASE: service.url,
      CLIENT_ID: clientId,
      CLIENT_SECRET: secret ?? "",
      PORT: String(await freePort()),
    })
    await site.#untilItListens()
    return site
  }

  /** Visits the app, which leads to the service. Alice decides there. Returns the last page that the app then shows. */
  async visit(decision: Decision): Promise<string> {
    const visitor = new Browser(this.url)
    const begun = await (this.#program.begin ?? ((browser) => browser.get("/")))(visitor)
    const left = await this.#followed(visitor, begun)
    if (left.location === null) throw new Error(`it does not lead to the service: ${this.#about(left)}`)
    const returned = await decide(this.#service.alice, new URL(left.location), decision)
    const page = await this.#followed(visitor, await visitor.get(returned.href))
    if (decision === "authorize" && page.status !== 200) throw new Error(this.#about(page))
    return page.text
  }

  /** Follows the redirects within the app. */
  async #followed(visitor: Browser, from: Page): Promise<Page> {
    let page = from
    while (page.location !== null && new URL(page.location, this.url).origin === this.url)
      page = await visitor.get(new URL(page.location, this.url).href)
    return page
  }

  async #untilItListens(): Promise<void> {
    const isOver = () => this.#child.exitCode !== null
    const listens = () => fetch(`${this.url}/favicon.ico`, { redirect: "manual" }).then(() => true, isOver)
    await until(listens, "the app listens", PATIENCE_MILLISECONDS)
    if (isOver()) throw new Error(`${this.#program.name} ended: ${this.#said}`)
  }

  #about(page: Page): string {
    return `${page.status} ${page.text.slice(0, 1000)}\n${this.#said.slice(-3000)}`
  }
}
