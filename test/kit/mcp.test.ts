/** Tests an MCP client of the official SDK with the example server. All code on the client's side is the SDK's own. */
import { after, beforeEach, test } from "node:test"
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { requirePermission } from "../../packages/resource-server/src/resource-server.ts"
import { updateApp } from "../../src/apps/app.ts"
import {
  called,
  connected,
  connectedTo,
  PATIENCE_MILLISECONDS,
  Program,
  transportOf,
} from "../clients/mcp-program.ts"
import { until } from "../support/until.ts"
import { ApiServer } from "./api-server.ts"
import { findSource } from "./source.ts"
import { OPERATOR } from "../support/test-server.ts"

findSource()
const { mcpServer } = await import("../../examples/mcp/mcp-server.ts")

const own = await ApiServer.open({
  permissions: {
    "notes:read": { title: "Read notes" },
    "notes:write": { title: "Write", implies: ["notes:read"] },
  },
})
const server = createServer((request, response) => listener(request, response))
server.listen(0, "127.0.0.1")
await once(server, "listening")
const url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/mcp`)
const permissions = ["notes:read", "notes:write"]
const kit = await own.liveKit({ resource: url.href, permissions, requireAudience: true })
const listener = mcpServer(kit)
after(async () => {
  server.closeAllConnections()
  server.close()
  await own.close()
})
beforeEach(() => own.testServer.set("registration.open", "on"))

test("REG-2: from a bare address to a tool call: metadata, discovery, registration, PKCE, consent, exchange", async () => {
  const program = new Program()
  const client = await connected(program, url, own.bob)
  const asked = program.sentTo?.searchParams
  assert.equal(asked?.get("resource"), url.href)
  assert.equal(asked.get("scope"), "notes:read notes:write")
  assert.equal(asked.get("code_challenge_method"), "S256")
  assert.equal(program.registrations, 1)
  assert.deepEqual(
    (await client.listTools()).tools.map(({ name }) => name),
    ["list_notes", "add_note"],
  )
  assert.deepEqual(await called(client, "add_note", { text: "milk" }), { username: "bob", notes: ["milk"] })
  await client.close()
})

test("CRED-1: an access token that has ended is refreshed by the SDK, and the call goes through", async () => {
  const program = new Program()
  const client = await connected(program, url, own.bob)
  const first = program.kept
  program.sentTo = undefined
  own.testServer.clock.advance(3601)
  assert.deepEqual(await called(client, "list_notes"), { username: "bob", notes: ["milk"] })
  assert.notEqual(program.kept?.access_token, first?.access_token)
  assert.notEqual(program.kept?.refresh_token, first?.refresh_token)
  assert.equal(program.sentTo, undefined, "no browser was opened")
  assert.equal(program.registrations, 1)
  await client.close()
})

test("CRED-3: a revoked credential leads to a new consent", async () => {
  const program = new Program()
  const client = await connected(program, url, own.bob)
  program.sentTo = undefined
  const { access_token = "" } = program.kept ?? {}
  await own.revoke({ access_token }, program.registered?.client_id)
  await until(async () => {
    const headers = { authorization: `Bearer ${access_token}` }
    return !(await kit.verify({ headers })).ok
  }, "the token is refused")
  await assert.rejects(called(client, "list_notes"), UnauthorizedError)
  assert.ok(program.sentTo, "the SDK asks for consent again")
  await client.close()
})

test("REG-1: with registration closed the client gets an error, and nothing hangs", async () => {
  await own.testServer.set("registration.open", "off")
  const program = new Program()
  const begun = performance.now()
  await assert.rejects(
    connectedTo(transportOf(program, url)),
    /^Error: Incompatible auth server: does not support dynamic client registration$/,
  )
  assert.ok(performance.now() - begun < PATIENCE_MILLISECONDS)
  assert.equal(program.sentTo, undefined)
})

test("with registration closed an app that an administrator registered connects as well", async () => {
  await own.testServer.set("registration.open", "off")
  const program = new Program()
  const app = await own.testServer.addApp({ redirectUris: ["http://127.0.0.1/callback"], permissions })
  program.registered = { client_id: app.clientId }
  const client = await connected(program, url, own.bob)
  assert.deepEqual(await called(client, "list_notes"), { username: "bob", notes: ["milk"] })
  await client.close()
})

test("MCP-1: a request from a page of another origin is refused, whatever it carries", async () => {
  const program = new Program()
  const client = await connected(program, url, own.bob)
  const call = async (origin: string | null, authorization = `Bearer ${program.kept?.access_token}`) => {
    const headers = {
      authorization,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(origin !== null && { origin }),
    }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
    const response = await fetch(url, { method: "POST", headers, body })
    await response.text()
    return response.status
  }
  assert.equal(await call(null), 200)
  assert.equal(await call(url.origin), 200)
  const foreign = [
    "https://attacker.example",
    `https://localhost:${url.port}`,
    `http://localhost:${Number(url.port) + 1}`,
    `http://localhost.attacker.example:${url.port}`,
    `${url.origin}/`,
    "null",
    "",
  ]
  for (const origin of foreign) assert.equal(await call(origin), 403, origin)
  assert.equal(await call("https://attacker.example", ""), 403, "before the token is looked at")
  await client.close()
})

