/** A refresh is repeated within its sixty seconds, from the same network and from another: CRED-5. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { familyOf } from "../../../src/model/credential.rules.ts"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import { own, send } from "../../support/connect.ts"
import { assertRefused } from "../../support/answers.ts"
import { fixture } from "../../support/fixture.ts"
import { call, SignedInAccount, rotated } from "../../support/signed-in.ts"
import { textOf } from "../../platform/ui/markup.ts"

const HOME = "192.0.2.10"
const ELSEWHERE = "203.0.113.7"
const KIND = "refresh-repeated-elsewhere"

const { testServer, bob, app } = await fixture({
  trustedProxies: ["127.0.0.0/8", "::1/128"],
  rateLimit: "off",
  accounts: ["bob"],
  signedIn: ["bob"],
  apps: { app: { name: "Notebook" } },
})

function refreshFrom(address: string, { refresh_token }: TokenResponse, more: Record<string, string> = {}) {
  const fields = { ...own(app), grant_type: "refresh_token", refresh_token, ...more }
  return send(testServer, "/oauth/token", fields, { "x-forwarded-for": address })
}

async function pairFrom(address: string, token: TokenResponse): Promise<TokenResponse> {
  const answer = await refreshFrom(address, token)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as unknown as TokenResponse
}

/** Returns the events of a credential that report a repeat from another network, oldest first. */
async function elsewhere({ token_id }: TokenResponse) {
  const found = await testServer.store.events({ tokenId: token_id as TokenId, kinds: [KIND] }, { limit: 100 })
  return found.toReversed()
}

async function repeats({ token_id }: TokenResponse): Promise<number | undefined> {
  const { credential } = await testServer.store.read({ credential: token_id as TokenId })
  return credential === null ? undefined : familyOf(credential)?.repeats.count
}

describe("CRED-5: a repeat from another network is recorded", () => {
  test("with the account, the app, the credential, its own address and that of the rotation", async () => {
    const first = await bob.grant(app)
    await pairFrom(HOME, first)
    await pairFrom(ELSEWHERE, first)
    const [event, ...more] = await elsewhere(first)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [event?.userId, event?.clientId, event?.tokenId, event?.address, event?.detail],
      [first.user_id, app.clientId, first.token_id, ELSEWHERE, `first from ${HOME}`],
    )
  })

  test("once for a retirement and a network, however often it is repeated", async () => {
    const first = await bob.grant(app)
    const second = await pairFrom(HOME, first)
    for (let n = 0; n < 5; n++) await pairFrom(ELSEWHERE, first)
    await pairFrom("2001:db8:1:2::1", first)
    await pairFrom("2001:db8:1:2:ffff::9", first)
    await pairFrom("2001:db8:1:3::1", first)
    assert.deepEqual(
      (await elsewhere(first)).map(({ address }) => address),
      [ELSEWHERE, "2001:db8:1:2::1", "2001:db8:1:3::1"],
    )
    assert.equal(await repeats(first), 8)
    await pairFrom(HOME, second)
    await pairFrom(ELSEWHERE, second)
    assert.equal((await elsewhere(first)).length, 4, "another retirement, another event")
  })

  test("not from the same address, nor from the same /64; the repeat is counted all the same", async () => {
    const [one, two] = [await bob.grant(app), await bob.grant(app)]
    await pairFrom(HOME, one)
    await pairFrom(HOME, one)
    await pairFrom("2001:db8:1:2::1", two)
    await pairFrom("2001:db8:1:2:3:4:5:6", two)
    for (const held of [one, two]) {
      assert.deepEqual(await elsewhere(held), [])
      assert.equal(await repeats(held), 1)
    }
  })

  test("a hundred networks leave eight events", async () => {
    const first = await bob.grant(app)
    await pairFrom(HOME, first)
    for (let n = 1; n <= 100; n++) await pairFrom(`198.51.100.${n}`, first)
    assert.equal((await elsewhere(first)).length, 8)
    assert.equal(await repeats(first), 100)
  })

  test("what is refused for its scope answers no pair and is no repeat", async () => {
    const first = await bob.grant(app)
    await pairFrom(HOME, first)
    assertRefused(await refreshFrom(ELSEWHERE, first, { scope: "nonsense" }), 400, "invalid_scope")
    assert.deepEqual(await elsewhere(first), [])
    assert.equal(await repeats(first), 0)
  })
})

describe("CRED-5: the account holder sees it", () => {
  test("on the account page for a month, and among the activity, with what to do", async () => {
    const fresh = await testServer.addApp({ name: "Seen twice" })
    const browser = await bob.browser()
    const first = await bob.grant(fresh)
    assert.ok(!textOf((await browser.get(`/account?app=${fresh.clientId}`)).text).includes("another network"))
    const repeat = (address: string) =>
      send(
        testServer,
        "/oauth/token",
        { ...own(fresh), grant_type: "refresh_token", refresh_token: first.refresh_token },
        { "x-forwarded-for": address },
      )
    for (const address of [HOME, ELSEWHERE]) assert.equal((await repeat(address)).status, 200)
    const page = textOf((await browser.get(`/account?app=${fresh.clientId}`)).text)
    for (const part of ["another network", HOME, ELSEWHERE, "end this access"])
      assert.ok(page.includes(part), `${part} in ${page}`)
    const activity = textOf((await browser.get("/account/activity")).text)
    for (const part of ["Seen twice", "two networks", ELSEWHERE, "end its access"])
      assert.ok(activity.includes(part), `${part} in ${activity}`)
    testServer.clock.advance(31 * 86_400)
    const later = await (await bob.browser()).get(`/account?app=${fresh.clientId}`)
    assert.ok(later.text.includes("Seen twice"))
    assert.ok(!textOf(later.text).includes("another network"))
  })
})

