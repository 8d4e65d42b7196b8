/** Two example MCP servers, each on a port of its own, and a service whose configuration names them. */
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { sendRefusal } from "../../packages/resource-server/src/adapter/node.ts"
import {
  createResourceServer,
  requirePermission,
} from "../../packages/resource-server/src/resource-server.ts"
import { newDirectory, type Span } from "../support/spawn.ts"
import { findSource } from "../kit/source.ts"
import { CONFIGURATION, Deployment } from "./deployment.ts"

export type NotesServer = {
  /** The address that a client gets. */
  readonly url: URL
  /** The resource, as the configuration of the service spells it. */
  readonly configured: string
}

type Deployed = {
  readonly deployment: Deployment
  readonly servers: Readonly<Record<"same" | "other", NotesServer>>
}

export async function deployWithServers(span: Span): Promise<Deployed> {
  const [first, second] = [await listening(span), await listening(span)]
  const same = { resource: `${first.origin}/mcp`, configured: `${first.origin}/mcp` }
  // A client that parses the resource sends it with the slash of its path, and its name in lower case.
  const other = { resource: second.origin, configured: second.origin.toUpperCase() }
  const deployment = await Deployment.direct(span, configurationWith(span, [same, other]))
  await serveNotes(first, deployment, same.resource)
  await serveNotes(second, deployment, other.resource)
  const notes = ({ resource, configured }: typeof same) => ({ url: new URL(resource), configured })
  return { deployment, servers: { same: notes(same), other: notes(other) } }
}

type Listening = { readonly server: Server; readonly origin: string }

async function listening(span: Span): Promise<Listening> {
  const server = createServer()
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  span.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` }
}

function configurationWith(span: Span, servers: readonly { readonly configured: string }[]): string {
  const path = join(newDirectory(span), "latchkey.yaml")
  const named = servers.map(({ configured }) => `  - { resource: "${configured}", name: Notes }\n`)
  writeFileSync(path, `${readFileSync(CONFIGURATION, "utf8")}resource_servers:\n${named.join("")}`)
  return path
}

/** The first challenge of the server names one permission only, as many MCP servers do. */
async function serveNotes({ server }: Listening, deployment: Deployment, resource: string): Promise<void> {
  findSource()
  const { mcpServer } = await import("../../examples/mcp/mcp-server.ts")
  const { clientId, secret } = deployment.resourceServer
  const kit = createResourceServer({
    issuer: deployment.url,
    clientId,
    clientSecret: secret ?? "",
    resource,
    requireAudience: true,
    permissions: ["notes:read"],
  })
  const { pathname } = new URL(resource)
  const tools = mcpServer(kit)
  const listener: RequestListener = (request, response) => {
    if (request.headers.authorization !== undefined || request.url !== pathname)
      return tools(request, response)
    void kit.verify(request, requirePermission("notes:read")).then((checked) => {
      if (!checked.ok) sendRefusal(response, checked.refusal)
    })
  }
  server.on("request", listener)
  deployment.span.after(() => kit.close())
}
