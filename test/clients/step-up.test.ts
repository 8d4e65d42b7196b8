/** Tests that a client which registered itself for one permission gets another one after a 403 `insufficient_scope`. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { sendRefusal } from "../../packages/resource-server/src/adapter/node.ts"
import {
  createResourceServer,
  requirePermission,
} from "../../packages/resource-server/src/resource-server.ts"
import { decide } from "../support/connect.ts"
import { wholeFile } from "../support/spawn.ts"
import { findSource } from "../kit/source.ts"
import { Deployment } from "./deployment.ts"
import { called, connectedTo, decided, Program, transportOf } from "./mcp-program.ts"

findSource()
const file = wholeFile()

/** Starts the example server. Its first challenge names one permission only, as many MCP servers do. */
async function serverOf({ url, resourceServer }: Deployment): Promise<URL> {
  const { mcpServer } = await import("../../examples/mcp/mcp-server.ts")
  const server = createServer((request, response) => {
    if (request.headers.authorization !== undefined || request.url !== "/mcp") return tools(request, response)
    void kit.verify(request, requirePermission("notes:read")).then((checked) => {
      if (!checked.ok) sendRefusal(response, checked.refusal)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const resource = `http://localhost:${(server.address() as AddressInfo).port}/mcp`
  const { clientId, secret } = resourceServer
  const options = { issuer: url, clientId, clientSecret: secret ?? "", resource, requireAudience: true }
  const kit = createResourceServer({ ...options, permissions: ["notes:read"] })
  const tools = mcpServer(kit)
  file.after(() => {
    kit.close()
    server.close()
    server.closeAllConnections()
  })
  return new URL(resource)
}

test("REG-4, MCP-1: the MCP SDK registers the scope of its first challenge, and steps up after a 403 without a refresh token", async () => {
  const deployment = await Deployment.direct(file)
  const url = await serverOf(deployment)
  const program = new Program()
  const first = transportOf(program, url)
  const back = await decided(program, first, deployment.alice, "authorize")
  assert.equal(program.sentTo?.searchParams.get("scope"), "notes:read")
  await first.finishAuth(back.get("code") ?? "")
  const transport = transportOf(program, url)
  const client = await connectedTo(transport)
  assert.equal(((await called(client, "list_notes")) as { username: string }).username, "alice")

  // This version of the SDK would refresh, which widens nothing, and then give up. Without a refresh token it asks again.
  program.saveTokens({ access_token: program.kept?.access_token ?? "", token_type: "Bearer" })
  await assert.rejects(called(client, "add_note", { text: "milk" }), UnauthorizedError)
  const asked = program.sentTo.searchParams
  assert.ok(asked.get("scope")?.split(" ").includes("notes:write"), asked.get("scope") ?? "")
  const again = (await decide(deployment.alice, program.sentTo, "authorize")).searchParams
  assert.equal(again.get("error"), null)
  await transport.finishAuth(again.get("code") ?? "")
  const notes = (await called(client, "add_note", { text: "milk" })) as { notes: string[] }
  assert.deepEqual(notes.notes, ["milk"])
  assert.equal(program.registrations, 1)
  await client.close()
})
