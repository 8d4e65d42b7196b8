/** The proof of the MCP client of the Rust SDK. It is compiled, which takes minutes, so it is not among the tests. */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { McpProgram } from "../../test/clients/mcp-python.ts"
import { deployWithServers } from "../../test/clients/notes-servers.ts"
import { within } from "../../test/support/spawn.ts"
import type { Proof } from "../proof.ts"

const LIMIT_MILLISECONDS = 1_800_000

export const rust: Proof = {
  name: "rust",
  promise: "the MCP client of the Rust SDK registers itself and steps up, however the resource is spelled",
  engines: ["sqlite"],
  prove: async ({ work, say }) => {
    say("the program, with its crates")
    const built = build(join(work, "program"))
    if (built !== null) {
      say(`left out: ${built}`)
      return { "left out": built }
    }
    await withProgram(join(work, "program/target/debug/step-up"))
    return { "rmcp 3.11.0": "it stepped up with both spellings, and had a refresh token throughout" }
  },
}

export function withProgram(program: string): Promise<void> {
  return within(async (span) => {
    const { deployment, servers } = await deployWithServers(span)
    for (const { url, configured } of [servers.same, servers.other]) {
      const client = new McpProgram(span, deployment.alice, [program, url.href])
      assert.deepEqual((await client.next())["tools"], ["add_note", "list_notes"])
      const first = await client.does({ do: "tokens" })
      const step = { do: "call", tool: "add_note", arguments: { text: "milk" } }
      const { value } = await client.does(step)
      assert.deepEqual(value, { username: "alice", notes: ["milk"] })
      assert.deepEqual(client.scopes, ["notes:read", "notes:read notes:write"])
      const second = await client.does({ do: "tokens" })
      assert.equal(second["client_id"], first["client_id"])
      assert.match(String(second["refresh_token"]), /^lkr_/)
      assert.notEqual(second["refresh_token"], first["refresh_token"])
      const resources = client.opened.map((address) => address.searchParams.get("resource"))
      const isOther = servers.other.configured === configured
      for (const resource of resources) assert.equal(resource !== configured, isOther)
    }
  })
}

/** Returns a sentence if that is not possible, for example without a network or without Rust. */
function build(directory: string): string | null {
  cpSync(join(import.meta.dirname, "program"), directory, { recursive: true })
  const { status, stderr } = spawnSync("cargo", ["build", "--quiet"], {
    cwd: directory,
    encoding: "utf8",
    timeout: LIMIT_MILLISECONDS,
  })
  if (status === 0) return null
  return `cargo build failed (is there a network?): ${(stderr ?? "no cargo").trim().slice(-300)}`
}
