/**
 * Tests a real server with a changed clock. Responses depend on what is stored, and setting the clock back revives
 * nothing.
 */
import { test, type TestContext } from "node:test"
import assert from "node:assert/strict"
import {
  type AppIdentity,
  codeFor,
  connectIn,
  exchange,
  newVerifier,
  refresh,
  signedInBrowser,
} from "../support/connect.ts"
import { movedClock, needsFaketime } from "../support/faketime.ts"
import { addAccount, addApp } from "../support/seed.ts"
import { newDirectory, SpawnedServer } from "../support/spawn.ts"
import { DAY } from "../../src/kernel/time.ts"

test(
  "CRED-2, AUTH-7, LIM-4: a token retired before a restart revokes the credential 61 seconds later",
  needsFaketime,
  async (t) => {
    const { app, at } = await newServer(t)
    const first = await at(0, async (server) => {
      const held = await connectIn(await signedInBrowser(server, "alice"), server, app)
      const second = await refresh(server, app, held.refresh_token)
      assert.equal(second.status, 200)
      return { retired: held.refresh_token, current: second.body }
    })
    await at(61, async (server) => {
      assert.equal(await accountStatus(server, first.current["access_token"]), 200)
      assert.equal((await refresh(server, app, first.retired)).body["error"], "invalid_grant")
      assert.equal(await accountStatus(server, first.current["access_token"]), 401)
      const current = await refresh(server, app, String(first.current["refresh_token"]))
      assert.equal(current.body["error"], "invalid_grant")
    })
  },
)

test(
  "CRED-4, CODE-2, LIM-5: what was answered as ended stays ended when the clock is set back; the rest goes on",
  needsFaketime,
  async (t) => {
    const { app, at } = await newServer(t)
    const { verifier, challenge } = newVerifier()
    const held = await at(0, async (server) => {
      const browser = await signedInBrowser(server, "alice")
      return {
        refused: await connectIn(browser, server, app),
        unused: await connectIn(browser, server, app),
        code: await codeFor(browser, app, challenge),
      }
    })
    await at(601, async (server) => {
      const late = await exchange(server, app, held.code, verifier)
      assert.equal(late.body["error"], "invalid_grant")
    })
    await at(91 * DAY, async (server) => {
      const late = await refresh(server, app, held.refused.refresh_token)
      assert.deepEqual([late.status, late.body["error"]], [400, "invalid_grant"])
    })
    await at(0, async (server) => {
      assert.equal((await refresh(server, app, held.refused.refresh_token)).body["error"], "invalid_grant")
      assert.equal((await exchange(server, app, held.code, verifier)).body["error"], "invalid_grant")
      assert.equal((await refresh(server, app, held.unused.refresh_token)).status, 200)
    })
  },
)

async function newServer(t: TestContext) {
  const dir = newDirectory(t)
  await addAccount(dir, "alice")
  const app: AppIdentity = await addApp(dir, { type: "public" })
  /** Runs a server whose clock is `seconds` ahead while `use` runs. */
  const at = async <T>(seconds: number, use: (server: SpawnedServer) => Promise<T>): Promise<T> => {
    const environment = seconds === 0 ? {} : (movedClock?.(seconds) ?? {})
    const server = await SpawnedServer.start(t, dir, environment)
    const answer = await use(server)
    await server.stop()
    return answer
  }
  return { app, at }
}

async function accountStatus(server: SpawnedServer, accessToken: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${String(accessToken)}` }
  return (await fetch(`${server.url}/api/account`, { headers })).status
}
