import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { basic, exchange, own, REDIRECT_URI, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import type { TestServer } from "../../support/test-server.ts"
import { assertRefused, assertUncached } from "../../support/answers.ts"
import { issueCode, tokenIdOf } from "../../support/grant.ts"
import { everything, stateOf } from "../../support/stored.ts"

const TOKEN = "/oauth/token"

const { testServer, bob, app, confidential } = await fixture({
  accounts: ["bob"],
  browsers: ["bob"],
  apps: { app: {}, confidential: { type: "confidential" } },
})

/** A refresh with an invalid token. Its response shows how far the request got. */
const probe = { grant_type: "refresh_token", refresh_token: "none" }

describe("SVC-6, AUTH-2, AUTH-3, ERR-1, CLIENT-1: who is asking", () => {
  type Sent = [fields: Record<string, string>, headers?: Record<string, string>]
  const cases: Record<string, [sent: () => Sent, status: number, error: string]> = {
    "no client_id anywhere": [() => [{ ...probe }], 400, "invalid_request"],
    "an empty client_id": [() => [{ ...probe, client_id: "" }], 400, "invalid_request"],
    "an unknown client_id": [() => [{ ...probe, client_id: "0".repeat(26) }], 401, "invalid_client"],
    "a client_id of another form": [() => [{ ...probe, client_id: "x" }], 401, "invalid_client"],
    "a prototype's name": [() => [{ ...probe, client_id: "__proto__" }], 401, "invalid_client"],
    "a public app": [() => [{ ...probe, ...own(app) }], 400, "invalid_grant"],
    "a public app with an empty secret": [
      () => [{ ...probe, ...own(app), client_secret: "" }],
      400,
      "invalid_grant",
    ],
    "a public app with a secret": [
      () => [{ ...probe, ...own(app), client_secret: "x" }],
      401,
      "invalid_client",
    ],
    "a public app by Basic": [() => [probe, basic(app.clientId, "")], 401, "invalid_client"],
    "a confidential app": [() => [{ ...probe, ...own(confidential) }], 400, "invalid_grant"],
    "a confidential app by Basic": [
      () => [probe, basic(confidential.clientId, confidential.secret ?? "")],
      400,
      "invalid_grant",
    ],
    "a confidential app by Basic, its id in the body too": [
      () => [
        { ...probe, client_id: confidential.clientId },
        basic(confidential.clientId, confidential.secret ?? ""),
      ],
      400,
      "invalid_grant",
    ],
    "the scheme in other letters": [
      () => {
        const { authorization = "" } = basic(confidential.clientId, confidential.secret ?? "")
        return [probe, { authorization: authorization.replace("Basic", "bAsIc") }]
      },
      400,
      "invalid_grant",
    ],
    "id and secret form-encoded in Basic": [
      () => {
        const encode = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("")
        return [probe, basic(encode(confidential.clientId), encode(confidential.secret ?? ""))]
      },
      400,
      "invalid_grant",
    ],
    "a confidential app without its secret": [
      () => [{ ...probe, client_id: confidential.clientId }],
      401,
      "invalid_client",
    ],
    "a wrong secret": [
      () => [{ ...probe, client_id: confidential.clientId, client_secret: "x" }],
      401,
      "invalid_client",
    ],
    "an empty secret by Basic": [() => [probe, basic(confidential.clientId, "")], 401, "invalid_client"],
    "the digest of the secret": [
      () => [
        { ...probe, client_id: confidential.clientId, client_secret: confidential.client.secretHash ?? "" },
      ],
      401,
      "invalid_client",
    ],
    "Basic and a secret in the body": [
      () => [
        { ...probe, client_secret: confidential.secret ?? "" },
        basic(confidential.clientId, confidential.secret ?? ""),
      ],
      400,
      "invalid_request",
    ],
    "two apps": [
      () => [{ ...probe, client_id: app.clientId }, basic(confidential.clientId, confidential.secret ?? "")],
      400,
      "invalid_request",
    ],
    "Basic without a colon": [
      () => [{ ...probe, client_id: app.clientId }, { authorization: `Basic ${btoa("abc")}` }],
      401,
      "invalid_client",
    ],
    "Basic that is no base64": [() => [probe, { authorization: "Basic ***" }], 401, "invalid_client"],
  }
  for (const [name, [sent, status, error]] of Object.entries(cases)) {
    test(name, async () => {
      const [fields, headers] = sent()
      const answer = await send(testServer, TOKEN, fields, headers)
      assertRefused(answer, status, error)
      const text = JSON.stringify(answer.body)
      assert.equal(text.includes(app.clientId) || text.includes(confidential.clientId), false)
    })
  }

  test("AUTH-2: a library that tries Basic first and then the body gets through with one code", async () => {
    const { code, verifier } = await issueCode(bob, app)
    const request = {
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT_URI,
    }
    assertRefused(await send(testServer, TOKEN, request, basic(app.clientId, "")), 401, "invalid_client")
    assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
  })
})

describe("TOKEN-9: a header that is not HTTP Basic is no client authentication", () => {
  const headers = ["", "Bearer lka_x", "bearer", "Digest username=x", "Negotiate YII=", "Basically x"]
  const paths = ["/oauth/token", "/oauth/device-authorization", "/oauth/revoke"]
  for (const authorization of headers) {
    test(`${authorization === "" ? "an empty one" : authorization}: the body decides`, async () => {
      for (const path of paths) {
        const token = path === TOKEN ? probe : { token: "lka_none" }
        const asPublic = await send(testServer, path, { ...token, ...own(app) }, { authorization })
        assert.deepEqual(outcomeOf(asPublic), path === TOKEN ? [400, "invalid_grant"] : [200, undefined])
        const asConfidential = await send(
          testServer,
          path,
          { ...token, ...own(confidential) },
          { authorization },
        )
        assert.deepEqual(outcomeOf(asConfidential), outcomeOf(asPublic))
        const unnamed = await send(testServer, path, token, { authorization })
        assertRefused(unnamed, 400, "invalid_request")
        const unproven = { ...token, client_id: confidential.clientId }
        assertRefused(await send(testServer, path, unproven, { authorization }), 401, "invalid_client")
      }
    })
  }

  test("it does not shield a code that comes again", async () => {
    const { code, verifier } = await issueCode(bob, app)
    assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
    const request = { ...own(app), grant_type: "authorization_code", code }
    assertRefused(
      await send(testServer, TOKEN, request, { authorization: "Bearer x" }),
      400,
      "invalid_request",
    )
    assert.equal(await stateOf(testServer, tokenIdOf(code)), "revoked")
  })

  test("introspection: a secret in the body counts", async () => {
    const server = await testServer.addApp({ type: "confidential", resourceServer: true })
    const request = { ...own(server), token: "lka_none" }
    const answer = await send(testServer, "/oauth/introspect", request, { authorization: "Bearer x" })
    assert.deepEqual([answer.status, answer.body], [200, { active: false }])
  })

  function outcomeOf({ status, body }: { status: number; body: Record<string, unknown> }) {
    return [status, body["error"]]
  }
})

describe("TOKEN-6, ERR-4, ERR-10: the form of the request", () => {
  const good = () => new URLSearchParams({ ...own(app), ...probe }).toString()
  const form = "application/x-www-form-urlencoded"
  const cases: Record<string, [body: () => string, type: string | null]> = {
    JSON: [() => JSON.stringify({ ...own(app), ...probe }), "application/json"],
    "JSON that says it is a form": [() => JSON.stringify({ ...own(app), ...probe }), form],
    "no type": [good, null],
    "plain text": [good, "text/plain"],
    multipart: [good, "multipart/form-data; boundary=x"],
    "a type that begins like a form": [good, `${form}-x`],
    "another charset": [good, `${form}; charset=iso-8859-1`],
    nothing: [() => "", form],
    "client_id twice": [() => `${good()}&client_id=${app.clientId}`, form],
    "grant_type twice": [() => `${good()}&grant_type=refresh_token`, form],
    "refresh_token twice": [() => `${good()}&refresh_token=none`, form],
    "refresh_token twice, once empty": [() => `${good()}&refresh_token=`, form],
    "an unknown parameter twice": [() => `${good()}&a=1&a=2`, form],
    "a prototype's name twice": [() => `${good()}&__proto__=1&__proto__=2`, form],
    "a broken escape": [() => `${good()}&a=%zz`, form],
    "bytes that are not UTF-8": [() => `${good()}&a=%ff`, form],
    "more than a hundred parameters": [() => `${good()}${"&a=1".repeat(100)}`, form],
    "characters that no form has": [() => `${good()}&a=b c`, form],
  }
  for (const [name, [body, type]] of Object.entries(cases)) {
    test(`invalid_request: ${name}`, async () => {
      const answer = await post(testServer, Buffer.from(body()), type)
      assertRefused(answer, 400, "invalid_request")
    })
  }

  for (const type of [
    form,
    form.toUpperCase(),
    `${form}; charset=UTF-8`,
    `${form};charset="utf-8"`,
    `${form} ;`,
  ]) {
    test(`read: ${type}`, async () => {
      assertRefused(await post(testServer, Buffer.from(good()), type), 400, "invalid_grant")
    })
  }

  test("parameters in the address are not read", async () => {
    const query = `${TOKEN}?${good()}`
    assertRefused(await send(testServer, query, {}), 400, "invalid_request")
    const both = await send(testServer, `${TOKEN}?grant_type=password&client_id=x`, { ...own(app), ...probe })
    assertRefused(both, 400, "invalid_grant")
  })

  test("unknown parameters are ignored, prototypes' names among them", async () => {
    const more = "&audience=x&__proto__=a&constructor=b&toString=c&resource=a&resource=b"
    assertRefused(await send(testServer, TOKEN, good() + more), 400, "invalid_grant")
  })

  test("64 KiB are read, a byte more is refused", async () => {
    const filler = (size: number) => `${good()}&a=`.padEnd(size, "a")
    assertRefused(await send(testServer, TOKEN, filler(64 * 1024)), 400, "invalid_grant")
    assertRefused(await send(testServer, TOKEN, filler(64 * 1024 + 1)), 400, "invalid_request")
  })
})

describe("TOKEN-1, TOKEN-3, ERR-10: the grant type", () => {
  const unserved = [
    "password",
    "implicit",
    "Refresh_Token",
    "urn:ietf:params:oauth:grant-type:device-code",
    "urn:ietf:params:oauth:grant-type:jwt-bearer",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
  ]
  for (const type of unserved) {
    test(`unsupported_grant_type: ${type}`, async () => {
      assertRefused(
        await send(testServer, TOKEN, { ...own(app), grant_type: type }),
        400,
        "unsupported_grant_type",
      )
    })
  }

  test("the missing parameter is named only to an authenticated app", async () => {
    assertRefused(await send(testServer, TOKEN, own(app)), 400, "invalid_request")
    assertRefused(await send(testServer, TOKEN, { client_id: confidential.clientId }), 401, "invalid_client")
    const unserved401 = { client_id: "0".repeat(26), grant_type: "password" }
    assertRefused(await send(testServer, TOKEN, unserved401), 401, "invalid_client")
    assertRefused(
      await send(testServer, TOKEN, { ...own(app), grant_type: "refresh_token" }),
      400,
      "invalid_request",
    )
    const malformed = { ...own(app), ...probe, scope: 'a "b"' }
    // The token is checked before the scope. AUTH-10.
    assertRefused(await send(testServer, TOKEN, malformed), 400, "invalid_grant")
  })
})

test("TOKEN-6: other methods are refused, with the one that works", async () => {
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const response = await fetch(`${testServer.url}${TOKEN}?client_id=${app.clientId}`, { method })
    const answer = {
      ...response,
      status: response.status,
      headers: response.headers,
      body: await bodyOf(response),
    }
    assertRefused(answer, 405, "invalid_request")
    assert.equal(response.headers.get("allow"), "POST, OPTIONS")
  }
})

