/** The cookies of sign-ins that are not finished share one bound: RECOVER-8, UP-3. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { Browser } from "../../support/browser.ts"
import { authorizePath, newVerifier } from "../../support/connect.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"
import { PASSWORD } from "../../support/test-server.ts"

/** By default nginx accepts a header line of 8,192 bytes. */
const LINE_AT_MOST = 8_192 - "cookie: ".length
const CORP = "/sign-in/with/corp"

const visits = await ProviderVisits.open()
const { server } = visits
await server.addAccount("ada")
await visits.link("ada", "ada")
const app = await server.addApp({ redirectUris: ["https://app.example/callback"] })

const nextOf = (length: number) =>
  authorizePath(app, newVerifier().challenge, {
    redirect_uri: "https://app.example/callback",
    state: "s".repeat(length),
  })

async function begin(browser: Browser, next: string) {
  const between = await browser.submit(await browser.get(next), CORP, {})
  assert.equal(between.status, 200)
  return between
}

async function assertAnswers(browser: Browser) {
  assert.ok(browser.cookies().length <= LINE_AT_MOST, `${browser.cookies().length} bytes`)
  const callback = `${CORP}/callback?code=${"c".repeat(1_400)}&state=${"z".repeat(43)}`
  for (const path of ["/sign-in", "/account"]) assert.ok((await browser.get(path)).status < 400, path)
  assert.equal((await browser.get(callback)).status, 403)
}

test("RECOVER-8, UP-3 no row of links makes cookies that a proxy refuses, and the newest sign-in continues", async (t) => {
  visits.restoreAfter(t)
  for (const lengths of [
    [2_000, 4_000],
    [4_000, 2_000],
    [4_000, 4_000, 4_000],
    Array<number>(12).fill(700),
  ]) {
    const browser = new Browser(server.url)
    let last = { next: "", between: await browser.get("/sign-in") }
    for (const length of lengths) {
      const next = nextOf(length)
      last = { next, between: await begin(browser, next) }
      await assertAnswers(browser)
    }
    const arrived = await visits.comeBack(browser, last.between, { sub: "ada" })
    assert.deepEqual([arrived.status, arrived.location], [303, last.next], String(lengths))
  }
})

test("RECOVER-8, UP-3 a consent page of another tab stays within the bound", async (t) => {
  visits.restoreAfter(t)
  const browser = new Browser(server.url)
  await begin(browser, nextOf(4_000))
  await browser.signIn("ada", PASSWORD)
  const next = nextOf(1_000)
  assert.match((await browser.get(next)).text, /wants to use your account/)
  assert.ok((await browser.get("/account")).text.includes("waiting for your answer"))
  await assertAnswers(browser)
})

test("RECOVER-8, UP-3 two tabs of usual length wait side by side", async (t) => {
  visits.restoreAfter(t)
  const browser = new Browser(server.url)
  const [one, other] = [nextOf(100), nextOf(1_000)]
  const first = await begin(browser, one)
  const second = await begin(browser, other)
  for (const [between, next] of [
    [first, one],
    [second, other],
  ] as const)
    assert.equal((await visits.comeBack(browser, between, { sub: "ada" })).location, next)
})

test("RECOVER-8 a reload of the page before the provider does not lose what waits", async (t) => {
  visits.restoreAfter(t)
  const browser = new Browser(server.url)
  const next = nextOf(2_600)
  await begin(browser, next)
  const again = await browser.get((await browser.get(CORP)).location ?? "")
  const done = await browser.submit(again, "/sign-in", { username: "ada", password: PASSWORD })
  assert.deepEqual([done.status, done.location], [303, next])
})
