import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { once } from "node:events"
import { fixture } from "../../../support/fixture.ts"
import { TestServer, PASSWORD } from "../../../support/test-server.ts"
import { Browser } from "../../../support/browser.ts"
import {
  authorizePath,
  exchange,
  newVerifier,
  own,
  REDIRECT_URI,
  refresh,
  send,
  signedInBrowser,
} from "../../../support/connect.ts"
import { assertRefused, assertUncached } from "../../../support/answers.ts"
import { grant, issueCode } from "../../../support/grant.ts"
import { formsOf, valueOf } from "../../ui/markup.ts"
import { open, type RawAnswer, readAll, sendRaw } from "../raw.ts"
import { call, introspected } from "../../../support/signed-in.ts"

const { testServer } = await fixture()

/** A service whose database cannot answer. */
const {
  testServer: away,
  bob,
  known,
  server,
} = await fixture({
  accounts: ["bob"],
  browsers: ["bob"],
  apps: { known: {}, server: { type: "confidential", resourceServer: true } },
})
const tokens = await grant(away, bob, known)
const issued = await issueCode(bob, known)
const [question] = formsOf((await bob.get(authorizePath(known, newVerifier().challenge))).text).filter(
  ({ action }) => action === "/oauth/consent",
)
const decision = {
  ticket: valueOf(question, "ticket") ?? "",
  csrf: valueOf(question, "csrf") ?? "",
  decision: "authorize",
}
await away.store.close()

describe("ERR-10, AUTHZ-12: what is not there, in the shape of its family", () => {
  const unknown: Record<string, "page" | "oauth" | "api"> = {
    "/nothing": "page",
    "/sign-in/": "page",
    "/SIGN-IN": "page",
    "/%2e%2e/etc/passwd": "page",
    "/oauth/nothing": "oauth",
    "/oauth/token/": "oauth",
    "/oauth/Token": "oauth",
    "/oauth/register": "oauth",
    "/oauth/apps/x/nothing": "oauth",
    "/.well-known/nothing": "oauth",
    "/api/": "api",
    "/api/nothing": "api",
    "/api/__proto__": "api",
    "/%61pi/nothing": "api",
    "/%6fauth/%6eothing": "oauth",
    "/%2ewell-known/nothing#x": "oauth",
  }
  for (const [path, family] of Object.entries(unknown)) {
    test(`${family}: ${path}`, async () => {
      for (const method of ["GET", "POST", "DELETE"]) {
        const response = await fetch(testServer.url + path, { method })
        assert.equal(response.status, 404)
        assert.equal(response.headers.get("x-content-type-options"), "nosniff")
        const type = response.headers.get("content-type") ?? ""
        assert.equal(response.headers.get("access-control-allow-origin"), family === "page" ? null : "*")
        if (family === "page") assert.match(type, /^text\/html/)
        else assertUncached(response)
        const text = await response.text()
        if (family === "oauth") assert.equal((JSON.parse(text) as { error: string }).error, "not_found")
        if (family === "api") assert.equal((JSON.parse(text) as { error: { code: number } }).error.code, 404)
      }
    })
  }

  const allowed: Record<string, [allow: string, wrong: string]> = {
    "/": ["GET, HEAD", "POST"],
    "/account": ["GET, HEAD", "DELETE"],
    "/sign-in": ["GET, HEAD, POST", "PUT"],
    "/sign-out": ["POST", "GET"],
    "/oauth/authorize": ["GET, HEAD", "POST"],
    "/oauth/consent": ["POST", "GET"],
    "/oauth/token": ["POST, OPTIONS", "GET"],
    "/oauth/revoke": ["POST, OPTIONS", "PUT"],
    "/oauth/introspect": ["POST, OPTIONS", "GET"],
    "/api/account": ["GET, HEAD, PATCH, OPTIONS", "POST"],
    "/health": ["GET, HEAD", "POST"],
  }
  for (const [path, [allow, method]] of Object.entries(allowed)) {
    test(`405: ${method} ${path}`, async () => {
      const response = await fetch(testServer.url + path, { method, redirect: "manual" })
      assert.deepEqual([response.status, response.headers.get("allow")], [405, allow])
      await response.text()
    })
  }
})

