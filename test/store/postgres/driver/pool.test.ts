/** A connection that does not open in time says little while other connections work. */
import { after, afterEach, before, beforeEach, describe, test, type TestContext } from "node:test"
import assert from "node:assert/strict"
import type { Connection } from "../../../../src/store/postgres/driver/connection.ts"
import { openConnection } from "../../../support/open-connection.ts"
import { Pool } from "../../../../src/store/postgres/driver/pool.ts"
import { ConnectionLost } from "../../../../src/store/postgres/driver/postgres-error.ts"
import { freshDatabase, needsPostgres } from "../../../support/postgres.ts"

describe("a server that is busy", needsPostgres, () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let connection: Connection

  before(async () => (database = await freshDatabase({ migrated: true })))
  beforeEach(async () => (connection = await openConnection(database.url)))
  afterEach(() => connection.end())
  after(() => database.drop())

  /** Lends one connection. The second never opens, and `meanwhile` runs until the pool gives up. */
  async function askForTwo(t: TestContext, meanwhile: (lent: Connection) => Promise<unknown>) {
    const late = Promise.withResolvers<never>()
    const coming = [Promise.resolve(connection), late.promise]
    const pool = new Pool({ connect: () => coming.shift() ?? late.promise, size: 3 })
    // The heartbeat runs as long as a connection is lent.
    t.after(() => pool.close())
    const lent = await pool.borrow()
    const second = pool.borrow()
    const reasons: unknown[] = []
    pool.whenAway((reason) => reasons.push(reason))
    await meanwhile(lent)
    late.reject(new ConnectionLost("timeout expired"))
    return { pool, lent, second, reasons }
  }

  test("a waiting request gets the connection that another returns, if the server answers on it", async (t) => {
    const { pool, lent, second, reasons } = await askForTwo(t, (on) => on.query("SELECT 1", []))
    await new Promise(setImmediate)
    pool.giveBack(lent)
    assert.equal(await second, lent)
    assert.deepEqual(reasons, [])
    pool.giveBack(lent)
  })

  test("a waiting request fails at once if the server did not answer meanwhile", async (t) => {
    const { pool, lent, second, reasons } = await askForTwo(t, () => Promise.resolve())
    await assert.rejects(second, /timeout expired/)
    assert.equal(reasons.length, 1)
    pool.giveBack(lent)
  })
})
