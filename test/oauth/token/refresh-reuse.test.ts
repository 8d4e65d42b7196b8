import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { DAY } from "../../../src/kernel/time.ts"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import { withChecksum } from "../../support/checksum.ts"
import { own, refresh, send } from "../../support/connect.ts"
import { assertRefused } from "../../support/answers.ts"
import { fixture } from "../../support/fixture.ts"
import { call, rotated } from "../../support/signed-in.ts"
import { credentialRow, eventKinds, stateOf } from "../../support/stored.ts"

const { testServer, bob, app } = await fixture({
  rateLimit: "off",
  accounts: ["bob"],
  signedIn: ["bob"],
  apps: { app: {} },
})

/** Returns all pairs of a credential after `rotations` refreshes at this moment, oldest first. */
async function history(rotations: number): Promise<[TokenResponse, ...TokenResponse[]]> {
  const pairs: [TokenResponse, ...TokenResponse[]] = [await bob.grant(app)]
  for (let n = 0; n < rotations; n++) pairs.push(await rotated(testServer, app, pairs.at(-1) ?? pairs[0]))
  return pairs
}

async function assertLives({ token_id, refresh_token }: TokenResponse): Promise<void> {
  assert.equal(await stateOf(testServer, token_id), "active")
  assert.equal((await refresh(testServer, app, refresh_token)).status, 200)
}

async function assertRevoked({ token_id, refresh_token, access_token }: TokenResponse): Promise<void> {
  assert.equal(await stateOf(testServer, token_id), "revoked")
  assert.equal((await eventKinds(testServer)).at(-1), "refresh-token-reused")
  assertRefused(await refresh(testServer, app, refresh_token), 400, "invalid_grant")
  assert.equal((await call(testServer, "/api/credential", access_token)).status, 401)
}

describe("LIM-4, CRED-1: inside sixty seconds the token last retired gets the same answer", () => {
  test("the same pair, and what remains of its time", async () => {
    const [first, second] = await history(1)
    assert.ok(second)
    const retiredAt = testServer.clock.now()
    for (const passed of [0, 30, 59, 60]) {
      testServer.clock.advance(retiredAt + passed - testServer.clock.now())
      const again = await rotated(testServer, app, first)
      assert.deepEqual(again, {
        ...second,
        expires_in: second.expires_in - passed,
        refresh_expires_in: second.refresh_expires_in - passed,
        refresh_token_timeout: second.refresh_token_timeout - passed,
        authorization_expires_in: second.authorization_expires_in - passed,
      })
    }
    await assertLives(second)
  })

  test("the scope as it was answered first, whatever the repeat asks for", async () => {
    const first = await bob.grant(app)
    const second = await rotated(testServer, app, first, { scope: "account:read" })
    for (const more of [{}, { scope: "files:read" }, { scope: "account:read" }] as Record<string, string>[]) {
      const again = await rotated(testServer, app, first, more)
      assert.deepEqual([again.refresh_token, again.scope], [second.refresh_token, "account:read"])
    }
  })

  test("nothing is left of an access token that was answered as expired", async () => {
    const [first, second] = await history(1)
    assert.ok(second)
    // After the clock is set back by two days, no access token can have such an expiry. The response reports it as
    // expired, and it stays expired.
    testServer.clock.advance(-2 * DAY)
    assert.equal((await call(testServer, "/api/credential", second.access_token)).status, 401)
    testServer.clock.advance(2 * DAY)
    const again = await rotated(testServer, app, first)
    assert.deepEqual(again, { ...second, expires_in: 0 })
    assert.equal((await call(testServer, "/api/credential", again.access_token)).status, 401)
    const third = await rotated(testServer, app, second)
    assert.equal((await call(testServer, "/api/credential", third.access_token)).status, 200)
  })

  test("the window does not slide: it ends sixty seconds after the retirement", async () => {
    const [first, second] = await history(1)
    assert.ok(second)
    testServer.clock.advance(59)
    await rotated(testServer, app, first)
    testServer.clock.advance(2)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    await assertRevoked(second)
  })

  test("the window closes once the successor was used: refused, and not revoked", async () => {
    const [first, , third] = await history(2)
    assert.ok(third)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    await assertLives(third)
  })
})

