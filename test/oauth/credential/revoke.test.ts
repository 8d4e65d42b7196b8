import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { decided } from "../../../src/model/change.rules.ts"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import { digest } from "../../../src/kernel/hash.ts"
import { resealed, withChecksum } from "../../support/checksum.ts"
import { own, refresh, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import type { TestApp } from "../../support/test-server.ts"
import { assertRefused, assertUncached } from "../../support/answers.ts"
import { issueCode, tokenIdOf } from "../../support/grant.ts"
import { call, introspected, rotated } from "../../support/signed-in.ts"
import { eventKinds, everything, stateOf } from "../../support/stored.ts"
import { DAY } from "../../../src/kernel/time.ts"

const REVOKE = "/oauth/revoke"

const { testServer, bob, app, confidential, resourceServer } = await fixture({
  rateLimit: "off",
  accounts: ["bob"],
  signedIn: ["bob"],
  apps: {
    app: {},
    confidential: { type: "confidential" },
    resourceServer: { type: "confidential", resourceServer: true },
  },
})

function revoke(who: TestApp, token: string, more: Record<string, string> = {}) {
  return send(testServer, REVOKE, { ...own(who), token, ...more })
}

async function assertDone(answer: Awaited<ReturnType<typeof revoke>>): Promise<void> {
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {})
  assertUncached(answer)
}

describe("REV-1, REV-3, CRED-3: either token in full ends the whole credential", () => {
  test("the access token", async () => {
    const first = await bob.grant(app)
    await assertDone(await revoke(app, first.access_token))
    assert.equal(await stateOf(testServer, first.token_id), "revoked")
    assert.equal((await eventKinds(testServer)).at(-1), "credential-revoked")
    assert.equal((await call(testServer, "/api/credential", first.access_token)).status, 401)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
  })

  test("the refresh token", async () => {
    const first = await bob.grant(app)
    await assertDone(await revoke(app, first.refresh_token))
    assert.equal((await call(testServer, "/api/credential", first.access_token)).status, 401)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
  })

  test("a retired refresh token, of any generation", async () => {
    const first = await bob.grant(app)
    let last = first
    for (let n = 0; n < 3; n++) last = await rotated(testServer, app, last)
    testServer.clock.advance(61)
    await assertDone(await revoke(app, first.refresh_token))
    assert.equal(await stateOf(testServer, first.token_id), "revoked")
  })

  test("an access token that has expired", async () => {
    const first = await bob.grant(app)
    testServer.clock.advance(3601)
    await assertDone(await revoke(app, first.access_token))
    assert.equal(await stateOf(testServer, first.token_id), "revoked")
  })

  test("whatever token_type_hint says", async () => {
    for (const token_type_hint of ["refresh_token", "access_token", "nonsense", ""]) {
      const first = await bob.grant(app)
      await assertDone(await revoke(app, first.access_token, { token_type_hint }))
      assert.equal(await stateOf(testServer, first.token_id), "revoked")
    }
  })

  test("and no other credential of the same app and account", async () => {
    const [first, second] = [await bob.grant(app), await bob.grant(app)]
    await assertDone(await revoke(app, first.refresh_token))
    assert.equal(await stateOf(testServer, second.token_id), "active")
    assert.equal((await call(testServer, "/api/credential", second.access_token)).status, 200)
  })
})

