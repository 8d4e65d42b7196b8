/** Tests settings that an operator may have changed for a server, a database or a role, and a pooler in between. */
import assert from "node:assert/strict"
import { connect, createServer, type AddressInfo, type Socket } from "node:net"
import { describe, it, type TestContext } from "node:test"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { decided } from "../../../src/model/change.rules.ts"
import type * as placeholders from "../../../src/store/postgres/driver/placeholders.ts"
import { openPostgres } from "../../../src/store/postgres/postgres-store.ts"
import type { Store } from "../../../src/store/store.ts"
import { freshDatabase, needsPostgres, rowsOf } from "../../support/postgres.ts"
import { account, active, client, hash, id, NOW } from "../samples.ts"

/** Some servers have these settings. The service must not depend on them. */
const ODD = {
  default_transaction_isolation: "'serializable'",
  default_transaction_deferrable: "on",
  synchronous_commit: "off",
  statement_timeout: "'1ms'",
  lock_timeout: "'1ms'",
  idle_in_transaction_session_timeout: "'1ms'",
  bytea_output: "'escape'",
  standard_conforming_strings: "off",
  backslash_quote: "off",
  array_nulls: "off",
  transform_null_equals: "on",
  timezone: "'Asia/Kathmandu'",
  datestyle: "'German'",
  intervalstyle: "'sql_standard'",
  extra_float_digits: "-15",
  jit_above_cost: "0",
  plan_cache_mode: "'force_generic_plan'",
  enable_indexscan: "off",
  enable_seqscan: "off",
} as const

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

describe("settings of a PostgreSQL server", needsPostgres, () => {
  it("whatever defaults a database has, everything is kept, counted once and read again", async (t) => {
    const url = await databaseWith(t, ODD)
    const stores = await Promise.all([0, 1].map(() => openPostgres(url, { poolSize: 6 })))
    t.after(() => Promise.all(stores.map((store) => store.close())))
    const [store, other] = stores as [Store, Store]
    const icon = { png: Uint8Array.from([...PNG, ...Array(256).keys()]), hash: hash("png") }
    const app = client(0, { iconHash: icon.hash, name: "back\\slash ' \" é 𝄞" })
    await store.change({}, () =>
      decided(
        null,
        { change: "accountAdded", account: account() },
        { change: "clientAdded", client: app },
        { change: "iconSet", clientId: app.clientId, icon },
        { change: "credentialAdded", credential: active() },
      ),
    )
    const found = await other.read({ client: app.clientId, icon: app.clientId, credential: id<TokenId>("t") })
    assert.deepEqual(found.client, app)
    assert.deepEqual(Buffer.from(found.icon?.png ?? []), Buffer.from(icon.png))
    assert.deepEqual(found.credential, active())

    const generations = await Promise.all(
      Array.from({ length: 60 }, (_, n) => refresh(stores[n % 2] as Store)),
    )
    assert.equal(new Set(generations).size, 60)

    const budgets = stores.map((one) => one.share()?.budget)
    let admitted = 0
    for (let round = 0; round < 40; round++) {
      const spent = await Promise.all(
        budgets.map(async (budget) => budget?.spend("192.0.2.1", { requests: 20, seconds: 600 })),
      )
      admitted += spent.filter((admission) => admission?.admitted).length
    }
    assert.equal(admitted, 20)

    const revoked = await store.change({ credential: id<TokenId>("t") }, ({ credential }) => {
      if (credential === null) return decided(false)
      const life = { state: "revoked", family: null, revokedAt: NOW, because: "app" } as const
      return decided(true, { change: "credentialChanged", credential: { ...credential, life } })
    })
    assert.ok(revoked)
    assert.equal((await other.invalidations(0, 9)).rows.length, 1)
    await store.sweep(NOW, 10)
    assert.deepEqual(await store.verify(), [])
  })

  it("a pooler that takes no settings serves where the defaults are good, and where not it is said what to set", async (t) => {
    const good = await openPostgres(await poolerBefore(t, await databaseWith(t, {})))
    await good.change({}, () => decided(null, { change: "settingSet", key: "a", value: "b" }))
    assert.deepEqual([...(await good.settings())], [["a", "b"]])
    await good.close()

    const hasty = await databaseWith(t, { synchronous_commit: "off" })
    await assert.rejects(
      openPostgres(await poolerBefore(t, hasty)),
      /ALTER ROLE … SET synchronous_commit = 'on'/,
    )
    const strict = await databaseWith(t, { default_transaction_isolation: "'repeatable read'" })
    await assert.rejects(
      openPostgres(await poolerBefore(t, strict)),
      /SET default_transaction_isolation = 'read committed'/,
    )
  })

  it("nodes that first ask in different orders call each statement by one name", async () => {
    const numbered = async (...statements: readonly string[]) => {
      const name = `../../../src/store/postgres/driver/placeholders.ts?${statements.join()}`
      const fresh = (await import(name)) as typeof placeholders
      return new Map(statements.map((sql) => [sql, fresh.numbered(sql)]))
    }
    const [first, second] = [
      await numbered("SELECT ?", "SELECT ?, ?"),
      await numbered("SELECT ?, ?", "SELECT ?"),
    ]
    for (const [sql, statement] of first) assert.deepEqual(second.get(sql), statement)
    assert.equal(new Set([...first.values()].map(({ name }) => name)).size, 2)
  })
})

/**
 * Creates a database with these settings. The connection uses another database, because earlier settings would apply to
 * it.
 */
async function databaseWith(t: TestContext, settings: Readonly<Record<string, string>>): Promise<string> {
  const { url, drop } = await freshDatabase()
  t.after(drop)
  const name = new URL(url).pathname.slice(1)
  const elsewhere = new URL(url)
  elsewhere.pathname = "/postgres"
  for (const [key, value] of Object.entries(settings))
    await rowsOf(elsewhere.href, `ALTER DATABASE ${name} SET ${key} = ${value}`)
  return url
}

function refresh(store: Store): Promise<number | null> {
  return store.change({ credential: id<TokenId>("t") }, ({ credential }) => {
    if (credential?.life.state !== "active") return decided(null)
    const { family } = credential.life
    const next = { ...family, generation: family.generation + 1 }
    const life = { ...credential.life, family: next }
    return decided(next.generation, { change: "credentialChanged", credential: { ...credential, life } })
  })
}

/** Starts a pooler that works like PgBouncer. It refuses startup parameters and passes everything else on. */
async function poolerBefore(t: TestContext, url: string): Promise<string> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    socket.once("data", (start) => {
      if (start.includes("statement_timeout\0")) {
        socket.end(refusal("unsupported startup parameter: statement_timeout"))
        return
      }
      const upstream = connect(Number(target.port), target.hostname)
      sockets.add(upstream)
      upstream.on("error", () => socket.destroy())
      upstream.write(start)
      upstream.pipe(socket).pipe(upstream)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const through = new URL(url)
  through.hostname = "127.0.0.1"
  through.port = String((server.address() as AddressInfo).port)
  return through.href
}

/** Builds an ErrorResponse: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.from("E0000")
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
