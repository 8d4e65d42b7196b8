import { test } from "node:test"
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { version } from "../../../src/kernel/process/version.ts"
import { eventKinds } from "../../../src/model/event.rules.ts"
import { reasons } from "../../../src/model/refusals/reasons.rules.ts"
import { countedEvents } from "../../../src/model/tally-names.rules.ts"
import { parseMetricsAddress } from "../../../src/platform/config/metrics-address.ts"
import { ENGINE } from "../../support/database.ts"
import { own, refresh, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { TestServer } from "../../support/test-server.ts"
import { SignedInAccount, rotated } from "../../support/signed-in.ts"

const APART = { on: "apart", host: "127.0.0.1", port: 0 } as const

const read = async (url: string) => (await fetch(url)).text()

/** Returns the value of a line. Returns null if the line is missing. */
function valueOf(text: string, line: string): number | null {
  const found = text.split("\n").find((one) => one.startsWith(`${line} `))
  return found === undefined ? null : Number(found.slice(line.length))
}

test("metrics are off by default", async (t) => {
  const { testServer } = await fixture({ span: t })
  assert.equal((await fetch(`${testServer.url}/metrics`)).status, 404)
})

test("apart, they are at their own listener and nowhere else", async (t) => {
  const { testServer } = await fixture({ span: t, metrics: APART })
  assert.equal((await fetch(`${testServer.url}/metrics`)).status, 404)
  const answer = await fetch(testServer.metricsUrl)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/)
  assert.equal(answer.headers.get("cache-control"), "no-store")
  assert.equal((await fetch(new URL("/", testServer.metricsUrl))).status, 404)
  assert.equal((await fetch(new URL("/oauth/token", testServer.metricsUrl), { method: "POST" })).status, 404)
  const posted = await fetch(testServer.metricsUrl, { method: "POST" })
  assert.deepEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"])
})

test("public, they are an address of the service", async (t) => {
  const { testServer } = await fixture({ span: t, metrics: { on: "public" } })
  const answer = await fetch(`${testServer.url}/metrics`)
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /^latchkey_streams 0$/m)
  assert.equal((await fetch(`${testServer.url}/metrics`, { method: "POST" })).status, 405)
})

test("METRICS-2 every counter of the tables begins at 0, and one metric names what runs", async (t) => {
  const { testServer } = await fixture({ span: t, metrics: APART })
  const text = await read(testServer.metricsUrl)
  for (const event of Object.keys(countedEvents))
    assert.equal(valueOf(text, `latchkey_events_total{event="${event}"}`), 0, event)
  for (const reason of Object.keys(reasons))
    assert.equal(valueOf(text, `latchkey_refusals_total{reason="${reason}"}`), 0, reason)
  for (const kind of eventKinds)
    assert.match(text, new RegExp(`^latchkey_audit_events_total\\{kind="${kind}",mark="\\w+"\\} 0$`, "m"))
  const labels = `version="${version}",node="${process.versions.node}",engine="${ENGINE}"`
  assert.equal(valueOf(text, `latchkey_build_info{${labels}}`), 1)
})

test("METRICS-3 they count the different addresses that the rate limit refused in the last ten minutes", async (t) => {
  const { testServer } = await fixture({
    span: t,
    metrics: APART,
    settings: { "rate_limit.oauth_anonymous": "2/60" },
    trustedProxies: ["127.0.0.1/32"],
  })
  const spent = async () => valueOf(await read(testServer.metricsUrl), "latchkey_budget_spent_addresses")
  const from = async (address: string) =>
    (await send(testServer, "/oauth/revoke", {}, { "x-forwarded-for": address })).status
  assert.equal(await spent(), 0)
  for (const address of ["192.0.2.1", "192.0.2.2"])
    for (let times = 0; times < 4; times++) await from(address)
  assert.notEqual(await from("192.0.2.3"), 429)
  assert.equal(await from("192.0.2.2"), 429)
  assert.equal(await spent(), 2)
  testServer.clock.advance(601)
  assert.equal(await spent(), 0)
})

