import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { removeAccount, setAccountEnabled } from "../../../src/accounts/accounts.ts"
import { removeApp, setAppEnabled, updateApp } from "../../../src/apps/app.ts"
import { basic, refresh, send } from "../../support/connect.ts"
import { assertRefused, assertUncached } from "../../support/answers.ts"
import {
  answerDevice,
  DEVICE_GRANT,
  fetched,
  poll as pollWith,
  type Started,
  startDevice as start,
} from "./device.ts"
import { fixture } from "../../support/fixture.ts"
import { call, SignedInAccount } from "../../support/signed-in.ts"
import { credentialRow, eventKinds, everything, stateOf } from "../../support/stored.ts"
import { OPERATOR } from "../../support/test-server.ts"
import { DAY } from "../../../src/kernel/time.ts"

const YEAR = 365 * DAY

const {
  testServer,
  userIds: { Bob: bobId },
  bob,
  app,
  confidential,
} = await fixture({
  rateLimit: "off",
  accounts: ["Bob"],
  signedIn: ["bob"],
  apps: { app: {}, confidential: { type: "confidential" } },
})
beforeEach(() => testServer.clock.advance(600))

const poll = (grant: Pick<Started, "deviceCode">, who = app) => pollWith(testServer, who, grant)
const startDevice = (more: Record<string, string> = {}) => start(testServer, app, more)

async function approved(more: Record<string, string> = {}): Promise<Started> {
  const grant = await startDevice(more)
  assert.equal((await answerDevice(await bob.browser(), grant, "authorize")).status, 200)
  return grant
}

/** Only `slow_down` has a third member, which is the interval to keep. */
async function assertSlowDown(grant: Started, interval: number): Promise<void> {
  const answer = await poll(grant)
  const { error_description: description, ...rest } = answer.body
  assert.deepEqual([answer.status, rest], [400, { error: "slow_down", interval }])
  assert.equal(typeof description, "string")
  assert.equal(answer.headers.get("retry-after"), null)
  assertUncached(answer)
}

const assertPending = async (grant: Started) => assertRefused(await poll(grant), 400, "authorization_pending")

describe("DG-1, DG-2, DEV-6, LIM-3, ERR-5, ERR-6, TOKEN-7: pace", () => {
  test("the first poll may come at once, and each in its time gets authorization_pending", async () => {
    const grant = await startDevice()
    for (let i = 0; i < 4; i++) {
      await assertPending(grant)
      testServer.clock.advance(5)
    }
  })

  test("each poll too soon raises the answered interval by five seconds, and the enforced one stays", async () => {
    const grant = await startDevice()
    await assertPending(grant)
    for (const interval of [10, 15, 20]) await assertSlowDown(grant, interval)
    testServer.clock.advance(5)
    await assertPending(grant)
    testServer.clock.advance(1)
    await assertSlowDown(grant, 25)
  })

  test("a poll half a second early is on time; one earlier than that is not", async () => {
    const grant = await startDevice()
    await assertPending(grant)
    testServer.clock.advance(4.5)
    await assertPending(grant)
    testServer.clock.advance(4.499)
    await assertSlowDown(grant, 10)
    testServer.clock.advance(4.5)
    await assertPending(grant)
  })

  test("a poll too soon counts as the one before the next", async () => {
    const grant = await startDevice()
    await assertPending(grant)
    testServer.clock.advance(4)
    await assertSlowDown(grant, 10)
    testServer.clock.advance(4)
    await assertSlowDown(grant, 15)
  })

  test("two machines keep their own pace", async () => {
    const [one, other] = [await startDevice(), await startDevice()]
    await assertPending(one)
    await assertPending(other)
    await assertSlowDown(one, 10)
    await assertSlowDown(other, 10)
  })

  test("an answered grant is never held back", async () => {
    const grants = { authorize: await startDevice(), refuse: await startDevice() }
    for (const [decision, grant] of Object.entries(grants)) {
      await assertPending(grant)
      await assertSlowDown(grant, 10)
      await answerDevice(await bob.browser(), grant, decision)
    }
    assert.equal((await poll(grants.authorize)).status, 200)
    assertRefused(await poll(grants.authorize), 400, "invalid_grant")
    for (let i = 0; i < 3; i++) assertRefused(await poll(grants.refuse), 400, "access_denied")
    const late = await startDevice()
    await assertPending(late)
    testServer.clock.advance(601)
    for (let i = 0; i < 3; i++) assertRefused(await poll(late), 400, "expired_token")
  })
})

