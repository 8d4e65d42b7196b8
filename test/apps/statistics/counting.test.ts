/** Requests must be counted. The plots and the health of apps must show the counts. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import type { TallyName } from "../../../src/model/tally-names.rules.ts"
import { DAY, HOUR } from "../../../src/kernel/time.ts"
import { sampleGauges } from "../../../src/apps/statistics/sample-gauges.ts"
import { appHealth, appsHealth, overview } from "../../../src/apps/statistics/statistics.ts"
import { authorizePath, exchange, newVerifier, own, refresh, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import type { TestApp } from "../../support/test-server.ts"
import { answerDevice, fetched, poll, startDevice } from "../../oauth/device/device.ts"
import { issueCode } from "../../support/grant.ts"
import { introspected, rotated } from "../../support/signed-in.ts"

let app: TestApp

const { testServer, bob } = await fixture({ accounts: ["bob"], signedIn: ["bob"] })

/** Returns by how much `during` increases the counts of the service and of `app`. Each counter has one entry. */
async function counted(during: () => Promise<unknown>) {
  await bob.browser()
  app = await testServer.addApp()
  const former = new Map(testServer.latchkey.tallies.totals())
  await during()
  const added = [...testServer.latchkey.tallies.totals()]
    .map(([name, count]) => [name, count - (former.get(name) ?? 0)] as const)
    .filter(([, count]) => count > 0)
  await testServer.latchkey.tallies.flush()
  const rows = await testServer.store.tallies({
    grain: "day",
    since: 0,
    until: testServer.clock.now() + 1,
    clientId: app.clientId as ClientId,
  })
  const ofApp = rows
    .filter(({ name }) => name !== "app.registered")
    .map(({ name, count }) => [name, count] as const)
  return { service: inOrder(added), app: inOrder(ofApp) }
}

const inOrder = (counts: readonly (readonly [string, number])[]) =>
  Object.fromEntries(counts.toSorted(([a], [b]) => (a < b ? -1 : 1)))

function assertCounted(
  { service, app: ofApp }: Awaited<ReturnType<typeof counted>>,
  expected: Partial<Record<TallyName, number>>,
  beside: Partial<Record<TallyName, number>> = {},
): void {
  assert.deepEqual(ofApp, inOrder(Object.entries(expected)))
  assert.deepEqual(service, inOrder(Object.entries({ ...expected, ...beside })))
}

describe("an event is counted once, for the service and for its app", () => {
  test("CODE-1, CRED-1, AUTH-7 a consent, its tokens, a refresh, and the same pair again", async () => {
    const seen = await counted(async () => {
      const first = await bob.grant(app)
      await rotated(testServer, app, first)
      await rotated(testServer, app, first)
    })
    assertCounted(seen, {
      "consent.granted": 1,
      "credential.issued": 1,
      "credential.refreshed": 1,
      "credential.repeated": 1,
    })
  })

  test("CRED-2 a refresh token that comes back long after", async () => {
    const seen = await counted(async () => {
      const first = await bob.grant(app)
      const second = await rotated(testServer, app, first)
      testServer.clock.advance(61)
      await refresh(testServer, app, first.refresh_token)
      await refresh(testServer, app, second.refresh_token)
    })
    assertCounted(seen, {
      "consent.granted": 1,
      "credential.issued": 1,
      "credential.refreshed": 1,
      "credential.reused": 1,
      "refused.refreshTokenReused": 1,
      "refused.credentialRevoked": 1,
    })
  })

  test("CODE-3 a code that comes twice", async () => {
    const seen = await counted(async () => {
      const { code, verifier } = await issueCode(await bob.browser(), app)
      await exchange(testServer, app, code, verifier)
      await exchange(testServer, app, code, verifier)
    })
    assertCounted(seen, {
      "consent.granted": 1,
      "credential.issued": 1,
      "code.replayed": 1,
      "refused.codeReplayed": 1,
    })
  })

  test("REV-1, CRED-4 a revocation, and an expiry that is answered twice", async () => {
    const seen = await counted(async () => {
      const held = await bob.grant(app)
      await send(testServer, "/oauth/revoke", { ...own(app), token: held.refresh_token })
      const other = await bob.grant(app)
      testServer.clock.advance(90 * DAY + 1)
      await refresh(testServer, app, other.refresh_token)
      await refresh(testServer, app, other.refresh_token)
    })
    assertCounted(seen, {
      "consent.granted": 2,
      "credential.issued": 2,
      "credential.revoked": 1,
      "credential.ended": 1,
      "refused.credentialEnded": 2,
    })
  })

  test("DG-1, DG-3, DG-6, DG-7 device grants, each by its outcome", async () => {
    const seen = await counted(async () => {
      const browser = await bob.browser()
      const [fetchedOne, refused, expired] = [
        await startDevice(testServer, app),
        await startDevice(testServer, app),
        await startDevice(testServer, app),
      ]
      await answerDevice(browser, fetchedOne, "authorize")
      await fetched(testServer, app, fetchedOne)
      await answerDevice(browser, refused, "refuse")
      await poll(testServer, app, refused)
      await poll(testServer, app, expired)
      testServer.clock.advance(601)
      await poll(testServer, app, expired)
      await poll(testServer, app, expired)
    })
    assertCounted(seen, {
      "device.asked": 3,
      "device.approved": 1,
      "device.redeemed": 1,
      "credential.issued": 1,
      "device.refused": 1,
      "device.expired": 1,
      "refused.deviceDenied": 1,
      "refused.devicePending": 1,
      "refused.deviceExpired": 2,
    })
  })

  test("an introspection, for the resource server that asks", async () => {
    const server = await testServer.addApp({ type: "confidential", resourceServer: true })
    const held = await bob.grant(await testServer.addApp())
    const seen = await counted(() => introspected(testServer, server, held.access_token))
    assertCounted(seen, {}, { "introspection.answered": 1 })
  })
})

