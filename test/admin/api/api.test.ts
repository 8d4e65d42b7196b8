import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { setAccountEnabled } from "../../../src/accounts/accounts.ts"
import { setAppEnabled, updateApp } from "../../../src/apps/app.ts"
import { assertUncached, DESCRIPTION } from "../../support/answers.ts"
import { fixture } from "../../support/fixture.ts"
import { issueCode } from "../../support/grant.ts"
import { call, SignedInAccount, rotated } from "../../support/signed-in.ts"
import { OPERATOR } from "../../support/test-server.ts"
import { DAY } from "../../../src/kernel/time.ts"

const {
  testServer,
  userIds: { Bob: userId },
  app,
} = await fixture({ admins: ["Bob", "root"], apps: { app: {} } })
let bob = new SignedInAccount(testServer, "bob")

type Answer = Awaited<ReturnType<typeof call>>

/** `error` is null if the request had no token. */
function assertChallenged(answer: Answer, status: number, error: string | null, scope: string | null): void {
  assert.equal(answer.status, status)
  assertUncached(answer)
  const { code, status: name, message } = answer.body["error"] as Record<string, unknown>
  assert.deepEqual(Object.keys(answer.body), ["error"])
  assert.deepEqual([code, name], [status, status === 401 ? "UNAUTHENTICATED" : "PERMISSION_DENIED"])
  assert.match(String(message), DESCRIPTION)
  const challenge = answer.headers.get("www-authenticate") ?? ""
  assert.match(challenge, /^Bearer realm="latchkey", /)
  const parameters = new Map(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name_ = "", value]) => [name_, value]),
  )
  assert.equal(
    parameters.get("resource_metadata"),
    `${testServer.issuer}/.well-known/oauth-protected-resource`,
  )
  assert.equal(parameters.get("error") ?? null, error)
  assert.equal(parameters.has("error_description"), error !== null)
  assert.equal(parameters.get("scope") ?? null, scope)
}

test("API-1: the account of the credential", async () => {
  const { access_token } = await bob.grant(app)
  const answer = await call(testServer, "/api/account", access_token)
  assert.equal(answer.status, 200)
  assertUncached(answer)
  assert.equal(answer.headers.get("access-control-allow-origin"), "*")
  const { created_at, ...rest } = answer.body
  assert.deepEqual(rest, { user_id: userId, username: "Bob", admin: true, groups: [], language: null })
  assert.ok(Number.isSafeInteger(created_at))
})

test("API-2: a credential looks at itself", async () => {
  const consentedAt = testServer.clock.now()
  const midnight = (at: number) => at - (at % DAY)
  const first = await bob.grant(app, { installation_name: "Laptop", scope: "files:read" })
  testServer.clock.advance(10)
  const { access_token, token_id } = await rotated(testServer, app, first)
  const expected = {
    token_id,
    client_id: app.clientId,
    client_name: "Paperclip",
    user_id: userId,
    username: "Bob",
    installation_name: "Laptop",
    scope: "workers:read files:read",
    reach: "workers:read files:read",
    consented_at: consentedAt,
    access_ends_at: consentedAt + 10 + 3600,
    refresh_ends_at: midnight(consentedAt + 10 + 90 * DAY),
    ends_at: midnight(consentedAt + 365 * DAY),
    elevated_until: null,
  }
  assert.deepEqual((await call(testServer, "/api/credential", access_token)).body, expected)
})

describe("AUTH-1, API-3: without a good token in the header there is a challenge", () => {
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(testServer.url + path, init)
    const body = (await response.json()) as Record<string, unknown>
    return { status: response.status, headers: response.headers, body }
  }

  test("no Authorization header: no error code, RFC 6750 says", async () => {
    assertChallenged(await ask("/api/account", {}), 401, null, "account:read")
    assertChallenged(await ask("/api/credential", {}), 401, null, null)
  })

  test("another scheme, or none", async () => {
    const { access_token } = await bob.grant(app)
    for (const authorization of [
      `Basic ${btoa("a:b")}`,
      access_token,
      "Bearer",
      "Bearer ",
      `DPoP ${access_token}`,
    ])
      assertChallenged(await ask("/api/account", { headers: { authorization } }), 401, null, "account:read")
  })

  test("a token in the address or in the body is ignored", async () => {
    const { access_token } = await bob.grant(app)
    assertChallenged(await ask(`/api/account?access_token=${access_token}`, {}), 401, null, "account:read")
    const answer = await fetch(`${testServer.url}/api/account`, {
      method: "POST",
      body: new URLSearchParams({ access_token }),
    })
    assert.equal(answer.status, 405)
  })

  test("the scheme may be written in any case", async () => {
    const { access_token } = await bob.grant(app)
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const headers = { authorization: `${scheme} ${access_token}` }
      assert.equal((await ask("/api/account", { headers })).status, 200)
    }
  })

  const bad: Record<string, () => Promise<string> | string> = {
    garbage: () => "garbage",
    "a refresh token": async () => (await bob.grant(app)).refresh_token,
    "a code": async () => (await issueCode(await bob.browser(), app)).code,
    "an altered token": async () => {
      const { access_token } = await bob.grant(app)
      return access_token.slice(0, 40) + (access_token[40] === "A" ? "B" : "A") + access_token.slice(41)
    },
    "an expired token": async () => {
      const { access_token } = await bob.grant(app)
      testServer.clock.advance(3601)
      return access_token
    },
  }
  for (const [name, token] of Object.entries(bad)) {
    test(name, async () => {
      const text = await token()
      assertChallenged(await call(testServer, "/api/account", text), 401, "invalid_token", "account:read")
      assertChallenged(await call(testServer, "/api/credential", text), 401, "invalid_token", null)
    })
  }
})

