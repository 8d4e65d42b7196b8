/**
 * Tests all counters of rate limits and poll intervals, whether in the memory of one process or in a shared database.
 */
import assert from "node:assert/strict"
import { afterEach, beforeEach, describe, it } from "node:test"
import fc from "fast-check"
import type { GrantId } from "../../../src/kernel/ids.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { GuessCounters } from "../../../src/platform/services/budget.ts"
import { PollIntervals } from "../../../src/platform/services/poll-intervals.ts"
import type { Shared } from "../../../src/store/limits.ts"

export type Counting = Pick<Shared, "budget" | "guesses" | "pollIntervals">

/** Nodes that count together. Each has its own clock. */
export type OpenedCounters = {
  readonly nodes: readonly Counting[]
  readonly destroy: () => Promise<void>
}

const LIMIT = { requests: 5, seconds: 60 } as const
const grant = (number: number) => `grant ${number}` as GrantId

export function windowsContract(name: string, open: (nowMs: () => number) => Promise<OpenedCounters>): void {
  describe(`windows on ${name}`, () => {
    let nodes: readonly Counting[]
    let destroy: () => Promise<void>
    let nowMs = 0
    beforeEach(async () => {
      nowMs = 1_000_000_000_000
      ;({ nodes, destroy } = await open(() => nowMs))
    })
    afterEach(() => destroy())

    /** Returns the n-th node. After the last node comes the first. */
    const node = (n: number): Counting => nodes[n % nodes.length] ?? assert.fail("no node")
    const admitted = (all: readonly { readonly admitted: boolean }[]) =>
      all.filter((one) => one.admitted).length

    /** Sends this many requests at once, over all nodes, in several turns of the event loop. */
    async function fire<T>(times: number, ask: (at: Counting) => T | Promise<T>): Promise<T[]> {
      const asked: (T | Promise<T>)[] = []
      for (let n = 0; n < times; n++) {
        asked.push(ask(node(n)))
        if (n % 50 === 49) await new Promise(setImmediate)
      }
      return Promise.all(asked)
    }

    async function refusal(key: string, limit = LIMIT, n = 0): Promise<number> {
      const admission = await node(n).guesses.spend(key, limit)
      return admission.admitted ? assert.fail("admitted") : admission.retryAfterSeconds
    }

    it("RATE-1, RATE-4 exactly the budget is admitted, however many ask at once and of whichever node", async () => {
      for (const kind of ["budget", "guesses"] as const) {
        const answers = await fire(400, (at) => at[kind].spend("a", { requests: 150, seconds: 60 }))
        assert.equal(admitted(answers), 150)
        const counts = answers.flatMap((one) => (one.admitted ? [one.window.admitted] : []))
        assert.deepEqual(
          counts.toSorted((a, b) => a - b),
          Array.from({ length: 150 }, (_, n) => n + 1),
        )
        for (const one of answers) if (!one.admitted) assert.equal(one.retryAfterSeconds, 60)
      }
    })

    it("RATE-2 typed text is counted, whatever its characters", async () => {
      const typed = ["a\0b", "a\uffff", "\u{1f600}", "a".repeat(5000)]
      for (const text of typed) {
        const alone = await fire(8, (at) => at.guesses.spend(`one ${text}`, LIMIT))
        const beside = { key: "beside", limit: { requests: 1000, seconds: 60 } }
        const together = await fire(8, (at) =>
          at.guesses.spendAll([{ key: `two ${text}`, limit: LIMIT }, beside]),
        )
        assert.deepEqual([admitted(alone), admitted(together)], [5, 5], JSON.stringify(text))
      }
    })

    it("RATE-2 a refused request neither counts nor prolongs, and gets the end of the window", async () => {
      assert.equal(admitted(await fire(5, (at) => at.guesses.spend("a", LIMIT))), 5)
      for (const [ms, wait] of [
        [0, 60],
        [500, 60],
        [500, 59],
        [58_999, 1],
      ] as const) {
        nowMs += ms
        for (let n = 0; n < 3; n++) assert.equal(await refusal("a", LIMIT, n), wait)
      }
      nowMs += 1
      assert.equal(admitted(await fire(9, (at) => at.guesses.spend("a", LIMIT))), 5)
    })

    it("RATE-1 keys have nothing to do with one another, nor has the budget with guesses", async () => {
      const keys = Array.from({ length: 40 }, (_, n) => `key ${n % 8} 'quoted' {"x"}, \\ π`)
      const answers = await fire(80, (at) =>
        Promise.all(keys.map(async (key) => (await at.budget.spend(key, LIMIT)).admitted)),
      )
      assert.equal(answers.flat().filter((isIn) => isIn).length, 8 * 5)
      assert.ok((await node(1).guesses.spend(keys[0] ?? "", LIMIT)).admitted)
    })

    it("RATE-3 a limit that was changed holds at once, for a window that is open as well", async () => {
      await fire(5, (at) => at.budget.spend("a", LIMIT))
      assert.ok(!(await node(1).budget.spend("a", LIMIT)).admitted)
      const raised = { requests: 7, seconds: 60 }
      assert.equal(admitted(await fire(9, (at) => at.budget.spend("a", raised))), 2)
      assert.ok(!(await node(2).budget.spend("a", { requests: 3, seconds: 60 })).admitted)
      nowMs += 30_000
      assert.ok((await node(0).budget.spend("a", { requests: 3, seconds: 30 })).admitted)
    })

    it("RATE-5 what begins with a prefix is forgotten, at every node, and nothing else", async () => {
      for (const key of ["5/60 a", "5/60 b", "5/600 a"]) await fire(5, (at) => at.budget.spend(key, LIMIT))
      assert.ok(!(await node(0).budget.spend("5/60 a", LIMIT)).admitted)
      await node(0).budget.forget("5/60 ")
      assert.equal(admitted(await fire(9, (at) => at.budget.spend("5/60 a", LIMIT))), 5)
      assert.ok((await node(1).budget.spend("5/60 b", LIMIT)).admitted)
      assert.ok(!(await node(1).budget.spend("5/600 a", LIMIT)).admitted)
    })

    it("RATE-2 a clock that is set a hundred days ahead and back locks no one out, and ends nothing twice", async () => {
      await fire(5, (at) => at.guesses.spend("a", LIMIT))
      nowMs += 100 * DAY * 1000
      assert.equal(admitted(await fire(9, (at) => at.guesses.spend("a", LIMIT))), 5)
      nowMs -= 100 * DAY * 1000
      assert.equal(admitted(await fire(9, (at) => at.guesses.spend("a", LIMIT))), 5)
      assert.equal(await refusal("a"), 60)
      nowMs -= 5_000
      assert.equal(await refusal("a"), 65, "a window that began a moment ahead counts")
    })

    it("RATE-2 of several counters all are spent or none", async () => {
      const all = (address: string) => [
        { key: `account ${address}`, limit: LIMIT },
        { key: "address", limit: { requests: 8, seconds: 600 } },
      ]
      assert.equal(admitted(await fire(9, (at) => at.guesses.spendAll(all("1")))), 5)
      assert.equal(admitted(await fire(9, (at) => at.guesses.spendAll(all("2")))), 3)
      const [one] = await fire(1, (at) => at.guesses.spendAll(all("2")))
      assert.deepEqual(one, { admitted: false, retryAfterSeconds: 600 })
      assert.equal(admitted(await fire(9, (at) => at.guesses.spend("account 2", LIMIT))), 2)
    })

    it("RATE-2 parallel tries over two counters never spend more nor less than there is", async () => {
      const answers = await fire(300, (at) => {
        const account = `account ${Math.floor(Math.abs(Math.sin(nowMs++)) * 10)}`
        return at.guesses.spendAll([
          { key: "z address", limit: { requests: 120, seconds: 60 } },
          { key: account, limit: { requests: 1000, seconds: 60 } },
        ])
      })
      assert.equal(admitted(answers), 120)
    })

    it("RATE-2 what turned out to be right is given back, all of it and once", async () => {
      const counters = [
        { key: "account", limit: LIMIT },
        { key: "address", limit: LIMIT },
      ]
      for (const asked of [counters, counters.slice(1)]) {
        const answers = await fire(30, (at) => at.guesses.spendAll(asked))
        assert.equal(admitted(answers), 5)
        const back = answers.flatMap((one) => (one.admitted ? [one.giveBack] : []))
        await Promise.all(back.slice(1).map(async (giveBack) => giveBack()))
        await Promise.all(back.slice(1).map(async (giveBack) => giveBack()))
        assert.equal(admitted(await fire(9, (at) => at.guesses.spendAll(asked))), 4)
        nowMs += 60_000
      }
    })

    it("RATE-2 a window that got everything back is deleted, and one that is over takes nothing back", async () => {
      const one = await node(0).guesses.spendAll([{ key: "a", limit: LIMIT }])
      nowMs += 30_000
      assert.ok(one.admitted)
      await one.giveBack()
      assert.equal(admitted(await fire(5, (at) => at.guesses.spend("a", LIMIT))), 5)
      assert.equal(await refusal("a"), 60)

      const late = await node(1).guesses.spendAll([{ key: "b", limit: LIMIT }])
      nowMs += 60_000
      assert.equal(admitted(await fire(5, (at) => at.guesses.spend("b", LIMIT))), 5)
      assert.ok(late.admitted)
      await late.giveBack()
      assert.equal(await refusal("b"), 60)
    })

    it("RATE-2 a later request gives back what it knows of, to another node and to its own window only", async () => {
      const one = await node(0).guesses.spendAll([{ key: "c\u0000", limit: LIMIT }])
      assert.ok(one.admitted)
      const sealed = JSON.parse(JSON.stringify(one.spent)) as typeof one.spent
      assert.equal(admitted(await fire(9, (at) => at.guesses.spend("c\u0000", LIMIT))), 4)
      await node(1).guesses.giveBack(sealed)
      assert.equal(admitted(await fire(9, (at) => at.guesses.spend("c\u0000", LIMIT))), 1)
      nowMs += 60_000
      assert.equal(admitted(await fire(9, (at) => at.guesses.spend("c\u0000", LIMIT))), 5)
      await node(1).guesses.giveBack(sealed)
      assert.equal(await refusal("c\u0000"), 60)
    })

    it("RATE-1 any sequence goes as it does in the memory of one process", async () => {
      const step = fc.oneof(
        fc.record({ step: fc.constant("wait" as const), ms: fc.constantFrom(1, 999, 4000, 30_000, -8000) }),
        fc.record({
          step: fc.constant("spend" as const),
          keys: fc.subarray(["a", "b", "c"], { minLength: 1 }),
          requests: fc.integer({ min: 1, max: 4 }),
          givesBack: fc.boolean(),
        }),
      )
      let run = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          run++
          const memory = new GuessCounters({ monotonic: () => nowMs })
          for (const [n, one] of steps.entries()) {
            if (one.step === "wait") {
              nowMs += one.ms
              continue
            }
            const limit = { requests: one.requests, seconds: 30 }
            const counters = one.keys.map((key) => ({ key: `${run} ${key}`, limit }))
            const expected = memory.spendAll(counters)
            const answer = await node(n).guesses.spendAll(counters)
            assert.equal(answer.admitted, expected.admitted)
            if (!answer.admitted || !expected.admitted) assert.deepEqual(answer, expected)
            else if (one.givesBack) {
              expected.giveBack()
              await answer.giveBack()
            }
          }
        }),
        { numRuns: 40 },
      )
    })

    it("DG-2, LIM-3 the pace of a machine is one, whichever nodes it polls", async () => {
      const memory = new PollIntervals({ monotonic: () => nowMs })
      for (const [n, ms] of [
        0, 4499, 4500, 1, 10_000, 4499, 4499, 5000, 0, 0, 8_640_000_000, -8_640_000_000,
      ].entries()) {
        nowMs += ms
        const expected = memory.poll(grant(1))
        assert.equal(await node(n).pollIntervals.poll(grant(1)), expected, `poll ${n}`)
      }
      assert.equal(await node(0).pollIntervals.poll(grant(2)), null)
      node(0).pollIntervals.forget(grant(2))
    })

    it("DG-2, LIM-3 of polls at once one is in time, and each of the others gets five seconds more", async () => {
      const intervals = await fire(20, (at) => at.pollIntervals.poll(grant(3)))
      const expected = Array.from({ length: 19 }, (_, n) => 10 + n * 5)
      assert.deepEqual(
        intervals.toSorted((a, b) => (a ?? 0) - (b ?? 0)),
        [null, ...expected],
      )
    })
  })
}