describe("a refusal is counted for an app that named itself and exists, and for no stranger", () => {
  test("ERR-1 a wrong secret, a bad request after authentication, a request of an unknown app", async () => {
    const seen = await counted(async () => {
      await send(testServer, "/oauth/token", { ...own(app), grant_type: "password" })
      await send(testServer, "/oauth/token", { ...own(app), grant_type: "refresh_token" })
      await send(testServer, "/oauth/token", {
        client_id: app.clientId,
        client_secret: "x",
        grant_type: "refresh_token",
      })
      await send(testServer, "/oauth/token", { client_id: "unknown", grant_type: "refresh_token" })
      await send(testServer, "/oauth/token", { grant_type: "refresh_token" })
    })
    assertCounted(
      seen,
      { "refused.grantTypeUnsupported": 1, "refused.parameterMissing": 1, "refused.clientHasNoSecret": 1 },
      { "refused.clientUnknown": 1, "refused.clientMissing": 1 },
    )
  })

  test("ERR-1 identifiers that no app has write no counts of an app, at any OAuth endpoint and any early refusal", async () => {
    const id = "01arz3ndektsv4rrffq69g5fav"
    const authorization = { authorization: `Basic ${Buffer.from(`${id}:secret`).toString("base64")}` }
    const paths = ["token", "device-authorization", "revoke", "introspect", "step-up", "register"]
    const rest = [
      "",
      "&z=1&z=2",
      "&grant_type=refresh_token",
      "&grant_type=refresh_token&refresh_token=a&z=1&z=2",
      "&grant_type=authorization_code&code=a&z=1&z=2",
      "&grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=a&z=1&z=2",
      "&token=a&token=a",
      "&token=a&client_secret=x",
      "&scope=%00",
    ]
    await counted(async () => {
      for (const path of paths)
        for (const more of rest) {
          await send(testServer, `/oauth/${path}`, `client_id=${id}${more}`)
          await send(testServer, `/oauth/${path}`, more.slice(1), authorization)
        }
      const browser = await bob.browser()
      for (const more of rest) await browser.get(`/oauth/authorize?client_id=${id}${more}`)
      await browser.get(authorizePath({ clientId: id, secret: null }, newVerifier().challenge))
      await fetch(`${testServer.url}/oauth/introspect/stream`, { headers: authorization })
    })
    const until = testServer.clock.now() + 1
    const clientId = id as ClientId
    assert.deepEqual(await testServer.store.tallies({ grain: "day", since: 0, until, clientId }), [])
  })

  test("ERR-1 a repeated parameter counts for an app that exists, whatever else is wrong", async () => {
    const seen = await counted(async () => {
      const form = new URLSearchParams(own(app)).toString()
      await send(testServer, "/oauth/token", `${form}&grant_type=refresh_token&refresh_token=a&z=1&z=2`)
      await send(testServer, "/oauth/token", `${form}&z=1&z=2`)
    })
    assertCounted(seen, { "refused.parameterRepeated": 2 })
  })

  test("AUTHZ an address that is not registered, and a request that goes back", async () => {
    const seen = await counted(async () => {
      const { challenge } = newVerifier()
      const browser = await bob.browser()
      await browser.get(authorizePath(app, challenge, { redirect_uri: "https://elsewhere.example/" }))
      await browser.get(authorizePath(app, challenge, { response_type: "token" }))
      await browser.get(authorizePath({ clientId: "unknown", secret: null }, challenge))
    })
    assertCounted(
      seen,
      { "refused.redirectUriUnregistered": 1, "refused.responseTypeUnsupported": 1 },
      { "refused.clientUnknown": 1 },
    )
  })

  test("STEP-1 a name that a stranger writes into another address counts nowhere", async () => {
    const seen = await counted(() =>
      send(testServer, "/oauth/step-up", own(app), { authorization: "Bearer lka_garbage" }),
    )
    assertCounted(seen, {}, { "refused.accessTokenInvalid": 1 })
  })
})

