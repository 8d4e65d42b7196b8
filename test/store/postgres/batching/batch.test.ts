/** Tests which requests the database gets together. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { Batch } from "../../../../src/store/postgres/batching/batch.ts"
import { StoreUnavailable } from "../../../../src/store/unavailable.ts"

/** A database that answers when the test tells it to. It answers each number with its double. */
function slow() {
  const runs: { readonly asks: readonly number[]; readonly answer: PromiseWithResolvers<void> }[] = []
  const run = async (asks: readonly number[]) => {
    const answer = Promise.withResolvers<void>()
    runs.push({ asks, answer })
    await answer.promise
    return asks.map((ask) => ask * 2)
  }
  return { runs, run }
}

const nextTurn = () => new Promise(setImmediate)

test("SVC-1 what is asked in one turn is one batch, and what comes meanwhile is the next", async () => {
  const { runs, run } = slow()
  const batch = new Batch(run)
  const first = [batch.ask(1), batch.ask(2)]
  await nextTurn()
  const second = [batch.ask(3), batch.ask(4)]
  await nextTurn()
  assert.deepEqual(
    runs.map(({ asks }) => asks),
    [[1, 2]],
  )
  runs[0]?.answer.resolve()
  assert.deepEqual(await Promise.all(first), [2, 4])
  await nextTurn()
  assert.deepEqual(runs[1]?.asks, [3, 4])
  runs[1]?.answer.resolve()
  assert.deepEqual(await Promise.all(second), [6, 8])
})

test("SVC-1 two asks of one key are not in one batch, and both are answered", async () => {
  const { runs, run } = slow()
  const batch = new Batch(run, (ask) => String(ask % 2))
  const asked = [1, 2, 3, 5].map((ask) => batch.ask(ask))
  for (const expected of [[1, 2], [3], [5]]) {
    await nextTurn()
    const last = runs.at(-1)
    assert.deepEqual(last?.asks, expected)
    last?.answer.resolve()
    await nextTurn()
  }
  assert.deepEqual(await Promise.all(asked), [2, 4, 6, 10])
})

test("SVC-1 if the database is away all waiting calls fail at once; a fault fails only its own call", async () => {
  const { runs, run } = slow()
  const batch = new Batch(run)
  for (const [fault, isForAll] of [
    [new StoreUnavailable("away"), true],
    [new Error("a bug"), false],
  ] as const) {
    const befell = assert.rejects(batch.ask(1), fault)
    await nextTurn()
    const behind = batch.ask(2).catch((error: unknown) => error)
    runs.at(-1)?.answer.reject(fault)
    await befell
    await nextTurn()
    if (!isForAll) runs.at(-1)?.answer.resolve()
    assert.equal(await behind, isForAll ? fault : 4)
  }
  const later = batch.ask(7)
  await nextTurn()
  runs.at(-1)?.answer.resolve()
  assert.equal(await later, 14, "a later call asks again")
})

test("SVC-1 the queue is bounded", async () => {
  const { runs, run } = slow()
  const batch = new Batch(run)
  const first = batch.ask(0)
  await nextTurn()
  const waiting = Array.from({ length: 10_000 }, (_, n) => batch.ask(n))
  await assert.rejects(batch.ask(1), StoreUnavailable)
  runs[0]?.answer.resolve()
  await first
  for (let n = 1; n <= 10; n++) {
    await nextTurn()
    assert.equal(runs[n]?.asks.length, 1000)
    runs[n]?.answer.resolve()
    await nextTurn()
  }
  assert.equal((await Promise.all(waiting)).at(-1), 19_998)
})
