import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { ENROLMENT_SECONDS, FRESH_PROOF_SECONDS, PASSWORD_TRIES } from "../../../src/kernel/account-limits.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { codeAt, halfSignedIn, isSignedIn, kindsOf, wrongCode } from "../factors/factors.ts"

const SECURITY = "/account/security"
const TOTP = `${SECURITY}/totp`
const RECOVERY = `${SECURITY}/recovery`
const NEW_PASSWORD = `${SECURITY}/password`
const PROVE = "/account/prove"

let username: string
let browser: Browser
let made = 0

const { testServer } = await fixture()
beforeEach(async () => {
  username = `owner-${++made}`
  await testServer.addAccount(username)
  browser = await signedInBrowser(testServer, username)
})

/** Reads the secret from the `otpauth:` link of the page. */
function secretOn(text: string): string {
  const secret = /href="otpauth:[^"]*[?;]secret=([A-Z2-7]+)/.exec(text)?.[1]
  if (secret === undefined) throw new Error("the page shows no secret")
  return secret
}

async function addApp(name = "Phone"): Promise<string> {
  const page = await browser.get(TOTP)
  const secret = secretOn(page.text)
  const answer = await browser.submit(page, TOTP, { code: codeAt(testServer, secret), name })
  assert.equal(answer.location, SECURITY, answer.text)
  return secret
}

/** Returns the path of the page of the only factor. */
async function factorPath(): Promise<string> {
  const path = /href="(\/account\/security\/factor\?id=[0-9a-z]{26})"/.exec(
    (await browser.get(SECURITY)).text,
  )?.[1]
  if (path === undefined) throw new Error("no factor is listed")
  return path
}

const asksForProof = (page: { readonly text: string }) => /Confirm that it’s you/.test(page.text)

describe("FACTOR-1: adding an authenticator app", () => {
  test("nothing counts before the first right code; from then on signing in takes one, but not the same", async () => {
    const page = await browser.get(TOTP)
    assert.match(page.text, /<svg class="qr"/)
    const secret = secretOn(page.text)
    assert.equal((await new Browser(testServer.url).signIn(username, PASSWORD)).status, 303)

    const wrong = await browser.submit(page, TOTP, { code: wrongCode(testServer, secret), name: "Phone" })
    assert.equal(wrong.status, 400)
    assert.equal(secretOn(wrong.text), secret, "the secret stays for another try")
    assert.equal((await new Browser(testServer.url).signIn(username, PASSWORD)).status, 303)

    const code = codeAt(testServer, secret)
    assert.equal((await browser.submit(wrong, TOTP, { code, name: "Phone" })).location, SECURITY)
    const half = await halfSignedIn(testServer, username)
    assert.equal((await half.browser.submit(half.page, "/sign-in/code", { code })).status, 403)
    const next = codeAt(testServer, secret, 1)
    assert.equal((await half.browser.submit(half.page, "/sign-in/code", { code: next })).status, 303)
    assert.ok((await kindsOf(testServer)).includes("factor-added"))
  })

  test("the secret is in no row and no event", async () => {
    const secret = await addApp()
    const { accountByName } = await testServer.store.read({ accountByName: username })
    const { factors } = await testServer.store.read({ factors: accountByName?.userId ?? null })
    const events = await testServer.store.events({}, { limit: 50 })
    assert.doesNotMatch(JSON.stringify([factors, events]), new RegExp(secret))
  })

  test("the form sent twice adds one", async () => {
    const page = await browser.get(TOTP)
    const code = codeAt(testServer, secretOn(page.text))
    for (let n = 0; n < 2; n++)
      assert.equal((await browser.submit(page, TOTP, { code, name: "" })).location, SECURITY)
    assert.equal((await browser.get(SECURITY)).text.match(/security\/factor\?id=/g)?.length, 1)
  })

  test("the page goes stale, and belongs to its session", async () => {
    const page = await browser.get(TOTP)
    const secret = secretOn(page.text)
    const other = await signedInBrowser(testServer, username)
    const { ticket = "" } = hiddenFields(page.text, TOTP)
    const carried = await other.submit(await other.get(TOTP), TOTP, {
      ticket,
      code: codeAt(testServer, secret),
      name: "",
    })
    assert.equal(carried.status, 400)
    testServer.clock.advance(ENROLMENT_SECONDS + 1)
    const asked = await browser.submit(page, TOTP, { code: codeAt(testServer, secret), name: "" })
    assert.equal(asksForProof(asked), true)
    const late = await browser.submit(asked, TOTP, { password: PASSWORD })
    assert.equal(late.status, 400)
    assert.notEqual(secretOn(late.text), secret)
  })
})

