import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { setAccountEnabled } from "../../../src/accounts/accounts.ts"
import { endCredential } from "../../../src/oauth/credential/credential.ts"
import { updateApp } from "../../../src/apps/app.ts"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import type { Browser } from "../../support/browser.ts"
import { own, refresh, send, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD, OPERATOR } from "../../support/test-server.ts"
import { assertRefused, assertUncached } from "../../support/answers.ts"
import { headingOf, openCode, poll as pollWith, type Started, started } from "../device/device.ts"
import { codeAt, wrongCode } from "../../accounts/factors/factors.ts"
import { grant } from "../../support/grant.ts"
import { call, introspected, rotated } from "../../support/signed-in.ts"
import { credentialRow, eventKinds, everything } from "../../support/stored.ts"

const ELEVATED = { elevated: true }

const permissions = ["account:read", "credentials:write"]
const { testServer, ada, bob, app, plain, server } = await fixture({
  rateLimit: "off",
  admins: ["ada"],
  accounts: ["bob"],
  browsers: ["ada", "bob"],
  apps: {
    app: { permissions, stepUp: true },
    plain: { permissions },
    server: { type: "confidential", resourceServer: true },
  },
})
const added = await addTotp(testServer.latchkey, "bob", OPERATOR)
assert.ok(added.ok)
const bobSecret = added.value.secret
beforeEach(() => testServer.clock.advance(600))

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const poll = (ceremony: Started, who = app) => pollWith(testServer, who, ceremony)

function open({ access_token }: Pick<TokenResponse, "access_token">, fields: Record<string, string> = {}) {
  return send(testServer, "/oauth/step-up", fields, bearer(access_token))
}

async function opened(held: TokenResponse, fields: Record<string, string> = {}): Promise<Started> {
  const answer = await open(held, fields)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return started(answer.body)
}

type Proof = Record<string, string | readonly string[]>

/** Opens the page of the step-up and answers it. `proof` is sent with the form. */
async function prove(browser: Browser, { userCode }: Started, proof: Proof) {
  const page = await openCode(browser, userCode)
  assert.equal(page.status, 200)
  return browser.submit(page, "/oauth/consent", proof)
}

const rightCode = (): Proof => ({ decision: "authorize", code: codeAt(testServer, bobSecret) })

async function elevated(held: TokenResponse): Promise<Started> {
  const ceremony = await opened(held)
  assert.equal((await prove(bob, ceremony, rightCode())).status, 200)
  return ceremony
}

async function elevatedUntil({ access_token }: TokenResponse): Promise<unknown> {
  return (await call(testServer, "/api/credential", access_token)).body["elevated_until"]
}

