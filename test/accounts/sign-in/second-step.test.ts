import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { FACTOR_CODE_TRIES, SECOND_STEP_SECONDS } from "../../../src/kernel/account-limits.ts"
import { setPassword } from "../../../src/accounts/accounts.ts"
import { makeRecoveryCodes } from "../../../src/accounts/factors/recovery.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { authorizePath, newVerifier } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD, OPERATOR } from "../../support/test-server.ts"
import {
  accountWithTotp,
  codeAt,
  halfSignedIn,
  isRightCode,
  isSignedIn,
  kindsOf,
  wrongCode,
} from "../factors/factors.ts"
import { resetFactors } from "../../../src/admin/accounts/factor.command.ts"

const STEP = "/sign-in/code"

const { testServer } = await fixture()

/** Each test has its own accounts, so that wrong codes of one test do not count in another. */
let made = 0
async function account(): Promise<{ username: string; secret: string }> {
  const username = `person-${++made}`
  return { username, secret: await accountWithTotp(testServer, username) }
}

describe("FACTOR-10: between the steps no account is signed in", () => {
  test("a right password shows the second step and sets no session", async () => {
    const { username } = await account()
    const { browser, page } = await halfSignedIn(testServer, username)
    assert.equal(page.status, 200)
    assert.match(page.text, /name="code"/)
    assert.equal(browser.cookie("latchkey_session"), undefined)
    assert.equal(await isSignedIn(browser), false)
    assert.ok(!(await kindsOf(testServer)).includes("signed-in"))
  })

  test("the code signs in", async () => {
    const { username, secret } = await account()
    const { browser, page } = await halfSignedIn(testServer, username)
    const answer = await browser.submit(page, STEP, { code: codeAt(testServer, secret) })
    assert.deepEqual([answer.status, answer.location], [303, "/account"])
    assert.equal(await isSignedIn(browser), true)
  })

  test("what sign-in interrupted goes on after it", async () => {
    const { username, secret } = await account()
    const app = await testServer.addApp()
    const path = authorizePath(app, newVerifier().challenge)
    const browser = new Browser(testServer.url)
    const asked = await browser.get(path)
    const page = await browser.submit(asked, "/sign-in", { username, password: PASSWORD })
    assert.doesNotMatch(page.headers.get("content-security-policy") ?? "form-action", /form-action/)
    const answer = await browser.submit(page, STEP, { code: codeAt(testServer, secret) })
    assert.equal(answer.location, path)
    assert.match((await browser.get(path)).text, /name="decision"/)
  })

  test("it belongs to the browser that gave the password", async () => {
    const { username, secret } = await account()
    const { page } = await halfSignedIn(testServer, username)
    const other = new Browser(testServer.url)
    const own = hiddenFields((await other.get("/sign-in")).text, "/sign-in")
    const { ticket } = hiddenFields(page.text, STEP)
    const answer = await other.post(STEP, { ...own, ticket: ticket ?? "", code: codeAt(testServer, secret) })
    assert.equal(answer.status, 403)
    assert.match(answer.text, /name="password"/)
    assert.equal(await isSignedIn(other), false)
  })

  test("it needs the form's own token, and a ticket that we sealed", async () => {
    const { username, secret } = await account()
    const { browser, page } = await halfSignedIn(testServer, username)
    const code = codeAt(testServer, secret)
    for (const spoiled of [{ csrf: "x" }, { ticket: "x" }, { ticket: "" }]) {
      assert.equal((await browser.submit(page, STEP, { code, ...spoiled })).status, 403)
      assert.equal(await isSignedIn(browser), false)
    }
    assert.equal((await browser.submit(page, STEP, { code })).status, 303)
  })

  test("a new password, a disabled account and ten minutes end it", async () => {
    const from = { address: null, except: null }
    const spoil: readonly ((username: string) => unknown)[] = [
      (username) => setPassword(testServer.latchkey, username, `${PASSWORD}!`, from),
      () => testServer.clock.advance(SECOND_STEP_SECONDS + 1),
      () => testServer.clock.setWall(testServer.clock.now() - 3600),
    ]
    for (const by of spoil) {
      const { username, secret } = await account()
      const { browser, page } = await halfSignedIn(testServer, username)
      await by(username)
      const answer = await browser.submit(page, STEP, { code: codeAt(testServer, secret) })
      assert.equal(answer.status, 403)
      assert.match(answer.text, /page has expired/)
      assert.equal(await isSignedIn(browser), false)
    }
  })

  test("the last second still counts", async () => {
    const { username, secret } = await account()
    const { browser, page } = await halfSignedIn(testServer, username)
    testServer.clock.advance(SECOND_STEP_SECONDS)
    assert.equal((await browser.submit(page, STEP, { code: codeAt(testServer, secret) })).status, 303)
  })

  test("an account without a second factor signs in at once", async () => {
    await testServer.addAccount("plain")
    const browser = new Browser(testServer.url)
    assert.equal((await browser.signIn("plain", PASSWORD)).location, "/account")
  })
})

