/** What anonymous callers can cause: rows, requests to the provider, work. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { PROVIDER_TRIES } from "../../../src/kernel/account-limits.ts"
import { Browser } from "../../support/browser.ts"
import { leadsTo } from "../../support/oidc.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"

const TRIES = PROVIDER_TRIES.one.requests
const visits = await ProviderVisits.open({ admins: ["chief"] })

/** The rows of every table, apart from the windows of the rate limits. */
async function rows(): Promise<Record<string, unknown>> {
  const { engine } = visits.server.database
  const tables = await visits.server.database.rows(
    engine === "sqlite"
      ? "SELECT name FROM sqlite_master WHERE type = 'table'"
      : "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
  )
  const counted: Record<string, unknown> = {}
  for (const { name } of tables) {
    if (name === "spent" || name === "tally") continue
    const [row] = await visits.server.database.rows(`SELECT count(*) AS count FROM "${String(name)}"`)
    counted[String(name)] = Number(row?.["count"])
  }
  return counted
}

test("UP-3 starts, failed returns and refused strangers store nothing", async (t) => {
  visits.restoreAfter(t)
  await visits.begin()
  const earlier = await rows()
  for (let count = 0; count < 5; count += 1) await visits.begin()
  await new Browser(visits.server.url).get("/sign-in/with/corp/callback?state=x&code=y")
  await visits.arrive({ sub: "a stranger" })
  await visits.arrive({ iss: "https://evil.example" })
  visits.offer({ createAccounts: { domains: [], claim: null } })
  await visits.arrive({ sub: "nameless" })
  assert.deepEqual(await rows(), earlier)
})

test("UP-5 starts share one request for the metadata, also while the provider is not what was configured", async (t) => {
  visits.restoreAfter(t)
  await Promise.all(Array.from({ length: 10 }, () => visits.begin()))
  assert.deepEqual(visits.host.asked, ["GET /.well-known/openid-configuration"])
  visits.upstream.metadata = { issuer: "https://other.example" }
  visits.offer()
  for (let count = 0; count < 10; count += 1) assert.equal((await visits.begin()).status, 502)
  assert.equal(visits.host.asked.length, 2)
  visits.upstream.metadata = {}
  visits.clock.advance(5)
  assert.ok(leadsTo(await visits.begin()), "an operator who corrects it there need not restart")
})

test("UP-5 returns with invented codes cost the provider one request each, and an address thirty in ten minutes", async (t) => {
  visits.restoreAfter(t)
  visits.upstream.answer = (path, response) => {
    if (path !== "/token") return false
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}')
    return true
  }
  const browser = new Browser(visits.server.url)
  const between = await visits.begin(browser)
  const cookie = browser.cookies()
  const path = `/sign-in/with/corp/callback?${visits.upstream.visit(leadsTo(between))}`
  const replay = new Browser(visits.server.url, { cookie })
  for (let count = 0; count < TRIES; count += 1) assert.equal((await replay.get(path)).status, 502)
  assert.equal((await replay.get(path)).status, 429)
  assert.equal(visits.host.asked.filter((one) => one === "POST /token").length, TRIES)
})

test("UP-5 a return without a code costs no request", async (t) => {
  visits.restoreAfter(t)
  for (const preset of [null, "github"] as const) {
    visits.offer({ preset })
    const browser = new Browser(visits.server.url)
    const state = new URL(leadsTo(await visits.begin(browser))).searchParams.get("state") ?? ""
    const asked = visits.host.asked.length
    assert.equal((await browser.get(`/sign-in/with/corp/callback?state=${state}`)).status, 502)
    assert.equal(visits.host.asked.length, asked, String(preset))
  }
})

test("UP-2 a form of another site starts nothing", async (t) => {
  visits.restoreAfter(t)
  const browser = new Browser(visits.server.url)
  const page = await browser.get("/sign-in")
  const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
  const asked = visits.host.asked.length
  assert.equal((await browser.post("/sign-in/with/corp", {}, foreign)).status, 403)
  assert.equal((await browser.post("/sign-in/with/corp", { csrf: "x" })).status, 403)
  assert.equal((await browser.submit(page, "/sign-in/with/unknown", {})).status, 404)
  assert.equal(visits.host.asked.length, asked)
})