describe("FACTOR-7: the list", () => {
  test("shows name, kind, and when it was added and last used", async () => {
    assert.match((await browser.get("/account")).text, /href="\/account\/security"/)
    assert.match((await browser.get(SECURITY)).text, /Only your password protects your account/)
    await addApp("Ada's <phone>")
    const { text } = await browser.get(SECURITY)
    assert.match(text, /Ada&#39;s &lt;phone&gt;/)
    assert.match(text.replaceAll(/\s+/g, " "), /Authenticator app, added <time[^>]*>15 January 2027<\/time>/)
    assert.match(text, /Get recovery codes/)
  })

  test("a factor is renamed; a name that cannot be seen is refused; one that is not there is not found", async () => {
    await addApp()
    const path = await factorPath()
    const rename = `${SECURITY}/rename`
    const page = await browser.get(path)
    assert.equal((await browser.submit(page, rename, { name: " My tablet " })).location, SECURITY)
    assert.match((await browser.get(SECURITY)).text, /My tablet/)
    assert.equal((await browser.submit(page, rename, { name: "pay\u200bpal" })).status, 400)
    for (const id of ["0".repeat(26), "%22%3E<script>", ""])
      assert.equal((await browser.get(`${SECURITY}/factor?id=${id}`)).status, 404)
  })

  test("LANG-7 a factor without a name of its owner is named in the language of each page, and stored in English", async () => {
    const german = new Browser(testServer.url, { "accept-language": "de" })
    await german.signIn(username, PASSWORD)
    await addApp(" ")
    const path = await factorPath()
    assert.match((await german.get(SECURITY)).text, /<bdi class="name">Authenticator-App<\/bdi>/)
    const page = await german.get(path)
    assert.match(page.text, /<h1><bdi class="name">Authenticator-App<\/bdi><\/h1>/)
    assert.match(page.text, /<input id="name"[^>]* value=""/)
    assert.match((await german.get("/account/activity")).text, /hinzugefügt: <bdi>Authenticator-App<\/bdi>/)
    const added = await testServer.store.events({ kinds: ["factor-added"] }, { limit: 1, newestFirst: true })
    assert.equal(added[0]?.detail, "totp: Authenticator app")
    assert.equal((await german.submit(page, `${SECURITY}/rename`, { name: "Telefon" })).location, SECURITY)
    assert.match((await german.get(path)).text, /<input id="name"[^>]* value="Telefon"/)
  })

  test("a factor of another account is neither shown, renamed nor removed", async () => {
    await addApp()
    const path = await factorPath()
    const id = path.slice(path.indexOf("=") + 1)
    const stranger = `${username}-stranger`
    await testServer.addAccount(stranger)
    const theirs = await signedInBrowser(testServer, stranger)
    assert.equal((await theirs.get(path)).status, 404)
    const { csrf = "" } = hiddenFields((await theirs.get(NEW_PASSWORD)).text, NEW_PASSWORD)
    for (const action of ["rename", "remove"])
      await theirs.post(`${SECURITY}/${action}`, { csrf, id, name: "stolen" })
    const { text } = await browser.get(path)
    assert.match(text, /Phone/)
  })

  test("without a session, a person signs in first and comes back", async () => {
    const visitor = new Browser(testServer.url)
    const page = await visitor.get(NEW_PASSWORD)
    const answer = await visitor.submit(page, "/sign-in", { username, password: PASSWORD })
    assert.equal(answer.location, NEW_PASSWORD)
  })

  test("forms that no page of this session sent change nothing", async () => {
    await addApp()
    const path = await factorPath()
    const fields = hiddenFields((await browser.get(path)).text, `${SECURITY}/remove`)
    assert.equal((await browser.post(`${SECURITY}/remove`, { ...fields, csrf: "x" })).status, 403)
    assert.equal(
      (await browser.post(`${SECURITY}/remove`, fields, { origin: "https://evil.example" })).status,
      403,
    )
    assert.equal((await new Browser(testServer.url).post(`${SECURITY}/remove`, fields)).status, 403)
    assert.equal((await browser.get(path)).status, 200)
  })
})

describe("FACTOR-8: a fresh proof", () => {
  const pages = [TOTP, `${SECURITY}/passkey`, NEW_PASSWORD]

  test("is there right after signing in, for five minutes; then the pages ask for it and go on", async () => {
    for (const path of pages) assert.equal(asksForProof(await browser.get(path)), false, path)
    testServer.clock.advance(FRESH_PROOF_SECONDS)
    for (const path of pages) assert.equal(asksForProof(await browser.get(path)), false, path)
    testServer.clock.advance(1)
    for (const path of pages) assert.equal(asksForProof(await browser.get(path)), true, path)
    const page = await browser.get(NEW_PASSWORD)
    assert.equal((await browser.submit(page, PROVE, { password: "wrong" })).status, 403)
    assert.equal((await browser.submit(page, PROVE, { password: PASSWORD })).location, NEW_PASSWORD)
    for (const path of pages) assert.equal(asksForProof(await browser.get(path)), false, path)
  })

  test("is of the strongest kind: the password counts no more once an app is enrolled elsewhere", async () => {
    const other = await signedInBrowser(testServer, username)
    const secret = await addApp()
    assert.equal(asksForProof(await browser.get(NEW_PASSWORD)), false, "enrolling was a proof")
    const page = await other.get(NEW_PASSWORD)
    assert.equal(asksForProof(page), true)
    assert.doesNotMatch(page.text, /name="password"/)
    assert.equal((await other.submit(page, PROVE, { password: PASSWORD })).status, 403)
    const answer = await other.submit(page, PROVE, { code: codeAt(testServer, secret, 1) })
    assert.equal(answer.location, NEW_PASSWORD)
    assert.equal(asksForProof(await other.get(NEW_PASSWORD)), false)
  })

  test("is needed to remove a factor, when the form is sent", async () => {
    const secret = await addApp()
    testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
    const path = await factorPath()
    const remove = `${SECURITY}/remove`
    const page = await browser.get(path)
    const asked = await browser.submit(page, remove, {})
    assert.equal(asksForProof(asked), true)
    assert.equal((await browser.get(path)).status, 200, "it is still there")
    const proven = await browser.submit(asked, remove, { code: codeAt(testServer, secret) })
    assert.equal(proven.location, SECURITY, "the form went on")
    assert.equal((await browser.get(path)).status, 404)
    assert.equal((await new Browser(testServer.url).signIn(username, PASSWORD)).location, "/account")
  })

  test("wrong passwords make a session wait", async () => {
    testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
    const page = await browser.get(NEW_PASSWORD)
    const wrong = () => browser.submit(page, PROVE, { password: "wrong" })
    // The attempts run one after the other, because only two passwords of an account are checked at once (LOAD-3).
    const answers: Awaited<ReturnType<typeof wrong>>[] = []
    while (answers.length < PASSWORD_TRIES.account.requests + 2) answers.push(await wrong())
    assert.equal(answers.filter(({ status }) => status === 429).length, 2)
  })

  test("a new password signs every other browser out, and works", async () => {
    const other = await signedInBrowser(testServer, username)
    const page = await browser.get(NEW_PASSWORD)
    const short = await browser.submit(page, NEW_PASSWORD, { password: "short" })
    assert.equal(short.status, 400)
    assert.match(short.text, /fewer than 8 characters/)
    assert.equal(await isSignedIn(other), true)
    const changed = await browser.submit(page, NEW_PASSWORD, { password: "another good password" })
    assert.equal(changed.location, SECURITY)
    assert.equal(await isSignedIn(browser), true)
    assert.equal(await isSignedIn(other), false)
    assert.equal((await new Browser(testServer.url).signIn(username, PASSWORD)).status, 403)
    assert.equal((await new Browser(testServer.url).signIn(username, "another good password")).status, 303)
  })

  test("a new password without a fresh proof changes nothing", async () => {
    const page = await browser.get(NEW_PASSWORD)
    testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
    const answer = await browser.submit(page, NEW_PASSWORD, { password: "another good password" })
    assert.equal(asksForProof(answer), true)
    assert.equal((await new Browser(testServer.url).signIn(username, PASSWORD)).status, 303)
  })
})

describe("FACTOR-6: recovery codes", () => {
  const codesOn = (text: string) =>
    [...text.matchAll(/<code>([0-9a-z]{4}(?:-[0-9a-z]{4}){3})<\/code>/g)].map(([, code = ""]) => code)

  test("are for accounts with a second factor", async () => {
    assert.equal((await browser.get(RECOVERY)).location, SECURITY)
    const { csrf = "" } = hiddenFields((await browser.get(NEW_PASSWORD)).text, NEW_PASSWORD)
    assert.equal((await browser.post(RECOVERY, { csrf })).location, SECURITY)
  })

  test("are shown once; new ones replace them; each works once", async () => {
    await addApp()
    const shown = await browser.submit(await browser.get(RECOVERY), RECOVERY, {})
    const first = codesOn(shown.text)
    assert.equal(new Set(first).size, 10)
    assert.match((await browser.get(SECURITY)).text, /10 codes are left/)
    assert.deepEqual(codesOn((await browser.get(RECOVERY)).text), [])

    const again = await browser.get(RECOVERY)
    assert.match(again.text, /current codes will stop working/)
    const second = codesOn((await browser.submit(again, RECOVERY, {})).text)
    for (const [code = "", status] of [
      [first[0], 403],
      [second[0], 303],
      [second[0], 403],
    ] as const) {
      const half = await halfSignedIn(testServer, username)
      assert.equal((await half.browser.submit(half.page, "/sign-in/code", { code })).status, status)
    }
    assert.match((await browser.get(SECURITY)).text, /9 codes are left/)
  })

  test("FACTOR-8: need a fresh proof, and a recovery code is one", async () => {
    await addApp()
    const page = await browser.get(RECOVERY)
    const [code = ""] = codesOn((await browser.submit(page, RECOVERY, {})).text)
    testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
    const asked = await browser.submit(page, RECOVERY, {})
    assert.equal(asksForProof(asked), true)
    assert.deepEqual(codesOn(asked.text), [])
    assert.equal(codesOn((await browser.submit(asked, RECOVERY, { code })).text).length, 10)
  })

  test("go with the last second factor", async () => {
    await addApp()
    await browser.submit(await browser.get(RECOVERY), RECOVERY, {})
    await browser.submit(await browser.get(await factorPath()), `${SECURITY}/remove`, {})
    assert.deepEqual(await testServer.store.verify(), [])
    assert.doesNotMatch((await browser.get(SECURITY)).text, /[Rr]ecovery codes/)
  })
})

test("FACTOR-5: the script is one file, kept for good under an address that holds its digest", async () => {
  const { text } = await new Browser(testServer.url).get("/sign-in")
  const path = /<script src="([^"]+)" defer><\/script>/.exec(text)?.[1] ?? ""
  const file = await new Browser(testServer.url).get(path)
  assert.equal(file.headers.get("content-type"), "text/javascript; charset=utf-8")
  assert.equal(file.headers.get("cache-control"), "public, max-age=31536000, immutable")
  assert.equal(file.headers.get("x-content-type-options"), "nosniff")
  const digest = createHash("sha256").update(file.text).digest("base64url")
  assert.equal(path, `/assets/passkey.js?v=${digest.slice(0, 16)}`)
})