describe("STEP-1: opening the ceremony", () => {
  test("answers in the shape of device authorization and issues no token", async () => {
    const held = await grant(testServer, bob, app)
    const row = await credentialRow(testServer, held.token_id)
    const answer = await open(held)
    assert.equal(answer.status, 200)
    assertUncached(answer)
    assert.equal(answer.headers.get("access-control-allow-origin"), "*")
    const { device_code, user_code, ...rest } = answer.body
    assert.match(String(device_code), /^lkd_[\w-]{75}$/)
    assert.deepEqual(rest, {
      verification_uri: `${testServer.issuer}/oauth/device`,
      verification_uri_complete: `${testServer.issuer}/oauth/device?user_code=${String(user_code)}`,
      expires_in: 600,
      interval: 5,
    })
    assert.deepEqual(await credentialRow(testServer, held.token_id), row)
  })

  test("needs no body; an empty form and one with other parameters do as well", async () => {
    const held = await grant(testServer, bob, app)
    const bare = await fetch(`${testServer.url}/oauth/step-up`, {
      method: "POST",
      headers: bearer(held.access_token),
    })
    assert.equal(bare.status, 200)
    assert.equal((await open(held, { client_id: app.clientId })).status, 200)
    const malformed = await send(testServer, "/oauth/step-up", "{}", {
      ...bearer(held.access_token),
      "content-type": "application/json",
    })
    assertRefused(malformed, 400, "invalid_request")
  })

  test("ERR-4: a reason that is too long, or cannot be seen, is refused", async () => {
    const held = await grant(testServer, bob, app)
    for (const reason of ["x".repeat(141), "a\nb", "a\u202eb"])
      assertRefused(await open(held, { reason }), 400, "invalid_request")
  })

  test("AUTH-1: without a live access token it is 401 with a bearer challenge", async () => {
    const held = await grant(testServer, bob, app)
    const attempts: Record<string, Record<string, string>> = {
      none: {},
      "a refresh token": bearer(held.refresh_token),
      "an altered one": bearer(`${held.access_token.slice(0, -1)}~`),
      "client authentication": { authorization: `Basic ${btoa(`${app.clientId}:`)}` },
    }
    for (const [name, headers] of Object.entries(attempts)) {
      const answer = await send(testServer, "/oauth/step-up", own(app), headers)
      assert.deepEqual([answer.status, answer.body["error"]], [401, "invalid_token"], name)
      assert.match(answer.headers.get("www-authenticate") ?? "", /^Bearer realm="latchkey"/)
    }
    await endCredential(testServer.latchkey, held.token_id, OPERATOR)
    assert.equal((await open(held)).status, 401)
    assert.equal((await open(held, { reason: "x".repeat(141) })).status, 401)
  })

  test("AUTH-1: an access token that it called expired stays so with the clock set back", async () => {
    const held = await grant(testServer, bob, app)
    testServer.clock.advance(held.expires_in + 1)
    assert.equal((await open(held)).status, 401)
    testServer.clock.advance(-2)
    assert.deepEqual((await introspected(testServer, server, held.access_token)).body, { active: false })
    testServer.clock.advance(2)
  })

  test("STEP-4: an app that its owner did not allow to ask is refused", async () => {
    const held = await grant(testServer, bob, plain)
    const stored = (await everything(testServer))["device_grant"]
    assertRefused(await open(held), 403, "access_denied")
    assert.deepEqual((await everything(testServer))["device_grant"], stored)
  })
})

