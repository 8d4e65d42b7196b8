/** Tests a database that is slow or repeatedly paused. Waiting is bounded, and nothing is issued twice. */
import { before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import pg from "pg"
import type { Browser } from "../support/browser.ts"
import { type AppIdentity, connectIn, refresh, signedInBrowser } from "../support/connect.ts"
import { postgresAt } from "../support/database.ts"
import { addAccount, addApp, switchBudgetOff } from "../support/seed.ts"
import { needsPostgres, startPostgres } from "../support/postgres.ts"
import type { PostgresServer } from "../support/postgres-server.ts"
import { done, type Span, wholeFile } from "../support/spawn.ts"
import { until } from "../support/until.ts"
import { History } from "./history.ts"
import { type Node, Nodes } from "./nodes.ts"

const REQUESTS = 1500
/** The first wave finds out that nothing responds. The second comes when this is known. */
const WAVES = 2

/**
 * The number of connections to the database. Two nodes have ten each, and need more to check whether the database
 * responds.
 */
const CONNECTIONS_AT_MOST = 30
const MEMORY_AT_MOST = 300 * 1024 * 1024

const file = wholeFile()

/** Each test waits until the database is as fast as before. */
describe("A slow database", needsPostgres, () => {
  let server: PostgresServer
  let nodes: Nodes
  let app: AppIdentity
  let alice: Browser

  before(async () => {
    server = await startPostgres(file, { durable: true })
    ;({ nodes, app, alice } = await world(file, server.url()))
  })

  test("CRED-1: a locked row delays only the requests that need it, for a bounded time", async () => {
    const held = await Promise.all(Array.from({ length: 12 }, () => connectIn(alice, nodes, app)))
    const [first, ...others] = held
    assert.ok(first)
    const release = await lockCredential(server.url(), first.token_id)
    const waiting = [0, 1].map((n) => refresh(nodes.at(n), app, first.refresh_token))
    const answered = await Promise.all(
      others.map(({ refresh_token }, n) => refreshed(nodes.at(n), app, refresh_token)),
    )
    assert.equal(answered.length, others.length)
    for (const { status } of await Promise.all(waiting)) assert.equal(status, 503)
    await release()
    const pairs = await Promise.all([0, 1].map((n) => refreshed(nodes.at(n), app, first.refresh_token)))
    assert.deepEqual(pairs[0], pairs[1], "one successor")
  })

  test("CRED-1, SVC-2: that stands still again and again under load gives nothing twice and loses nothing", async () => {
    const history = await History.begin(nodes, app, alice, 12)
    for (let round = 0; round < 2; round++) {
      await history.buy(alice, 3)
      let isOver = false
      const loaded = history.load(() => isOver)
      loaded.catch(() => undefined)
      for (let pause = 0; pause < 2; pause++) {
        const known = history.acknowledged
        await until(() => history.acknowledged > known + 30, "the load is on")
        const unheard = history.unanswered
        await server.pause()
        // The first pause of a round is short. During the second, every request gets a 503.
        if (pause === 1) await until(() => history.unanswered > unheard, "a request is answered 503")
        server.resume()
      }
      isOver = true
      await loaded
      await history.check()
    }
    assert.deepEqual(await done(nodes.dir, ["verify"]), [])
  })

  test("that does not answer: thousands of requests each get a 503, in bounded memory and with no more connections", async () => {
    const held = await connectIn(alice, nodes, app)
    const node = nodes.at(0)
    await server.pause()
    const statuses = new Map<number, number>()
    const most = { connections: 0, memory: 0 }
    const measure = () => {
      most.connections = Math.max(most.connections, connectionsTo(server.url()))
      most.memory = Math.max(most.memory, memoryOf(node))
    }
    for (let wave = 0; wave < WAVES; wave++) {
      const answers = Array.from({ length: REQUESTS }, () => refresh(node, app, held.refresh_token))
      const measured = setInterval(measure, 50)
      for (const { status } of await Promise.all(answers))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      clearInterval(measured)
    }
    assert.deepEqual([...statuses], [[503, WAVES * REQUESTS]])
    assert.ok(most.memory < MEMORY_AT_MOST, `${most.memory} bytes`)
    assert.ok(most.connections <= CONNECTIONS_AT_MOST, `${most.connections} connections`)
    server.resume()
    assert.notEqual(await refreshed(node, app, held.refresh_token), null)
  })
})

async function world(t: Span, url: string) {
  const nodes = await Nodes.start(t, { count: 2, database: postgresAt(url) })
  await addAccount(nodes.dir, "alice")
  await switchBudgetOff(nodes.dir)
  const app = await addApp(nodes.dir, { type: "public" })
  return { nodes, app, alice: await signedInBrowser(nodes, "alice") }
}

/** Locks the row of a credential until the returned function is called. */
async function lockCredential(url: string, tokenId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("BEGIN")
  await client.query("SELECT * FROM credential WHERE token_id = $1 FOR UPDATE", [tokenId])
  return async () => {
    await client.query("ROLLBACK")
    await client.end()
  }
}

/** Returns the pair of a refresh token as soon as it is issued. */
async function refreshed(node: Node, app: AppIdentity, token: string): Promise<string[]> {
  let pair: string[] = []
  await until(async () => {
    const { status, body } = await refresh(node, app, token)
    assert.ok(status === 200 || status === 503, JSON.stringify(body))
    pair = [String(body["access_token"]), String(body["refresh_token"])]
    return status === 200
  }, "it refreshes")
  return pair
}

/**
 * Counts open connections. This works only on Linux, and the result is 0 elsewhere. Closed connections that a paused
 * server has not acknowledged do not count.
 */
function connectionsTo(url: string): number {
  if (!existsSync("/proc/net/tcp")) return 0
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0")
  const open = ["01", "02"]
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote = "", state = ""]) => remote.endsWith(`:${port}`) && open.includes(state)).length
}

function memoryOf({ server: { pid } }: Node): number {
  const place = `/proc/${pid}/status`
  const [, kilobytes = "0"] = existsSync(place)
    ? (/VmRSS:\s+(\d+)/.exec(readFileSync(place, "utf8")) ?? [])
    : []
  return Number(kilobytes) * 1024
}
