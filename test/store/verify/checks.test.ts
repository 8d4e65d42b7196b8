import assert from "node:assert/strict"
import { join } from "node:path"
import { describe, it } from "node:test"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import { bucketAt, type Tally } from "../../../src/model/tally.rules.ts"
import { openSqlite } from "../../../src/store/sqlite/sqlite-store.ts"
import { account, client, hash, id, NOW } from "../samples.ts"
import { assertRefused, rawly, REFUSED, scratchDirectory } from "../scratch.ts"

const tally = (grain: Tally["grain"], clientId: Tally["clientId"]): Tally => ({
  grain,
  at: bucketAt(grain, NOW),
  name: "credential.issued",
  clientId,
  count: 1,
})

async function seeded(file: string): Promise<void> {
  const store = openSqlite(file)
  const itself = client(0, { registeredBy: "itself", registrationHash: hash("said"), deleteAfter: NOW })
  const changes: Change[] = [
    { change: "accountAdded", account: account() },
    { change: "clientAdded", client: itself },
    { change: "clientChanged", client: itself },
    // The set of an issuer may be empty.
    {
      change: "keysFetched",
      fetched: {
        clientId: itself.clientId,
        jwksUri: "https://issuer.example/keys",
        triedAt: NOW,
        problem: null,
        copy: { jwks: '{"keys":[]}', fetchedAt: NOW },
      },
    },
    { change: "tallied", tallies: [tally("minute", null), tally("hour", null), tally("day", id("c"))] },
    { change: "eventRecorded", event: event("app-disabled", NOW, { actorId: id("a") }) },
  ]
  await store.change({}, () => decided(null, ...changes))
  await store.close()
}

async function problemsOf(file: string) {
  const store = openSqlite(file)
  const problems = await store.verify()
  await store.close()
  return problems
}

/** SQL that damages the database, and a word of the problem that must be reported. */
const broken: readonly [sql: string, table: string, problem: RegExp][] = [
  ["UPDATE tally SET grain = 'week' WHERE grain = 'day'", "tally", REFUSED],
  ["UPDATE tally SET at = at + 1 WHERE grain = 'minute'", "tally", REFUSED],
  ["UPDATE tally SET at = at + 60 WHERE grain = 'hour'", "tally", REFUSED],
  ["UPDATE tally SET count = 0 WHERE grain = 'hour'", "tally", REFUSED],
  ["UPDATE tally SET count = -4 WHERE grain = 'hour'", "tally", REFUSED],
  ["UPDATE tally SET client_id = 'paper clip' WHERE grain = 'day'", "tally", /client_id/],
  ["UPDATE invalidation SET of = 'session'", "invalidation", REFUSED],
  ["UPDATE invalidation SET of = 'toString'", "invalidation", REFUSED],
  ["UPDATE invalidation SET key = 'two words'", "invalidation", /not an identifier/],
  ["DROP TRIGGER event_new_stays; UPDATE event_new SET actor_id = 'ada l'", "event", /actor_id/],
  ["UPDATE client SET registration_hash = 'plain'", "client", /registration_hash is not a digest/],
  ["UPDATE client SET gone_at = NULL", "client", REFUSED],
  [`UPDATE fetched_keys SET jwks = '{"keys":1}'`, "fetched_keys", /not a set of public keys/],
  ["UPDATE client SET registered_by = 'user'", "client", /did not register itself/],
]

describe("verify, of counts, invalidations, fetched keys and apps that registered themselves", () => {
  it("finds nothing in what the changes wrote", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    await seeded(file)
    assert.deepEqual(await problemsOf(file), [])
  })

  for (const [sql, table, problem] of broken) {
    it(`says of: ${sql}`, async (t) => {
      const file = join(scratchDirectory(t), "latchkey.db")
      await seeded(file)
      if (problem === REFUSED) return assertRefused(file, sql)
      rawly(file, sql)
      const problems = await problemsOf(file)
      assert.ok(
        problems.length > 0 && problems.every((one) => one.table === table && problem.test(one.problem)),
        JSON.stringify(problems),
      )
    })
  }
})
