import assert from "node:assert/strict"
import { describe, it, type TestContext } from "node:test"
import { openPostgres } from "../../../../src/store/postgres/postgres-store.ts"
import type { Problem } from "../../../../src/store/list-shapes.ts"
import type { Store } from "../../../../src/store/store.ts"
import { type Change, decided } from "../../../../src/model/change.rules.ts"
import { freshDatabase, needsPostgres, rowsOf } from "../../../support/postgres.ts"
import { event } from "../../../../src/model/event.rules.ts"
import { bucketAt } from "../../../../src/model/tally.rules.ts"
import { account, active, client, deviceGrant, factors, hash, id, NOW, session } from "../../samples.ts"

async function seeded(t: TestContext): Promise<{ url: string; store: Store }> {
  const { url, drop } = await freshDatabase({ migrated: true })
  const store = await openPostgres(url, { poolSize: 3 })
  t.after(async () => {
    await store.close()
    await drop()
  })
  const [, passkey] = factors()
  const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10])
  const tally = {
    grain: "day",
    at: bucketAt("day", NOW),
    name: "credential.issued",
    clientId: null,
    count: 1,
  } as const
  const changes: Change[] = [
    { change: "accountAdded", account: account() },
    { change: "clientAdded", client: client() },
    { change: "clientChanged", client: client() },
    { change: "iconSet", clientId: id("c"), icon: { png, hash: hash("icon") } },
    { change: "credentialAdded", credential: active() },
    { change: "deviceGrantAdded", grant: deviceGrant() },
    { change: "factorAdded", factor: passkey },
    { change: "sessionAdded", session: session() },
    { change: "tallied", tallies: [tally] },
    { change: "eventRecorded", event: event("signed-in", NOW, { userId: id("a") }) },
  ]
  await store.change({}, () => decided(null, ...changes))
  return { url, store }
}

/** SQL that damages the database, and the problem that must be reported. */
const broken: readonly [sql: string, table: string, problem: RegExp][] = [
  ["UPDATE account SET password_hash = 'plain'", "account", /not of argon2id/],
  ["UPDATE client SET ceiling = 'a  b'", "client", /ceiling/],
  ["UPDATE credential SET gone_at = gone_at + 1", "credential", /gone_at/],
  ["UPDATE credential SET user_id = 'a b'", "credential", /not an identifier/],
  ["DELETE FROM client", "credential", /app of a live credential does not exist/],
  ["UPDATE device_grant SET expires_at = 7", "device_grant", /ten minutes/],
  ["UPDATE factor SET transports = 'usb usb'", "factor", /transports/],
  ["UPDATE session SET session_hash = 'plain'", "session", /not a digest/],
  ["UPDATE tally SET client_id = 'paper clip'", "tally", /client_id/],
  ["UPDATE invalidation SET key = 'two words'", "invalidation", /not an identifier/],
  ["UPDATE client SET owner_id = 'lost'", "client", /points to a row of account/],
  ["UPDATE invalidation_last SET id = 0", "invalidation", /next id is not greater/],
  ["DELETE FROM invalidation_last", "invalidation_last", /0 rows/],
  ["SELECT setval(pg_get_serial_sequence('event', 'id'), 1, false)", "event", /next id/],
  ["ALTER TABLE session DISABLE TRIGGER ALL; DELETE FROM account", "session", /points to a row of account/],
]

const refused: readonly string[] = [
  `UPDATE icon SET png = '\\x00'`,
  "UPDATE account SET admin = 7",
  "UPDATE client SET type = 'confidential'",
  "UPDATE credential SET over_at = 1",
  "UPDATE credential SET generation = 0",
  "UPDATE device_grant SET state = 'approved'",
  "UPDATE factor SET kind = 'recovery', codes = ''",
  "UPDATE session SET proven_at = 1",
  "UPDATE tally SET count = 0",
  "UPDATE tally SET at = at + 60",
  "UPDATE invalidation SET of = 'session'",
]

const fixed = "SET session_replication_role = replica; "

describe("verify on PostgreSQL", needsPostgres, () => {
  it("finds nothing in what the changes wrote, and tells how far it is", async (t) => {
    const { store } = await seeded(t)
    const progress: [number, number][] = []
    assert.deepEqual(await store.verify((done, of) => progress.push([done, of])), [])
    assert.deepEqual(progress.at(0)?.[0], 0)
    assert.deepEqual(progress.at(-1), [progress[0]?.[1], progress[0]?.[1]])
  })

  for (const [sql, table, problem] of broken)
    it(`says of: ${sql}`, async (t) => {
      const { url, store } = await seeded(t)
      await rowsOf(url, fixed + sql)
      const problems: readonly Problem[] = await store.verify()
      assert.ok(
        problems.some((one) => one.table === table && problem.test(one.problem)),
        JSON.stringify(problems),
      )
    })

  it("the schema refuses what it can say by itself", async (t) => {
    const { url } = await seeded(t)
    for (const sql of refused) await assert.rejects(rowsOf(url, sql), /violates check constraint/, sql)
  })
})