describe("REV-3: what is no good already, or never was, gets the same answer", () => {
  test("a token that was revoked before", async () => {
    const first = await bob.grant(app)
    for (let n = 0; n < 3; n++) await assertDone(await revoke(app, first.refresh_token))
    assert.equal(
      (await eventKinds(testServer)).filter((kind) => kind === "credential-revoked").length > 0,
      true,
    )
  })

  test("a credential that has ended stays ended", async () => {
    const first = await bob.grant(app)
    testServer.clock.advance(91 * DAY)
    await assertDone(await revoke(app, first.refresh_token))
    assert.equal(await stateOf(testServer, first.token_id), "ended")
  })

  test("a part of a token, an altered one, another kind: nothing happens", async () => {
    const first = await bob.grant(app)
    const { code } = await issueCode(await bob.browser(), app)
    const { access_token: access, refresh_token: token } = first
    const stored = (await everything(testServer))["credential"]
    const altered = token.slice(0, 40) + (token[40] === "A" ? "B" : "A") + token.slice(41)
    for (const text of [
      token.slice(0, -1),
      token.slice(0, 36),
      access.slice(0, 30),
      altered,
      `${token} `,
      token.toUpperCase(),
      first.token_id,
      code,
      "x",
      "lkr_",
      "\u0000",
      "a".repeat(5000),
    ])
      await assertDone(await revoke(app, text))
    assert.deepEqual((await everything(testServer))["credential"], stored)
    assert.equal(await stateOf(testServer, tokenIdOf(code)), "issued")
  })
})

/** Stores the digest of `other` in place of the digest of `token`. */
async function replaceAccessToken(tokenId: string, token: string, other: string): Promise<void> {
  await testServer.store.change({ credential: tokenId as TokenId }, ({ credential }) => {
    if (credential?.life.state !== "active") return assert.fail("the credential is not active")
    const { family } = credential.life
    const accessTokens = family.accessTokens.map((kept) =>
      kept.hash === digest(token) ? { ...kept, hash: digest(other) } : kept,
    )
    const life = { ...credential.life, family: { ...family, accessTokens } }
    return decided(null, { change: "credentialChanged", credential: { ...credential, life } })
  })
}

describe("REV-6: every access token that was ever issued is recognized", () => {
  /** Returns the first access token, after `rotations` refreshes of its credential. */
  async function pushedOut(rotations: number): Promise<TokenResponse> {
    const first = await bob.grant(app)
    let last = first
    for (let n = 0; n < rotations; n++) last = await rotated(testServer, app, last)
    return first
  }

  test("pushed out by later refreshes", async () => {
    const first = await pushedOut(40)
    assert.equal((await call(testServer, "/api/credential", first.access_token)).status, 401)
    assertRefused(await revoke(confidential, first.access_token), 401, "invalid_client")
    assert.equal(await stateOf(testServer, first.token_id), "active")
    await assertDone(await revoke(app, first.access_token))
    assert.equal(await stateOf(testServer, first.token_id), "revoked")
  })

  test("expired before the last refresh", async () => {
    const first = await bob.grant(app)
    testServer.clock.advance(3601)
    await rotated(testServer, app, first)
    assertRefused(await revoke(confidential, first.access_token), 401, "invalid_client")
    await assertDone(await revoke(app, first.access_token))
    assert.equal(await stateOf(testServer, first.token_id), "revoked")
  })

  test("issued by an earlier version, without a MAC: it works, and revokes while its digest is stored", async () => {
    const first = await bob.grant(app)
    const old = withChecksum(first.access_token.slice(0, 73))
    await replaceAccessToken(first.token_id, first.access_token, old)
    assert.equal((await call(testServer, "/api/credential", old)).status, 200)
    assert.equal((await introspected(testServer, resourceServer, old)).body["active"], true)
    assertRefused(await revoke(confidential, old), 401, "invalid_client")
    await assertDone(await revoke(app, old))
    assert.equal(await stateOf(testServer, first.token_id), "revoked")
  })

  test("of a credential that has ended: another app is still refused", async () => {
    const first = await pushedOut(40)
    await revoke(app, first.refresh_token)
    assertRefused(await revoke(confidential, first.access_token), 401, "invalid_client")
    await assertDone(await revoke(app, first.access_token))
  })

  test("what recognizes it opens nothing, and a token that was never issued changes nothing", async () => {
    const first = await pushedOut(40)
    const flipped = (text: string, place: number) =>
      text.slice(0, place) + (text[place] === "A" ? "B" : "A") + text.slice(place + 1)
    for (const place of [30, 72, 73, 83]) {
      const altered = resealed(first.access_token, (body) => flipped(body, place))
      await assertDone(await revoke(app, altered))
      await assertDone(await revoke(confidential, altered))
    }
    assert.equal(await stateOf(testServer, first.token_id), "active")
    assert.deepEqual((await introspected(testServer, resourceServer, first.access_token)).body, {
      active: false,
    })
  })
})

