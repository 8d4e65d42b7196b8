/** Random lives on three nodes. Everything happens at once, and in a second test, connections are cut at random. */
import assert from "node:assert/strict"
import { test } from "node:test"
import * as fc from "fast-check"
import { historyOf, stepOf } from "../support/history.ts"
import { needsPostgres } from "../support/postgres.ts"
import type { Span } from "../support/spawn.ts"
import { Probe } from "../../proofs/mixed/probe.ts"
import { TestServers } from "./test-servers.ts"
import { RandomLife } from "./random-life.ts"

const WORKERS = 16
const STEPS = 40

const step = stepOf({
  authorize: 3,
  exchange: 3,
  refresh: 7,
  introspect: 3,
  poll: 3,
  revoke: 1,
  "ask for a device": 1,
  answer: 1,
  "change account": 2,
  "change app": 1,
  wait: 1,
})
const script = historyOf(step, { minLength: STEPS, maxLength: STEPS })

async function begin(t: Span): Promise<RandomLife> {
  const servers = await TestServers.open(3)
  t.after(() => servers.close())
  const { testServer } = servers
  await testServer.set("rate_limit.oauth_anonymous", "off")
  const userIds = [
    await testServer.addAccount("ada", true),
    await testServer.addAccount("bea", true),
    await testServer.addAccount("carl"),
  ]
  const apps = await Promise.all(
    [0, 1, 2, 3].map(() => testServer.addApp({ redirectUris: ["http://127.0.0.1/callback"] })),
  )
  return new RandomLife(
    servers,
    userIds,
    apps.map(({ client }) => client),
  )
}

async function liveWith(life: RandomLife, seed: number): Promise<void> {
  const scripts = fc.sample(script, { seed, numRuns: WORKERS })
  await Promise.all(scripts.map((one) => life.live(one)))
}

/** Checks what must hold, whatever happened. */
async function checkWhatIsStored(life: RandomLife): Promise<void> {
  const { database, store } = life.servers.testServer
  assert.deepEqual(await store.verify(), [])
  const administrators = await store.accounts({ limit: 9 }, { admin: true, enabled: true })
  assert.ok(administrators.length > 0, "an administrator is left")
  const once = `SELECT kind, token_id, count(*)::integer AS times FROM event WHERE kind = ANY (ARRAY['consented',
    'code-exchanged', 'device-code-redeemed', 'credential-revoked', 'code-replayed', 'refresh-token-reused'])
    GROUP BY kind, token_id HAVING count(*) > 1`
  assert.deepEqual(await database.rows(once), [])
  const ends = `SELECT token_id FROM event WHERE kind IN ('credential-revoked', 'code-replayed', 'refresh-token-reused')
    GROUP BY token_id HAVING count(*) > 1`
  assert.deepEqual(await database.rows(ends), [], "a credential ends once")
  const states = `SELECT (SELECT count(*)::integer FROM credential WHERE state = 'revoked' AND because <> 'app-removed') AS revoked,
    (SELECT count(*)::integer FROM event WHERE kind IN ('credential-revoked', 'code-replayed', 'refresh-token-reused')) AS recorded,
    (SELECT count(*)::integer FROM credential) AS made,
    (SELECT count(*)::integer FROM event WHERE kind IN ('consented', 'device-code-redeemed')) AS consented,
    (SELECT count(*)::integer FROM credential c WHERE state IN ('issued', 'active')
       AND NOT EXISTS (SELECT 1 FROM client WHERE client.client_id = c.client_id)) AS orphans,
    (SELECT count(*)::integer FROM device_grant d WHERE state = 'approved' AND EXISTS
       (SELECT 1 FROM account WHERE account.user_id = d.user_id AND enabled = 0)) AS fetchable,
    (SELECT max(id) - count(*) FROM invalidation)::integer AS gaps`
  const [row] = await database.rows(states)
  assert.equal(row?.["revoked"], row?.["recorded"])
  assert.equal(row?.["made"], row?.["consented"])
  assert.deepEqual([row?.["orphans"], row?.["fetchable"], row?.["gaps"]], [0, 0, 0])
}

test(
  "CODE-1, CODE-3, CRED-1…CRED-3, DG-3, DG-6: whatever happens at once on three nodes, every answer agrees with the database",
  needsPostgres,
  async (t) => {
    const life = await begin(t)
    const probe = new Probe(t, life.servers.testServer.database)
    const seed = Number(process.env["LATCHKEY_TEST_SEED"] ?? 5)
    await liveWith(life, seed)
    await checkWhatIsStored(life)
    // If the database delays all requests, a 503 is correct, and the outcome of the change is unknown.
    if (probe.slow.length > 0 && life.unavailable > 0)
      return t.diagnostic(
        `${life.unavailable} were put off, and the database itself took ${probe.slowest} ms`,
      )
    assert.equal(life.unavailable, 0)
    await checkTallies(life)
  },
)

/** Checks that the counts of the nodes agree with the audit trail. */
async function checkTallies(life: RandomLife): Promise<void> {
  const counted = (name: string) =>
    life.servers.latchkeys.reduce((sum, { tallies }) => sum + (tallies.totals().get(name as never) ?? 0), 0)
  const events = await life.servers.testServer.database.rows(
    "SELECT kind, count(*)::integer AS n FROM event GROUP BY kind",
  )
  const recorded = (kind: string) => Number(events.find((row) => row["kind"] === kind)?.["n"] ?? 0)
  assert.equal(counted("code.replayed"), recorded("code-replayed"))
  assert.equal(counted("credential.reused"), recorded("refresh-token-reused"))
  assert.equal(counted("credential.revoked"), recorded("credential-revoked"))
  assert.equal(counted("credential.issued"), recorded("code-exchanged") + recorded("device-code-redeemed"))
  const [row] = await life.servers.testServer.database.rows(
    "SELECT sum(generation - 1)::integer AS n FROM credential WHERE generation > 0",
  )
  assert.equal(counted("credential.refreshed"), row?.["n"])
}

test(
  "CRED-1, CODE-3: connections that are cut at random make nothing happen twice, or untrue",
  needsPostgres,
  async (t) => {
    const life = await begin(t)
    const { database } = life.servers.testServer
    const state = { isOver: false, cut: 0 }
    const cutting = (async () => {
      while (!state.isOver) {
        const cut = await database.rows(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'latchkey' ORDER BY random() LIMIT 1`)
        state.cut += cut.length
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })()
    try {
      await liveWith(life, Number(process.env["LATCHKEY_TEST_SEED"] ?? 7))
    } finally {
      state.isOver = true
      await cutting
    }
    // Another connection may serve a waiting request.
    assert.ok(state.cut > 0, "nothing was cut")
    await checkWhatIsStored(life)
  },
)