describe("TOKEN-2, TOKEN-4, TOKEN-5: whose poll it is", () => {
  test("another app's device code is no good, and its poll is neither counted nor a fetch", async () => {
    const grant = await approved()
    const other = await testServer.addApp()
    for (const who of [other, confidential]) assertRefused(await poll(grant, who), 400, "invalid_grant")
    assert.equal((await poll(grant)).status, 200)

    const pending = await startDevice()
    assertRefused(await poll(pending, other), 400, "invalid_grant")
    await assertPending(pending)
  })

  test("AUTH-2: a public app that tries Basic first gets 401; no poll is counted, nothing fetched", async () => {
    const grant = await startDevice()
    const probe = () =>
      send(
        testServer,
        "/oauth/token",
        { grant_type: DEVICE_GRANT, device_code: grant.deviceCode },
        basic(app.clientId, ""),
      )
    assertRefused(await probe(), 401, "invalid_client")
    await assertPending(grant)
    assertRefused(await probe(), 401, "invalid_client")
    testServer.clock.advance(5)
    await assertPending(grant)
    await answerDevice(await bob.browser(), grant, "authorize")
    assertRefused(await probe(), 401, "invalid_client")
    assert.equal((await poll(grant)).status, 200)
  })

  test("AUTH-3: a confidential app polls with its secret, either way, and never without", async () => {
    const first = await start(testServer, confidential)
    const { clientId } = confidential
    assertRefused(await poll(first, { ...confidential, secret: null }), 401, "invalid_client")
    assertRefused(await poll(first, { ...confidential, secret: "x" }), 401, "invalid_client")
    await answerDevice(await bob.browser(), first, "authorize")
    assert.equal((await poll(first, confidential)).status, 200)
    const second = await start(testServer, confidential)
    await answerDevice(await bob.browser(), second, "authorize")
    const fields = { grant_type: DEVICE_GRANT, device_code: second.deviceCode }
    const answer = await send(testServer, "/oauth/token", fields, basic(clientId, confidential.secret ?? ""))
    assert.equal(answer.status, 200)
  })

  test("DEV-1, ERR-2, ERR-4: a code that is missing, altered, in part or of another kind", async () => {
    const grant = await approved()
    const { deviceCode } = grant
    const altered = deviceCode.slice(0, 40) + (deviceCode[40] === "A" ? "B" : "A") + deviceCode.slice(41)
    for (const wrong of [
      altered,
      deviceCode.slice(0, -1),
      `${deviceCode}A`,
      "x",
      grant.userCode,
      grant.tokenId,
    ])
      assertRefused(await poll({ deviceCode: wrong }), 400, "invalid_grant", wrong)
    assertRefused(await poll({ deviceCode: "" }), 400, "invalid_request")
    const code = { client_id: app.clientId, grant_type: "authorization_code", code: deviceCode }
    const exchange = { ...code, code_verifier: "x".repeat(43), redirect_uri: "https://app.example/callback" }
    assertRefused(await send(testServer, "/oauth/token", exchange), 400, "invalid_grant")
    assert.equal((await poll(grant)).status, 200)
  })
})