describe("ERR-4: requests that no client library sends break nothing", () => {
  const post = "POST /oauth/token HTTP/1.1"
  const form = "Content-Type: application/x-www-form-urlencoded"
  const close = "Connection: close"
  const host = "Host: localhost"
  const oddities: Record<string, [lines: string[], body: string, status: number]> = {
    "no Host": [["GET /health HTTP/1.1", close], "", 400],
    "two Hosts, neither of which is read": [
      ["GET /health HTTP/1.1", host, "Host: evil.example", close],
      "",
      200,
    ],
    "a length and chunks": [
      [post, host, form, "Content-Length: 3", "Transfer-Encoding: chunked", close],
      "3\r\na=b\r\n0\r\n\r\n",
      400,
    ],
    "two lengths": [[post, host, form, "Content-Length: 3", "Content-Length: 4", close], "a=b", 400],
    "a length that is no number": [[post, host, form, "Content-Length: x", close], "a=b", 400],
    "an unknown transfer encoding": [[post, host, form, "Transfer-Encoding: gzip", close], "", 400],
    "a broken chunk": [[post, host, form, "Transfer-Encoding: chunked", close], "zz\r\n", 400],
    "headers of 20 KiB": [["GET /health HTTP/1.1", host, `X-Long: ${"a".repeat(20_000)}`, close], "", 431],
    "a broken escape in the path": [["GET /oauth/%zz HTTP/1.1", host, close], "", 400],
    "a broken escape in the path of a page": [["GET /%zz HTTP/1.1", host, close], "", 400],
    "bytes in the path that are not UTF-8": [["GET /oauth/%ff HTTP/1.1", host, close], "", 400],
    "a method that does not exist": [["BREW /oauth/token HTTP/1.1", host, close], "", 400],
    "a header name with a space": [["GET /health HTTP/1.1", host, "X Y: z", close], "", 400],
    "another protocol": [["SSH-2.0-OpenSSH"], "", 400],
  }
  for (const [name, [lines, body, status]] of Object.entries(oddities)) {
    test(name, async () => {
      assert.equal((await sendRaw(testServer.url, lines, body)).status, status)
      assert.equal((await fetch(`${testServer.url}/health`)).status, 200)
    })
  }

  test("what lacks its Host is refused as everything is", async () => {
    for (const [path, type] of [
      ["/oauth/token", /^application\/json/],
      ["/sign-in", /^text\/html/],
    ] as const) {
      const { status, headers } = await sendRaw(
        testServer.url,
        [`POST ${path} HTTP/1.1`, form, "Content-Length: 3"],
        "a=b",
      )
      assert.deepEqual(
        [
          status,
          headers.get("cache-control"),
          headers.get("x-content-type-options"),
          headers.get("connection"),
        ],
        [400, "no-store", "nosniff", "close"],
      )
      assert.match(headers.get("content-type") ?? "", type)
    }
    assert.equal((await sendRaw(testServer.url, ["GET /health HTTP/1.0"])).status, 200)
  })

  test("the absolute form of an address is one more way to write it", async () => {
    const { status } = await sendRaw(testServer.url, ["GET http://localhost/health HTTP/1.1", host, close])
    assert.equal(status, 200)
  })

  test("a body that comes in chunks is read", async () => {
    const lines = [post, host, form, "Transfer-Encoding: chunked", close]
    const { status, body } = await sendRaw(testServer.url, lines, "6\r\nclient\r\n5\r\n_id=x\r\n0\r\n\r\n")
    assert.deepEqual([status, (JSON.parse(body) as { error: string }).error], [401, "invalid_client"])
  })

  test("a body in chunks is too large just as one with a length", async () => {
    const lines = [post, host, form, "Transfer-Encoding: chunked", close]
    const chunk = `8000\r\n${"a".repeat(0x8000)}\r\n`
    const { status } = await sendRaw(testServer.url, lines, `${chunk.repeat(3)}0\r\n\r\n`)
    assert.equal(status, 400)
  })
})

