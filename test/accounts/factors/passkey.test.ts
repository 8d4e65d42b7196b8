import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { CHALLENGE_SECONDS, PASSKEY_TRIES } from "../../../src/kernel/account-limits.ts"
import { setAccountEnabled } from "../../../src/accounts/accounts.ts"
import { removeFactor } from "../../../src/accounts/factors/factor.ts"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { Authenticator, type Said } from "../../support/authenticator.ts"
import { Browser } from "../../support/browser.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD, OPERATOR } from "../../support/test-server.ts"
import { addPasskey, halfSignedIn, isSignedIn, passkeyOptions, wrongCode } from "./factors.ts"

const ALONE = "/sign-in/passkey"
const STEP = "/sign-in/code"

let username: string
let authenticator: Authenticator
let made = 0

const { testServer } = await fixture()

beforeEach(async () => {
  username = `holder-${++made}`
  await testServer.addAccount(username)
  authenticator = new Authenticator()
  const added = await addPasskey(testServer, await signedInBrowser(testServer, username), authenticator)
  assert.equal(added.location, "/account/security", added.text)
})

/** Opens the sign-in page and signs in with only the passkey. */
async function alone(said: Partial<Said> = {}, from = authenticator) {
  const browser = new Browser(testServer.url)
  const page = await browser.get("/sign-in")
  const response = from.get(passkeyOptions(page.text), { origin: testServer.issuer, ...said })
  return { browser, page, response, answer: await browser.submit(page, ALONE, { response }) }
}

async function factorOf(name: string) {
  const { accountByName } = await testServer.store.read({ accountByName: name })
  const { factors } = await testServer.store.read({ factors: accountByName?.userId ?? null })
  const factor = factors?.find(({ kind }) => kind === "passkey")
  assert.ok(factor?.kind === "passkey")
  return factor
}

describe("FACTOR-5: a passkey alone", () => {
  test("signs in, without a name and without a password", async () => {
    const { browser, page, answer } = await alone()
    const options = JSON.parse(passkeyOptions(page.text)) as Record<string, unknown>
    assert.deepEqual([options["rpId"], options["userVerification"]], ["localhost", "required"])
    assert.deepEqual(options["allowCredentials"], [])
    assert.deepEqual([answer.status, answer.location], [303, "/account"])
    assert.equal(await isSignedIn(browser), true)
    const [event] = await testServer.store.events({ kinds: ["signed-in"] }, { limit: 1 })
    assert.equal(event?.detail, "passkey")
  })

  test("is not enough where its owner was not verified", async () => {
    const { browser, answer } = await alone({ isVerified: false })
    assert.equal(answer.status, 403)
    assert.equal(await isSignedIn(browser), false)
  })

  test("is refused for another site, another user and by another key", async () => {
    for (const said of [
      { origin: "https://evil.example" },
      { userHandle: null },
      { userHandle: Buffer.from("another account").toString("base64url") },
    ])
      assert.equal((await alone(said)).answer.status, 403, JSON.stringify(said))
    assert.equal((await alone({}, new Authenticator())).answer.status, 403)
  })

  test("is refused where the answer is nothing that a browser sends", async () => {
    const browser = new Browser(testServer.url)
    const page = await browser.get("/sign-in")
    for (const response of ["", "x", "null", "[]", "{}", '{"id":1}', '{"id":"x","response":null}'])
      assert.equal((await browser.submit(page, ALONE, { response })).status, 403, response)
    const id = authenticator.id.toString("base64url")
    for (const response of [
      { id },
      { id, response: {} },
      { id, rawId: id, type: "public-key", response: "x" },
    ])
      assert.equal((await browser.submit(page, ALONE, { response: JSON.stringify(response) })).status, 403)
  })

  test("its challenge works once, in its own browser, for five minutes", async () => {
    const { page, browser, response } = await alone()
    assert.equal((await browser.submit(page, ALONE, { response })).status, 403, "a second time")

    const other = new Browser(testServer.url)
    const own = await other.get("/sign-in")
    const challenge = /name="challenge" value="([^"]+)"/.exec(
      (await new Browser(testServer.url).get("/sign-in")).text,
    )
    const foreign = authenticator.get(passkeyOptions(own.text), { origin: testServer.issuer })
    const carried = await other.submit(own, ALONE, { response: foreign, challenge: challenge?.[1] ?? "" })
    assert.equal(carried.status, 403, "another browser's")

    const late = await other.get("/sign-in")
    const signed = authenticator.get(passkeyOptions(late.text), { origin: testServer.issuer })
    testServer.clock.advance(CHALLENGE_SECONDS)
    assert.equal((await other.submit(late, ALONE, { response: signed })).status, 303, "the last second")
    const later = new Browser(testServer.url)
    const page2 = await later.get("/sign-in")
    const signed2 = authenticator.get(passkeyOptions(page2.text), { origin: testServer.issuer })
    testServer.clock.advance(CHALLENGE_SECONDS + 1)
    assert.equal((await later.submit(page2, ALONE, { response: signed2 })).status, 403, "after five minutes")
  })

  test("a count that does not grow is refused, and is in the audit trail", async () => {
    assert.equal((await alone({ counter: 7 })).answer.status, 303)
    assert.equal((await factorOf(username)).counter, 7)
    for (const counter of [7, 6, 0]) assert.equal((await alone({ counter })).answer.status, 403)
    assert.equal((await alone({ counter: 8 })).answer.status, 303)
    const [event] = await testServer.store.events({ kinds: ["factor-refused"] }, { limit: 1 })
    assert.equal(event?.detail, "passkey: its count went back")
  })

  test("does not work for a disabled account, nor once it is removed", async () => {
    await setAccountEnabled(testServer.latchkey, username, false, OPERATOR)
    assert.equal((await alone()).answer.status, 403)
    await setAccountEnabled(testServer.latchkey, username, true, OPERATOR)
    const { factorId, userId } = await factorOf(username)
    assert.equal(await removeFactor(testServer.latchkey, userId, factorId, null, null), "done")
    assert.equal((await alone()).answer.status, 403)
  })

  test("an address that sends many invalid ones must wait", async () => {
    for (let n = 0; n < PASSKEY_TRIES.requests; n++) await alone({}, new Authenticator())
    const { answer } = await alone()
    assert.equal(answer.status, 429)
    testServer.clock.advance(Number(answer.headers.get("retry-after")))
    assert.equal((await alone()).answer.status, 303)
  })
})