describe("REV-5, ERR-1: a token of another app is refused, and stays", () => {
  test("live, by its access or its refresh token", async () => {
    const first = await bob.grant(app)
    for (const who of [confidential, await testServer.addApp()]) {
      assertRefused(await revoke(who, first.access_token), 401, "invalid_client")
      assertRefused(await revoke(who, first.refresh_token), 401, "invalid_client")
    }
    assert.equal(await stateOf(testServer, first.token_id), "active")
  })

  test("revoked or ended, just so", async () => {
    const gone = await bob.grant(app)
    await revoke(app, gone.refresh_token)
    const ended = await bob.grant(app)
    testServer.clock.advance(91 * DAY)
    for (const { refresh_token } of [gone, ended])
      assertRefused(await revoke(confidential, refresh_token), 401, "invalid_client")
  })

  test("an altered one is an unknown token", async () => {
    const first = await bob.grant(app)
    await assertDone(await revoke(confidential, first.refresh_token.slice(0, -1)))
    assert.equal(await stateOf(testServer, first.token_id), "active")
  })
})

describe("REV-2, AUTH-3: the app is authenticated before the token is looked at", () => {
  test("a confidential app, by the body and by Basic", async () => {
    const [one, two] = [await bob.grant(confidential), await bob.grant(confidential)]
    await assertDone(await revoke(confidential, one.refresh_token))
    const authorization = `Basic ${btoa(`${confidential.clientId}:${confidential.secret}`)}`
    await assertDone(await send(testServer, REVOKE, { token: two.refresh_token }, { authorization }))
    for (const { token_id } of [one, two]) assert.equal(await stateOf(testServer, token_id), "revoked")
  })

  test("one that is not authenticated hears that, whatever its token is worth", async () => {
    const first = await bob.grant(confidential)
    const wrong = { ...confidential, secret: "lks_wrong" }
    const nameless = { ...confidential, secret: null }
    for (const token of [first.refresh_token, "garbage", ""]) {
      assertRefused(await revoke(wrong, token), 401, "invalid_client")
      assertRefused(await revoke(nameless, token), 401, "invalid_client")
      assertRefused(await revoke({ ...app, clientId: "0".repeat(26) }, token), 401, "invalid_client")
    }
    assert.equal(await stateOf(testServer, first.token_id), "active")
  })

  test("SVC-6: no client", async () => {
    const first = await bob.grant(app)
    assertRefused(await send(testServer, REVOKE, { token: first.refresh_token }), 400, "invalid_request")
    assert.equal(await stateOf(testServer, first.token_id), "active")
  })
})

describe("REV-4, ERR-4: a malformed request", () => {
  test("without token, with an empty one, with two", async () => {
    assertRefused(await send(testServer, REVOKE, own(app)), 400, "invalid_request")
    assertRefused(await revoke(app, ""), 400, "invalid_request")
    const twice = `client_id=${app.clientId}&token=a&token=b`
    assertRefused(await send(testServer, REVOKE, twice), 400, "invalid_request")
  })

  test("as JSON, in the address, by another method", async () => {
    const first = await bob.grant(app)
    const fields = { ...own(app), token: first.access_token }
    const json = { "content-type": "application/json" }
    assertRefused(await send(testServer, REVOKE, JSON.stringify(fields), json), 400, "invalid_request")
    const query = new URLSearchParams(fields).toString()
    assertRefused(await send(testServer, `${REVOKE}?${query}`, {}), 400, "invalid_request")
    const get = await fetch(`${testServer.url}${REVOKE}?${query}`)
    assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST, OPTIONS"])
    assert.equal(await stateOf(testServer, first.token_id), "active")
  })
})
