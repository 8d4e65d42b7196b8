/** A disk without room, as a small file system that the test fills. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { fillUp, mountingMissing, mountSmall } from "../../../proofs/faults/small-disk.ts"
import { latchkey, SpawnedServer } from "../../support/spawn.ts"
import { until } from "../../support/until.ts"

const missing = mountingMissing()

test(
  "LOAD-7, LOG-1 on a full disk /health says so with 200, and with room again the log says that the database answers",
  missing === null ? {} : { skip: missing },
  async (t) => {
    const disk = mountSmall(t, 8) ?? assert.fail("nothing was mounted")
    const add = ["app", "add", "--name", "Notes", "--type", "public", "--redirect", "http://127.0.0.1/"]
    const sqlite = { environment: { LATCHKEY_DATABASE_URL: "" } }
    const added = await latchkey([...add, "--permission", "account:read", "--data", disk, "--json"], sqlite)
    assert.equal(added.code, 0, added.stderr)
    const { client_id } = JSON.parse(added.stdout) as { readonly client_id: string }
    await latchkey(["setting", "set", "rate_limit.oauth_anonymous", "off", "--data", disk], sqlite)
    const server = await SpawnedServer.start(t, disk, { LATCHKEY_DATABASE_URL: "" })
    const health = async () => {
      const answer = await fetch(`${server.url}/health`)
      return [answer.status, await answer.json()]
    }
    const ask = () =>
      fetch(`${server.url}/oauth/device-authorization`, {
        method: "POST",
        body: new URLSearchParams({ client_id }),
      })
    assert.deepEqual(await health(), [200, { status: "ok" }])
    const free = fillUp(disk)
    await until(async () => {
      const { status } = await ask()
      return (
        status === 503 &&
        JSON.stringify(await health()) === JSON.stringify([200, { status: "ok", store: "full" }])
      )
    }, "the disk is full")
    free()
    await until(async () => JSON.stringify(await health()) === '[200,{"status":"ok"}]', "there is room")
    await until(() => server.stderr.includes("the database answers again"), "the log says so")
  },
)