describe("DG-3, TOK-1…TOK-11, GRANT-1, SVC-4: the fetch", () => {
  test("answers with every member and makes a credential that works like any other", async () => {
    const grant = await approved({ scope: "files:read", installation_name: "Build box" })
    const answer = await poll(grant)
    assert.equal(answer.status, 200)
    assertUncached(answer)
    const { access_token, refresh_token, ...rest } = answer.body
    assert.deepEqual(rest, {
      token_type: "Bearer",
      expires_in: 3600,
      refresh_expires_in: 90 * DAY,
      refresh_token_timeout: 90 * DAY,
      authorization_expires_in: 365 * DAY,
      scope: "workers:read files:read",
      token_id: grant.tokenId,
      user_id: bobId,
      username: "Bob",
    })
    assert.equal((await eventKinds(testServer)).at(-1), "device-code-redeemed")
    const seen = await call(testServer, "/api/credential", String(access_token))
    assert.deepEqual([seen.status, seen.body["installation_name"]], [200, "Build box"])
    assert.equal((await refresh(testServer, app, String(refresh_token))).status, 200)
  })

  test("ERR-2: fetched once; later polls are invalid_grant and leave the credential alone", async () => {
    const grant = await approved()
    const tokens = await fetched(testServer, app, grant)
    const row = await credentialRow(testServer, grant.tokenId)
    for (let i = 0; i < 3; i++) assertRefused(await poll(grant), 400, "invalid_grant")
    assert.deepEqual(await credentialRow(testServer, grant.tokenId), row)
    testServer.clock.advance(700)
    assertRefused(await poll(grant), 400, "invalid_grant")
    assert.equal((await call(testServer, "/api/credential", tokens.access_token)).status, 200)
  })

  test("of 100 polls at once one gets tokens, and they work", async () => {
    const grant = await approved()
    const answers = await Promise.all(Array.from({ length: 100 }, () => poll(grant)))
    const [tokens, ...more] = answers.filter(({ status }) => status === 200)
    assert.equal(more.length, 0)
    for (const answer of answers) if (answer !== tokens) assertRefused(answer, 400, "invalid_grant")
    const seen = await call(testServer, "/api/credential", String(tokens?.body["access_token"]))
    assert.equal(seen.status, 200)
    assert.equal(await stateOf(testServer, grant.tokenId), "active")
  })

  test("AUTH-6, LIM-6: the consent is the approval, and the credential ends a year after it", async () => {
    const grant = await approved()
    const approvedAt = testServer.clock.now()
    testServer.clock.advance(200)
    const tokens = await fetched(testServer, app, grant)
    const seen = await call(testServer, "/api/credential", tokens.access_token)
    assert.equal(seen.body["consented_at"], approvedAt)
    const row = await credentialRow(testServer, tokens.token_id)
    assert.deepEqual([row["ends_at"], row["rotated_at"]], [approvedAt + YEAR, approvedAt + 200])
  })

  test("PERM-5, PERM-7: a ceiling that changed before the fetch counts, and comes back", async () => {
    const shrinking = await testServer.addApp()
    const grant = await start(testServer, shrinking)
    await answerDevice(await bob.browser(), grant, "authorize")
    const change = { removePermissions: ["files:write"] }
    await updateApp(testServer.latchkey, shrinking.clientId, change, OPERATOR)
    const tokens = await fetched(testServer, shrinking, grant)
    assert.equal(tokens.scope, "account:read")
    await updateApp(testServer.latchkey, shrinking.clientId, { addPermissions: ["files:write"] }, OPERATOR)
    const again = await refresh(testServer, shrinking, tokens.refresh_token)
    assert.equal(again.body["scope"], "account:read workers:read files:read files:write")
  })

  test("an app that is disabled fetches nothing; enabled within the ten minutes it does", async () => {
    const client = await testServer.addApp()
    const grant = await start(testServer, client)
    await answerDevice(await bob.browser(), grant, "authorize")
    await setAppEnabled(testServer.latchkey, client.clientId, false, OPERATOR)
    assertRefused(await poll(grant, client), 401, "invalid_client")
    await setAppEnabled(testServer.latchkey, client.clientId, true, OPERATOR)
    assert.equal((await poll(grant, client)).status, 200)
  })

  test("an app that is removed fetches nothing", async () => {
    const client = await testServer.addApp()
    const grant = await start(testServer, client)
    await answerDevice(await bob.browser(), grant, "authorize")
    await removeApp(testServer.latchkey, client.clientId, OPERATOR)
    assertRefused(await poll(grant, client), 401, "invalid_client")
  })
})

describe("ERR-7, PAGE-1: an account that is disabled or removed after it approved", () => {
  /** Checks that the refusal is final and does not come from an account holder. */
  function assertVoid(answer: Awaited<ReturnType<typeof poll>>): void {
    assertRefused(answer, 400, "access_denied")
    assert.equal(answer.body["error_description"], "The request cannot be granted any more.")
  }

  test("its grant is denied for good, also once it is enabled again", async () => {
    await testServer.addAccount("Carla")
    const carla = new SignedInAccount(testServer, "carla")
    const grant = await startDevice()
    await answerDevice(await carla.browser(), grant, "authorize")
    await setAccountEnabled(testServer.latchkey, "carla", false, OPERATOR)
    assertVoid(await poll(grant))
    await setAccountEnabled(testServer.latchkey, "carla", true, OPERATOR)
    assertVoid(await poll(grant))
  })

  test("also without a poll in between", async () => {
    await testServer.addAccount("Dora")
    const dora = new SignedInAccount(testServer, "dora")
    const grant = await startDevice()
    await answerDevice(await dora.browser(), grant, "authorize")
    await setAccountEnabled(testServer.latchkey, "dora", false, OPERATOR)
    await setAccountEnabled(testServer.latchkey, "dora", true, OPERATOR)
    assertVoid(await poll(grant))
    const removed = await startDevice()
    await answerDevice(await new SignedInAccount(testServer, "dora").browser(), removed, "authorize")
    await removeAccount(testServer.latchkey, "dora", OPERATOR)
    assertVoid(await poll(removed))
  })
})

