import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import type { UserId } from "../../src/kernel/ids.ts"
import { CODE_FAILURES_AT_MOST, FACTOR_CODE_TRIES } from "../../src/kernel/limits.ts"
import { unlockAccount } from "../../src/accounts/factors/unlock.ts"
import type { Browser } from "../support/browser.ts"
import { signedInBrowser } from "../support/connect.ts"
import { TestServer, PASSWORD } from "../support/house.ts"
import { accountWithTotp, codeAt, halfSignedIn, isSignedIn, wrongCode } from "./factors.ts"

const STEP = "/sign-in/code"
const RECOVERY = "aaaa-aaaa-aaaa-aaaa"

let house: TestServer
let ada: Browser

before(async () => {
  house = await TestServer.open()
  await house.addAccount("ada", true)
  ada = await signedInBrowser(house, "ada")
})
after(() => house.close())

/** A code in a browser that never signed in to the account. */
async function fromUnknown(username: string, code: string) {
  const { browser, page } = await halfSignedIn(house, username)
  return browser.submit(page, STEP, { code })
}

/** `count` wrong codes in a row from unknown browsers, as fast as the short windows allow. */
async function fail(username: string, secret: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= FACTOR_CODE_TRIES.requests) {
    house.clock.advance(FACTOR_CODE_TRIES.seconds)
    const { browser, page } = await halfSignedIn(house, username)
    for (let n = 0; n < Math.min(left, FACTOR_CODE_TRIES.requests); n++) {
      const code = n % 2 === 0 ? wrongCode(house, secret) : RECOVERY
      assert.equal((await browser.submit(page, STEP, { code })).status, 403)
    }
  }
  house.clock.advance(FACTOR_CODE_TRIES.seconds)
}

/** A browser in which the owner has signed in with a code, and out again. */
async function knownBrowser(username: string, secret: string): Promise<Browser> {
  const { browser, page } = await halfSignedIn(house, username)
  assert.equal((await browser.submit(page, STEP, { code: codeAt(house, secret) })).status, 303)
  await browser.submit(await browser.get("/account"), "/sign-out", {})
  return browser
}

async function inKnown(browser: Browser, username: string, code: string) {
  const page = await browser.signIn(username, PASSWORD)
  return browser.submit(page, STEP, { code })
}

async function events(userId: string): Promise<readonly string[]> {
  const all = await house.store.events({ userId: userId as UserId }, { limit: 500 })
  return all
    .toReversed()
    .map(({ kind, detail }) => `${kind} ${detail ?? ""}`)
    .filter((line) => /code|factor-ref/.test(line))
}

async function idOf(username: string): Promise<string> {
  const { accountByName } = await house.store.read({ accountByName: username })
  return accountByName?.userId ?? ""
}

describe("FACTOR-11: one-time passwords and recovery codes are counted together", () => {
  test("in the short window: five of either, then both wait", async () => {
    const secret = await accountWithTotp(house, "tina")
    const { browser, page } = await halfSignedIn(house, "tina")
    for (const code of [RECOVERY, wrongCode(house, secret), RECOVERY, RECOVERY, RECOVERY])
      assert.equal((await browser.submit(page, STEP, { code })).status, 403)
    for (const code of [RECOVERY, codeAt(house, secret)])
      assert.equal((await browser.submit(page, STEP, { code })).status, 429)
  })

  test("a browser that signed in before has a window of its own", async () => {
    const secret = await accountWithTotp(house, "tom")
    const known = await knownBrowser("tom", secret)
    house.clock.advance(60)
    const { browser, page } = await halfSignedIn(house, "tom")
    for (let n = 0; n < FACTOR_CODE_TRIES.requests; n++)
      assert.equal((await browser.submit(page, STEP, { code: wrongCode(house, secret) })).status, 403)
    assert.equal((await browser.submit(page, STEP, { code: codeAt(house, secret) })).status, 429)
    assert.equal((await inKnown(known, "tom", codeAt(house, secret))).status, 303)
  })
})

describe("FACTOR-11: a hundred failures in a row from unknown browsers", () => {
  test("close codes to these, until a right code comes from a known browser", async () => {
    const secret = await accountWithTotp(house, "uma")
    const known = await knownBrowser("uma", secret)
    await fail("uma", secret, CODE_FAILURES_AT_MOST)
    const closed = await fromUnknown("uma", codeAt(house, secret))
    assert.equal(closed.status, 403)
    assert.match(closed.text, /ask an administrator to unlock the account/)
    assert.equal((await fromUnknown("uma", RECOVERY)).status, 403)
    assert.deepEqual(await events(await idOf("uma")), [
      "factor-refused code: 1 in a row",
      "factor-refused code: 10 in a row",
      `codes-closed ${CODE_FAILURES_AT_MOST} in a row`,
    ])

    const wrong = await inKnown(known, "uma", wrongCode(house, secret))
    assert.match(wrong.text, /A code works once/)
    assert.equal((await inKnown(known, "uma", codeAt(house, secret))).status, 303)
    house.clock.advance(60)
    assert.equal((await fromUnknown("uma", codeAt(house, secret))).status, 303)
    assert.equal((await events(await idOf("uma"))).at(-1), "codes-opened from a known browser")
  })

  test("a right code before the hundredth begins the count again", async () => {
    const secret = await accountWithTotp(house, "vera")
    await fail("vera", secret, 95)
    assert.equal((await fromUnknown("vera", codeAt(house, secret))).status, 303)
    await fail("vera", secret, 10)
    assert.equal((await fromUnknown("vera", codeAt(house, secret))).status, 303)
  })

  test("an administrator sees it on the account's page and opens codes again", async () => {
    ada = await signedInBrowser(house, "ada")
    const secret = await accountWithTotp(house, "wim")
    await fail("wim", secret, CODE_FAILURES_AT_MOST)
    ada = await signedInBrowser(house, "ada")
    const id = await idOf("wim")
    const shown = await ada.get(`/console/account?id=${id}`)
    assert.match(shown.text, /Closed to unknown browsers after too many wrong ones/)
    const page = await ada.get(`/console/account/act?id=${id}&do=unlock`)
    assert.equal((await ada.submit(page, "/console/account/act", {})).status, 303)
    const opened = await ada.get(`/console/account?id=${id}&done=unlocked`)
    assert.equal(opened.text.includes("Closed to unknown browsers"), false)
    assert.equal((await fromUnknown("wim", codeAt(house, secret))).status, 303)
    assert.equal((await events(id)).includes("codes-opened by an administrator"), true)
  })

  test("account unlock opens them too, after a restart as well; of an account without failures it changes nothing", async () => {
    const secret = await accountWithTotp(house, "xena")
    assert.equal((await unlockAccount(house.latchkey, "xena", { address: null })).ok, true)
    await fail("xena", secret, CODE_FAILURES_AT_MOST)
    await house.restart()
    assert.equal((await fromUnknown("xena", codeAt(house, secret))).status, 403)
    assert.equal((await unlockAccount(house.latchkey, "XENA", { address: null })).ok, true)
    const { browser, page } = await halfSignedIn(house, "xena")
    assert.equal((await browser.submit(page, STEP, { code: codeAt(house, secret) })).status, 303)
    assert.equal(await isSignedIn(browser), true)
    assert.equal((await unlockAccount(house.latchkey, "no one", { address: null })).ok, false)
  })
})
