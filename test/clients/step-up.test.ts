/**
 * Tests that clients which registered themselves for one permission get another one after a 403 `insufficient_scope`,
 * also if they spell the resource in another way than the configuration.
 */
import { before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { decide } from "../support/connect.ts"
import { wholeFile } from "../support/spawn.ts"
import type { Deployment } from "./deployment.ts"
import { ConnectedClient } from "./mcp-client.ts"
import { called, connectedTo, decided, Program, transportOf } from "./mcp-program.ts"
import { needsEnvironment, PYTHON, pythonCommand, McpProgram } from "./mcp-python.ts"
import { deployWithServers, type NotesServer } from "./notes-servers.ts"

const file = wholeFile()
const needsPython = needsEnvironment()
let deployment: Deployment
let servers: Readonly<Record<"same" | "other", NotesServer>>

before(async () => {
  ;({ deployment, servers } = await deployWithServers(file))
})

const spellings = {
  same: "the configured spelling of the resource",
  other: "a slash and lower case where the configured resource has none",
} as const

for (const spelling of ["same", "other"] as const)
  describe(`with ${spellings[spelling]}`, () => {
    test("REG-4, RES-1, MCP-1: the MCP SDK steps up after a 403 without a refresh token", async () => {
      const { url } = servers[spelling]
      const program = new Program()
      const first = transportOf(program, url)
      const back = await decided(program, first, deployment.alice, "authorize")
      const opened = [program.sentTo]
      await first.finishAuth(back.get("code") ?? "")
      const transport = transportOf(program, url)
      const client = await connectedTo(transport)
      isAlice(await called(client, "list_notes"))
      const clientId = program.registered?.client_id

      // This version would refresh, which widens nothing, and then give up. Without a refresh token it asks again.
      program.saveTokens({ access_token: program.kept?.access_token ?? "", token_type: "Bearer" })
      await assert.rejects(called(client, "add_note", { text: "milk" }), UnauthorizedError)
      assert.ok(program.sentTo)
      const again = (await decide(deployment.alice, program.sentTo, "authorize")).searchParams
      assert.equal(again.get("error"), null)
      await transport.finishAuth(again.get("code") ?? "")
      hasNote(await called(client, "add_note", { text: "milk" }), "milk")
      steppedUp([...opened, program.sentTo], spelling)
      assert.equal(program.registered?.client_id, clientId)
      await client.close()
    })

    test("REG-4, RES-1, MCP-1: @modelcontextprotocol/client steps up after a 403, and has a refresh token throughout", async () => {
      const program = new Program()
      const client = await ConnectedClient.open(program, servers[spelling].url, deployment.alice)
      isAlice(await client.call("list_notes"))
      const clientId = program.registered?.client_id
      const first = program.kept?.refresh_token
      assert.match(first ?? "", /^lkr_/)
      hasNote(await client.callWithStepUp("add_note", { text: "bread" }), "bread")
      steppedUp(client.opened, spelling)
      assert.equal(program.registered?.client_id, clientId)
      assert.match(program.kept?.refresh_token ?? "", /^lkr_/)
      assert.notEqual(program.kept?.refresh_token, first)
      await client.close()
    })

    for (const [name, program] of [
      ["mcp for Python", "with_mcp.py"],
      ["FastMCP's client", "with_fastmcp.py"],
    ] as const)
      test(
        `REG-4, RES-1, MCP-1: ${name} steps up after a 403, and has a refresh token throughout`,
        needsPython,
        async () => {
          const { url } = servers[spelling]
          const client = new McpProgram(file, deployment.alice, pythonCommand(PYTHON, program, url.href))
          assert.deepEqual((await client.next())["tools"], ["add_note", "list_notes"])
          const call = (tool: string, args: object) => client.does({ do: "call", tool, arguments: args })
          isAlice((await call("list_notes", {}))["value"])
          const first = await client.does({ do: "tokens" })
          assert.match(String(first["refresh_token"]), /^lkr_/)
          hasNote((await call("add_note", { text: program }))["value"], program)
          steppedUp(client.opened, spelling)
          const after = await client.does({ do: "tokens" })
          assert.equal(after["client_id"], first["client_id"])
          assert.match(String(after["refresh_token"]), /^lkr_/)
          assert.notEqual(after["refresh_token"], first["refresh_token"])
        },
      )
  })

function isAlice(value: unknown): void {
  assert.equal((value as { username: string }).username, "alice")
}

function hasNote(value: unknown, note: string): void {
  assert.ok((value as { notes: readonly string[] }).notes.includes(note))
}

/** The client asked for the scope of the first challenge, and then for what it lacked. */
function steppedUp(opened: readonly (URL | undefined)[], spelling: "same" | "other"): void {
  const asked = opened.map((address) => address?.searchParams)
  assert.equal(asked.length, 2)
  assert.equal(asked[0]?.get("scope"), "notes:read")
  assert.ok(asked[1]?.get("scope")?.split(" ").includes("notes:write"))
  for (const parameters of asked)
    assert.equal(parameters?.get("resource") === servers[spelling].configured, spelling === "same")
}
