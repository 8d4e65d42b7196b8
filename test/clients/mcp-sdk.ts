/**
 * Tests the client of the Model Context Protocol's SDK with the example server. The client gets one URL and discovers
 * the rest.
 */
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { createResourceServer } from "../../packages/resource-server/src/resource-server.ts"
import { findSource } from "../kit/source.ts"
import { type App, type Client, type Decision, type Held, Refused } from "./client.ts"
import { called, connectedTo, decided, Program, transportOf } from "./mcp-program.ts"
import type { Deployment } from "./deployment.ts"

findSource()

export const mcpSdk: Client = {
  name: "MCP SDK",
  needs: {},
  ways: ["registered"],
  can: ["discovery", "registration", "refresh"],
  open: async (deployment) => new McpApp(deployment, await served(deployment)),
}

class McpApp implements App {
  readonly #deployment: Deployment
  readonly #url: URL
  #program = new Program()

  constructor(deployment: Deployment, url: URL) {
    this.#deployment = deployment
    this.#url = url
  }

  get clientId(): string {
    return this.#program.registered?.client_id ?? ""
  }

  async connect(decision: Decision): Promise<Held> {
    const program = new Program()
    program.registered = this.#program.registered
    const transport = transportOf(program, this.#url)
    const back = await decided(program, transport, this.#deployment.alice, decision)
    // The SDK does not handle refusals, so the program must check the response.
    if (back.has("error")) throw new Refused(back.get("error"))
    await transport.finishAuth(back.get("code") ?? "")
    this.#program = program
    return this.#call(program)
  }

  /** The SDK refreshes automatically when a call is refused. */
  async refresh({ refreshToken }: Held): Promise<Held> {
    const program = new Program()
    program.registered = this.#program.registered
    const { kept } = this.#program
    assert.ok(kept)
    program.saveTokens({ ...kept, access_token: "lka_over", refresh_token: refreshToken })
    try {
      return await this.#call(program)
    } catch (error) {
      const isOver = error instanceof UnauthorizedError && program.forgotten.includes("tokens")
      throw isOver ? new Refused("invalid_grant", error) : error
    }
  }

  async #call(program: Program): Promise<Held> {
    const client = await connectedTo(transportOf(program, this.#url))
    const { username } = (await called(client, "list_notes")) as { username: string }
    await client.close()
    assert.equal(username, "alice")
    return { accessToken: program.kept?.access_token ?? "", refreshToken: program.kept?.refresh_token ?? "" }
  }
}

/** Starts the example server. Returns its URL. */
export async function served(deployment: Pick<Deployment, "url" | "resourceServer" | "span">): Promise<URL> {
  const { mcpServer } = await import("../../examples/mcp/mcp-server.ts")
  const server = createServer((request, response) => listener(request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/mcp`)
  const kit = createResourceServer({
    issuer: deployment.url,
    clientId: deployment.resourceServer.clientId,
    clientSecret: deployment.resourceServer.secret ?? "",
    resource: url.href,
    requireAudience: true,
    permissions: ["account:read", "notes:read", "notes:write"],
  })
  const listener = mcpServer(kit)
  deployment.span.after(() => {
    kit.close()
    server.close()
    server.closeAllConnections()
  })
  return url
}
