/** The second version of the MCP SDK's client, which has a package of its own. */
import assert from "node:assert/strict"
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client"
import { decide } from "../support/connect.ts"
import type { Browser } from "../support/browser.ts"
import { PATIENCE_MILLISECONDS, type Program } from "./mcp-program.ts"

/** A client that is connected. Whenever it opens the browser, the account in `browser` consents. */
export class ConnectedClient {
  /** The addresses of the consent pages that it has opened. */
  readonly opened: URL[] = []
  readonly #program: Program
  readonly #url: URL
  readonly #browser: Browser
  readonly #client = new Client({ name: "notebook", version: "1.0.0" })
  #transport: StreamableHTTPClientTransport

  private constructor(program: Program, url: URL, browser: Browser) {
    this.#program = program
    this.#url = url
    this.#browser = browser
    this.#transport = this.#newTransport()
  }

  static async open(program: Program, url: URL, browser: Browser): Promise<ConnectedClient> {
    const connected = new ConnectedClient(program, url, browser)
    const options = { timeout: PATIENCE_MILLISECONDS }
    await assert.rejects(connected.#client.connect(connected.#transport, options), UnauthorizedError)
    await connected.#consents()
    connected.#transport = connected.#newTransport()
    await connected.#client.connect(connected.#transport, options)
    return connected
  }

  #newTransport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(this.#url, {
      authProvider: this.#program as OAuthClientProvider,
    })
  }

  async #consents(): Promise<void> {
    assert.ok(this.#program.sentTo)
    this.opened.push(this.#program.sentTo)
    const { searchParams } = await decide(this.#browser, this.#program.sentTo, "authorize")
    assert.equal(searchParams.get("error"), null)
    await this.#transport.finishAuth(searchParams)
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<unknown> {
    const { content } = await this.#client.callTool(
      { name, arguments: args },
      { timeout: PATIENCE_MILLISECONDS },
    )
    const [{ text = "" } = {}] = content as { text?: string }[]
    return JSON.parse(text)
  }

  /** The call is refused for a missing permission. The client asks for it, and the call is repeated. */
  async callWithStepUp(name: string, args: Record<string, unknown>): Promise<unknown> {
    await assert.rejects(this.call(name, args), UnauthorizedError)
    await this.#consents()
    return this.call(name, args)
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}
