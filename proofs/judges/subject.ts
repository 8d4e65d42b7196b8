/** What the judges test: the service as an operator starts it, and the example MCP server with this service. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createResourceServer } from "../../packages/resource-server/src/resource-server.ts"
import { findSource } from "../../test/kit/source.ts"
import type { AppIdentity } from "../../test/support/connect.ts"
import { databaseIn } from "../../test/support/database.ts"
import {
  addAccount,
  addResourceServer,
  openDocuments,
  openRegistration,
  switchBudgetOff,
} from "../../test/support/seed.ts"
import { done, newDirectory, type Span, SpawnedServer } from "../../test/support/spawn.ts"
import { HOLDER } from "./browser.ts"

const config = join(import.meta.dirname, "../../examples/latchkey.yaml")
const permissions = ["notes:read", "notes:write"]

export type Subject = {
  readonly url: string
  readonly dir: string
  /** Starts an MCP server. A request without a token is sent with `token`, if there is one. */
  readonly startMcp: (token: () => string | null) => Promise<string>
  /** Adds a public app that may have the permissions of the MCP server. */
  readonly addApp: (redirectUri: string) => Promise<AppIdentity>
}

export async function openSubject(span: Span): Promise<Subject> {
  findSource()
  const { mcpServer } = await import("../../examples/mcp/mcp-server.ts")
  const dir = newDirectory(span)
  await databaseIn(dir, "sqlite")
  await addAccount(dir, HOLDER, true)
  await switchBudgetOff(dir)
  await openRegistration(dir)
  await openDocuments(dir)
  const api = await addResourceServer(dir)
  const { url } = await SpawnedServer.start(span, dir, { LATCHKEY_CONFIG: config })
  const startMcp = async (token: () => string | null) => {
    const server = createServer((request, response) => {
      const given = token()
      if (given !== null) request.headers.authorization ??= `Bearer ${given}`
      listener(request, response)
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const resource = `http://localhost:${(server.address() as AddressInfo).port}/mcp`
    const kit = createResourceServer({
      issuer: url,
      clientId: api.clientId,
      clientSecret: api.secret ?? "",
      resource,
      requireAudience: true,
      permissions,
      resourceName: "Notes over MCP",
    })
    const listener = mcpServer(kit)
    span.after(() => {
      kit.close()
      server.closeAllConnections()
      server.close()
    })
    return resource
  }
  const addApp = async (redirectUri: string) => {
    const flags = ["--type", "public", "--redirect", redirectUri, "--permission", "notes:write"]
    const added = await done<{ client_id: string }>(dir, [
      "app",
      "add",
      "--config",
      config,
      "--name",
      "Judge",
      ...flags,
    ])
    return { clientId: added.client_id, secret: null }
  }
  return { url, dir, startMcp, addApp }
}