test("AUTH-1, LIM-7: a token answered as expired stays so with the clock set back", async () => {
  const first = await bob.grant(app)
  const second = await rotated(testServer, app, first)
  testServer.clock.advance(3601)
  assert.equal((await call(testServer, "/api/credential", first.access_token)).status, 401)
  testServer.clock.setWall(testServer.clock.now() - 1800)
  assert.equal((await call(testServer, "/api/credential", first.access_token)).status, 401)
  assert.equal(
    (await call(testServer, "/api/credential", second.access_token)).status,
    200,
    "no stream received this one",
  )
  testServer.clock.setWall(testServer.clock.now() + 1800)
})

test("API-3: 403 insufficient_scope names what is needed", async () => {
  const { access_token } = await bob.grant(app, { scope: "files:read" })
  assertChallenged(
    await call(testServer, "/api/account", access_token),
    403,
    "insufficient_scope",
    "account:read",
  )
  assert.equal((await call(testServer, "/api/credential", access_token)).status, 200)
})

describe("PERM-5, PERM-6: what is taken away is gone at the very next call", () => {
  test("a permission", async () => {
    const other = await testServer.addApp()
    const { access_token } = await bob.grant(other)
    assert.equal((await call(testServer, "/api/account", access_token)).status, 200)
    await updateApp(testServer.latchkey, other.clientId, { removePermissions: ["account:read"] }, OPERATOR)
    assert.equal((await call(testServer, "/api/account", access_token)).status, 403)
    await updateApp(testServer.latchkey, other.clientId, { addPermissions: ["account:read"] }, OPERATOR)
    assert.equal((await call(testServer, "/api/account", access_token)).status, 200)
  })

  test("a permission, by another process on the same database", async () => {
    const other = await testServer.addApp()
    const { access_token } = await bob.grant(other)
    assert.equal((await call(testServer, "/api/account", access_token)).status, 200)
    const { clock, catalog } = testServer.latchkey
    const store = await testServer.database.open()
    const change = { removePermissions: ["account:read"] }
    const updated = await updateApp({ store, clock, catalog }, other.clientId, change, OPERATOR)
    await store.close()
    assert.ok(updated.ok)
    assert.equal((await call(testServer, "/api/account", access_token)).status, 403)
  })

  test("the app or the account", async () => {
    const { access_token } = await bob.grant(app)
    await setAppEnabled(testServer.latchkey, app.clientId, false, OPERATOR)
    assertChallenged(await call(testServer, "/api/credential", access_token), 401, "invalid_token", null)
    await setAppEnabled(testServer.latchkey, app.clientId, true, OPERATOR)
    assert.equal((await call(testServer, "/api/credential", access_token)).status, 200)
    await setAccountEnabled(testServer.latchkey, "bob", false, OPERATOR)
    assertChallenged(await call(testServer, "/api/credential", access_token), 401, "invalid_token", null)
    await setAccountEnabled(testServer.latchkey, "bob", true, OPERATOR)
    assert.equal((await call(testServer, "/api/credential", access_token)).status, 200)
    bob = new SignedInAccount(testServer, "bob")
  })
})

test("API-10: an answer is JSON on one line, and the line ends", async () => {
  for (const path of [
    "/api/account",
    "/api/nowhere",
    "/api/openapi.json",
    "/.well-known/oauth-authorization-server",
  ]) {
    const text = await (await fetch(testServer.url + path)).text()
    assert.match(text, /^\{.*\}\n$/, path)
  }
})

test("API-3: unknown addresses and methods have the API's own shape of errors", async () => {
  const unknown = await call(testServer, "/api/nothing", "x")
  assert.equal(unknown.status, 404)
  assert.deepEqual(Object.keys(unknown.body["error"] as object), ["code", "status", "message"])
  const put = await fetch(`${testServer.url}/api/account`, { method: "PUT", body: "{}" })
  assert.deepEqual([put.status, put.headers.get("allow")], [405, "GET, HEAD, PATCH, OPTIONS"])
  const preflight = await fetch(`${testServer.url}/api/account`, { method: "OPTIONS" })
  assert.deepEqual([preflight.status, preflight.headers.get("access-control-allow-origin")], [204, "*"])
})
