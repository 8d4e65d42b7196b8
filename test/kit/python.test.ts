/**
 * Tests the core of the Python kit with Debian's Python: the vectors of every kit, and real connections to a service.
 * The adapters need packages of other registries: see `npm run prove -- --only python`.
 */
import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { needsModules } from "../support/leave-out.ts"
import { environmentWith, wholeFile } from "../support/spawn.ts"
import { until } from "../support/until.ts"
import { ApiServer, RESOURCE } from "./api-server.ts"
import { untilInEffect } from "./in-effect.ts"

const PYTHON = "/usr/bin/python3"
const kit = join(import.meta.dirname, "../../packages/resource-server-python")
const environment = environmentWith({ PYTHONPATH: join(kit, "src"), PYTHONDONTWRITEBYTECODE: "1" })
const needsPython = needsModules(["httpx", "pytest"])

test("the vectors, with the synchronous and the asynchronous kit", needsPython, () => {
  const args = [
    "-m",
    "pytest",
    "-q",
    "-p",
    "no:cacheprovider",
    "tests/test_vectors.py",
    "tests/test_turns.py",
  ]
  const { status, stdout } = spawnSync(PYTHON, args, { cwd: kit, env: environment, encoding: "utf8" })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^\d{3,} passed in /m)
})

test("the pages show whole programs, which import what the kit has", needsPython, () => {
  const pages = [join(kit, "../../docs/python.md"), join(kit, "README.md")]
  const args = [join(import.meta.dirname, "python/pages.py"), ...pages]
  const { status, stdout, stderr } = spawnSync(PYTHON, args, { env: environment, encoding: "utf8" })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^[1-9]\d* programs, [1-9]\d* names\n$/)
})

describe("a real service", needsPython, () => {
  type Kind = "sync" | "async"
  const kinds: readonly Kind[] = ["sync", "async"]
  const span = wholeFile()
  let own: ApiServer
  let program: Program

  before(async () => {
    own = await ApiServer.open()
    program = new Program()
    for (const kind of kinds) await program.does({ do: "open", kit: kind, options: optionsOf(own) })
    for (const kind of kinds) await untilLive(kind)
  })
  after(() => own.close())

  const reasonOf = async (kind: Kind, token: string | null, more: object = {}) =>
    (await program.does({ do: "check", kit: kind, token, ...more }))["reason"]

  async function untilLive(kind: Kind, live = true): Promise<void> {
    await reasonOf(kind, null)
    await until(
      async () => (await program.does({ do: "live", kit: kind }))["live"] === live,
      `${kind} is live`,
    )
  }

  for (const kind of kinds) {
    test(`${kind}: a token is asked about once, and what it lacks is refused`, async () => {
      const { access_token: token } = await own.grant()
      const asked = own.front.introspections
      const many = await program.does({ do: "many", kit: kind, token, times: 50 })
      assert.deepEqual(many, { ok: 50 })
      assert.equal(await reasonOf(kind, token, { permissions: ["files:write"] }), "ok")
      assert.equal(await reasonOf(kind, token, { permissions: ["admin:accounts"] }), "permission_lacking")
      assert.equal(await reasonOf(kind, token, { elevation: true }), "elevation_lacking")
      assert.equal(own.front.introspections, asked + 1)
      const refused = await program.does({ do: "check", kit: kind, token: null, permissions: ["files:read"] })
      const metadata = "https://api.example/.well-known/oauth-protected-resource/notes"
      const { "www-authenticate": challenge } = refused["headers"] as Record<string, string>
      assert.equal(challenge, `Bearer scope="files:read", resource_metadata="${metadata}"`)
    })

    test(`${kind}: CRED-3: a revocation is in effect within a second`, async () => {
      const held = await own.grant()
      assert.equal(await reasonOf(kind, held.access_token), "ok")
      await own.revoke(held)
      await untilInEffect(
        async () => (await reasonOf(kind, held.access_token)) === "token_invalid",
        "the token is refused",
      )
    })

    test(`${kind}: AUTHZ-9: a token for another resource is refused`, async () => {
      const elsewhere = await own.grant(own.app, { resource: "https://other.example/" })
      assert.equal(await reasonOf(kind, elsewhere.access_token), "audience_other")
      const here = await own.grant(own.app, { resource: RESOURCE })
      assert.equal(await reasonOf(kind, here.access_token), "ok")
    })

    test(`${kind}: a revocation that a broken stream missed is caught up`, async () => {
      const held = await own.grant()
      assert.equal(await reasonOf(kind, held.access_token), "ok")
      const opened = own.front.opened
      own.front.cutStreams()
      await own.revoke(held)
      // Both kits open their streams again.
      await until(() => own.front.opened >= opened + 2, "the streams are opened again")
      for (const each of kinds) await untilLive(each)
      assert.equal(await reasonOf(kind, held.access_token), "token_invalid")
    })

    test(`${kind}: without the service 503, and what is not known never passes`, async () => {
      const held = await own.grant()
      assert.equal(await reasonOf(kind, held.access_token), "ok")
      own.front.goDown()
      await untilLive(kind, false)
      const refused = await program.does({ do: "check", kit: kind, token: held.access_token })
      assert.deepEqual([refused["reason"], refused["status"]], ["service_unavailable", 503])
      own.front.isDown = false
      for (const each of kinds) await untilLive(each)
      assert.equal(await reasonOf(kind, held.access_token), "ok")
    })
  }

  test("sync: a child process opens its own stream", async () => {
    const { access_token: token } = await own.grant()
    const opened = own.front.opened
    assert.deepEqual(await program.does({ do: "fork", kit: "sync", token }), {
      was_live: false,
      reason: "ok",
    })
    assert.equal(own.front.opened, opened + 1)
    assert.equal(await reasonOf("sync", token), "ok")
  })

  test("a closed kit asks at every check, and its process ends", async () => {
    const { access_token: token } = await own.grant()
    for (const kind of kinds) {
      await program.does({ do: "close", kit: kind })
      const asked = own.front.introspections
      for (let i = 0; i < 2; i++) assert.equal(await reasonOf(kind, token), "ok")
      assert.equal(own.front.introspections, asked + 2)
    }
    assert.equal(await program.end(), 0)
  })

  /** The program in python/checks.py. */
  class Program {
    readonly #child = spawn(PYTHON, [join(import.meta.dirname, "python/checks.py")], {
      env: environment,
      stdio: ["pipe", "pipe", "inherit"],
    })
    readonly #lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
    readonly #ended = new Promise<number | null>((resolve) => this.#child.once("close", resolve))

    constructor() {
      span.after(() => this.#child.kill("SIGKILL"))
    }

    async does(step: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
      this.#child.stdin.write(`${JSON.stringify(step)}\n`)
      const { value, done } = await this.#lines.next()
      assert.ok(done !== true, "the program has ended")
      return JSON.parse(value) as Record<string, unknown>
    }

    end(): Promise<number | null> {
      this.#child.stdin.end()
      return this.#ended
    }
  }
})

function optionsOf({ front, api }: ApiServer): object {
  return {
    issuer: front.url,
    client_id: api.clientId,
    client_secret: api.secret ?? "",
    resource: RESOURCE,
  }
}
