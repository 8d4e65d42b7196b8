import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { setAppEnabled } from "../../../src/apps/app.ts"
import { basic, own, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { assertRefused, assertUncached } from "../../support/answers.ts"
import { DEVICE_GRANT, fetched, answerDevice, openCode, poll, startDevice } from "./device.ts"
import { everything } from "../../support/stored.ts"
import { OPERATOR } from "../../support/test-server.ts"

const PATH = "/oauth/device-authorization"

const { testServer, bob, app, confidential } = await fixture({
  rateLimit: "off",
  accounts: ["bob"],
  browsers: ["bob"],
  apps: { app: {}, confidential: { type: "confidential" } },
})

function ask(fields: Record<string, string> | string, headers: Record<string, string> = {}) {
  return send(testServer, PATH, fields, headers)
}

describe("DEV-1…DEV-6, DAUTH-1…DAUTH-3: the answer has six members and nothing else", () => {
  const ways: Record<string, () => [Record<string, string>, Record<string, string>]> = {
    "a public app": () => [own(app), {}],
    "AUTH-3: a confidential app, its secret in the body": () => [own(confidential), {}],
    "AUTH-3: a confidential app, by HTTP Basic": () => [
      {},
      basic(confidential.clientId, confidential.secret ?? ""),
    ],
  }
  for (const [name, way] of Object.entries(ways)) {
    test(name, async () => {
      const [fields, headers] = way()
      const answer = await ask({ ...fields, scope: "files:read", installation_name: "Build box" }, headers)
      assert.equal(answer.status, 200)
      assertUncached(answer)
      assert.equal(answer.headers.get("access-control-allow-origin"), "*")
      const { device_code, user_code, ...rest } = answer.body
      assert.match(String(device_code), /^lkd_[\w-]{75}$/)
      assert.match(String(user_code), /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
      assert.deepEqual(rest, {
        verification_uri: `${testServer.issuer}/oauth/device`,
        verification_uri_complete: `${testServer.issuer}/oauth/device?user_code=${String(user_code)}`,
        expires_in: 600,
        interval: 5,
      })
    })
  }

  test("neither code is stored: only their digests are", async () => {
    const { deviceCode, userCode } = await startDevice(testServer, app)
    const stored = JSON.stringify(await everything(testServer))
    for (const secret of [deviceCode, deviceCode.slice(30), userCode, userCode.replace("-", "")])
      assert.equal(stored.includes(secret), false, secret)
  })

  test("DEV-1, DEV-2: two grants share no code", async () => {
    const [one, other] = [await startDevice(testServer, app), await startDevice(testServer, app)]
    assert.notEqual(one.deviceCode, other.deviceCode)
    assert.notEqual(one.userCode, other.userCode)
  })
})

describe("DEV-7: what is asked for is kept with the grant, not in the link", () => {
  test("a link with other permissions, another app or another label changes nothing", async () => {
    const grant = await startDevice(testServer, app, {
      scope: "account:read",
      installation_name: "Build box",
    })
    const rewritten = new URLSearchParams({
      user_code: grant.userCode,
      scope: "files:write",
      client_id: confidential.clientId,
      installation_name: "Other",
    })
    const page = await bob.get(`/oauth/device?${rewritten.toString()}`)
    assert.ok(page.text.includes("Build box") && !page.text.includes("Change files"))
    const answer = await bob.submit(page, "/oauth/consent", {
      decision: "authorize",
      scope: "files:write",
      granted: "files:write",
      user_code: "BBBB-BBBB",
    })
    assert.equal(answer.status, 200)
    assert.equal((await fetched(testServer, app, grant)).scope, "account:read")
  })

  test("DAUTH-1, PERM-2, PERM-3: without scope it is the ceiling but for admin permissions, closed", async () => {
    const grant = await startDevice(testServer, app)
    await answerDevice(bob, grant, "authorize")
    assert.equal(
      (await fetched(testServer, app, grant)).scope,
      "account:read workers:read files:read files:write",
    )
  })
})

describe("DAUTH-1, ERR-3, ERR-4: what is asked for has to be good", () => {
  const cases: Record<string, [fields: Record<string, string>, error: string]> = {
    "an unknown permission": [{ scope: "account:read nothing:such" }, "invalid_scope"],
    "one outside the ceiling": [{ scope: "apps:read" }, "invalid_scope"],
    "a malformed scope": [{ scope: 'account:"read' }, "invalid_scope"],
    "a label with a line break": [{ installation_name: "a\nb" }, "invalid_request"],
    "a label of 101 characters": [{ installation_name: "x".repeat(101) }, "invalid_request"],
  }
  for (const [name, [fields, error]] of Object.entries(cases))
    test(name, async () => assertRefused(await ask({ ...own(app), ...fields }), 400, error))

  test("MISC-1: a label of spaces counts as omitted", async () => {
    const { status, body } = await ask({ ...own(app), installation_name: "   " })
    assert.equal(status, 200, JSON.stringify(body))
  })

  test("scopes that clients send by habit are ignored", async () => {
    for (const scope of ["openid account:read", "openid offline_access", ""])
      assert.equal((await ask({ ...own(app), scope })).status, 200, scope)
  })

  test("a parameter twice, no form, another method, too much", async () => {
    assertRefused(await ask(`client_id=${app.clientId}&scope=account:read&scope=`), 400, "invalid_request")
    assertRefused(await ask("{}", { "content-type": "application/json" }), 400, "invalid_request")
    assertRefused(await ask({ ...own(app), more: "x".repeat(65_536) }), 413, "invalid_request")
    const got = await fetch(`${testServer.url}${PATH}?client_id=${app.clientId}`)
    assert.deepEqual([got.status, got.headers.get("allow")], [405, "POST, OPTIONS"])
  })

  test("parameters in the address are not read", async () => {
    assertRefused(await send(testServer, `${PATH}?client_id=${app.clientId}`, {}), 400, "invalid_request")
  })
})

test("MISC-1, DAUTH-2: the body is judged before the client, in the same words as at the token endpoint", async () => {
  const good = basic(confidential.clientId, confidential.secret ?? "")
  const wrong = basic(confidential.clientId, "wrong")
  const bodies: [body: string | null, type: string | null][] = [
    [null, null],
    ["", null],
    [null, "text/plain"],
    ["scope=files:read", "text/plain"],
    ["scope=files:read&scope=files:read", "application/x-www-form-urlencoded"],
  ]
  for (const [body, type] of bodies) {
    for (const authorization of [good, wrong]) {
      const headers = { ...authorization, ...(type !== null && { "content-type": type }) }
      const answers = await Promise.all(
        [PATH, "/oauth/token", "/oauth/revoke", "/oauth/introspect"].map(async (path) => {
          const sent = body === null ? {} : { body: Buffer.from(body) }
          const response = await fetch(testServer.url + path, { method: "POST", headers, ...sent })
          return [response.status, await response.json()]
        }),
      )
      const description = body?.includes("&")
        ? "A parameter is given more than once."
        : "The body is not well-formed application/x-www-form-urlencoded."
      for (const answer of answers)
        assert.deepEqual(answer, [400, { error: "invalid_request", error_description: description }])
    }
  }
  const alone = await ask("", good)
  assert.equal(alone.status, 200, JSON.stringify(alone.body))
  assertRefused(await ask("", wrong), 401, "invalid_client")
})

describe("DAUTH-2, SVC-6, ERR-1: the app is authenticated before anything else is looked at", () => {
  type Sent = [fields: Record<string, string>, headers?: Record<string, string>]
  const cases: Record<string, [sent: () => Sent, status: number, error: string]> = {
    "no client_id": [() => [{}], 400, "invalid_request"],
    "an unknown one": [() => [{ client_id: "0".repeat(26) }], 401, "invalid_client"],
    "a prototype's name": [() => [{ client_id: "__proto__" }], 401, "invalid_client"],
    "a public app with a secret": [() => [{ ...own(app), client_secret: "x" }], 401, "invalid_client"],
    "a public app by Basic": [() => [{}, basic(app.clientId, "")], 401, "invalid_client"],
    "a confidential app without its secret": [
      () => [{ client_id: confidential.clientId }],
      401,
      "invalid_client",
    ],
    "a wrong secret": [
      () => [{ client_id: confidential.clientId, client_secret: "x" }],
      401,
      "invalid_client",
    ],
    "Basic and a secret in the body": [
      () => [own(confidential), basic(confidential.clientId, confidential.secret ?? "")],
      400,
      "invalid_request",
    ],
    "two apps": [() => [own(app), basic(confidential.clientId, "x")], 400, "invalid_request"],
  }
  for (const [name, [sent, status, error]] of Object.entries(cases)) {
    test(name, async () => {
      const [fields, headers] = sent()
      const earlier = await everything(testServer)
      assertRefused(await ask({ ...fields, scope: "nothing:such" }, headers), status, error)
      assert.deepEqual(await everything(testServer), earlier)
    })
  }

  test("a disabled app gets no codes, and those it has get nothing", async () => {
    const off = await testServer.addApp()
    const grant = await startDevice(testServer, off)
    await setAppEnabled(testServer.latchkey, off.clientId, false, OPERATOR)
    assertRefused(await ask(own(off)), 401, "invalid_client")
    assertRefused(await poll(testServer, off, grant), 401, "invalid_client")
    assert.equal((await openCode(bob, grant.userCode)).status, 400)
    testServer.clock.advance(600)
  })
})

describe("DISC-1, DEV-3, SVC-4: the metadata name the way", () => {
  test("the endpoint and the grant type", async () => {
    const answer = await fetch(`${testServer.url}/.well-known/oauth-authorization-server`)
    const metadata = (await answer.json()) as Record<string, unknown>
    assert.equal(metadata["device_authorization_endpoint"], `${testServer.issuer}${PATH}`)
    assert.ok((metadata["grant_types_supported"] as string[]).includes(DEVICE_GRANT))
  })

  test("under a base URL with a path, every address has it", async (t) => {
    const { testServer: other } = await fixture({ baseUrl: "https://id.example/auth", span: t })
    const answer = await send(other, PATH, own(await other.addApp()))
    const userCode = String(answer.body["user_code"])
    assert.equal(answer.body["verification_uri"], "https://id.example/auth/oauth/device")
    assert.equal(
      answer.body["verification_uri_complete"],
      `https://id.example/auth/oauth/device?user_code=${userCode}`,
    )
  })
})

test("RATE-1, RATE-2, RATE-4, ERR-9: one budget for device authorization, its polls and step-up", async (t) => {
  const { testServer: small, client } = await fixture({
    settings: { "rate_limit.oauth_anonymous": "4/60" },
    apps: { client: {} },
    span: t,
  })
  const grant = await startDevice(small, client)
  assert.equal((await poll(small, client, grant)).body["error"], "authorization_pending")
  assert.equal((await send(small, "/oauth/step-up", {})).status, 401)
  assertRefused(await send(small, PATH, { client_id: "x" }), 401, "invalid_client")
  for (const path of [PATH, "/oauth/token", "/oauth/step-up"]) {
    const answer = await send(small, path, own(client))
    assertRefused(answer, 429, "slow_down")
    assert.equal(answer.headers.get("retry-after"), "60")
  }
  const preflight = await fetch(small.url + PATH, { method: "OPTIONS" })
  assert.equal(preflight.status, 204)
  small.clock.advance(60)
  assert.equal((await send(small, PATH, own(client))).status, 200)
})
