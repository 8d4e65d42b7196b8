/** Tests sign-in when others fill the password queue. One account or one network cannot take all of it. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { openLog } from "../../../src/kernel/log.ts"
import { addAccount } from "../../../src/accounts/accounts.ts"
import { signIn } from "../../../src/accounts/sign-in/sign-in.ts"
import type { Windows } from "../../../src/store/limits.ts"
import { systemClock } from "../../../src/kernel/clock.ts"
import { databaseIn } from "../../support/database.ts"
import { newDirectory, type Span } from "../../support/spawn.ts"

const password = "correct horse battery"
/** The test uses no rate limit, so only the queue refuses. */
const admitted = { admitted: true, counts: [1], spent: [], giveBack: () => undefined } as const
const guesses: Windows = {
  spend: () => assert.fail("sign-in spends all at once"),
  spendAll: () => admitted,
  giveBack: () => undefined,
  forget: () => undefined,
}

async function opened(t: Span) {
  const store = await (await databaseIn(newDirectory(t))).open()
  t.after(() => store.close())
  const services = { store, clock: systemClock, guesses, log: openLog("silent"), providers: new Map() }
  for (const username of ["bob", "eve"])
    await addAccount(services, { username, password, admin: false, address: null })
  return (username: string, browserSecret: string, address: string) =>
    signIn(services, {
      username,
      password,
      browserSecret,
      address,
      addressKey: address,
      userAgent: "",
      formerSecret: null,
    })
}

test("LOAD-3: one account cannot fill the places of known browsers, however many it has", async (t) => {
  const attempt = await opened(t)
  for (const [name, browser] of [
    ["bob", "of bob"],
    ["eve", "0"],
    ["eve", "1"],
    ["eve", "2"],
  ] as const)
    assert.equal((await attempt(name, browser, "192.0.2.1")).outcome, "signed-in")
  const flood = Array.from({ length: 27 }, (_, n) => attempt("eve", `${n % 3}`, "192.0.2.1"))
  const bob = await attempt("bob", "of bob", "192.0.2.1")
  assert.equal(bob.outcome, "signed-in")
  const outcomes = (await Promise.all(flood)).map(({ outcome }) => outcome)
  assert.ok(outcomes.filter((outcome) => outcome === "signed-in").length < 9, outcomes.join(" "))
  assert.ok(outcomes.every((outcome) => outcome === "signed-in" || outcome === "busy"))
})

test("LOAD-3: many addresses of one network leave room for an address elsewhere", async (t) => {
  const attempt = await opened(t)
  for (const prefix of ["198.51.100.", "2001:db8:1:"]) {
    const flood = Array.from({ length: 40 }, (_, n) =>
      attempt(`guest${n}`, `${n}`, prefix.endsWith(":") ? `${prefix}${n}::1` : `${prefix}${n}`),
    )
    assert.equal((await attempt("bob", `new ${prefix}`, "203.0.113.7")).outcome, "signed-in")
    assert.ok((await Promise.all(flood)).some(({ outcome }) => outcome === "busy"))
  }
})
