import assert from "node:assert/strict"
import { test } from "node:test"
import { Browser } from "../../support/browser.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD } from "../../support/test-server.ts"

const PATH = "/account/security/browsers"
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

const { testServer } = await fixture({ accounts: ["ada", "bob"] })

async function signedIn(name: string, userAgent = FIREFOX): Promise<Browser> {
  const browser = new Browser(testServer.url, { "user-agent": userAgent })
  assert.equal((await browser.signIn(name, PASSWORD)).status, 303)
  return browser
}

const isIn = async (browser: Browser) => (await browser.get("/account")).status === 200
const references = (text: string) =>
  [...text.matchAll(/name="reference" value="([^"]*)"/g)].map(([, value]) => value ?? "")

test("the browsers of an account are listed, this one marked, and the other is signed out at once", async () => {
  const [mine, other] = [await signedIn("ada"), await signedIn("ada", "curl/8")]
  const page = await mine.get(PATH)
  assert.match(page.text, /Firefox on Linux\s*<span class="tag here">This browser/)
  assert.ok(page.text.includes("A browser") && page.text.includes("127.0.0.1"))
  assert.equal(references(page.text).length, 1)
  const session = other.cookie("latchkey_session") ?? ""
  assert.ok(session.length > 40 && !page.text.includes(session))
  const answer = await mine.submit(page, PATH, {})
  assert.deepEqual([answer.status, answer.location], [303, PATH])
  assert.deepEqual([await isIn(mine), await isIn(other)], [true, false])
  assert.equal((await mine.submit(page, PATH, {})).status, 303)
})

test("every other browser is signed out together, and other people's stay", async () => {
  const mine = await signedIn("ada")
  const others = [await signedIn("ada"), await signedIn("ada")]
  const bob = await signedIn("bob")
  const [reference = ""] = references((await (await signedIn("bob")).get(PATH)).text)
  const page = await mine.get(PATH)
  const foreign = await mine.submit(page, PATH, { reference })
  const unknown = await mine.submit(page, PATH, { reference: "unknown" })
  assert.deepEqual([foreign.status, foreign.location], [unknown.status, unknown.location])
  assert.equal(await isIn(bob), true)
  await mine.submit(page, PATH, { others: "yes" })
  assert.deepEqual(await Promise.all([mine, bob, ...others].map(isIn)), [true, true, false, false])
})

test("no other site signs a browser out, and reading the page does not", async () => {
  const [mine, other] = [await signedIn("ada"), await signedIn("ada")]
  const page = await mine.get(`${PATH}?others=yes`)
  assert.equal(page.status, 200)
  const cross = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" }
  assert.equal((await mine.post(PATH, { others: "yes" }, cross)).status, 403)
  assert.equal((await mine.post(PATH, { others: "yes" })).status, 403)
  assert.equal(await isIn(other), true)
})