describe("CRED-2, AUTH-7, ERR-2: a retired token that comes later revokes the credential", () => {
  test("the one retired last, sixty-one seconds after", async () => {
    const [first, second] = await history(1)
    assert.ok(second)
    testServer.clock.advance(61)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    await assertRevoked(second)
  })

  test("one of three generations back: refused inside its sixty seconds, revoked after", async () => {
    const [first, , , fourth] = await history(3)
    assert.ok(fourth)
    testServer.clock.advance(60)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    assert.equal(await stateOf(testServer, first.token_id), "active")
    testServer.clock.advance(1)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    await assertRevoked(fourth)
  })

  test("each by its own retirement: the first long ago, the second just now", async () => {
    const [first, second] = await history(1)
    assert.ok(second)
    testServer.clock.advance(61)
    const third = await rotated(testServer, app, second)
    assert.equal((await rotated(testServer, app, second)).refresh_token, third.refresh_token)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    await assertRevoked(third)
  })

  test("one of thirty generations back, after a restart", async () => {
    const pairs = await history(30)
    const [first] = pairs
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    assert.equal(
      await stateOf(testServer, first.token_id),
      "active",
      "nothing proves yet that a minute has passed",
    )
    testServer.clock.advance(61)
    await testServer.restart()
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    await assertRevoked(pairs.at(-1) ?? first)
  })

  test("the same answer comes after a restart too", async () => {
    const [first, second] = await history(1)
    await testServer.restart()
    assert.equal((await rotated(testServer, app, first)).refresh_token, second?.refresh_token)
  })

  test("a retirement in the future, by a clock that was set back, is past its window", async () => {
    const [first, second] = await history(1)
    assert.ok(second)
    testServer.clock.setWall(testServer.clock.now() - 10)
    assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
    await assertRevoked(second)
    testServer.clock.setWall(testServer.clock.now() + 10)
  })

  test("from another app it revokes nothing", async () => {
    const [first, second] = await history(1)
    assert.ok(second)
    const other = await testServer.addApp()
    testServer.clock.advance(61)
    assertRefused(await refresh(testServer, other, first.refresh_token), 400, "invalid_grant")
    await assertLives(second)
  })

  test("from a confidential app that is not authenticated it revokes nothing", async () => {
    const confidential = await testServer.addApp({ type: "confidential" })
    const first = await bob.grant(confidential)
    await rotated(testServer, confidential, first)
    testServer.clock.advance(61)
    const wrong = { ...confidential, secret: "lks_wrong" }
    assertRefused(await refresh(testServer, wrong, first.refresh_token), 401, "invalid_client")
    assert.equal(await stateOf(testServer, first.token_id), "active")
  })
})

describe("CRED-2, ERR-2: a token that was never issued changes nothing", () => {
  type Alteration = (token: string, parts: Parts, other: string) => string
  const cases: Record<string, Alteration> = {
    "cut short": (token) => token.slice(0, -1),
    "without its prefix": (token) => token.slice(4),
    "under another prefix": (token) => token.replace("lkr_", "lka_"),
    "another checksum": (token) => token.slice(0, -6) + flipped(token.slice(-6)),
    "the generation before it": (_, { id, secret, mac }) => sealed(id, "000001", secret, mac),
    "the next generation": (_, { id, secret, mac }) => sealed(id, "000003", secret, mac),
    "generation zero": (_, { id, secret, mac }) => sealed(id, "000000", secret, mac),
    "the highest generation": (_, { id, secret, mac }) => sealed(id, "zzzzzz", secret, mac),
    "another secret": (_, { id, generation, secret, mac }) => sealed(id, generation, flipped(secret), mac),
    "another code of authentication": (_, { id, generation, secret, mac }) =>
      sealed(id, generation, secret, flipped(mac)),
    "a long retired generation with another secret": (_, { id, secret, mac }) =>
      sealed(id, "000001", flipped(secret), mac),
    "another credential's id": (_, { generation, secret, mac }, other) =>
      sealed(partsOf(other).id, generation, secret, mac),
    "an unknown id": (_, { generation, secret, mac }) => sealed("0".repeat(26), generation, secret, mac),
  }
  for (const [name, alter] of Object.entries(cases)) {
    test(name, async () => {
      const [, second] = await history(1)
      const [other] = await history(0)
      assert.ok(second)
      testServer.clock.advance(61)
      const rows = await Promise.all(
        [second, other].map(({ token_id }) => credentialRow(testServer, token_id)),
      )
      const altered = alter(second.refresh_token, partsOf(second.refresh_token), other.refresh_token)
      assertRefused(await refresh(testServer, app, altered), 400, "invalid_grant")
      assert.deepEqual(
        await Promise.all([second, other].map(({ token_id }) => credentialRow(testServer, token_id))),
        rows,
      )
      await assertLives(second)
    })
  }
})

describe("CRED-1, AUTH-7: many at once", () => {
  test("a hundred refreshes with one token all get the same pair, and the credential lives", async () => {
    const first = await bob.grant(app)
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => refresh(testServer, app, first.refresh_token)),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(new Set(answers.map(({ body }) => body["refresh_token"])).size, 1)
    assert.equal(new Set(answers.map(({ body }) => body["access_token"])).size, 1)
    await assertLives(answers[0]?.body as unknown as TokenResponse)
  })

  test("refreshes and a revocation: whatever order they fall in, the credential ends revoked", async () => {
    const first = await bob.grant(app)
    const refreshes = Array.from({ length: 20 }, () => refresh(testServer, app, first.refresh_token))
    const revocation = send(testServer, "/oauth/revoke", { ...own(app), token: first.refresh_token })
    const more = Array.from({ length: 20 }, () => refresh(testServer, app, first.refresh_token))
    const answers = await Promise.all([...refreshes, ...more])
    assert.equal((await revocation).status, 200)
    for (const { status } of answers) assert.ok(status === 200 || status === 400)
    assert.equal(await stateOf(testServer, first.token_id), "revoked")
    for (const { status, body } of answers) {
      if (status === 200)
        assertRefused(await refresh(testServer, app, String(body["refresh_token"])), 400, "invalid_grant")
    }
  })
})

type Parts = {
  readonly id: string
  readonly generation: string
  readonly secret: string
  readonly mac: string
}

function partsOf(token: string): Parts {
  const body = token.slice(4, -6)
  return {
    id: body.slice(0, 26),
    generation: body.slice(26, 32),
    secret: body.slice(32, 75),
    mac: body.slice(75),
  }
}

/** Adds a correct checksum, so that only the alteration is wrong. */
function sealed(...parts: readonly string[]): string {
  return withChecksum(`lkr_${parts.join("")}`)
}

function flipped(text: string): string {
  return (text.startsWith("A") ? "B" : "A") + text.slice(1)
}
