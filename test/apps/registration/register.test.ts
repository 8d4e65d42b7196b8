import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { setAppEnabled, updateApp } from "../../../src/apps/app.ts"
import { isIdentifier } from "../../../src/kernel/identifier.ts"
import { parseJson } from "../../../src/kernel/json.ts"
import { register as openly } from "../../../src/apps/registration/register.ts"
import { unsetSetting } from "../../../src/admin/settings/setting.ts"
import { connect, own, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { png } from "../../support/picture.ts"
import { assertRefused, assertUncached } from "../../support/answers.ts"
import { REGISTER, register, registered, TOOL } from "./register.ts"
import { OPERATOR } from "../../support/test-server.ts"

const ALL =
  "account:read account:write credentials:read credentials:write apps:read apps:write workers:read files:read files:write"
const GRANTS = ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"]

const { testServer } = await fixture({ accounts: ["Bob"] })
beforeEach(async () => {
  await testServer.set("registration.open", "on")
  await testServer.set("registration.permissions", "*")
})

async function metadata(path = "oauth-authorization-server"): Promise<Record<string, unknown>> {
  return (await (await fetch(`${testServer.url}/.well-known/${path}`)).json()) as Record<string, unknown>
}

describe("REG-1, SVC-9, DISC-4: while registration is closed", () => {
  const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]
  const answerOf = async (path: string, method: string, sent = JSON.stringify(TOOL)) => {
    const body = method === "POST" || method === "PUT" ? sent : null
    const response = await fetch(testServer.url + path, { method, body })
    const headers = [...response.headers].filter(([name]) => name !== "date" && name !== "x-request-id")
    return { status: response.status, headers, text: await response.text() }
  }

  test("its address answers as one that there never was", async () => {
    await testServer.set("registration.open", "off")
    for (const method of methods) {
      const answer = await answerOf(REGISTER, method)
      assert.equal(answer.status, 404, method)
      assert.deepEqual(answer, await answerOf("/oauth/registry", method), method)
    }
    const large = "x".repeat(70_000)
    assert.deepEqual(
      await answerOf(REGISTER, "POST", large),
      await answerOf("/oauth/registry", "POST", large),
    )
    assert.equal("registration_endpoint" in (await metadata()), false)
  })

  test("a change is in force at once, both ways, and the metadata follow", async () => {
    await testServer.set("registration.open", "off")
    assert.equal((await register(testServer, TOOL)).status, 404)
    await testServer.set("registration.open", "on")
    assert.equal((await register(testServer, TOOL)).status, 201)
    assert.equal((await metadata())["registration_endpoint"], `${testServer.issuer}${REGISTER}`)
    await testServer.set("registration.open", "off")
    assert.equal((await register(testServer, TOOL)).status, 404)
  })

  test("RATE-1: what is not there is not counted either", async () => {
    await testServer.set("registration.open", "off")
    await testServer.set("rate_limit.oauth_anonymous", "1/60")
    testServer.clock.advance(60)
    for (let i = 0; i < 3; i++) assert.equal((await register(testServer, TOOL)).status, 404)
    await testServer.set("registration.open", "on")
    assert.equal((await register(testServer, TOOL)).status, 201)
    assertRefused(await register(testServer, TOOL), 429, "slow_down")
    await testServer.set("rate_limit.oauth_anonymous", "off")
  })
})

test("REG-2, SVC-8: a public app gets back all that is stored about it", async () => {
  const answer = await register(testServer, { ...TOOL, client_name: "All of it", scope: "files:read openid" })
  assert.equal(answer.status, 201)
  assertUncached(answer)
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff")
  assert.equal(answer.headers.get("access-control-allow-origin"), "*")
  const { client_id, ...rest } = answer.body
  assert.ok(isIdentifier(String(client_id)))
  assert.deepEqual(rest, {
    client_type: "public",
    client_name: "All of it",
    redirect_uris: TOOL.redirect_uris,
    scope: ALL,
    verified: false,
    icon: false,
    step_up: false,
    resource_server: false,
    enabled: true,
    owner: null,
    client_id_issued_at: testServer.clock.now(),
    grant_types: GRANTS,
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  })
})