describe("DG-7, DEV-5, LIM-2, ERR-8: ten minutes", () => {
  test("a grant lives for six hundred seconds, to the second", async () => {
    const grant = await startDevice()
    testServer.clock.advance(600)
    await assertPending(grant)
    testServer.clock.advance(1)
    assertRefused(await poll(grant), 400, "expired_token")
  })

  test("DG-9: approved, it can be fetched for ten minutes after the answer", async () => {
    const [inTime, tooLate] = [await startDevice(), await startDevice()]
    testServer.clock.advance(600)
    for (const grant of [inTime, tooLate]) await answerDevice(await bob.browser(), grant, "authorize")
    testServer.clock.advance(600)
    assert.equal((await poll(inTime)).status, 200)
    testServer.clock.advance(1)
    assertRefused(await poll(tooLate), 400, "expired_token")
  })

  test("DG-9: approved and not fetched in them, it is expired", async () => {
    const grant = await approved()
    testServer.clock.advance(601)
    assertRefused(await poll(grant), 400, "expired_token")
    await assert.rejects(() => stateOf(testServer, grant.tokenId), /no credential/)
  })

  test("an expiry that was answered is stored: a clock set back, and a restart, revive nothing", async () => {
    const grants = [await startDevice(), await approved()]
    const earlier = testServer.clock.now()
    testServer.clock.advance(601)
    for (const grant of grants) assertRefused(await poll(grant), 400, "expired_token")
    testServer.clock.setWall(earlier)
    for (const grant of grants) assertRefused(await poll(grant), 400, "expired_token")
    const [first] = grants
    assert.ok(first !== undefined)
    const browser = await bob.browser()
    assert.equal((await browser.get(`/oauth/device?user_code=${first.userCode}`)).status, 400)
    await testServer.restart()
    for (const grant of grants) assertRefused(await poll(grant), 400, "expired_token")
  })

  test("an expiry that was not answered does not count, once the clock is set right", async () => {
    const grant = await approved()
    const earlier = testServer.clock.now()
    testServer.clock.advance(601)
    testServer.clock.setWall(earlier)
    assert.equal((await poll(grant)).status, 200)
  })
})

describe("DG-6, ERR-7: denied is for good", () => {
  test("for a day, through a restart, with the clock set back", async () => {
    const grant = await startDevice()
    await answerDevice(await bob.browser(), grant, "refuse")
    assertRefused(await poll(grant), 400, "access_denied")
    const earlier = testServer.clock.now()
    testServer.clock.advance(DAY - 1)
    await testServer.store.sweep(testServer.clock.now(), 1000)
    assertRefused(await poll(grant), 400, "access_denied")
    await testServer.restart()
    assertRefused(await poll(grant), 400, "access_denied")
    testServer.clock.setWall(earlier - 60)
    assertRefused(await poll(grant), 400, "access_denied")
  })

  test("LOAD-4: after that the row is gone, and the code is unknown", async () => {
    const grant = await startDevice()
    await answerDevice(await bob.browser(), grant, "refuse")
    testServer.clock.advance(DAY)
    await testServer.store.sweep(testServer.clock.now(), 1000)
    assertRefused(await poll(grant), 400, "invalid_grant")
  })
})

test("a restart in between loses neither a pending nor an approved grant", async () => {
  const pending = await startDevice()
  const waiting = await approved()
  await testServer.restart()
  await assertPending(pending)
  assert.equal((await poll(waiting)).status, 200)
})

test("no poll that is refused writes anything but the expiry that it tells", async () => {
  const grant = await startDevice()
  const earlier = await everything(testServer)
  await poll(grant)
  await poll(grant)
  await poll(grant, confidential)
  assert.deepEqual(await everything(testServer), earlier)
})