describe("STEP-2: the account holder proves a factor", () => {
  test("the page says which app asks, in which words, and what confirming does not give", async () => {
    const held = await grant(testServer, bob, app, { installation_name: "Laptop" })
    const { userCode } = await opened(held, { reason: "Remove <the> old laptop" })
    const page = await openCode(bob, userCode)
    assert.equal(headingOf(page), "Paperclip asks you to confirm that it’s you")
    for (const shown of [
      "Laptop",
      "Remove &lt;the&gt; old laptop",
      userCode,
      "127.0.0.1",
      "no new permission",
    ])
      assert.ok(page.text.includes(shown), shown)
    assert.match(page.text, /value="refuse"/)
  })

  test("a one-time password elevates this credential, and no other", async () => {
    const [held, other] = [await grant(testServer, bob, app), await grant(testServer, bob, app)]
    const ceremony = await opened(held)
    assertRefused(await poll(ceremony), 400, "authorization_pending")
    const page = await prove(bob, ceremony, rightCode())
    assert.equal(page.status, 200)
    assert.equal((await eventKinds(testServer)).includes("elevated"), true)
    assert.equal(await elevatedUntil(held), testServer.clock.now() + 900)
    assert.equal(await elevatedUntil(other), null)
  })

  test("a wrong code, a used one, the password, and no proof at all decide nothing: the page asks again", async () => {
    const held = await grant(testServer, bob, app)
    const ceremony = await opened(held)
    const used = codeAt(testServer, bobSecret)
    await elevated(await grant(testServer, bob, app))
    const proofs: readonly Proof[] = [
      { decision: "authorize", code: wrongCode(testServer, bobSecret) },
      { decision: "authorize", code: used },
      { decision: "authorize", password: PASSWORD },
      { decision: "authorize" },
    ]
    for (const proof of proofs) {
      const page = await prove(bob, ceremony, proof)
      assert.equal(headingOf(page), "Paperclip asks you to confirm that it’s you")
      testServer.clock.advance(5)
      assertRefused(await poll(ceremony), 400, "authorization_pending")
      assert.equal(await elevatedUntil(held), null)
    }
    testServer.clock.advance(30)
    assert.equal((await prove(bob, ceremony, rightCode())).status, 200)
    assert.deepEqual((await poll(ceremony)).body, ELEVATED)
  })

  test("a code that was answered, expired or forbidden meanwhile says so, and uses up no factor code", async () => {
    const held = await grant(testServer, bob, app)
    const ceremonies = [
      await opened(held),
      await opened(held),
      await opened(held),
      await opened(held),
    ] as const
    const [answered, expired, forbidden, last] = ceremonies
    const page = await openCode(bob, answered.userCode)
    const late = await openCode(bob, expired.userCode)
    assert.equal((await bob.submit(page, "/oauth/consent", { decision: "refuse" })).status, 200)
    for (const code of [codeAt(testServer, bobSecret), wrongCode(testServer, bobSecret)])
      assert.equal((await bob.submit(page, "/oauth/consent", { decision: "authorize", code })).status, 409)

    const barred = await openCode(bob, forbidden.userCode)
    await updateApp(testServer.latchkey, app.clientId, { stepUp: false }, OPERATOR)
    assert.equal((await bob.submit(barred, "/oauth/consent", rightCode())).status, 400)
    assert.equal((await openCode(bob, forbidden.userCode)).status, 400)
    await updateApp(testServer.latchkey, app.clientId, { stepUp: true }, OPERATOR)

    assert.equal((await prove(bob, last, rightCode())).status, 200)
    testServer.clock.advance(600)
    const fresh = await openCode(bob, expired.userCode)
    testServer.clock.advance(1)
    for (const shown of [fresh, late])
      assert.equal((await bob.submit(shown, "/oauth/consent", rightCode())).status, 400)
    testServer.clock.advance(-60)
    assertRefused(await poll(expired), 400, "expired_token")
    assert.equal((await prove(bob, await opened(held), rightCode())).status, 200)
  })

  test("where nothing stronger is enrolled the password is the proof", async () => {
    const held = await grant(testServer, ada, app)
    const ceremony = await opened(held)
    await prove(ada, ceremony, { decision: "authorize", password: "wrong" })
    assertRefused(await poll(ceremony), 400, "authorization_pending")
    await prove(ada, ceremony, { decision: "authorize", password: PASSWORD })
    assert.deepEqual((await poll(ceremony)).body, ELEVATED)
  })

  test("ERR-7: Refuse, no decision and two of them deny for good, right code or not", async () => {
    const held = await grant(testServer, bob, app)
    for (const decision of ["refuse", [], ["authorize", "authorize"], "Authorize"]) {
      const ceremony = await opened(held)
      await prove(bob, ceremony, { ...rightCode(), decision })
      assertRefused(await poll(ceremony), 400, "access_denied")
      assert.equal((await openCode(bob, ceremony.userCode)).status, 400)
      assertRefused(await poll(ceremony), 400, "access_denied")
    }
    assert.equal(await elevatedUntil(held), null)
  })

  test("another account finds no such code, and another session's form is refused", async () => {
    const held = await grant(testServer, bob, app)
    const ceremony = await opened(held)
    assert.equal((await openCode(ada, ceremony.userCode)).status, 400)
    const page = await openCode(bob, ceremony.userCode)
    const foreign = await ada.submit(page, "/oauth/consent", rightCode())
    assert.equal(foreign.status, 403)
    assertRefused(await poll(ceremony), 400, "authorization_pending")
  })
})