test("they tell what happened, how long answers took, and how the process fares", async (t) => {
  const { testServer } = await fixture({ span: t, metrics: APART })
  await testServer.addAccount("bob")
  const app = await testServer.addApp()
  await rotated(testServer, app, await new SignedInAccount(testServer, "bob").grant(app))
  await refresh(testServer, app, "garbage")
  await testServer.latchkey.tallies.flush()
  const text = await read(testServer.metricsUrl)
  const values = [
    'latchkey_events_total{event="credential.issued"}',
    'latchkey_events_total{event="credential.refreshed"}',
    'latchkey_events_total{event="sign-in.done"}',
    'latchkey_refusals_total{reason="refreshTokenUnknown"}',
    'latchkey_http_request_duration_seconds_count{route="/oauth/token",status="2xx"}',
    'latchkey_http_request_duration_seconds_count{route="/oauth/token",status="4xx"}',
  ].map((line) => valueOf(text, line))
  assert.deepEqual(values, [1, 1, 1, 1, 2, 1])
  for (const line of ["process_resident_memory_bytes", "nodejs_eventloop_lag_p99_seconds"])
    assert.ok((valueOf(text, line) ?? 0) > 0, line)
  assert.equal(
    await read(testServer.metricsUrl).then((again) =>
      valueOf(again, 'latchkey_events_total{event="sign-in.done"}'),
    ),
    1,
  )
})

test("RATE-2 a budget that is spent is seen", async (t) => {
  const { testServer } = await fixture({ span: t, metrics: APART })
  await testServer.set("rate_limit.oauth_anonymous", "1/60")
  for (let i = 0; i < 3; i++) await send(testServer, "/oauth/token", { client_id: "unknown" })
  const text = await read(testServer.metricsUrl)
  assert.equal(valueOf(text, 'latchkey_refusals_total{reason="budgetSpent"}'), 2)
})

test("no label is a stranger's text", async (t) => {
  const { testServer } = await fixture({ span: t, metrics: APART })
  const app = await testServer.addApp({ name: "stranger-name" })
  await fetch(`${testServer.url}/stranger-path?stranger-query`)
  await fetch(`${testServer.url}/api/credentials/stranger-id`, { method: "STRANGE" }).catch(() => null)
  await fetch(`${testServer.url}/oauth/apps/stranger-id/icon`)
  await send(testServer, "/oauth/token", { client_id: "stranger-client", grant_type: "stranger-type" })
  await send(testServer, "/oauth/token", { ...own(app), grant_type: "stranger-type" })
  const text = await read(testServer.metricsUrl)
  assert.ok(!text.includes("stranger"), text)
  assert.ok(!text.includes(app.clientId))
  assert.notEqual(
    valueOf(text, 'latchkey_http_request_duration_seconds_count{route="none",status="4xx"}'),
    null,
  )
})

test("--metrics takes a port, a host with a port, or public", () => {
  assert.deepEqual(parseMetricsAddress("9464"), { on: "apart", host: "127.0.0.1", port: 9464 })
  assert.deepEqual(parseMetricsAddress("0.0.0.0:9464"), { on: "apart", host: "0.0.0.0", port: 9464 })
  assert.deepEqual(parseMetricsAddress("metrics.internal:1"), {
    on: "apart",
    host: "metrics.internal",
    port: 1,
  })
  assert.deepEqual(parseMetricsAddress("[::1]:9464"), { on: "apart", host: "::1", port: 9464 })
  assert.deepEqual(parseMetricsAddress("public"), { on: "public" })
  for (const text of ["", ":1", "65536", "a:65536", "::1:9464", "a b:1", "http://a:1", "on"])
    assert.equal(parseMetricsAddress(text), null, text)
})

test("docs/operating.md lists what is counted", () => {
  const file = join(import.meta.dirname, "../../../docs/operating.md")
  const listed = readFileSync(file, "utf8").matchAll(/^- `([a-z-]+\.[a-z-]+)`: (.+)$/gm)
  assert.deepEqual(
    [...listed].map(([, name, means]) => [name, means]),
    Object.entries(countedEvents),
  )
})

test("a place for metrics that is taken keeps the service from starting, and nothing listens then", async (t) => {
  const { testServer } = await fixture({ span: t, metrics: APART })
  const port = Number(new URL(testServer.metricsUrl).port)
  const taken = new Error(`listen EADDRINUSE: address already in use 127.0.0.1:${port}`)
  await assert.rejects(TestServer.open({ metrics: { ...APART, port } }), { message: taken.message })
})
