/** Tests service accounts at the endpoints. Their tokens are issued, introspected, ended and kept apart. */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { removeAccount, setAccountEnabled, setAdministration } from "../../../src/accounts/accounts.ts"
import { removeApp, setAppEnabled, updateApp } from "../../../src/apps/app.ts"
import { SERVICE_TOKENS_KEPT } from "../../../src/kernel/limits.ts"
import { endCredential } from "../../../src/oauth/credential/credential.ts"
import type { ServiceTokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import { assertRefused } from "../../support/answers.ts"
import { own, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { setAppGroups, setGroups } from "../../support/groups.ts"
import { introspected } from "../../support/signed-in.ts"
import type { TestApp } from "../../support/test-server.ts"
import { OPERATOR } from "../../support/test-server.ts"

const TOKEN = "/oauth/token"

let made = 0

const { testServer, server } = await fixture({
  rateLimit: "off",
  permissions: { "crew:rota": { title: "See the rota", for_groups: ["crew"] } },
  apps: { server: { type: "confidential", resourceServer: true } },
})

type World = { readonly name: string; readonly userId: string; readonly app: TestApp }

async function openWorld(permissions = ["account:read", "files:read"], admin = false): Promise<World> {
  const name = `ci-${++made}`
  const userId = await testServer.addServiceAccount(name, admin)
  return { name, userId, app: await testServer.addBoundApp(name, { permissions }) }
}

function ask(app: TestApp, more: Record<string, string> | string = {}) {
  const fields = { ...own(app), grant_type: "client_credentials" }
  const form = new URLSearchParams(fields).toString()
  return send(testServer, TOKEN, typeof more === "string" ? `${form}&${more}` : { ...fields, ...more })
}

async function issued(
  app: TestApp,
  more: Record<string, string> | string = {},
): Promise<ServiceTokenResponse> {
  const answer = await ask(app, more)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as unknown as ServiceTokenResponse
}

const isActive = async (token: string) => (await introspected(testServer, server, token)).body["active"]

const revoke = (app: TestApp, token: string) => send(testServer, "/oauth/revoke", { ...own(app), token })

function bind(app: TestApp, serviceAccountName: string | null) {
  return updateApp(testServer.latchkey, app.clientId, { serviceAccountName }, OPERATOR)
}

async function grantTypes(): Promise<unknown> {
  const response = await fetch(`${testServer.url}/.well-known/oauth-authorization-server`)
  return ((await response.json()) as Record<string, unknown>)["grant_types_supported"]
}

test("SERVICE-8: the metadata names client_credentials only while a binding exists", async (t) => {
  const always = ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"]
  const { testServer: apart } = await fixture({ span: t })
  const types = async () => {
    apart.clock.advance(1)
    const response = await fetch(`${apart.url}/.well-known/oauth-authorization-server`)
    return ((await response.json()) as Record<string, unknown>)["grant_types_supported"]
  }
  assert.deepEqual(await types(), always)
  await apart.addServiceAccount("ci")
  assert.deepEqual(await types(), always)
  const app = await apart.addBoundApp("ci")
  assert.deepEqual(await types(), [...always, "client_credentials"])
  await updateApp(apart.latchkey, app.clientId, { serviceAccountName: null }, OPERATOR)
  assert.deepEqual(await types(), always)
  await openWorld()
  testServer.clock.advance(1)
  assert.deepEqual(await grantTypes(), [...always, "client_credentials"])
})

describe("issuing", () => {
  test("SERVICE-3: an access token of the service account, and nothing of a refresh", async () => {
    const { app, userId, name } = await openWorld()
    const basic = Buffer.from(`${app.clientId}:${app.secret}`).toString("base64")
    const byHeader = await send(
      testServer,
      TOKEN,
      { grant_type: "client_credentials" },
      { authorization: `Basic ${basic}` },
    )
    for (const { status, body, headers } of [await ask(app), byHeader]) {
      const { access_token, token_id, ...rest } = body
      assert.equal(status, 200)
      assert.equal(headers.get("cache-control"), "no-store")
      assert.deepEqual(rest, {
        token_type: "Bearer",
        expires_in: 3600,
        scope: "account:read workers:read files:read",
        user_id: userId,
        username: name,
      })
      assert.match(String(access_token), /^lka_[\w-]{86}$/)
      assert.equal(typeof token_id, "string")
    }
    assert.equal((await issued(app)).token_id, (await issued(app)).token_id)
  })

  test("SERVICE-3: nothing is issued before client authentication", async () => {
    const { app } = await openWorld()
    for (const more of [
      { client_secret: "wrong" },
      { client_secret: "" },
      { scope: " x", client_secret: "wrong" },
    ])
      assertRefused(await ask(app, more), 401, "invalid_client")
    const { client_id } = own(app)
    const without = { client_id: client_id ?? "", grant_type: "client_credentials" }
    assertRefused(await send(testServer, TOKEN, without), 401, "invalid_client")
    assertRefused(await ask(app, { client_id: "0".repeat(26) }), 401, "invalid_client")
    assertRefused(await ask(app, "scope=a&scope=b"), 400, "invalid_request")
  })

  test("SERVICE-5: an app that is public or not bound is unauthorized_client", async () => {
    const confidential = await testServer.addApp({ type: "confidential" })
    for (const app of [await testServer.addApp(), confidential])
      assertRefused(await ask(app), 400, "unauthorized_client")
    const { app, name } = await openWorld()
    await bind(app, null)
    assertRefused(await ask(app), 400, "unauthorized_client")
    await bind(app, name)
    await issued(app)
  })

  test("SERVICE-2: only a confidential app is bound, and only to a service account", async () => {
    const { name } = await openWorld()
    await testServer.addAccount("a-person")
    const problem = async (app: TestApp, to: string) => {
      const bound = await bind(app, to)
      return bound.ok ? "" : bound.error
    }
    assert.match(await problem(await testServer.addApp(), name), /confidential/)
    const confidential = await testServer.addApp({ type: "confidential" })
    assert.match(await problem(confidential, "a-person"), /not a service account/)
    assert.match(await problem(confidential, "no-one-here"), /no account/)
    assertRefused(await ask(confidential), 400, "unauthorized_client")
  })

  test("SERVICE-4: scope narrows; more than ceiling and account allow is invalid_scope", async () => {
    const { app, name } = await openWorld(["account:read", "files:read", "admin:events"])
    assert.equal((await issued(app)).scope, "account:read workers:read files:read")
    assert.equal((await issued(app, { scope: "files:read" })).scope, "workers:read files:read")
    for (const scope of ["files:write", "nothing", "account:read files:write", "admin:events", " "])
      assertRefused(await ask(app, { scope }), 400, "invalid_scope")
    const services = testServer.latchkey
    await setAdministration(services, name, true, OPERATOR)
    assert.equal((await issued(app)).scope, "account:read workers:read files:read")
    const { access_token, scope } = await issued(app, { scope: "admin:events" })
    assert.equal(scope, "admin:events")
    await setAdministration(services, name, false, OPERATOR)
    assert.equal((await introspected(testServer, server, access_token)).body["scope"], "")
  })

  test("SERVICE-4: a wider registration is reached at once, and a narrower one cuts live tokens", async () => {
    const { app } = await openWorld(["account:read"])
    const { access_token } = await issued(app)
    const update = (permissions: string[]) =>
      updateApp(testServer.latchkey, app.clientId, { permissions }, OPERATOR)
    await update(["account:read", "workers:read"])
    const wide = await issued(app)
    assert.equal(wide.scope, "account:read workers:read")
    const scopeOf = async (token: string) => (await introspected(testServer, server, token)).body["scope"]
    assert.deepEqual(
      [await scopeOf(access_token), await scopeOf(wide.access_token)],
      ["account:read", "account:read workers:read"],
    )
    await update(["workers:read"])
    assert.deepEqual([await scopeOf(access_token), await scopeOf(wide.access_token)], ["", "workers:read"])
  })

  test("SERVICE-9: introspection says which kind of account it is, and the resources of this token", async () => {
    const { app, userId, name } = await openWorld()
    const token = await issued(app, "resource=https%3A%2F%2Fapi.example%2F")
    const now = testServer.clock.now()
    assert.deepEqual((await introspected(testServer, server, token.access_token)).body, {
      active: true,
      scope: token.scope,
      client_id: app.clientId,
      username: name,
      account_type: "service",
      groups: [],
      token_type: "Bearer",
      exp: now + 3600,
      iat: now,
      sub: userId,
      aud: ["https://api.example/"],
      iss: testServer.issuer,
      token_id: token.token_id,
    })
    assert.equal(
      (await introspected(testServer, server, (await issued(app)).access_token)).body["aud"],
      undefined,
    )
    assertRefused(await ask(app, "resource=nowhere"), 400, "invalid_target")
  })

  test("TOKEN-9, SERVICE-9: an expired token is over, also after the clock was set back", async () => {
    const { app } = await openWorld()
    const { access_token } = await issued(app)
    testServer.clock.advance(3600)
    assert.equal(await isActive(access_token), true)
    testServer.clock.advance(1)
    assert.equal(await isActive(access_token), false)
    testServer.clock.advance(-600)
    assert.equal(await isActive(access_token), false)
    testServer.clock.advance(600)
  })
})

describe("many processes of one app", () => {
  test("LIM-10: fifty tokens live side by side, and one more than a thousand ends the oldest", async () => {
    const { app } = await openWorld()
    const tokens: string[] = []
    while (tokens.length < SERVICE_TOKENS_KEPT) {
      const some = await Promise.all(Array.from({ length: 50 }, () => issued(app)))
      tokens.push(...some.map(({ access_token }) => access_token))
    }
    const live = await Promise.all(tokens.map(isActive))
    assert.ok(live.every((one) => one === true))
    tokens.push((await issued(app)).access_token)
    const left = await Promise.all(tokens.map(isActive))
    assert.equal(left.filter((one) => one === true).length, SERVICE_TOKENS_KEPT)
    assert.ok(left.indexOf(false) < 50, "of the first fifty, which were asked for at once")
  })
})

describe("ending", () => {
  test("SERVICE-6, REV-1: revoking one token ends it alone; an ended or foreign one ends nothing", async () => {
    const { app } = await openWorld()
    const { app: other } = await openWorld()
    const [first, second] = [await issued(app), await issued(app)]
    assertRefused(await revoke(other, first.access_token), 401, "invalid_client")
    for (const _ of [1, 2]) assert.equal((await revoke(app, first.access_token)).status, 200)
    assert.deepEqual([await isActive(first.access_token), await isActive(second.access_token)], [false, true])
    assertRefused(await revoke(other, first.access_token), 401, "invalid_client")
    assert.equal((await revoke(app, `${second.access_token.slice(0, -1)}-`)).status, 200)
    assert.equal(await isActive(second.access_token), true)
    await issued(app)
  })

  test("SERVICE-6: revoking the credential ends all, until the account is named again", async () => {
    const { app, name } = await openWorld()
    const { access_token, token_id } = await issued(app)
    const ended = await endCredential(testServer.latchkey, token_id, OPERATOR)
    assert.ok(ended.ok)
    assert.equal(await isActive(access_token), false)
    assertRefused(await ask(app), 400, "invalid_grant")
    const renamed = await updateApp(testServer.latchkey, app.clientId, { name: "Other" }, OPERATOR)
    assert.ok(renamed.ok)
    assertRefused(await ask(app), 400, "invalid_grant")
    assert.ok((await bind(app, name)).ok)
    const again = await issued(app)
    assert.notEqual(again.token_id, token_id)
    assert.deepEqual([await isActive(access_token), await isActive(again.access_token)], [false, true])
    assert.ok((await bind(app, name)).ok)
    assert.equal(await isActive(again.access_token), true, "a live binding stays as it is")
  })

  test("SERVICE-6: the credential is still refused once its row is gone", async () => {
    const { app } = await openWorld()
    const { token_id } = await issued(app)
    await endCredential(testServer.latchkey, token_id, OPERATOR)
    await testServer.store.sweep(testServer.clock.now() + 9 * 86_400, 999)
    assertRefused(await ask(app), 400, "invalid_grant")
  })

  test("SERVICE-7: disabling or removing the app or the account is felt at once", async () => {
    const { app, name } = await openWorld()
    const services = testServer.latchkey
    const { access_token } = await issued(app)
    await setAccountEnabled(services, name, false, OPERATOR)
    assert.equal(await isActive(access_token), false)
    assertRefused(await ask(app), 400, "invalid_grant")
    await setAccountEnabled(services, name, true, OPERATOR)
    assert.equal(await isActive(access_token), true)
    await setAppEnabled(services, app.clientId, false, OPERATOR)
    assert.equal(await isActive(access_token), false)
    assertRefused(await ask(app), 401, "invalid_client")
    await setAppEnabled(services, app.clientId, true, OPERATOR)
    assert.equal(await isActive(access_token), true)
    await removeAccount(services, name, OPERATOR)
    assert.equal(await isActive(access_token), false)
    assertRefused(await ask(app), 400, "unauthorized_client")
    const { app: gone } = await openWorld()
    const last = await issued(gone)
    await removeApp(services, gone.clientId, OPERATOR)
    assert.equal(await isActive(last.access_token), false)
    assertRefused(await ask(gone), 401, "invalid_client")
    assert.deepEqual(await testServer.store.verify(), [])
  })

  test("SERVICE-7, INTRO-4: resource servers hear of one ended token", async () => {
    const { app } = await openWorld()
    const { access_token, token_id } = await issued(app)
    const { last } = await testServer.store.invalidations(Number.MAX_SAFE_INTEGER - 1, 1)
    await revoke(app, access_token)
    const { rows } = await testServer.store.invalidations(last, 9)
    assert.deepEqual(
      rows.map(({ of, key }) => [of, key]),
      [["credential", token_id]],
    )
    await revoke(app, access_token)
    assert.equal((await testServer.store.invalidations(last, 9)).rows.length, 1, "it had ended before")
  })

  test("SERVICE-6: nothing that only looks like its refresh token is accepted", async () => {
    const { app } = await openWorld()
    const { access_token } = await issued(app)
    for (const refresh_token of [access_token, access_token.replace("lka_", "lkr_")])
      assertRefused(
        await send(testServer, TOKEN, { ...own(app), grant_type: "refresh_token", refresh_token }),
        400,
        "invalid_grant",
      )
    assert.equal(await isActive(access_token), true)
  })
})

describe("the service's own API", () => {
  async function call(token: string, method: string, path: string, headers: Record<string, string> = {}) {
    const response = await fetch(testServer.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    const text = await response.text()
    const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>)
    return { status: response.status, body, headers: response.headers }
  }

  test("API-1, API-2: it reads itself: no end by time, no refresh", async () => {
    const { app, name } = await openWorld()
    const { access_token, token_id, scope } = await issued(app)
    const self = (await call(access_token, "GET", "/api/account")).body
    assert.deepEqual([self["username"], self["account_type"]], [name, "service"])
    const { body } = await call(access_token, "GET", "/api/credential")
    assert.deepEqual(
      [body["token_id"], body["scope"], body["reach"], body["refresh_ends_at"], body["ends_at"]],
      [token_id, scope, scope, null, null],
    )
  })

  test("API-16: a token for another resource is refused here", async () => {
    const { app } = await openWorld()
    const elsewhere = await issued(app, "resource=https%3A%2F%2Fapi.example%2F")
    assert.equal((await call(elsewhere.access_token, "GET", "/api/account")).status, 401)
    const here = await issued(app, `resource=${encodeURIComponent(testServer.issuer)}`)
    assert.equal((await call(here.access_token, "GET", "/api/account")).status, 200)
  })

  test("SERVICE-10, AUTH-9: it is never elevated", async () => {
    const { app, userId } = await openWorld(["admin:accounts"], true)
    await updateApp(testServer.latchkey, app.clientId, { stepUp: true }, OPERATOR)
    const { access_token } = await issued(app, { scope: "admin:accounts" })
    const stepUp = await send(testServer, "/oauth/step-up", {}, { authorization: `Bearer ${access_token}` })
    assertRefused(stepUp, 403, "access_denied")
    const removal = await call(access_token, "DELETE", `/api/admin/accounts/${userId}`)
    assert.equal(removal.status, 400)
    assert.equal((removal.body["error"] as Record<string, unknown>)["status"], "FAILED_PRECONDITION")
    assert.equal(removal.headers.get("service-elevation-required"), "1")
  })
})

describe("GROUP-1, GROUP-2: a service account in groups", () => {
  const reached = async (token: string) => (await introspected(testServer, server, token)).body["scope"]

  test("GROUP-1: a permission that is for groups comes and goes with the membership", async () => {
    const { app, userId } = await openWorld(["account:read", "crew:rota"])
    const { access_token, scope } = await issued(app)
    assert.equal(scope, "account:read")
    assertRefused(await ask(app, { scope: "crew:rota" }), 400, "invalid_scope")
    await setGroups(testServer, userId, "crew")
    assert.equal(await reached(access_token), "account:read", "a token never gains a name")
    const member = await issued(app)
    assert.equal(member.scope, "account:read crew:rota")
    await setGroups(testServer, userId)
    assert.equal(await reached(member.access_token), "account:read")
    await setGroups(testServer, userId, "crew")
    assert.equal(await reached(member.access_token), "account:read crew:rota")
  })

  test("GROUP-6: an app for other groups gets no token, and its tokens reach nothing until the return", async () => {
    const { app, userId } = await openWorld()
    await setAppGroups(testServer, app, "crew")
    assertRefused(await ask(app), 400, "invalid_grant")
    await setGroups(testServer, userId, "crew")
    const { access_token, scope } = await issued(app)
    await setGroups(testServer, userId, "others")
    assertRefused(await ask(app), 400, "invalid_grant")
    assert.equal(await reached(access_token), "")
    assert.equal(await isActive(access_token), true)
    await setGroups(testServer, userId, "crew")
    assert.equal(await reached(access_token), scope)
    assert.equal((await issued(app)).scope, scope)
  })
})