describe("STEP-5: a credential that ended while its step-up was open", () => {
  const HEADING = "This connection has ended"

  for (const decision of ["authorize", "refuse"] as const)
    test(`${decision} on the open page says that the connection has ended, and the poll is invalid_grant`, async () => {
      const held = await grant(testServer, bob, app)
      const ceremony = await opened(held)
      const page = await openCode(bob, ceremony.userCode)
      await endCredential(testServer.latchkey, held.token_id, OPERATOR)
      const code = codeAt(testServer, bobSecret)
      const answer = await bob.submit(page, "/oauth/consent", { decision, code })
      assert.deepEqual([answer.status, headingOf(answer)], [400, HEADING])
      assertRefused(await poll(ceremony), 400, "invalid_grant")
      assertRefused(await poll(ceremony), 400, "invalid_grant")
      assert.equal((await credentialRow(testServer, held.token_id))["elevated_until"], null)
      // The code is still unused.
      const other = await opened(await grant(testServer, bob, app))
      assert.equal((await prove(bob, other, { decision: "authorize", code })).status, 200)
    })

  test("its code leads to a page that says so, and the first poll is invalid_grant", async () => {
    const held = await grant(testServer, bob, app)
    const ceremony = await opened(held)
    await endCredential(testServer.latchkey, held.token_id, OPERATOR)
    assertRefused(await poll(ceremony), 400, "invalid_grant")
    const page = await openCode(bob, ceremony.userCode)
    assert.deepEqual([page.status, headingOf(page)], [400, HEADING])
    // The app may have other access to the account.
    assert.match(page.text, /The app no longer has access, so there is nothing to confirm\./)
    assert.equal((await openCode(ada, ceremony.userCode)).text.includes(HEADING), false)
  })

  test("revoked between the approval and the poll, it is never elevated: true", async () => {
    const held = await grant(testServer, bob, app)
    const ceremony = await elevated(held)
    await endCredential(testServer.latchkey, held.token_id, OPERATOR)
    assertRefused(await poll(ceremony), 400, "invalid_grant")
    assertRefused(await poll(ceremony), 400, "invalid_grant")
  })
})

describe("STEP-3, TOKEN-8: the poll", () => {
  test("answers exactly elevated, once, to the credential's own app", async () => {
    const held = await grant(testServer, bob, app)
    const ceremony = await elevated(held)
    assertRefused(await poll(ceremony, plain), 400, "invalid_grant")
    const answer = await poll(ceremony)
    assert.equal(answer.status, 200)
    assertUncached(answer)
    assert.deepEqual(answer.body, ELEVATED)
    assertRefused(await poll(ceremony), 400, "invalid_grant")
  })

  test("of 20 at once one succeeds, and no credential is made", async () => {
    const held = await grant(testServer, bob, app)
    const ceremony = await elevated(held)
    const count = (await everything(testServer))["credential"]?.length
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(ceremony)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await everything(testServer))["credential"]?.length, count)
  })

  test("DG-7, DG-9, ERR-8: ten minutes end the request, and ten minutes after the answer its approval", async () => {
    const held = await grant(testServer, bob, app)
    const [pending, early, late] = [await opened(held), await opened(held), await opened(held)]
    assert.equal((await prove(bob, early, rightCode())).status, 200)
    testServer.clock.advance(600)
    assert.equal((await prove(bob, late, rightCode())).status, 200)
    testServer.clock.advance(1)
    for (const ceremony of [pending, early]) assertRefused(await poll(ceremony), 400, "expired_token")
    testServer.clock.advance(598)
    assert.deepEqual((await poll(late)).body, ELEVATED)
  })

  test("DG-9: once its elevated window is over the poll is expired, for good", async () => {
    await testServer.set("step_up.window_seconds", "60")
    const held = await grant(testServer, bob, app)
    const [fetchedInTime, tooLate] = [await elevated(held), await opened(held)]
    testServer.clock.advance(59)
    assert.deepEqual((await poll(fetchedInTime)).body, ELEVATED)
    assert.equal((await prove(bob, tooLate, rightCode())).status, 200)
    testServer.clock.advance(61)
    assertRefused(await poll(tooLate), 400, "expired_token")
    testServer.clock.setWall(testServer.clock.now() - 30)
    assertRefused(await poll(tooLate), 400, "expired_token")
    await testServer.set("step_up.window_seconds", "900")
  })

  test("for an account disabled before the poll the answer is access_denied", async () => {
    await testServer.addAccount("carla")
    const carla = await signedInBrowser(testServer, "carla")
    const held = await grant(testServer, carla, app)
    const ceremony = await opened(held)
    await prove(carla, ceremony, { decision: "authorize", password: PASSWORD })
    await setAccountEnabled(testServer.latchkey, "carla", false, OPERATOR)
    const answer = await poll(ceremony)
    assertRefused(answer, 400, "access_denied")
    assert.equal(answer.body["error_description"], "The request cannot be granted any more.")
  })
})

