/**
 * PostgreSQL becomes unavailable under load in every possible way, and comes back. Both nodes report this within two
 * seconds and recover automatically. No response is lost, and none is given twice.
 */
import assert from "node:assert/strict"
import { History } from "../../test/nodes/history.ts"
import { Nodes } from "../../test/nodes/nodes.ts"
import { exchange, signedInBrowser } from "../../test/support/connect.ts"
import { postgresAt } from "../../test/support/database.ts"
import { addAccount, addApp, switchBudgetOff } from "../../test/support/seed.ts"
import { postgresMissing, type PostgresServer } from "../../test/support/postgres-server.ts"
import { rowsOf, startPostgres } from "../../test/support/postgres.ts"
import { done } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"
import type { Fault } from "./fault.ts"
import { assertAway } from "./world.ts"

const HOLDERS = 12
const CODES = 3
const RECOVERY_MILLISECONDS = 5000

type Way = {
  readonly name: string
  readonly go: (server: PostgresServer) => Promise<void>
  /** Null means that the server is back at once. */
  readonly comeBack: ((server: PostgresServer) => Promise<void>) | null
}

const start = (server: PostgresServer) => server.start()
const terminate =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"

const ways: readonly Way[] = [
  { name: "stopped", go: (server) => server.stop("fast"), comeBack: start },
  { name: "killed", go: (server) => server.stop("immediate"), comeBack: start },
  { name: "paused", go: (server) => server.pause(), comeBack: async (server) => server.resume() },
  {
    name: "connections cut",
    go: async (server) => void (await rowsOf(server.url(), terminate)),
    comeBack: null,
  },
]

export const databaseAway: Fault = {
  name: "database away under load",
  rows: "SVC-2, CRED-1, CODE-1, CODE-3",
  engines: ["postgres"],
  times: 20,
  slice: 0,
  missing: postgresMissing,
  bringAbout: async ({ span, choice, times, say }) => {
    const server = await startPostgres(span, { durable: true })
    const nodes = await Nodes.start(span, { count: 2, database: postgresAt(server.url()) })
    await addAccount(nodes.dir, "alice")
    await switchBudgetOff(nodes.dir)
    const app = await addApp(nodes.dir, { type: "public" })
    const alice = await signedInBrowser(nodes, "alice")
    const history = await History.begin(nodes, app, alice, HOLDERS)
    for (let round = 0; round < times; round++) {
      await history.buy(alice, CODES)
      const way = ways[round % ways.length] as Way
      let isOver = false
      const loaded = history.load(() => isOver)
      loaded.catch(() => undefined)
      const known = history.acknowledged
      await until(() => history.acknowledged >= known + 20 + choice.below(60), "the load is on")
      await way.go(server)
      if (way.comeBack !== null) {
        const unheard = history.unanswered
        await until(() => history.unanswered >= unheard + HOLDERS, "every client got an answer")
        const asked = performance.now()
        assertAway(await exchange(nodes.at(round), app, "lkc_none", "v".repeat(43)), way.name)
        assert.ok(performance.now() - asked < 4000)
        await way.comeBack(server)
      }
      const heard = history.acknowledged
      const took = await until(() => history.acknowledged >= heard + HOLDERS, "it goes on by itself")
      assert.ok(took < RECOVERY_MILLISECONDS * 2, `${way.name}: it went on after ${took} ms`)
      isOver = true
      await loaded
      await history.check()
      say(`database ${way.name} (${round + 1} of ${times}): ${history.acknowledged} acknowledged`)
    }
    assert.deepEqual(await done(nodes.dir, ["verify"]), [])
    return times
  },
}
