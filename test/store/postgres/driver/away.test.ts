/**
 * Tests a server that stops, is paused or is slow: which errors callers get, when they get them, and what is in the
 * database afterwards.
 */
import assert from "node:assert/strict"
import { connect, createServer, type Socket } from "node:net"
import type { AddressInfo } from "node:net"
import { after, before, describe, it } from "node:test"
import type { TokenId } from "../../../../src/kernel/ids.ts"
import { decided } from "../../../../src/model/change.rules.ts"
import { openPostgres } from "../../../../src/store/postgres/postgres-store.ts"
import type { Store } from "../../../../src/store/store.ts"
import { StoreUnavailable } from "../../../../src/store/unavailable.ts"
import { StallMeter } from "../../../support/stall-meter.ts"
import { freshDatabase, needsPostgres, startPostgres } from "../../../support/postgres.ts"
import { wholeFile } from "../../../support/spawn.ts"
import { account, active, client, id } from "../../samples.ts"

/** Time that a busy machine takes from this process does not count. */
const PATIENCE_MILLISECONDS = 2000

/** Checks that every waiting call fails because the database is unavailable, and none later than after two seconds. */
async function allUnavailable(took: () => number, settling: readonly Promise<unknown>[]): Promise<void> {
  const inTime = () => assert.ok(took() < PATIENCE_MILLISECONDS, `${took()} ms`)
  const settled = await Promise.allSettled(settling.map((one) => one.finally(inTime)))
  for (const one of settled)
    assert.ok(one.status === "rejected" && one.reason instanceof StoreUnavailable, outcomeOf(one))
}

const outcomeOf = (one: PromiseSettledResult<unknown>) =>
  one.status === "rejected" ? String(one.reason) : "it was answered"

const refresh = (store: Store, tokenId = id<TokenId>("t")) =>
  store.change({ credential: tokenId }, ({ credential }) => {
    if (credential?.life.state !== "active") throw new Error("there is no such credential")
    const { family } = credential.life
    const next = { ...family, generation: family.generation + 1 }
    const life = { ...credential.life, family: next }
    return decided(next.generation, { change: "credentialChanged", credential: { ...credential, life } })
  })

const generation = async (store: Store) => {
  const { credential } = await store.read({ credential: id<TokenId>("t") })
  return credential?.life.state === "active" ? credential.life.family.generation : 0
}

/** Everything that a request may ask of the store. */
const everything = (store: Store): Promise<unknown>[] => [
  ...Array.from({ length: 20 }, () => refresh(store)),
  store.read({ credential: id("t"), client: client().clientId }),
  // The number of calls exceeds the number of connections.
  ...Array.from({ length: 40 }, () =>
    store.change({}, () => decided(null, { change: "settingSet", key: "a", value: "b" })),
  ),
  store.settings(),
  store.accounts({ limit: 9 }),
  store.invalidations(0, 9),
]

const people = (store: Store) =>
  store.change({}, () =>
    decided(
      null,
      { change: "accountAdded", account: account() },
      { change: "clientAdded", client: client() },
      { change: "credentialAdded", credential: active() },
    ),
  )

/** Tries again until the store answers. */
async function untilItAnswers(store: Store): Promise<void> {
  const patience = AbortSignal.timeout(20_000)
  for (;;) {
    try {
      await store.read({ setting: "a" })
      return
    } catch (error) {
      patience.throwIfAborted()
      assert.ok(error instanceof StoreUnavailable, String(error))
    }
  }
}

describe("a PostgreSQL server that goes away", needsPostgres, () => {
  const span = wholeFile()
  const stalls = new StallMeter(span)
  let server: Awaited<ReturnType<typeof startPostgres>>
  let store: Store
  before(async () => {
    server = await startPostgres(span)
    store = await openPostgres(server.url())
    await people(store)
  })
  after(() => store.close())

  it("stopped: every request fails within two seconds, and it goes on by itself when it is back", async () => {
    const last = await refresh(store)
    await server.stop()
    await allUnavailable(stalls.stopwatch(), everything(store))
    await server.start()
    await untilItAnswers(store)
    assert.equal(await generation(store), last)
    assert.equal(await refresh(store), last + 1)
  })

  it("paused: no request waits longer than two seconds, and a pending write is done at most once", async () => {
    const last = await refresh(store)
    await server.pause()
    await allUnavailable(stalls.stopwatch(), everything(store))
    // A new caller during the outage must not wait longer either.
    await allUnavailable(stalls.stopwatch(), everything(store))
    server.resume()
    await untilItAnswers(store)
    const then = await generation(store)
    assert.ok(then >= last && then <= last + 20, `${last} became ${then}`)
    assert.equal(await refresh(store), then + 1)
  })

  it("killed in the middle of 200 refreshes: every answered refresh is there afterwards", async () => {
    let acknowledged = await refresh(store)
    const all = Array.from({ length: 200 }, async () => {
      for (;;) acknowledged = Math.max(acknowledged, await refresh(store))
    })
    const settled = Promise.allSettled(all)
    await refresh(store)
    await server.stop("immediate")
    for (const one of await settled)
      assert.ok(one.status === "rejected" && one.reason instanceof StoreUnavailable)
    await server.start()
    await untilItAnswers(store)
    assert.ok((await generation(store)) >= acknowledged)
  })
})

describe("a connection that is cut at the commit", needsPostgres, () => {
  it("is not known to have written, and nothing is sent again", async (t) => {
    const { url, drop } = await freshDatabase()
    const proxy = await cuttingProxy(url)
    const store = await openPostgres(proxy.url)
    t.after(async () => {
      await store.close()
      await proxy.close()
      await drop()
    })
    let decisions = 0
    // The connection has not committed before. Later, it sends this statement by its name.
    proxy.cutAfter("COMMIT\0")
    const written = store.change({}, () => {
      decisions++
      return decided(null, { change: "settingSet", key: "counter", value: String(decisions) })
    })
    await assert.rejects(written, StoreUnavailable)
    assert.equal(decisions, 2, "once to know what to hold, once while it is held")
    proxy.heal()
    await untilItAnswers(store)
    const { setting } = await store.read({ setting: "counter" })
    assert.ok(setting === null || setting.value === "2")
  })
})

/** Passes everything on until it sees a certain statement. After that, it returns no more answers. */
async function cuttingProxy(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let cut: string | null = null
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const one of [socket, upstream]) sockets.add(one)
    socket.on("data", (bytes) => {
      const isLast = cut !== null && bytes.includes(cut)
      upstream.write(bytes)
      if (isLast) socket.destroy()
    })
    upstream.on("data", (bytes) => socket.writable && socket.write(bytes))
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on("error", () => undefined)
      one.on("close", () => {
        sockets.delete(one)
        other.end()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const through = new URL(url)
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    cutAfter: (text: string) => void (cut = text),
    heal: () => void (cut = null),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