test("MCP-1: a 401 names the permissions of all tools, a 403 those of the tool; a token without a resource is refused", async () => {
  const all = 'scope="notes:read notes:write", '
  const metadata = `resource_metadata="${kit.metadataUrl}"`
  const challenge = async (authorization: string | null, method = "tools/list", tool?: string) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { name: tool, arguments: {} } })
    const headers = { "content-type": "application/json", ...(authorization !== null && { authorization }) }
    const response = await fetch(url, { method: "POST", headers, body })
    await response.text()
    return { status: response.status, challenge: response.headers.get("www-authenticate") }
  }
  assert.deepEqual(await challenge(null), { status: 401, challenge: `Bearer ${all}${metadata}` })
  const invalid = 'error="invalid_token", error_description="The access token is not valid.", '
  assert.deepEqual(await challenge("Bearer unknown"), {
    status: 401,
    challenge: `Bearer ${invalid}${all}${metadata}`,
  })
  const app = await own.testServer.addApp({ permissions: ["notes:read"] })
  const { access_token } = await own.grant(app, { resource: url.href })
  const lacking =
    'error="insufficient_scope", error_description="The credential lacks a permission that this needs.", '
  assert.deepEqual(await challenge(`Bearer ${access_token}`, "tools/call", "add_note"), {
    status: 403,
    challenge: `Bearer ${lacking}scope="notes:write", ${metadata}`,
  })
  // A tool without a row needs the permissions of all tools.
  assert.deepEqual(await challenge(`Bearer ${access_token}`, "tools/call", "undeclared"), {
    status: 403,
    challenge: `Bearer ${lacking}${all}${metadata}`,
  })
  const unnamed = 'error="invalid_token", error_description="The access token names no resource.", '
  const held = await own.grant(app)
  assert.deepEqual(await challenge(`Bearer ${held.access_token}`), {
    status: 401,
    challenge: `Bearer ${unnamed}${all}${metadata}`,
  })
})

test("PERM-5: a tool whose permission was taken off the app is refused, and the client does not go round in circles", async () => {
  const program = new Program()
  const app = await own.testServer.addApp({ redirectUris: ["http://127.0.0.1/callback"], permissions })
  program.registered = { client_id: app.clientId }
  const client = await connected(program, url, own.bob)
  await updateApp(own.testServer.latchkey, app.clientId, { removePermissions: ["notes:write"] }, OPERATOR)
  const headers = { authorization: `Bearer ${program.kept?.access_token}` }
  await until(async () => !(await kit.verify({ headers }, requirePermission("notes:write"))).ok, "it is gone")
  await assert.rejects(called(client, "add_note", { text: "eggs" }), /403/)
  assert.deepEqual(await called(client, "list_notes"), { username: "bob", notes: ["milk"] })
  await client.close()
})

test("an app that may not have what the metadata offers gets an error instead of the consent page", async () => {
  const program = new Program()
  const app = await own.testServer.addApp({
    redirectUris: ["http://127.0.0.1/callback"],
    permissions: ["notes:read"],
  })
  program.registered = { client_id: app.clientId }
  await assert.rejects(connectedTo(transportOf(program, url)), UnauthorizedError)
  const address = new URL(program.sentTo?.href ?? "")
  const answer = await fetch(own.front.url + address.pathname + address.search, { redirect: "manual" })
  const back = new URL(answer.headers.get("location") ?? "about:blank")
  assert.equal(back.searchParams.get("error"), "invalid_scope")
})
