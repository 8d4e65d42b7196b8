import assert from "node:assert/strict"
import { join } from "node:path"
import { describe, it, type TestContext } from "node:test"
import { connect } from "../../../../src/store/sqlite/engine/connection.ts"
import {
  type Counted,
  Counting,
  entriesFor,
  yieldBriefly,
  yieldGenerously,
  type View,
} from "../../../../src/store/sqlite/engine/counting.ts"
import { scratchDirectory } from "../../scratch.ts"

const counted: Counted = {
  skip: "SELECT key FROM entry WHERE kind = ? AND key > ? ORDER BY key LIMIT 1 OFFSET ?",
  rest: "SELECT count(*) AS count FROM entry WHERE kind = ? AND key > ?",
  values: [1],
  from: -1,
}

/** Creates this many entries of kind 1, with gaps between them, and some of another kind. */
function entries(t: TestContext, count: number): View {
  const connection = connect(join(scratchDirectory(t), "latchkey.db"))
  t.after(() => connection.close())
  connection.run("CREATE TABLE entry (kind INTEGER, key INTEGER, PRIMARY KEY (kind, key)) WITHOUT ROWID")
  connection.transaction(() => {
    for (let i = 0; i < count; i++) connection.run("INSERT INTO entry VALUES (1, ?)", 3 * i)
    for (let i = 0; i < 5; i++) connection.run("INSERT INTO entry VALUES (2, ?)", i)
  })
  return (body) => Promise.resolve(connection.view(() => body(connection)))
}

/** Each call of the clock returns a time that is later by this amount. */
function eachReadTakes(t: TestContext, milliseconds: number): void {
  let now = 0
  t.mock.method(performance, "now", () => (now += milliseconds))
}

/** Returns how many turns of the event loop pass until then. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  const state = { turns: 0, isOver: false }
  const turn = () => {
    state.turns++
    if (!state.isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await done
  state.isOver = true
  return state.turns
}

describe("counting", () => {
  for (const count of [0, 1, 249, 250, 251, 1250, 1251, 20_000])
    it(`finds ${count}, in a hurry or not`, async (t) => {
      const view = entries(t, count)
      assert.equal(await new Counting(view, yieldBriefly).count(counted), count)
      assert.equal(await new Counting(view, yieldGenerously).count(counted), count)
    })

  it("makes pieces smaller at once where reading is slow, and larger step by step", () => {
    assert.equal(entriesFor(10_000, 2), 10_000)
    assert.equal(entriesFor(10_000, 200), 250)
    assert.equal(entriesFor(10_000, 8), 2500)
    assert.equal(entriesFor(250, 0.01), 1000)
    assert.equal(entriesFor(1000, 0), 4000)
    assert.equal(entriesFor(50_000, 0.1), 50_000)
    assert.equal(entriesFor(250, 100), 250)
  })

  it("gives others their turn after two milliseconds of reading, in however many indexes", async (t) => {
    const counting = new Counting(entries(t, 10), yieldBriefly)
    eachReadTakes(t, 1)
    const turns = await turnsUntil(
      (async () => {
        for (let i = 0; i < 100; i++) await counting.count(counted)
      })(),
    )
    // Each count takes two reads.
    assert.ok(turns >= 100, `${turns}`)
  })

  it("says what each piece took, for a rest that is as long", async (t) => {
    const rests: number[] = []
    const view = entries(t, 1000)
    eachReadTakes(t, 3)
    const counting = new Counting(view, (milliseconds) => Promise.resolve(rests.push(milliseconds)))
    assert.equal(await counting.count(counted), 1000)
    // The count reads four pieces of 250, one piece that does not exist, and the rest.
    assert.deepEqual(rests, [3, 3, 3, 3, 3, 3])
  })
})
