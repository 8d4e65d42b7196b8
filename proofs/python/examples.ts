/** The examples, started as their pages say, and the MCP client of the Python SDK from discovery to a tool call. */
import assert from "node:assert/strict"
import { join } from "node:path"
import { McpProgram, pythonCommand } from "../../test/clients/mcp-python.ts"
import { freePort } from "../../test/support/free-port.ts"
import { type Span, within } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"
import type { Figures } from "../proof.ts"
import type { Python } from "./install.ts"
import { Subject } from "./subject.ts"

const examples = join(import.meta.dirname, "../../examples")

export function withExamples({ python }: Python): Promise<Figures> {
  return within(async (span) => {
    const subject = await Subject.open(span)
    await fastapi(subject, python)
    const steps = await fastmcp(span, subject, python)
    return {
      "examples/fastapi": "its answers are right",
      "examples/fastmcp with the MCP client of the SDK": steps,
    }
  })
}

async function fastapi(subject: Subject, python: string): Promise<void> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  await subject.program([python, join(examples, "fastapi/main.py")], `${url}/notes`, { PORT: String(port) })
  const authorization = `Bearer ${await subject.token({ resource: url })}`
  const call = async (method: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/notes`, { method, headers })
    return { status: response.status, headers: response.headers, body: (await response.json()) as unknown }
  }
  const read = await call("GET", { authorization })
  assert.deepEqual([read.status, read.body], [200, { username: "alice", notes: [] }])
  assert.equal((await call("GET")).status, 401)
  const written = await call("POST", { authorization })
  assert.match(written.headers.get("www-authenticate") ?? "", /insufficient_scope.*scope="notes:write"/)
  const elsewhere = `Bearer ${await subject.token({ resource: "https://other.example" })}`
  assert.equal((await call("GET", { authorization: elsewhere })).status, 401)
  const openapi = (await (await fetch(`${url}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, { readonly post: { readonly security: unknown } }>>
  }
  assert.deepEqual(openapi.paths["/notes"]?.post.security, [{ Latchkey: ["notes:write"] }])
}

async function fastmcp(span: Span, subject: Subject, python: string): Promise<string> {
  const port = await freePort()
  const url = `http://localhost:${port}/mcp`
  await subject.program([python, join(examples, "fastmcp/main.py")], url, { PORT: String(port) })
  const client = new McpProgram(span, subject.alice, pythonCommand(python, "with_mcp.py", url))
  const { tools } = await client.next()
  assert.deepEqual(tools, ["add_note", "list_notes"])
  assert.deepEqual(client.scopes, ["notes:read notes:write"])
  const call = (tool: string, args: object) => client.does({ do: "call", tool, arguments: args })
  const added = await call("add_note", { text: "milk" })
  assert.deepEqual(added, { error: false, value: { username: "alice", notes: ["milk"] } })
  const { access_token: token, client_id: clientId } = await client.does({ do: "tokens" })
  await subject.revoke(String(token), String(clientId))
  await until(async () => (await calling(url, String(token), "list_notes")).status === 401, "it is refused")
  const listed = await call("list_notes", {})
  assert.deepEqual(listed, { error: false, value: { username: "alice", notes: ["milk"] } })
  assert.equal(client.scopes.length, 2, "after the revocation the client asked for a new consent")
  await refusedByTool(subject, url)
  return "discovery, registration, consent, exchange, tool calls; a revocation, and a new consent"
}

/** A token for one tool is refused at the other, with the permission that it lacks. */
async function refusedByTool(subject: Subject, url: string): Promise<void> {
  const response = await calling(url, await subject.token({ resource: url }), "add_note")
  assert.equal(response.status, 403)
  assert.match(response.headers.get("www-authenticate") ?? "", /insufficient_scope.*scope="notes:write"/)
}

/** Calls a tool without a client. Returns the response without its body. */
async function calling(url: string, token: string, tool: string): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: {} },
    }),
  })
  await response.body?.cancel()
  return response
}