describe("STEP-2: the window", () => {
  test("lasts as long as the setting says, survives a refresh, and introspection shows it", async () => {
    const held = await grant(testServer, bob, app)
    await elevated(held)
    const until = testServer.clock.now() + 900
    testServer.clock.advance(800)
    const next = await rotated(testServer, app, held)
    for (const { access_token } of [held, next]) {
      const introspection = await introspected(testServer, server, access_token)
      assert.equal(introspection.body["elevated_until"], until)
    }
    testServer.clock.advance(101)
    assert.equal("elevated_until" in (await introspected(testServer, server, next.access_token)).body, false)
    assert.equal(await elevatedUntil(next), null)
  })

  test("an end that was answered stays with the clock set back", async () => {
    const held = await grant(testServer, bob, app)
    await elevated(held)
    const earlier = testServer.clock.now()
    testServer.clock.advance(901)
    assert.equal(await elevatedUntil(held), null)
    testServer.clock.setWall(earlier + 1)
    assert.equal(await elevatedUntil(held), null)
  })

  test("its length is a setting", async () => {
    await testServer.set("step_up.window_seconds", "60")
    const held = await grant(testServer, bob, app)
    await elevated(held)
    assert.equal(await elevatedUntil(held), testServer.clock.now() + 60)
    await testServer.set("step_up.window_seconds", "900")
  })
})