test("the overview draws what was counted, and installations where they were sampled", async () => {
  const look = sampleGauges(testServer.latchkey)
  const counts = async () => (await overview(testServer.latchkey, "hour", "live")).series
  app = await testServer.addApp()
  testServer.clock.advance(60)
  await bob.grant(app)
  await look()
  await look()
  await testServer.latchkey.tallies.flush()
  const {
    series,
    totals,
    gauges: figures,
    from,
    step,
    points,
  } = await overview(testServer.latchkey, "hour", "live")
  assert.deepEqual([step, points], [60, 60])
  assert.ok(from + step * points > testServer.clock.now())
  assert.equal(series.issued.at(-1), 1)
  assert.equal(totals["credential.issued"] >= 1, true)
  assert.equal(series.installations.at(-1), figures.installations)
  assert.equal(figures.apps, (await testServer.store.clients({ limit: 99 })).length)

  testServer.clock.advance(HOUR / 2)
  assert.equal((await counts()).issued.at(-1), 0)
  assert.equal((await counts()).issued.at(-31), 1)
  assert.deepEqual((await counts()).installations.at(-1), null)
  for (const period of ["day", "month"] as const) {
    const drawn = await overview(testServer.latchkey, period, "live")
    assert.equal(drawn.series.issued.length, drawn.points)
    assert.ok(drawn.totals["credential.issued"] >= 1)
  }
})

test("an app's health shows its developer his own bug, and the worst app comes first", async () => {
  app = await testServer.addApp({ name: "Good" })
  const bad = await testServer.addApp({ name: "Bad" })
  const start = await bob.grant(bad)
  let held = start
  for (let i = 0; i < 12; i++) {
    const next = await rotated(testServer, bad, held)
    await rotated(testServer, bad, held)
    held = next
  }
  testServer.clock.advance(DAY)
  await testServer.latchkey.tallies.flush()
  await refresh(testServer, bad, start.refresh_token)
  await rotated(testServer, app, await bob.grant(app))
  await testServer.latchkey.tallies.flush()

  const health = await appHealth(testServer.latchkey, bad.clientId as ClientId, 2, "live")
  assert.deepEqual(
    health.findings.map(({ finding }) => finding),
    ["keeps-retired-refresh-tokens", "sends-refresh-tokens-twice"],
  )
  assert.deepEqual([health.total.refreshes, health.total.replays, health.total.reuses], [12, 12, 1])
  assert.equal(health.perDay.length, 2)
  assert.equal(health.perDay[1]?.reuses, 1)
  assert.deepEqual((await appHealth(testServer.latchkey, app.clientId as ClientId, 2, "live")).findings, [])

  const ranked = await appsHealth(testServer.latchkey, 2, 9, "live")
  assert.equal(ranked[0]?.client?.name, "Bad")
  assert.ok(!ranked.some(({ clientId }) => clientId === app.clientId))
  assert.equal((await appsHealth(testServer.latchkey, 2, 1, "live")).length, 1)
})

test("of days that are over the sums are remembered, and of today every count is seen", async () => {
  app = await testServer.addApp({ name: "Busy" })
  let held = await bob.grant(app)
  const days = Array.from({ length: 6 })
  for (const _ of days) {
    for (let i = 0; i < 12; i++) {
      const next = await rotated(testServer, app, held)
      await rotated(testServer, app, held)
      held = next
    }
    await testServer.latchkey.tallies.flush()
    testServer.clock.advance(DAY)
  }
  const replays = async () => {
    const ranked = await appsHealth(testServer.latchkey, 7, 99, "live")
    return ranked.find(({ clientId }) => clientId === app.clientId)?.total.replays
  }
  assert.equal(await replays(), 72)
  assert.equal(await replays(), 72)
  await rotated(testServer, app, held)
  await rotated(testServer, app, held)
  await testServer.latchkey.tallies.flush()
  assert.equal(await replays(), 73)
  testServer.clock.advance(3 * DAY)
  assert.equal(await replays(), 37)
})

test("counts outlive the process: the last second is written as it ends", async () => {
  app = await testServer.addApp()
  await bob.grant(app)
  await testServer.restart()
  const { total } = await appHealth(testServer.latchkey, app.clientId as ClientId, 1, "live")
  assert.equal(total.issued, 1)
})