describe("CRED-5: an access token does not learn when its credential rotated", () => {
  const DAY = 86_400
  const midnight = (at: number) => Math.floor(at / DAY) * DAY

  test("not from the credential itself, the list, or the explanation", async () => {
    const wide = await testServer.addApp({
      permissions: ["account:read", "credentials:read", "admin:credentials"],
    })
    await testServer.addAccount("root", true)
    const root = new SignedInAccount(testServer, "root")
    const other = await root.grant(wide)
    const first = await root.grant(wide, { scope: "account:read credentials:read admin:credentials" })
    // Reads with the first access token, before and after a refresh in the same hour.
    const seen = async () => {
      const paths = [
        "/api/credential",
        "/api/credentials",
        `/api/credentials/${first.token_id}/explanation`,
        "/api/admin/credentials",
        `/api/admin/credentials/${first.token_id}`,
        `/api/admin/credentials/${first.token_id}/explanation`,
      ]
      return Promise.all(
        paths.map(async (path) => {
          const answer = await call(testServer, path, first.access_token)
          assert.equal(answer.status, 200, path)
          return answer.body
        }),
      )
    }
    const consentedAt = testServer.clock.now()
    const earlier = await seen()
    testServer.clock.advance(100)
    const last = await rotated(testServer, wide, await rotated(testServer, wide, first))
    await rotated(testServer, wide, last)
    await rotated(testServer, wide, last)
    assert.deepEqual(await seen(), earlier)

    const [itself, list, explanation] = earlier
    assert.ok(itself && list && explanation)
    assert.ok(!("rotated_at" in itself) && !("rotated_at" in explanation))
    assert.equal(itself["access_ends_at"], consentedAt + 3600)
    assert.equal(itself["refresh_ends_at"], midnight(consentedAt + 90 * DAY))
    assert.equal(itself["ends_at"], midnight(consentedAt + 365 * DAY))
    const rows = list["credentials"] as Record<string, unknown>[]
    const row = (id: string) => rows.find((one) => one["token_id"] === id) ?? assert.fail(id)
    assert.ok(!("rotated_at" in row(first.token_id)))
    assert.equal(row(first.token_id)["ends_at"], midnight(consentedAt + 365 * DAY))
    assert.equal(typeof row(other.token_id)["rotated_at"], "number", "others are shown as ever")
  })

  test("not from the health of the app, or the statistics, which count what is over", async () => {
    await testServer.addAccount("boss", true)
    const root = new SignedInAccount(testServer, "boss")
    const scope = "account:read apps:read admin:apps admin:events"
    const single = await testServer.addApp({ permissions: scope.split(" "), ownerName: "boss" })
    await testServer.latchkey.tallies.flush()
    testServer.clock.advance(3 * DAY - (testServer.clock.now() % DAY))
    const held = await root.grant(single, { scope })
    const byDay = [`/api/apps/${single.clientId}/health`, `/api/admin/apps/${single.clientId}/health`]
    const paths = [...byDay, "/api/admin/statistics", "/api/admin/statistics?period=month"]
    const worst = "/api/admin/statistics/apps"
    const read = async (path: string, token: TokenResponse) => {
      const answer = await call(testServer, path, token.access_token)
      assert.equal(answer.status, 200, path)
      return answer.body
    }
    const seen = () => Promise.all([...paths, worst].map((path) => read(path, held)))
    const rotate = async (token: TokenResponse) => {
      const next = await rotated(testServer, single, token)
      await rotated(testServer, single, token)
      await testServer.latchkey.tallies.flush()
      return next
    }
    await testServer.latchkey.tallies.flush()
    const earlier = await seen()
    let last = held
    for (let i = 0; i < 12; i++) last = await rotate(last)
    testServer.clock.advance(3000)
    assert.deepEqual(await seen(), earlier)
    assert.equal((await call(testServer, "/api/admin/statistics?period=hour", held.access_token)).status, 400)

    testServer.clock.advance(600)
    last = await rotate(last)
    const totals = (await read("/api/admin/statistics", last))["totals"] as Record<string, number>
    assert.equal(totals["credential_refreshed"], 12, "an hour that is over is counted")
    for (const path of byDay) assert.equal((await read(path, last))["refreshes"], 0)
    testServer.clock.advance(DAY)
    last = await rotate(last)
    for (const path of byDay) assert.equal((await read(path, last))["refreshes"], 13)
    const items = (await read(worst, last))["items"] as Record<string, unknown>[]
    assert.equal(items.find(({ client_id }) => client_id === single.clientId)?.["refreshes"], 13)
  })
})
