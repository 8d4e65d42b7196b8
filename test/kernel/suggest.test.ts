import { test } from "node:test"
import assert from "node:assert/strict"
import { didYouMean, nearest } from "../../src/kernel/suggest.ts"

const names = ["account add", "account list", "app add", "serve", "verify"]

test("a letter wrong, missing, too many or swapped still finds its name", () => {
  for (const word of ["srrve", "serv", "servee", "sevre", "ser"])
    assert.equal(nearest(word, names), "serve", word)
  assert.equal(nearest("acount lst", names), "account list")
})

test("what is near nothing finds nothing", () => {
  for (const word of ["", "x", "zzzzzzzz", "registration"]) assert.equal(nearest(word, names), null, word)
  assert.equal(didYouMean("zzzzzzzz", names), "")
  assert.equal(didYouMean("verfy", names), " Did you mean verify?")
})

test("a word that is much longer than every name is compared with none of them", () => {
  const before = process.cpuUsage()
  for (let times = 0; times < 20; times++) assert.equal(nearest("a".repeat(60_000), names), null)
  const { user, system } = process.cpuUsage(before)
  // Comparing letter by letter would take seconds. Only the time of this process counts.
  assert.ok(user + system < 500_000, `${user + system} µs`)
})