describe("AUTH-9, ERR-14, API-4, API-5: an action that needs it", () => {
  async function remove({ access_token }: TokenResponse, tokenId: string) {
    const url = `${testServer.url}/api/credentials/${tokenId}`
    const response = await fetch(url, { method: "DELETE", headers: bearer(access_token) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) }
  }

  test("another credential is removed only while elevated, and the refusal says what is missing", async () => {
    const [held, other] = [await grant(testServer, bob, app), await grant(testServer, bob, plain)]
    const refused = await remove(held, other.token_id)
    assert.equal(refused.status, 400)
    assert.equal(refused.headers.get("service-elevation-required"), "1")
    assert.match(
      refused.headers.get("www-authenticate") ?? "",
      /^Bearer .*error="insufficient_user_authentication"/,
    )
    assert.match(refused.headers.get("access-control-expose-headers") ?? "", /Service-Elevation-Required/i)
    const { error } = refused.body as { error: Record<string, unknown> }
    assert.deepEqual([error["code"], error["status"]], [400, "FAILED_PRECONDITION"])
    assert.equal(typeof error["message"], "string")
    assert.equal((await call(testServer, "/api/credential", other.access_token)).status, 200)

    await elevated(held)
    assert.equal((await remove(held, other.token_id)).status, 204)
    assert.equal((await call(testServer, "/api/credential", other.access_token)).status, 401)
    assert.equal((await refresh(testServer, plain, other.refresh_token)).body["error"], "invalid_grant")
  })

  test("once the window is over it is refused again", async () => {
    const [held, other] = [await grant(testServer, bob, app), await grant(testServer, bob, plain)]
    await elevated(held)
    testServer.clock.advance(901)
    assert.equal((await remove(held, other.token_id)).status, 400)
  })

  test("a credential removes itself without", async () => {
    const held = await grant(testServer, bob, app)
    assert.equal((await remove(held, held.token_id)).status, 204)
    assert.equal((await call(testServer, "/api/credential", held.access_token)).status, 401)
  })

  test("another account's credential is not there, elevated or not", async () => {
    const [held, foreign] = [await grant(testServer, bob, app), await grant(testServer, ada, app)]
    assert.equal((await remove(held, foreign.token_id)).status, 400)
    await elevated(held)
    for (const tokenId of [foreign.token_id, "0".repeat(26), "x", "__proto__"])
      assert.equal((await remove(held, tokenId)).status, 404, tokenId)
    assert.equal((await call(testServer, "/api/credential", foreign.access_token)).status, 200)
  })

  test("API-3: without credentials:write it is 403, elevated or not", async () => {
    const held = await grant(testServer, bob, app, { scope: "credentials:read" })
    await elevated(held)
    const refused = await remove(held, "0".repeat(26))
    assert.equal(refused.status, 403)
    assert.match(refused.headers.get("www-authenticate") ?? "", /scope="credentials:write"/)
  })

  test("API-4: the list holds the account's own, with label, reach and elevation, and needs credentials:read", async () => {
    const held = await grant(testServer, bob, app, { installation_name: "Laptop" })
    await elevated(held)
    const listed = await call(testServer, "/api/credentials", held.access_token)
    assert.equal(listed.status, 200)
    const credentials = listed.body["credentials"] as Record<string, unknown>[]
    const mine = credentials.find((one) => one["token_id"] === held.token_id)
    assert.equal(mine?.["installation_name"], "Laptop")
    assert.equal(mine?.["state"], "active")
    assert.equal(mine?.["elevated_until"], testServer.clock.now() + 900)
    assert.ok(credentials.every((one) => one["username"] === "bob"))
    const narrow = await grant(testServer, bob, app, { scope: "account:read" })
    assert.equal((await call(testServer, "/api/credentials", narrow.access_token)).status, 403)
  })
})

test("STEP-4, PAGE-1: an app that lost the right to ask while the page lay open is not elevated", async () => {
  const held = await grant(testServer, bob, app)
  const ceremony = await opened(held)
  const page = await openCode(bob, ceremony.userCode)
  const change = (stepUp: boolean) =>
    testServer.store.change({ client: app.client.clientId }, ({ client }) => ({
      answer: null,
      changes: client === null ? [] : [{ change: "clientChanged", client: { ...client, stepUp } }],
    }))
  await change(false)
  const shown = [
    await bob.submit(page, "/oauth/consent", rightCode()),
    await openCode(bob, ceremony.userCode),
  ]
  for (const answer of shown)
    assert.deepEqual([answer.status, headingOf(answer)], [400, "This app can no longer ask you to confirm"])
  assert.equal(await elevatedUntil(held), null)
  assertRefused(await poll(ceremony), 400, "access_denied")
  await change(true)
  assertRefused(await poll(ceremony), 400, "access_denied")
})

test("ERR-7, DG-6: access_denied is final for a step-up whose app lost the switch, also when it is on again", async () => {
  const ceremony = await opened(await grant(testServer, bob, app))
  const change = async (stepUp: boolean) => {
    const changed = await updateApp(testServer.latchkey, app.clientId, { stepUp }, OPERATOR)
    assert.ok(changed.ok)
  }
  await change(false)
  assertRefused(await poll(ceremony), 400, "access_denied")
  await change(true)
  assertRefused(await poll(ceremony), 400, "access_denied")
  assert.equal((await openCode(bob, ceremony.userCode)).status, 400)
  testServer.clock.advance(-300)
  assertRefused(await poll(ceremony), 400, "access_denied")
  testServer.clock.advance(300)
})
