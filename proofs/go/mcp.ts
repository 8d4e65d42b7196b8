/** A client of the official MCP SDK for Go goes through the whole flow against the Go example. */
import { decide } from "../../test/support/connect.ts"
import type { Span } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"
import type { Figures } from "../proof.ts"
import { GoProgram } from "./program.ts"
import { expect, serve } from "./servers.ts"
import type { Binaries } from "./tools.ts"
import type { World } from "./world.ts"

type Said = {
  readonly authorize?: string
  readonly connected?: string
  readonly result?: unknown
  readonly error?: string
  readonly token?: string
  readonly client_id?: string
}

export async function mcp(span: Span, world: World, binaries: Binaries): Promise<Figures> {
  const { url, call } = await serve(span, world, binaries["go-mcp"])
  await expectStranger(url)
  const client = new GoProgram(span, binaries.program, ["mcp"], { MCP_URL: `${url}/mcp` })
  expect("the first consent asks for", await consent(client, world), "notes:read")
  expect("connected to", (await client.value<Said>()).connected, "notes")
  expect("list_notes", (await client.asked<Said>("list_notes")).result, { username: "bob", notes: [] })
  // The tool needs more than was granted. Its 403 names that, and the SDK asks for it.
  client.say("add_note")
  const asked = await consent(client, world)
  expect("the second consent asks for", asked.split(" ").sort(), ["notes:read", "notes:write"])
  expect("add_note", (await client.value<Said>()).result, { username: "bob", notes: ["milk"] })
  const { token = "", client_id: clientId = "" } = await client.asked<Said>("token")
  await world.revoke(token, clientId)
  await until(async () => (await call(token, "/mcp", "POST")).status === 401, "the token is refused")
  // The SDK refreshes or asks again by itself. Without a consent, the tool stays closed.
  client.say("list_notes")
  const after = await client.value<Said>()
  if (after.result !== undefined) throw new Error("a revoked credential called a tool")
  return {
    "MCP SDK: consents until all tools were open": 2,
    "MCP SDK: after a revocation": after.authorize === undefined ? "refused" : "asks for consent again",
  }
}

/** Answers the consent page that the client opens. Returns the scope that it asked for. */
async function consent(client: GoProgram, world: World): Promise<string> {
  const { authorize, ...other } = await client.value<Said>()
  if (authorize === undefined) throw new Error(`the client did not ask for consent: ${JSON.stringify(other)}`)
  const address = new URL(authorize)
  client.say((await decide(world.browser, address, "authorize")).href)
  return address.searchParams.get("scope") ?? ""
}

async function expectStranger(url: string): Promise<void> {
  const metadata = `${url}/.well-known/oauth-protected-resource/mcp`
  const refused = await fetch(`${url}/mcp`, { method: "POST" })
  const challenge = refused.headers.get("www-authenticate")
  expect("a stranger", challenge, `Bearer scope="notes:write notes:read", resource_metadata="${metadata}"`)
  const document = (await (await fetch(metadata)).json()) as Record<string, unknown>
  expect("the metadata", document["resource"], `${url}/mcp`)
  const headers = { origin: "https://attacker.example" }
  expect("another site", (await fetch(`${url}/mcp`, { method: "POST", headers })).status, 403)
}
