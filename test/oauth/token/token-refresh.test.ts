import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { setAccountEnabled, removeAccount } from "../../../src/accounts/accounts.ts"
import { removeApp, setAppEnabled } from "../../../src/apps/app.ts"
import { exchange, refresh, send } from "../../support/connect.ts"
import { assertRefused, assertUncached } from "../../support/answers.ts"
import { fixture } from "../../support/fixture.ts"
import { issueCode } from "../../support/grant.ts"
import { call, SignedInAccount, rotated } from "../../support/signed-in.ts"
import { credentialRow, stateOf } from "../../support/stored.ts"
import { OPERATOR } from "../../support/test-server.ts"
import { DAY } from "../../../src/kernel/time.ts"

const { testServer, app, confidential } = await fixture({
  rateLimit: "off",
  admins: ["ada"],
  accounts: ["bob"],
  apps: { app: {}, confidential: { type: "confidential" } },
})
let bob = new SignedInAccount(testServer, "bob")

describe("CRED-1, AUTH-7, TOKEN-3: a refresh gives a new pair of the same credential", () => {
  test("TOK-10, TOK-11: every member, with new lifetimes", async () => {
    const first = await bob.grant(app)
    testServer.clock.advance(1000)
    const answer = await refresh(testServer, app, first.refresh_token)
    assert.equal(answer.status, 200)
    assertUncached(answer)
    const { access_token, refresh_token, ...rest } = answer.body
    assert.match(String(access_token), /^lka_[\w-]{86}$/)
    assert.match(String(refresh_token), /^lkr_[\w-]{92}$/)
    assert.notEqual(access_token, first.access_token)
    assert.notEqual(refresh_token, first.refresh_token)
    const { token_type, scope, token_id, user_id, username } = first
    const same = { token_type, scope, token_id, user_id, username }
    const lifetimes = {
      expires_in: 3600,
      refresh_expires_in: 90 * DAY,
      refresh_token_timeout: 90 * DAY,
      authorization_expires_in: 365 * DAY - 1000,
    }
    assert.deepEqual(rest, { ...lifetimes, ...same })
  })

  test("TOK-4: the access token before it lives out its time", async () => {
    const first = await bob.grant(app)
    const second = await rotated(testServer, app, first)
    testServer.clock.advance(3600)
    for (const { access_token } of [first, second])
      assert.equal((await call(testServer, "/api/credential", access_token)).status, 200)
    testServer.clock.advance(1)
    for (const { access_token } of [first, second])
      assert.equal((await call(testServer, "/api/credential", access_token)).status, 401)
  })

  test("a confidential app authenticates here too, by Basic as well", async () => {
    const first = await bob.grant(confidential)
    const { clientId, secret } = confidential
    const grant = { grant_type: "refresh_token", refresh_token: first.refresh_token }
    assertRefused(
      await send(testServer, "/oauth/token", { ...grant, client_id: clientId }),
      401,
      "invalid_client",
    )
    const authorization = `Basic ${btoa(`${clientId}:${secret}`)}`
    assert.equal((await send(testServer, "/oauth/token", grant, { authorization })).status, 200)
  })

  test("LIM-9 the latest 32 access tokens of a credential live; the one after that ends the oldest", async () => {
    const pairs = [await bob.grant(app)]
    const alive = async () => {
      const checks = pairs.map(({ access_token }) => call(testServer, "/api/credential", access_token))
      return (await Promise.all(checks)).map(({ status }) => status === 200)
    }
    for (let n = 1; n < 32; n++) pairs.push(await rotated(testServer, app, pairs.at(-1) ?? assert.fail()))
    assert.deepEqual(await alive(), Array(32).fill(true))
    pairs.push(await rotated(testServer, app, pairs.at(-1) ?? assert.fail()))
    assert.deepEqual(await alive(), [false, ...Array<boolean>(32).fill(true)])
  })

  test("a refresh adds no row and keeps the row's size", async () => {
    let pair = await bob.grant(app)
    for (let n = 0; n < 34; n++) pair = await rotated(testServer, app, pair)
    const size = sizeOf(await credentialRow(testServer, pair.token_id))
    for (let n = 0; n < 10; n++) pair = await rotated(testServer, app, pair)
    assert.ok(Math.abs(sizeOf(await credentialRow(testServer, pair.token_id)) - size) < 4)
  })
})

