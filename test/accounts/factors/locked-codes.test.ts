import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type { UserId } from "../../../src/kernel/ids.ts"
import { CODE_FAILURES_AT_MOST, FACTOR_CODE_TRIES } from "../../../src/kernel/account-limits.ts"
import { unlockAccount } from "../../../src/accounts/factors/unlock.ts"
import type { Browser } from "../../support/browser.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD, OPERATOR } from "../../support/test-server.ts"
import { accountWithTotp, codeAt, halfSignedIn, isSignedIn, wrongCode } from "./factors.ts"

const STEP = "/sign-in/code"
const RECOVERY = "aaaa-aaaa-aaaa-aaaa"

const { testServer } = await fixture({ admins: ["ada"] })
let ada = await signedInBrowser(testServer, "ada")

/** Sends a code from a browser that has never signed in to the account. */
async function fromUnknown(username: string, code: string) {
  const { browser, page } = await halfSignedIn(testServer, username)
  return browser.submit(page, STEP, { code })
}

/** Sends `count` wrong codes in a row from unknown browsers. The clock moves only as far as the rate limits require. */
async function fail(username: string, secret: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= FACTOR_CODE_TRIES.requests) {
    testServer.clock.advance(FACTOR_CODE_TRIES.seconds)
    const { browser, page } = await halfSignedIn(testServer, username)
    for (let n = 0; n < Math.min(left, FACTOR_CODE_TRIES.requests); n++) {
      const code = n % 2 === 0 ? wrongCode(testServer, secret) : RECOVERY
      assert.equal((await browser.submit(page, STEP, { code })).status, 403)
    }
  }
  testServer.clock.advance(FACTOR_CODE_TRIES.seconds)
}

/** Returns a browser in which the owner has signed in with a code and signed out again. */
async function knownBrowser(username: string, secret: string): Promise<Browser> {
  const { browser, page } = await halfSignedIn(testServer, username)
  assert.equal((await browser.submit(page, STEP, { code: codeAt(testServer, secret) })).status, 303)
  await browser.submit(await browser.get("/account"), "/sign-out", {})
  return browser
}

async function inKnown(browser: Browser, username: string, code: string) {
  const page = await browser.signIn(username, PASSWORD)
  return browser.submit(page, STEP, { code })
}

async function events(userId: string): Promise<readonly string[]> {
  const all = await testServer.store.events({ userId: userId as UserId }, { limit: 500 })
  return all
    .toReversed()
    .map(({ kind, detail }) => `${kind} ${detail ?? ""}`)
    .filter((line) => /^code|factor-ref/.test(line))
}

async function idOf(username: string): Promise<string> {
  const { accountByName } = await testServer.store.read({ accountByName: username })
  return accountByName?.userId ?? ""
}

test("AUDIT-2: the fifth wrong code in a row is an event of its own, once", async () => {
  const secret = await accountWithTotp(testServer, "sue")
  const userId = (await idOf("sue")) as UserId
  const suspected = () => testServer.store.events({ userId, kinds: ["guessing-suspected"] }, { limit: 9 })
  await fail("sue", secret, 4)
  assert.deepEqual(await suspected(), [])
  await fail("sue", secret, 7)
  assert.deepEqual(
    (await suspected()).map(({ detail }) => detail),
    ["5 wrong codes in a row"],
  )
})

describe("FACTOR-11: one-time passwords and recovery codes are counted together", () => {
  test("in the short window: five of either, then both wait", async () => {
    const secret = await accountWithTotp(testServer, "tina")
    const { browser, page } = await halfSignedIn(testServer, "tina")
    for (const code of [RECOVERY, wrongCode(testServer, secret), RECOVERY, RECOVERY, RECOVERY])
      assert.equal((await browser.submit(page, STEP, { code })).status, 403)
    for (const code of [RECOVERY, codeAt(testServer, secret)])
      assert.equal((await browser.submit(page, STEP, { code })).status, 429)
  })

  test("a browser that signed in before has a window of its own", async () => {
    const secret = await accountWithTotp(testServer, "tom")
    const known = await knownBrowser("tom", secret)
    testServer.clock.advance(60)
    const { browser, page } = await halfSignedIn(testServer, "tom")
    for (let n = 0; n < FACTOR_CODE_TRIES.requests; n++)
      assert.equal((await browser.submit(page, STEP, { code: wrongCode(testServer, secret) })).status, 403)
    assert.equal((await browser.submit(page, STEP, { code: codeAt(testServer, secret) })).status, 429)
    assert.equal((await inKnown(known, "tom", codeAt(testServer, secret))).status, 303)
  })
})

