/** What a sealed field or cookie cannot do, even if a person who has the service secret forged it. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { openContinuation } from "../../../src/accounts/sign-in/continuation.ts"
import { digest } from "../../../src/kernel/hash.ts"
import { deriveKeys } from "../../../src/kernel/keys.ts"
import { Browser } from "../../support/browser.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"
import { PASSWORD } from "../../support/test-server.ts"

const ELSEWHERE = ["//evil.example/", "/\\evil.example", "/\t/evil.example", ".evil.example", "@evil.example"]

const visits = await ProviderVisits.open()
const { server } = visits
const { clock, keys, guesses } = server.latchkey
await server.addAccount("ada")
await visits.link("ada", "ada")

const hashOf = (browser: Browser) => digest(browser.cookie("latchkey_browser") ?? assert.fail())

const withWaiting = (browser: Browser, next: string) => {
  const sealed = keys.seal(
    `waits for a sign-in ${hashOf(browser)}`,
    JSON.stringify({ next, keptAt: clock.now() }),
  )
  return new Browser(server.url, { cookie: `${browser.cookies()}; latchkey_waiting_0=${sealed}` })
}

/** Comes back from the provider with a cookie whose content was changed under its seal. */
async function comeBackWith(more: Readonly<Record<string, unknown>>) {
  const browser = new Browser(server.url)
  const between = await visits.begin(browser)
  const purpose = `sign-in through a provider ${hashOf(browser)}`
  const cookie = browser.cookies().replace(/(latchkey_provider_[^=]+=)([^;]+)/, (_, name, sealed: string) => {
    const pending = JSON.parse(keys.open(purpose, sealed) ?? assert.fail()) as object
    return `${String(name)}${keys.seal(purpose, JSON.stringify({ ...pending, ...more }))}`
  })
  return visits.comeBack(new Browser(server.url, { cookie }), between, { sub: "ada" })
}

test("RECOVER-8 a sealed destination is a path of this service", () => {
  const own = deriveKeys(Buffer.alloc(32, 1))
  for (const path of ELSEWHERE) assert.equal(openContinuation(own, own.seal("continue", path)), null, path)
  for (const path of ["/", "/account/security?id=a//b&state=\\e"])
    assert.equal(openContinuation(own, own.seal("continue", path)), path)
})

test("RECOVER-8, UP-3 neither a page nor a cookie sends a person to another site", async (t) => {
  visits.restoreAfter(t)
  for (const next of ELSEWHERE) {
    const browser = new Browser(server.url)
    const page = await browser.get("/sign-in")
    assert.equal((await withWaiting(browser, next).get("/sign-in/code")).location, "/sign-in", next)
    const fields = { username: "ada", password: PASSWORD, continue: keys.seal("continue", next) }
    assert.equal((await browser.submit(page, "/sign-in", fields)).location, "/account", next)
    assert.equal((await comeBackWith({ next })).location, "/account", next)
  }
})

test("UP-5 a cookie gives back what its own browser or address counted, and no other counter", async (t) => {
  visits.restoreAfter(t)
  const counter = { key: "sign-in account:ada", limit: { requests: 9, seconds: 600 } }
  const { requests, seconds } = counter.limit
  for (let count = 1; count < requests; count += 1) await guesses.spendAll([counter])
  const last = await guesses.spendAll([counter])
  assert.ok(last.admitted)
  assert.equal((await comeBackWith({ counted: last.spent })).status, 303)
  assert.equal((await guesses.spendAll([counter])).admitted, false, `${requests} in ${seconds} seconds`)
})