/** Returns the size of a row. Bytes count as they are, and any other value as its text. */
function sizeOf(row: Record<string, unknown>): number {
  const sizes = Object.values(row).map((value) =>
    value instanceof Uint8Array ? value.length : String(value).length,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

describe("CRED-4, LIM-5, LIM-6, LIM-8, AUTH-6, ERR-2: how long a credential lasts", () => {
  test("ninety days without a rotation end it, also with the clock set back afterwards", async () => {
    const first = await bob.grant(app)
    assert.equal(first.refresh_expires_in, 90 * DAY)
    testServer.clock.advance(90 * DAY)
    const second = await rotated(testServer, app, first)
    testServer.clock.advance(90 * DAY + 1)
    assertRefused(await refresh(testServer, app, second.refresh_token), 400, "invalid_grant")
    assert.equal(await stateOf(testServer, first.token_id), "ended")
    testServer.clock.setWall(testServer.clock.now() - 30 * DAY)
    assertRefused(await refresh(testServer, app, second.refresh_token), 400, "invalid_grant")
    testServer.clock.setWall(testServer.clock.now() + 30 * DAY)
  })

  test("a year from the consent, not from the exchange, ends it however often it was refreshed", async () => {
    const { code, verifier } = await issueCode(await bob.browser(), app)
    const consentedAt = testServer.clock.now()
    testServer.clock.advance(500)
    const answer = await exchange(testServer, app, code, verifier)
    let pair = { refresh_token: String(answer.body["refresh_token"]) }
    for (const day of [80, 160, 240]) {
      testServer.clock.advance(consentedAt + day * DAY - testServer.clock.now())
      const next = await rotated(testServer, app, pair)
      assert.equal(next.refresh_expires_in, 90 * DAY)
      pair = next
    }
    testServer.clock.advance(70 * DAY)
    const late = await rotated(testServer, app, pair)
    assert.equal(late.refresh_expires_in, 55 * DAY, "the smaller of what remains")
    testServer.clock.advance(55 * DAY - 1)
    const last = await rotated(testServer, app, late)
    assert.deepEqual([last.expires_in, last.refresh_expires_in], [1, 1])
    assert.equal((await call(testServer, "/api/credential", last.access_token)).status, 200)
    testServer.clock.advance(2)
    assert.equal((await call(testServer, "/api/credential", last.access_token)).status, 401)
    assertRefused(await refresh(testServer, app, last.refresh_token), 400, "invalid_grant")
    assert.equal(await stateOf(testServer, last.token_id), "ended")
  })

  test("expires_in never passes the end of the credential", async () => {
    const first = await bob.grant(app)
    testServer.clock.advance(89 * DAY)
    let pair = await rotated(testServer, app, first)
    for (let n = 0; n < 3; n++) {
      testServer.clock.advance(89 * DAY)
      pair = await rotated(testServer, app, pair)
    }
    testServer.clock.advance(9 * DAY - 600)
    const last = await rotated(testServer, app, pair)
    assert.deepEqual([last.expires_in, last.refresh_expires_in], [600, 600])
  })
})

describe("ERR-2, ERR-1: what is disabled or gone", () => {
  test("a disabled account: nothing works, and all of it does once it is enabled", async () => {
    const first = await bob.grant(app)
    await setAccountEnabled(testServer.latchkey, "bob", false, OPERATOR)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    assert.equal((await call(testServer, "/api/credential", first.access_token)).status, 401)
    await setAccountEnabled(testServer.latchkey, "bob", true, OPERATOR)
    assert.equal((await call(testServer, "/api/credential", first.access_token)).status, 200)
    const second = await rotated(testServer, app, first)
    await setAccountEnabled(testServer.latchkey, "bob", false, OPERATOR)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    await setAccountEnabled(testServer.latchkey, "bob", true, OPERATOR)
    assert.equal((await rotated(testServer, app, first)).refresh_token, second.refresh_token)
    bob = new SignedInAccount(testServer, "bob")
  })

  test("a removed account: dead for good", async () => {
    await testServer.addAccount("dora")
    const first = await new SignedInAccount(testServer, "dora").grant(app)
    await removeAccount(testServer.latchkey, "dora", OPERATOR)
    await testServer.addAccount("dora")
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    assert.equal((await call(testServer, "/api/credential", first.access_token)).status, 401)
    assert.equal(await stateOf(testServer, first.token_id), "revoked")
  })

  test("a disabled app: failed authentication, until it is enabled", async () => {
    const first = await bob.grant(app)
    await setAppEnabled(testServer.latchkey, app.clientId, false, OPERATOR)
    assertRefused(await refresh(testServer, app, first.refresh_token), 401, "invalid_client")
    assert.equal((await call(testServer, "/api/credential", first.access_token)).status, 401)
    await setAppEnabled(testServer.latchkey, app.clientId, true, OPERATOR)
    assert.equal((await refresh(testServer, app, first.refresh_token)).status, 200)
  })

  test("a removed app: failed authentication, for good", async () => {
    const other = await testServer.addApp()
    const first = await bob.grant(other)
    await removeApp(testServer.latchkey, other.clientId, OPERATOR)
    assertRefused(await refresh(testServer, other, first.refresh_token), 401, "invalid_client")
    assert.equal((await call(testServer, "/api/credential", first.access_token)).status, 401)
    assert.equal(await stateOf(testServer, first.token_id), "revoked")
  })
})