test("TOKEN-6: a browser app of any origin may call, and read what is answered", async () => {
  const headers = { origin: "https://spa.example", "access-control-request-method": "POST" }
  const preflight = await fetch(testServer.url + TOKEN, { method: "OPTIONS", headers })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get("access-control-allow-methods"), "POST, OPTIONS")
  const answer = await send(testServer, TOKEN, { ...own(app), ...probe }, { origin: "https://spa.example" })
  assertUncached(answer)
  assert.equal(answer.headers.get("access-control-allow-origin"), "*")
  assert.equal(answer.headers.get("access-control-allow-credentials"), null)
  assert.equal(
    answer.headers.get("access-control-expose-headers"),
    "WWW-Authenticate, Retry-After, Service-Elevation-Required, X-Request-Id",
  )
})

test("ERR-10: nothing that is refused here leaves a trace in the tables", async () => {
  const untouched = await everything(testServer)
  await send(testServer, TOKEN, { ...own(app), ...probe })
  await send(testServer, TOKEN, probe)
  await send(testServer, TOKEN, { client_id: confidential.clientId, client_secret: "x", ...probe })
  assert.deepEqual(await everything(testServer), untouched)
})

async function post(to: TestServer, body: Buffer, type: string | null) {
  const response = await fetch(to.url + TOKEN, {
    method: "POST",
    body: new Uint8Array(body),
    headers: type === null ? {} : { "content-type": type },
  })
  return { status: response.status, headers: response.headers, body: await bodyOf(response) }
}

async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>
}