test("REG-2, CLIENT-3: a confidential app gets its secret, which does not expire, and is never another one", async () => {
  for (const [asked, method] of [
    [undefined, "client_secret_basic"],
    ["client_secret_basic", "client_secret_basic"],
    ["client_secret_post", "client_secret_post"],
  ]) {
    const body = { redirect_uris: ["https://app.example/callback"], token_endpoint_auth_method: asked }
    const [one, other] = [await registered(testServer, body), await registered(testServer, body)]
    assert.match(String(one.secret), /^lks_/)
    assert.equal(one.answer["client_secret_expires_at"], 0)
    assert.equal(one.answer["token_endpoint_auth_method"], method)
    assert.equal(one.answer["client_name"], "App at app.example")
    assert.notEqual(one.clientId, other.clientId)
    assert.notEqual(one.secret, other.secret)
    const answer = await send(testServer, "/oauth/device-authorization", own(one))
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
})

test("SVC-8, SVC-2, REG-2: an app that registered itself gets a credential with consent", async () => {
  const app = await registered(testServer, { ...TOOL, scope: "account:read" })
  const { scope } = await connect(testServer, app, "bob", { scope: "account:read" })
  assert.equal(scope, "account:read")
})

test("REG-3, DISC-1: by default the operator's permissions and account:read are open, and nothing else", async () => {
  const unset = await unsetSetting(testServer.latchkey, "registration.permissions", OPERATOR)
  assert.ok(unset.ok)
  testServer.clock.advance(1)
  const open = "account:read workers:read files:read files:write"
  assert.equal(unset.value.value, open)
  assert.equal((await registered(testServer)).answer["scope"], open)
  for (const document of ["oauth-authorization-server", "oauth-protected-resource"])
    assert.deepEqual((await metadata(document))["scopes_supported"], open.split(" "))
  for (const scope of ["account:write", "credentials:read apps:write", "credentials:write"])
    assertRefused(await register(testServer, { ...TOOL, scope }), 400, "invalid_client_metadata")
  const some = await registered(testServer, { ...TOOL, scope: "files:read credentials:write" })
  assert.equal(some.answer["scope"], open)
  await testServer.set("registration.permissions", "*")
  assert.equal((await registered(testServer)).answer["scope"], ALL)
})

test("REG-2, DISC-1, DISC-2: what is open is the ceiling, and what the metadata offer", async () => {
  assert.equal((await registered(testServer)).answer["scope"], ALL)
  await testServer.set("registration.permissions", "files:write account:read")
  assert.equal((await registered(testServer)).answer["scope"], "account:read files:write")
  const closure = ["account:read", "workers:read", "files:read", "files:write"]
  assert.deepEqual((await metadata())["scopes_supported"], closure)
  assert.deepEqual((await metadata("oauth-protected-resource"))["scopes_supported"], closure)
  const all = await registered(testServer, { ...TOOL, scope: closure.join(" ") })
  assert.equal(all.answer["scope"], "account:read files:write", "clients ask for all that is listed")
  assertRefused(await register(testServer, { ...TOOL, scope: "apps:read" }), 400, "invalid_client_metadata")
  await testServer.set("registration.open", "off")
  assert.deepEqual((await metadata())["scopes_supported"], ALL.split(" "))
})

describe("REG-2: identical public apps without a consent", () => {
  test("are one row, however many register at once", async () => {
    const body = { ...TOOL, client_name: "All at once" }
    const answers = await Promise.all(Array.from({ length: 100 }, () => register(testServer, body)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.body))).size, 1)
    const rows = await testServer.store.clients({ limit: 1000 }, { nameContains: "All at once" })
    assert.equal(rows.length, 1)
  })

  test("are separate once one has a consent, and a different registration is another app", async () => {
    const body = { ...TOOL, client_name: "Separate", scope: "account:read" }
    const one = await registered(testServer, body)
    assert.equal((await registered(testServer, { ...body })).clientId, one.clientId)
    for (const other of [{ client_name: "Separate!" }, { redirect_uris: ["https://app.example/callback"] }])
      assert.notEqual((await registered(testServer, { ...body, ...other })).clientId, one.clientId)
    await connect(testServer, one, "bob")
    const two = await registered(testServer, body)
    assert.notEqual(two.clientId, one.clientId)
    assert.equal((await registered(testServer, body)).clientId, two.clientId)
  })

  test("and one that an administrator changed is not returned to another registration", async () => {
    for (const touch of [
      (id: string) => setAppEnabled(testServer.latchkey, id, false, OPERATOR),
      (id: string) => updateApp(testServer.latchkey, id, { verified: true }, OPERATOR),
    ]) {
      const body = { ...TOOL, client_name: "Touched" }
      const one = await registered(testServer, body)
      assert.ok((await touch(one.clientId)).ok)
      const two = await registered(testServer, body)
      assert.notEqual(two.clientId, one.clientId)
      assert.deepEqual([two.answer["verified"], two.answer["enabled"]], [false, true])
    }
  })
})

test("REG-2: the consent page says that the app registered itself", async () => {
  const { clientId } = await registered(testServer, { ...TOOL, client_name: "Says so" })
  const { client } = await testServer.store.read({ client: clientId as never })
  assert.equal(client?.registeredBy, "itself")
  const [event] = await testServer.store.events({ kinds: ["app-registered"] }, { limit: 1 })
  assert.deepEqual([event?.clientId, event?.userId, event?.address], [clientId, null, "127.0.0.1"])
})

test("REG-2: any origin may register, and preflights are free", async () => {
  const preflight = await fetch(testServer.url + REGISTER, { method: "OPTIONS" })
  assert.equal(preflight.status, 204)
  assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /content-type/)
  const wrong = await fetch(testServer.url + REGISTER)
  assert.deepEqual([wrong.status, wrong.headers.get("allow")], [405, "POST, OPTIONS"])
})

test("RATE-5: registration has no budget of its own, for new apps and for pictures", async () => {
  await testServer.set("rate_limit.oauth_anonymous", "off")
  const say = (client_name: string) => {
    const body = parseJson(JSON.stringify({ ...TOOL, client_name }))
    assert.ok(body !== undefined)
    return openly(testServer.latchkey, body, { address: "203.0.113.9" })
  }
  const all = await Promise.all(Array.from({ length: 1100 }, (_, i) => say(`Number ${i}`)))
  assert.ok(all.every(({ ok }) => ok))
  assert.ok((await say("Number 7")).ok)
  for (let n = 0; n < 12; n++) {
    const logo_uri = `data:image/png;base64,${png(1, 1).toString("base64")}`
    const { answer } = await registered(testServer, { ...TOOL, client_name: `Picture ${n}`, logo_uri })
    assert.equal(answer["icon"], true, `${n}`)
  }
})

test("RATE-5: the shared budget is the one that stops registrations, with its own wait", async () => {
  await testServer.set("rate_limit.oauth_anonymous", "2/60")
  for (const name of ["A", "B"])
    assert.equal((await register(testServer, { ...TOOL, client_name: name })).status, 201)
  const refused = await register(testServer, { ...TOOL, client_name: "C" })
  assertRefused(refused, 429, "slow_down")
  assert.equal(refused.headers.get("retry-after"), "60")
  await testServer.set("rate_limit.oauth_anonymous", "off")
})
