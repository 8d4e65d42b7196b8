/** A connection that does not come in time says little where others work. */
import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import type { Connection } from "../../src/store/postgres/connection.ts"
import { openConnection } from "../../src/store/postgres/open-database.ts"
import { Pool } from "../../src/store/postgres/pool.ts"
import { ConnectionLost } from "../../src/store/postgres/postgres-error.ts"
import { freshDatabase, needsPostgres } from "../support/postgres.ts"

describe("a server that is busy", needsPostgres, () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let connection: Connection

  before(async () => {
    database = await freshDatabase({ migrated: true })
    connection = await openConnection(database.url)
  })
  after(async () => {
    await connection.end()
    await database.drop()
  })

  /** Lends one connection; the second one never comes, and `meanwhile` goes on until it is given up. */
  async function askForTwo(meanwhile: (lent: Connection) => Promise<unknown>) {
    const late = Promise.withResolvers<never>()
    const coming = [Promise.resolve(connection), late.promise]
    const pool = new Pool({ connect: () => coming.shift() ?? late.promise, size: 3 })
    const lent = await pool.borrow()
    const second = pool.borrow()
    const told: unknown[] = []
    pool.whenAway((reason) => told.push(reason))
    await meanwhile(lent)
    late.reject(new ConnectionLost("timeout expired"))
    return { pool, lent, second, told }
  }

  test("whoever waits gets the connection that another gives back, where the server answers on it", async () => {
    const { pool, lent, second, told } = await askForTwo((on) => on.query("SELECT 1", []))
    await new Promise(setImmediate)
    pool.giveBack(lent)
    assert.equal(await second, lent)
    assert.deepEqual(told, [])
    pool.giveBack(lent)
  })

  test("whoever waits hears at once that it is away, where nothing was heard meanwhile", async () => {
    const { pool, lent, second, told } = await askForTwo(() => Promise.resolve())
    await assert.rejects(second, /timeout expired/)
    assert.equal(told.length, 1)
    pool.giveBack(lent)
  })
})