describe("FACTOR-4: one-time passwords", () => {
  const sent = async (username: string, code: string) => {
    const { browser, page } = await halfSignedIn(testServer, username)
    return (await browser.submit(page, STEP, { code })).status
  }

  test("a code is accepted once, also from another browser", async () => {
    const { username, secret } = await account()
    const code = codeAt(testServer, secret)
    assert.equal(await sent(username, code), 303)
    assert.equal(await sent(username, code), 403)
  })

  test("of three uses of one code at once, one signs in", async () => {
    const { username, secret } = await account()
    const halves = await Promise.all(Array.from({ length: 3 }, () => halfSignedIn(testServer, username)))
    const code = codeAt(testServer, secret)
    const answers = await Promise.all(halves.map(({ browser, page }) => browser.submit(page, STEP, { code })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 403, 403])
  })

  test("the steps to either side are right, two steps away is not", async () => {
    for (const [steps, status] of [
      [-2, 403],
      [-1, 303],
      [0, 303],
      [1, 303],
      [2, 403],
    ] as const) {
      let { username, secret } = await account()
      const isRight = () => isRightCode(testServer, secret, codeAt(testServer, secret, steps))
      // A code of this step may by chance equal the code of a step nearby. The test then takes another account.
      while (isRight() !== (status === 303)) ({ username, secret } = await account())
      assert.equal(await sent(username, codeAt(testServer, secret, steps)), status, `${steps} steps`)
    }
  })

  test("no code before the last one is right any more, also with the clock set back", async () => {
    const { username, secret } = await account()
    assert.equal(await sent(username, codeAt(testServer, secret, 1)), 303)
    assert.equal(await sent(username, codeAt(testServer, secret)), 403)
    testServer.clock.setWall(testServer.clock.now() - 60)
    assert.equal(await sent(username, codeAt(testServer, secret)), 403)
    testServer.clock.setWall(testServer.clock.now() + 180)
    assert.equal(await sent(username, codeAt(testServer, secret)), 303)
  })

  test("wrong, used and unreadable codes get one answer", async () => {
    const { username, secret } = await account()
    const used = codeAt(testServer, secret)
    assert.equal(await sent(username, used), 303)
    const texts = new Set<string>()
    for (const code of [used, wrongCode(testServer, secret), "", "aaaa-aaaa-aaaa-aaaa"]) {
      const { browser, page } = await halfSignedIn(testServer, username)
      const answer = await browser.submit(page, STEP, { code })
      assert.equal(answer.status, 403)
      texts.add(answer.text.replaceAll(/ value="[^"]*"/g, ""))
    }
    assert.equal(texts.size, 1)
    assert.ok((await kindsOf(testServer)).includes("factor-refused"))
  })

  test("five wrong codes make the account wait, whatever the browser, and the wait ends", async () => {
    const { username, secret } = await account()
    const { browser, page } = await halfSignedIn(testServer, username)
    const wrong = wrongCode(testServer, secret)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => browser.submit(page, STEP, { code: wrong })),
    )
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 403).length, FACTOR_CODE_TRIES.requests)
    assert.equal(statuses.filter((status) => status === 429).length, 12 - FACTOR_CODE_TRIES.requests)
    const other = await halfSignedIn(testServer, username)
    const waiting = await other.browser.submit(other.page, STEP, { code: codeAt(testServer, secret) })
    assert.equal(waiting.status, 429)
    const wait = Number(waiting.headers.get("retry-after"))
    assert.ok(wait > 0 && wait <= FACTOR_CODE_TRIES.seconds)
    testServer.clock.advance(wait)
    const again = await halfSignedIn(testServer, username)
    assert.equal(
      (await again.browser.submit(again.page, STEP, { code: codeAt(testServer, secret) })).status,
      303,
    )
  })

  test("right codes do not count", async () => {
    const { username, secret } = await account()
    for (let n = 0; n < FACTOR_CODE_TRIES.requests + 2; n++) {
      assert.equal(await sent(username, codeAt(testServer, secret)), 303)
      testServer.clock.advance(30)
    }
  })
})

describe("FACTOR-6, FACTOR-3: recovery codes", () => {
  test("each signs in once, whatever way it is typed", async () => {
    const { username } = await account()
    const { accountByName } = await testServer.store.read({ accountByName: username })
    assert.ok(accountByName)
    const fresh = await makeRecoveryCodes(testServer.latchkey, accountByName.userId, null, "192.0.2.1")
    assert.ok(fresh.outcome === "done")
    assert.equal(fresh.codes.length, 10)
    const [first = "", second = ""] = fresh.codes
    for (const [code, status] of [
      [first, 303],
      [first, 403],
      [second.replaceAll("-", " ").toUpperCase(), 303],
      [second, 403],
    ] as const) {
      const { browser, page } = await halfSignedIn(testServer, username)
      assert.match(page.text, /Use a recovery code/)
      assert.equal((await browser.submit(page, STEP, { code })).status, status, code)
    }
    const [used] = await testServer.store.events({ kinds: ["recovery-code-used"] }, { limit: 1 })
    assert.equal(used?.detail, "8 left")
  })
})

test("FACTOR-9: a reset lets the password alone in again, and ends every session", async () => {
  const { username, secret } = await account()
  const { browser, page } = await halfSignedIn(testServer, username)
  await browser.submit(page, STEP, { code: codeAt(testServer, secret) })
  const reset = await resetFactors(testServer.latchkey, username, OPERATOR)
  assert.ok(reset.ok)
  assert.equal(await isSignedIn(browser), false)
  const fresh = new Browser(testServer.url)
  assert.equal((await fresh.signIn(username, PASSWORD)).location, "/account")
})