describe("ERR-4: a malformed request gets an error in the format of its endpoint, with its own code", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" }

  test("an address that is malformed, before its body is looked at", async () => {
    const response = await fetch(`${testServer.url}/oauth/token/%zz`, {
      method: "POST",
      headers: form,
      body: "a=b",
    })
    assert.equal(response.headers.get("access-control-allow-origin"), "*")
    assert.deepEqual(
      [response.status, await response.json()],
      [400, { error: "invalid_request", error_description: "The address is malformed." }],
    )
  })

  test("an address that is written with escapes", async () => {
    const body = "a".repeat(100 * 1024)
    const response = await fetch(`${testServer.url}/%6fauth/token`, { method: "POST", headers: form, body })
    assert.equal(response.status, 400)
    assert.equal(((await response.json()) as { error: string }).error, "invalid_request")
  })

  test("a page's address that is malformed", async () => {
    const response = await fetch(`${testServer.url}/sign-in/%zz`)
    assert.equal(response.status, 400)
    assert.match(await response.text(), /Page not found/)
  })

  const unread: Record<string, [status: number, headers: Record<string, string>, body: string]> = {
    JSON: [400, { "content-type": "application/json" }, "{}"],
    "a broken escape": [400, form, "a=%zz"],
    "100 KiB": [413, form, "a".repeat(100 * 1024)],
  }
  for (const path of ["/sign-in", "/setup"]) {
    for (const [name, [status, headers, body]] of Object.entries(unread)) {
      test(`${path}: ${name}`, async () => {
        const response = await fetch(testServer.url + path, { method: "POST", headers, body })
        const page = await response.text()
        assert.equal(response.status, status)
        assert.match(page, /This form could not be read/)
        assert.doesNotMatch(page, /the app/)
      })
    }
  }

  const unparsed: Record<string, [lines: string[], status: number]> = {
    "another protocol": [["SSH-2.0-OpenSSH"], 400],
    "a head that is too large": [
      ["GET /health HTTP/1.1", "Host: localhost", `X-Long: ${"a".repeat(20_000)}`],
      431,
    ],
  }
  for (const [name, [lines, status]] of Object.entries(unparsed)) {
    test(`${name}, which never becomes a request`, async () => {
      const answer = await sendRaw(testServer.url, lines)
      assert.equal(answer.status, status)
      assertUncached(answer)
      const body = JSON.parse(answer.body) as Record<string, unknown>
      assert.deepEqual(
        [Object.keys(body), body["error"]],
        [["error", "error_description"], "invalid_request"],
      )
    })
  }
})

describe("ERR-10, REV-3: while the database cannot answer", () => {
  test("apps hear 503 temporarily_unavailable and when to come again, never 200", async () => {
    for (const answer of [
      await exchange(away, known, issued.code, issued.verifier),
      await refresh(away, known, tokens.refresh_token),
      await refresh(away, known, "garbage"),
      await send(away, "/oauth/token", own(known)),
      await send(away, "/oauth/revoke", { ...own(known), token: tokens.refresh_token }),
      await send(away, "/oauth/revoke", { ...own(known), token: "garbage" }),
      await introspected(away, server, tokens.access_token),
    ]) {
      assertRefused(answer, 503, "temporarily_unavailable")
      assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      assert.equal(answer.headers.get("access-control-allow-origin"), "*")
    }
  })

  test("so they do if only the settings have to be read again", async () => {
    away.clock.advance(1)
    assertRefused(await refresh(away, known, tokens.refresh_token), 503, "temporarily_unavailable")
  })

  test("the API answers in its own shape", async () => {
    const answer = await call(away, "/api/credential", tokens.access_token)
    assert.equal(answer.status, 503)
    assert.equal((answer.body["error"] as { status: string }).status, "UNAVAILABLE")
    assert.notEqual(answer.headers.get("retry-after"), null)
    assert.equal(answer.headers.get("www-authenticate"), null)
  })

  test("browsers see a page", async () => {
    const pages = [
      await bob.get(authorizePath(known, newVerifier().challenge)),
      await bob.get("/account"),
      await bob.post("/oauth/consent", decision),
      await bob.post("/sign-in", { username: "bob", password: PASSWORD }),
      await new Browser(away.url).get(authorizePath(known, newVerifier().challenge)),
      await new Browser(away.url).get("/setup?link=x"),
    ]
    for (const page of pages) {
      assert.deepEqual([page.status, page.location], [503, null])
      assert.notEqual(page.headers.get("retry-after"), null)
      assert.match(page.text, /Not available right now/)
    }
  })

  test("health says so, and the metadata is answered all the same", async () => {
    assert.equal((await fetch(`${away.url}/health`)).status, 503)
    assert.equal((await fetch(`${away.url}/.well-known/oauth-authorization-server`)).status, 200)
  })
})

test("SVC-1, TOKEN-6: a service that stops lets a request that has begun finish", async () => {
  const stopping = await TestServer.open()
  await stopping.addAccount("bob")
  const app = await stopping.addApp()
  const { code, verifier } = await issueCode(await signedInBrowser(stopping, "bob"), app)
  const body = new URLSearchParams({
    ...own(app),
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
  }).toString()
  const { url } = stopping
  const socket = open(url)
  const answer: Promise<RawAnswer> = readAll(socket)
  const head = [
    "POST /oauth/token HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${body.length}`,
    "Expect: 100-continue",
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n`)
  await once(socket, "data")
  const stopped = stopping.close()
  socket.write(body)
  const { status, body: text } = await answer
  assert.equal(status, 200)
  assert.match(text, /"access_token":"lka_/)
  await stopped
  await assert.rejects(fetch(`${url}/health`))
})