describe("FACTOR-11: a hundred failures in a row from unknown browsers", () => {
  test("close codes to these, until a right code comes from a known browser", async () => {
    const secret = await accountWithTotp(testServer, "uma")
    const known = await knownBrowser("uma", secret)
    await fail("uma", secret, CODE_FAILURES_AT_MOST)
    const closed = await fromUnknown("uma", codeAt(testServer, secret))
    assert.equal(closed.status, 403)
    assert.match(closed.text, /ask an administrator to unlock the account/)
    assert.equal((await fromUnknown("uma", RECOVERY)).status, 403)
    assert.deepEqual(await events(await idOf("uma")), [
      `factor-refused code: ${CODE_FAILURES_AT_MOST} in a row`,
      `codes-closed ${CODE_FAILURES_AT_MOST} in a row`,
    ])

    const wrong = await inKnown(known, "uma", wrongCode(testServer, secret))
    assert.match(wrong.text, /Each code works once/)
    const last = (await events(await idOf("uma"))).at(-1)
    assert.equal(last, "factor-refused code from a known browser: 1 in a row")
    assert.equal((await inKnown(known, "uma", codeAt(testServer, secret))).status, 303)
    testServer.clock.advance(60)
    assert.equal((await fromUnknown("uma", codeAt(testServer, secret))).status, 303)
    assert.equal((await events(await idOf("uma"))).at(-1), "codes-opened from a known browser")
  })

  test("a right code before the hundredth begins the count again: two series, two events", async () => {
    const secret = await accountWithTotp(testServer, "vera")
    await fail("vera", secret, 95)
    assert.equal((await fromUnknown("vera", codeAt(testServer, secret))).status, 303)
    await fail("vera", secret, 7)
    assert.deepEqual(await events(await idOf("vera")), [
      "factor-refused code: 95 in a row",
      "factor-refused code: 7 in a row",
    ])
    assert.equal((await fromUnknown("vera", codeAt(testServer, secret))).status, 303)
  })

  test("an administrator sees it on the account's page and opens codes again", async () => {
    ada = await signedInBrowser(testServer, "ada")
    const secret = await accountWithTotp(testServer, "wim")
    await fail("wim", secret, CODE_FAILURES_AT_MOST)
    ada = await signedInBrowser(testServer, "ada")
    const id = await idOf("wim")
    const shown = await ada.get(`/console/account?id=${id}`)
    assert.match(shown.text, /Work only in known browsers, after too many wrong codes/)
    const page = await ada.get(`/console/account/act?id=${id}&do=unlock`)
    assert.equal((await ada.submit(page, "/console/account/act", {})).status, 303)
    const opened = await ada.get(`/console/account?id=${id}&done=unlocked`)
    assert.equal(opened.text.includes("Closed to unknown browsers"), false)
    assert.equal((await fromUnknown("wim", codeAt(testServer, secret))).status, 303)
    assert.equal((await events(id)).includes("codes-opened by an administrator"), true)
  })

  test("account unlock opens them too, after a restart as well; of an account without failures it changes nothing", async () => {
    const secret = await accountWithTotp(testServer, "xena")
    assert.equal((await unlockAccount(testServer.latchkey, "xena", OPERATOR)).ok, true)
    await fail("xena", secret, CODE_FAILURES_AT_MOST)
    await testServer.restart()
    assert.equal((await fromUnknown("xena", codeAt(testServer, secret))).status, 403)
    assert.equal((await unlockAccount(testServer.latchkey, "XENA", OPERATOR)).ok, true)
    const { browser, page } = await halfSignedIn(testServer, "xena")
    assert.equal((await browser.submit(page, STEP, { code: codeAt(testServer, secret) })).status, 303)
    assert.equal(await isSignedIn(browser), true)
    assert.equal((await unlockAccount(testServer.latchkey, "no one", OPERATOR)).ok, false)
  })
})
