/** A node killed in the middle of its work, again and again: nothing that anybody was told is lost. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { signedInBrowser } from "../support/connect.ts"
import { addAccount, addApp, switchBudgetOff } from "../support/furnish.ts"
import { needsPostgres, startPostgres } from "../support/postgres.ts"
import { postgresAt } from "../support/database.ts"
import { done } from "../support/spawn.ts"
import { until } from "../support/until.ts"
import { History } from "./history.ts"
import { Nodes } from "./nodes.ts"

const ROUNDS = 6
const HOLDERS = 12
const CODES = 4

describe("kill -9", needsPostgres, () => {
  test("CRED-1, CODE-1, CODE-3, SVC-2: of any of three nodes under load loses no answer that was given", async (t) => {
    const server = await startPostgres(t, { durable: true })
    const nodes = await Nodes.start(t, { database: postgresAt(server.url()) })
    await addAccount(nodes.dir, "alice")
    await switchBudgetOff(nodes.dir)
    const app = await addApp(nodes.dir, { type: "public" })
    const alice = await signedInBrowser(nodes, "alice")
    const history = await History.begin(nodes, app, alice, HOLDERS)

    for (let round = 0; round < ROUNDS; round++) {
      await history.buy(alice, CODES)
      const [known, unheard] = [history.acknowledged, history.unanswered]
      let isOver = false
      const loaded = history.load(() => isOver)
      loaded.catch(() => undefined)
      // Another moment each time, and another node.
      await until(() => history.acknowledged >= known + 20 + round * 9, "the load is on")
      const node = nodes.at(round)
      await node.kill()
      await until(() => history.unanswered > unheard, "somebody misses the node")
      const heard = history.acknowledged
      await until(() => history.acknowledged >= heard + 20, "the others go on")
      isOver = true
      await loaded
      await node.startAgain()
      await history.check()
    }
    assert.deepEqual(await done(nodes.dir, ["verify"]), [])
  })
})
