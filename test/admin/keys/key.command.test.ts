/** Tests the commands of the signing keys. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { addAccount } from "../../support/seed.ts"
import { done, latchkey, newDirectory } from "../../support/spawn.ts"

type Key = { readonly kid: string; readonly algorithm: string; readonly state: string }

test("SIGN-4 a key is replaced after a day, or at once, and each algorithm has its own", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "ada")
  // Keys of one second have no order.
  const list = async () =>
    new Map((await done<Key[]>(dir, ["key", "list"])).map((key) => [key.kid, key.state]))
  const rotate = (...flags: readonly string[]) =>
    done<Key>(dir, ["key", "rotate", "--algorithm", "ES256", ...flags])

  assert.deepEqual(await list(), new Map())
  const first = await rotate()
  assert.deepEqual([first.state, first.algorithm], ["signing", "ES256"])
  const second = await rotate()
  const third = await rotate()
  assert.deepEqual(
    await list(),
    new Map([
      [first.kid, "signing"],
      [second.kid, "next"],
    ]),
  )
  assert.equal(third.kid, second.kid, "one that waits already is kept")
  const fourth = await rotate("--now")
  assert.deepEqual(
    await list(),
    new Map([
      [first.kid, "withdrawn"],
      [second.kid, "withdrawn"],
      [fourth.kid, "signing"],
    ]),
  )
  const events = await done<{ detail: string }[]>(dir, ["events", "--kind", "signing-key-changed"])
  assert.equal(
    events.some(({ detail }) => detail === `ES256 ${first.kid} is withdrawn`),
    true,
  )
  assert.match((await latchkey(["key", "list", "--data", dir])).stdout, /withdrawn/)
})
