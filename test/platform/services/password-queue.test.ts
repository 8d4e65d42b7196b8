import { describe, mock, test } from "node:test"
import assert from "node:assert/strict"
import {
  type PasswordPlace,
  type PasswordPriority,
  PasswordQueue,
  PasswordQueueFull,
} from "../../../src/platform/services/password-queue.ts"
import { passwordQueueOptions } from "../../../src/platform/services/password.ts"

const lengths = { administrator: 4, known: 4, unsuspected: 3, other: 2 }
const waitMilliseconds = { administrator: 9000, known: 2000, unsuspected: 2000, other: 2000 }

function place(priority: PasswordPriority, share: Partial<PasswordPlace> = {}): PasswordPlace {
  return { priority, account: null, network: null, ...share }
}

/** Returns a queue whose work ends when the test tells it to. `started` lists the names in their order. */
function newQueue(atOnce = 1) {
  const queue = new PasswordQueue({ atOnce, lengths, waitMilliseconds, ofOneAccount: 2, ofOneNetwork: 2 })
  const started: string[] = []
  const ends: (() => void)[] = []
  const run = (priority: PasswordPriority, name: string = priority, share: Partial<PasswordPlace> = {}) =>
    queue.run(place(priority, share), async () => {
      started.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  const endOne = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { queue, started, run, endOne }
}

describe("LOAD-3: the queue for hashing passwords", () => {
  test("is bounded: what does not fit is refused at once, and what waits is not", async () => {
    const { queue, run, endOne, started } = newQueue()
    const all = [run("other", "0"), run("other", "1"), run("other", "2")]
    assert.equal(queue.hasRoom(place("other")), false)
    assert.equal(queue.hasRoom(place("known")), true)
    await assert.rejects(run("other"), PasswordQueueFull)
    for (let n = 0; n < 3; n++) await endOne()
    assert.deepEqual(await Promise.all(all), ["0", "1", "2"])
    assert.deepEqual(started, ["0", "1", "2"])
    assert.equal(queue.hasRoom(place("other")), true)
  })

  test("administrators go first, then known browsers, then addresses without failures", async () => {
    const { run, endOne, started } = newQueue()
    const all = [run("administrator", "running"), run("other"), run("unsuspected"), run("known")]
    await endOne()
    all.push(run("administrator"))
    for (let n = 0; n < 5; n++) await endOne()
    await Promise.all(all)
    assert.deepEqual(started, ["running", "known", "administrator", "unsuspected", "other"])
  })

  for (const share of [{ account: "ada" }, { network: "192.0.2.0/24" }]) {
    test(`one ${Object.keys(share).join("")} has two places of a priority, running and waiting`, async () => {
      const { queue, run, endOne } = newQueue(4)
      const all = [run("known", "a", share), run("known", "b", share)]
      await assert.rejects(run("known", "c", share), PasswordQueueFull)
      assert.equal(queue.hasRoom(place("known", share)), false)
      assert.equal(queue.hasRoom(place("known", { account: "bob", network: "2001:db8::/48" })), true)
      assert.equal(queue.hasRoom(place("known")), true)
      assert.equal(queue.hasRoom(place("unsuspected", share)), true)
      await endOne()
      assert.equal(queue.hasRoom(place("known", share)), true)
      await endOne()
      assert.deepEqual(await Promise.all(all), ["a", "b"])
    })
  }

  test("a place is free again after a wait that was too long, and after work that failed", async () => {
    mock.timers.enable({ apis: ["setTimeout"] })
    try {
      const { queue, run, endOne } = newQueue()
      const ada = place("known", { account: "ada" })
      const first = run("known", "first")
      const late = [0, 1].map(() => assert.rejects(run("known", "late", ada), PasswordQueueFull))
      assert.equal(queue.hasRoom(ada), false)
      mock.timers.tick(2000)
      await Promise.all(late)
      assert.equal(queue.hasRoom(ada), true)
      await endOne()
      await first
      for (let n = 0; n < 3; n++)
        await assert.rejects(
          queue.run(ada, () => Promise.reject(new Error("broken"))),
          /broken/,
        )
    } finally {
      mock.timers.reset()
    }
  })

  test("a known browser outlasts two failed checks of imported hashes, MOVE-4", async () => {
    mock.timers.enable({ apis: ["setTimeout"] })
    try {
      const queue = new PasswordQueue({ ...passwordQueueOptions, atOnce: 1 })
      const ends: (() => void)[] = []
      const check = () => new Promise<void>((resolve) => ends.push(resolve))
      const running = queue.run(place("other"), check)
      const known = queue.run(place("known", { account: "ada" }), () => Promise.resolve("right"))
      mock.timers.tick(2 * 3300)
      ends[0]?.()
      await running
      assert.equal(await known, "right")
    } finally {
      mock.timers.reset()
    }
  })

  test("no priority starves: after three starts that passed over it, the lowest that waits has its turn", async () => {
    const { run, endOne, started } = newQueue()
    const all = [run("known", "running"), run("other")]
    for (let n = 0; n < 8; n++) {
      all.push(run("known"))
      await endOne()
    }
    await endOne()
    await endOne()
    await Promise.all(all)
    assert.equal(started.indexOf("other"), 4)
  })

  test("a known browser alone waits for the check that runs and for no other", async () => {
    const { run, endOne, started } = newQueue()
    const all = [run("other", "running")]
    for (let n = 0; n < 8; n++) {
      all.push(run("other"), run("other"), run("known"))
      await endOne()
      assert.equal(started.at(-1), "known")
      await endOne()
      await endOne()
    }
    await endOne()
    await Promise.all(all)
  })

  test("work that fails passes its place on", async () => {
    const { queue, run, endOne } = newQueue()
    await assert.rejects(
      queue.run(place("known"), () => Promise.reject(new Error("broken"))),
      /broken/,
    )
    const next = run("other")
    await endOne()
    assert.equal(await next, "other")
  })

  test("a wait is bounded, and who was refused takes no turn", async () => {
    mock.timers.enable({ apis: ["setTimeout"] })
    try {
      const { queue, run, endOne, started } = newQueue()
      const first = run("known", "first")
      const late = assert.rejects(run("other", "late"), PasswordQueueFull)
      mock.timers.tick(1999)
      const second = run("known", "second")
      mock.timers.tick(1)
      await late
      await endOne()
      mock.timers.tick(2000)
      await endOne()
      assert.deepEqual([await first, await second, started], ["first", "second", ["first", "second"]])
      assert.equal(queue.hasRoom(place("other")), true)
    } finally {
      mock.timers.reset()
    }
  })

  test("several run at once where they may", async () => {
    const { run, endOne, started } = newQueue(2)
    const all = [run("other", "a"), run("other", "b"), run("other", "c")]
    assert.deepEqual(started, ["a", "b"])
    for (let n = 0; n < 3; n++) await endOne()
    assert.deepEqual(await Promise.all(all), ["a", "b", "c"])
  })
})
