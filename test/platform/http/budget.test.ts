import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { setSetting, unsetSetting } from "../../../src/admin/settings/setting.ts"
import { authorizePath, newVerifier, own, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import type { TestServer } from "../../support/test-server.ts"
import { assertRefused } from "../../support/answers.ts"

const KEY = "rate_limit.oauth_anonymous"
const TOKEN = "/oauth/token"

/** Requests reach this server directly, so every request comes from 127.0.0.1. */
const { testServer, app } = await fixture({ apps: { app: {} } })

/** The server is behind a proxy on 127.0.0.1 and a second proxy in 10.0.0.0/8. */
const { testServer: proxied } = await fixture({
  trustedProxies: ["127.0.0.1/32", "10.0.0.0/8", "2001:db8:ffff::/48"],
  settings: { [KEY]: "3/60" },
})

/** Whether a request was admitted. An admitted request gets 400 or 401, and a refused one gets 429. */
async function isAdmitted(
  to: TestServer,
  headers: Record<string, string> = {},
  path = TOKEN,
): Promise<boolean> {
  const { status } = await send(to, path, {}, headers)
  assert.ok([400, 401, 429].includes(status), String(status))
  return status !== 429
}

async function admittedOf(
  requests: number,
  to: TestServer,
  headers: Record<string, string> = {},
): Promise<number> {
  const answers = await Promise.all(Array.from({ length: requests }, () => isAdmitted(to, headers)))
  return answers.filter(Boolean).length
}

/** Sets a new limit and starts a new window. */
async function set(value: string): Promise<void> {
  await testServer.set(KEY, value)
  testServer.clock.advance(100_000)
}

test("RATE-1, RATE-2: of three hundred requests at once exactly as many are let through as the budget has", async () => {
  await set("50/60")
  assert.equal(await admittedOf(300, testServer), 50)
})

test("RATE-4, ERR-9: a spent budget answers 429 slow_down with the wait until its window ends", async () => {
  await set("2/60")
  assert.equal(await admittedOf(2, testServer), 2)
  for (const [advance, wait] of [
    [0, "60"],
    [20, "40"],
    [39, "1"],
  ] as const) {
    testServer.clock.advance(advance)
    const answer = await send(testServer, TOKEN, own(app), { origin: "https://spa.example" })
    assertRefused(answer, 429, "slow_down")
    assert.equal(answer.headers.get("retry-after"), wait)
    assert.equal(answer.headers.get("access-control-allow-origin"), "*")
  }
  testServer.clock.advance(1)
  assert.equal(await isAdmitted(testServer), true)
})

test("ERR-9, PAGE-1: the description of a 429 is true for a window of a day too", async () => {
  await set("1/86400")
  assert.equal(await admittedOf(2, testServer), 1)
  const answer = await send(testServer, TOKEN, own(app))
  assert.equal(answer.headers.get("retry-after"), "86400")
  assert.match(String(answer.body["error_description"]), / Its budget renews when its window ends\.$/)
})

test("RATE-2: refused requests neither count nor prolong the window", async () => {
  await set("5/60")
  assert.equal(await admittedOf(5, testServer), 5)
  for (let second = 0; second < 59; second++) {
    testServer.clock.advance(1)
    assert.equal(await isAdmitted(testServer), false)
  }
  testServer.clock.advance(1)
  assert.equal(await admittedOf(20, testServer), 5)
})

test("RATE-1: the window is by the monotonic clock: setting the wall clock changes nothing", async () => {
  await set("1/60")
  assert.equal(await isAdmitted(testServer), true)
  testServer.clock.setWall(testServer.clock.now() + 3600)
  assert.equal(await isAdmitted(testServer), false)
  testServer.clock.setWall(testServer.clock.now() - 3600)
  assert.equal(await isAdmitted(testServer), false)
})

test("RATE-1: token and revocation share it; the other addresses do not know it", async () => {
  await set("4/60")
  for (const path of [TOKEN, "/oauth/revoke", TOKEN, "/oauth/revoke"])
    assert.equal(await isAdmitted(testServer, {}, path), true)
  for (const path of [TOKEN, "/oauth/revoke"]) {
    assert.equal(await isAdmitted(testServer, {}, path), false)
    assert.equal((await fetch(testServer.url + path)).status, 429, "the budget comes before the method")
  }
  for (const [path, status] of [
    ["/.well-known/oauth-authorization-server", 200],
    ["/.well-known/oauth-protected-resource", 200],
    [authorizePath(app, newVerifier().challenge), 200],
    ["/sign-in", 200],
    ["/api/account", 401],
    ["/health", 200],
  ] as const)
    assert.equal((await fetch(testServer.url + path)).status, status, path)
  assert.equal((await send(testServer, "/oauth/introspect", {})).status, 400)
})

test("RATE-1: nor do they use it up, and neither do preflights", async () => {
  await set("1/60")
  for (let n = 0; n < 5; n++) {
    await fetch(`${testServer.url}/.well-known/oauth-authorization-server`)
    await send(testServer, "/oauth/introspect", {})
    await fetch(testServer.url + authorizePath(app, newVerifier().challenge))
    const preflight = await fetch(testServer.url + TOKEN, { method: "OPTIONS" })
    assert.equal(preflight.status, 204)
  }
  assert.equal(await isAdmitted(testServer), true)
  assert.equal(await isAdmitted(testServer), false)
  assert.equal((await fetch(testServer.url + TOKEN, { method: "OPTIONS" })).status, 204)
})

describe("RATE-3: the setting is in force within a second", () => {
  test("RATE-5: raised, lowered, off and back to its default, by another process", async () => {
    await set("1/60")
    assert.equal(await admittedOf(2, testServer), 1)
    const store = await testServer.database.open()
    const elsewhere = { store, clock: testServer.clock, catalog: testServer.latchkey.catalog }
    const from = { address: null }
    await setSetting(elsewhere, KEY, "5/60", from)
    testServer.clock.advance(1)
    assert.equal(await admittedOf(10, testServer), 5, "a changed limit begins a new window")
    await setSetting(elsewhere, KEY, "2/60", from)
    testServer.clock.advance(1)
    assert.equal(await admittedOf(4, testServer), 2)
    await setSetting(elsewhere, KEY, "off", from)
    testServer.clock.advance(1)
    assert.equal(await admittedOf(20, testServer), 20)
    await unsetSetting(elsewhere, KEY, from)
    testServer.clock.advance(1)
    assert.equal(await admittedOf(700, testServer), 600)
    await setSetting(elsewhere, KEY, "2/60", from)
    testServer.clock.advance(1)
    assert.equal(await admittedOf(4, testServer), 2, "also where it is set back to what it was")
    await setSetting(elsewhere, KEY, "2/60", from)
    testServer.clock.advance(1)
    assert.equal(await isAdmitted(testServer), false, "the same limit again is no change")
    await store.close()
  })
})

describe("RATE-1: one budget an address", () => {
  const distinct = async (addresses: readonly string[], requests: number) => {
    let admitted = 0
    for (let n = 0; n < requests; n++) {
      const address = addresses[n % addresses.length] ?? ""
      if (await isAdmitted(proxied, { "x-forwarded-for": address })) admitted += 1
    }
    return admitted
  }

  test("IPv4 addresses each have their own", async () => {
    assert.equal(await distinct(["203.0.113.1"], 5), 3)
    assert.equal(await distinct(["203.0.113.2"], 5), 3)
  })

  test("an IPv6 /64 has one, however its addresses are written", async () => {
    const network = ["2001:db8:1:2::1", "2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:0db8:0001:0002:0:0:0:9"]
    assert.equal(await distinct(network, 9), 3)
    assert.equal(await distinct(["2001:db8:1:3::1"], 5), 3)
  })

  test("IPv4 inside IPv6 is the IPv4 address", async () => {
    assert.equal(await distinct(["::ffff:203.0.113.9", "203.0.113.9"], 8), 3)
  })

  test("the address before the first proxy counts, whatever stands left of it", async () => {
    const invented = Array.from({ length: 6 }, (_, n) => `198.51.100.${n}, 203.0.113.20`)
    assert.equal(await distinct(invented, 6), 3)
    const throughBoth = Array.from({ length: 6 }, (_, n) => `198.51.100.${n}, 203.0.113.21, 10.1.2.3`)
    assert.equal(await distinct(throughBoth, 6), 3)
    assert.equal(await distinct(["203.0.113.20"], 2), 0, "the same address as before")
    assert.equal(await distinct(["203.0.113.30, 2001:db8:ffff::7"], 4), 3)
  })

  test("a malformed header is never trusted: the request counts against the proxy that sent it", async () => {
    const unreadable = [
      "nonsense",
      "203.0.113.5:",
      "203.0.113.5:port",
      "[2001:db8::1",
      "unknown",
      "1.2.3",
      "203.0.113.40, x",
    ]
    assert.equal(await distinct(unreadable, 12), 3)
    assert.equal(await isAdmitted(proxied), false, "so does a request without the header")
    assert.equal(await isAdmitted(proxied, { "x-forwarded-for": "" }), false)
    assert.equal(await isAdmitted(proxied, { "x-forwarded-for": "203.0.113.40" }), true)
  })

  test("from an address that is no configured proxy the header means nothing", async () => {
    await set("3/60")
    let admitted = 0
    for (let n = 0; n < 10; n++)
      if (
        await isAdmitted(testServer, { "x-forwarded-for": `203.0.113.${n}`, forwarded: `for=203.0.113.${n}` })
      )
        admitted += 1
    assert.equal(admitted, 3)
  })
})