describe("FACTOR-5, FACTOR-10: a passkey as the second step", () => {
  async function second(said: Partial<Said> = {}, from = authenticator) {
    const { browser, page } = await halfSignedIn(testServer, username)
    const options = passkeyOptions(page.text)
    const response = from.get(options, { origin: testServer.issuer, ...said })
    return { browser, page, options, answer: await browser.submit(page, STEP, { response }) }
  }

  test("signs in, also where the authenticator did not verify its owner", async () => {
    const { options, answer, browser } = await second({ isVerified: false, userHandle: null })
    const { allowCredentials } = JSON.parse(options) as { allowCredentials: { id: string }[] }
    assert.deepEqual(
      allowCredentials.map(({ id }) => id),
      [authenticator.id.toString("base64url")],
    )
    assert.equal(answer.status, 303)
    assert.equal(await isSignedIn(browser), true)
  })

  test("a passkey of another account is refused", async () => {
    const other = new Authenticator()
    await testServer.addAccount(`${username}-friend`)
    await addPasskey(testServer, await signedInBrowser(testServer, `${username}-friend`), other)
    const { answer, browser } = await second({}, other)
    assert.equal(answer.status, 403)
    assert.equal(await isSignedIn(browser), false)
  })

  test("a challenge of the second step does not sign in alone, and the other way round", async () => {
    const { browser, page } = await halfSignedIn(testServer, username)
    const signed = authenticator.get(passkeyOptions(page.text), { origin: testServer.issuer })
    const challenge = /name="challenge" value="([^"]+)"/.exec(page.text)?.[1] ?? ""
    const signIn = await browser.get("/sign-in")
    assert.equal((await browser.submit(signIn, ALONE, { response: signed, challenge })).status, 403)
    const ofSignIn = /name="challenge" value="([^"]+)"/.exec(signIn.text)?.[1] ?? ""
    const response = authenticator.get(passkeyOptions(signIn.text), { origin: testServer.issuer })
    assert.equal((await browser.submit(page, STEP, { response, challenge: ofSignIn })).status, 403)
  })

  test("FACTOR-4: guessing codes does not keep its owner out", async () => {
    const added = await addTotp(testServer.latchkey, username, OPERATOR)
    assert.ok(added.ok)
    const { browser, page } = await halfSignedIn(testServer, username)
    const code = wrongCode(testServer, added.value.secret)
    for (let n = 0; n < 6; n++) await browser.submit(page, STEP, { code })
    assert.equal((await browser.submit(page, STEP, { code })).status, 429)
    assert.equal((await second()).answer.status, 303)
  })
})

describe("FACTOR-2: adding passkeys", () => {
  test("one is enrolled once, and for one account", async () => {
    const { browser } = await alone()
    const again = await addPasskey(testServer, browser, authenticator)
    assert.equal(again.status, 400)
    assert.match(again.text, /already added/)
  })

  test("the form sent twice adds one; another browser's challenge and another site's answer add none", async () => {
    const path = "/account/security/passkey"
    const { browser } = await alone()
    const key = new Authenticator()
    const page = await browser.get(path)
    const foreign = key.create(passkeyOptions(page.text), { origin: "https://evil.example" })
    assert.equal((await browser.submit(page, path, { response: foreign })).status, 400)
    const elsewhere = await (await alone()).browser.get(path)
    const challenge = /name="challenge" value="([^"]+)"/.exec(elsewhere.text)?.[1] ?? ""
    const theirs = key.create(passkeyOptions(elsewhere.text), { origin: testServer.issuer })
    assert.equal((await browser.submit(page, path, { response: theirs, challenge })).status, 400)
    const response = key.create(passkeyOptions(page.text), { origin: testServer.issuer })
    for (let n = 0; n < 2; n++)
      assert.equal((await browser.submit(page, path, { response })).location, "/account/security")
    const { userId } = await factorOf(username)
    assert.equal((await testServer.store.read({ factors: userId })).factors?.length, 2)
  })

  test("at an IP address there are no passkeys, and the pages say why", async (t) => {
    const { testServer: bare } = await fixture({
      baseUrl: "http://127.0.0.1:8787",
      accounts: ["ada"],
      span: t,
    })
    const browser = new Browser(bare.url, { origin: "http://127.0.0.1:8787" })
    const signIn = await browser.get("/sign-in")
    assert.doesNotMatch(signIn.text, /Use a passkey|data-passkey|<script/)
    const form = await browser.submit(signIn, "/sign-in", { username: "ada", password: PASSWORD })
    assert.equal(form.status, 303)
    assert.match((await browser.get("/account/security")).text, /reached by an IP address/)
    assert.match((await browser.get("/account/security/passkey")).text, /reached by an IP address/)
  })
})
