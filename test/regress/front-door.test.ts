/** Tests known flaws of other servers before any endpoint. README.md, "Clients and front door". */
import { test } from "node:test"
import assert from "node:assert/strict"
import { performance } from "node:perf_hooks"
import { USER_CODE_ALPHABET } from "../../src/oauth/device/user-code.rules.ts"
import { randomLetters } from "../../src/kernel/random.ts"
import { Browser, hiddenFields } from "../support/browser.ts"
import { authorizePath, newVerifier, own, send } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { PASSWORD, type TestServer } from "../support/test-server.ts"
import { ask } from "../admin/api/api-world.ts"
import { grant } from "../support/grant.ts"
import { open, type RawAnswer, readAll, sendRaw } from "../platform/http/raw.ts"
import { register } from "../apps/registration/register.ts"
import { everything } from "../support/stored.ts"

const CONSENT = "/oauth/consent"
const FORM = "application/x-www-form-urlencoded"

/** The server is behind a proxy, so each test has its own client addresses. */
const { testServer, bob, app, server } = await fixture({
  trustedProxies: ["127.0.0.1/32", "::1/128"],
  settings: { "registration.open": "on" },
  accounts: ["bob"],
  browsers: ["bob"],
  apps: { app: {}, server: { type: "confidential" } },
})
const { testServer: secure } = await fixture({ baseUrl: "https://id.example", accounts: ["bob"] })
const token = (await grant(testServer, bob, app)).access_token

function from(address: string): Record<string, string> {
  return { "x-forwarded-for": address }
}

function guess(headers: Record<string, string>, secret = "lks_wrong"): Promise<number> {
  const fields = { ...own({ ...server, secret }), grant_type: "refresh_token", refresh_token: "x" }
  return send(testServer, "/oauth/token", fields, headers).then(({ status }) => status)
}

function count(statuses: readonly number[], status: number): number {
  return statuses.filter((one) => one === status).length
}

test("CVE-2024-28197: no header of a request decides what this service calls itself", async () => {
  const lies = [
    "host: evil.example",
    "x-forwarded-host: evil.example",
    "x-forwarded-proto: https",
    "x-forwarded-port: 1",
    "x-forwarded-prefix: /evil",
    "forwarded: host=evil.example;proto=https",
    "x-original-url: /evil",
    "x-rewrite-url: /evil",
    "x-host: evil.example",
    "connection: close",
  ]
  const fields = new URLSearchParams(own(app)).toString()
  const requests: [line: string, body: string][] = [
    ["GET /.well-known/oauth-authorization-server HTTP/1.1", ""],
    ["GET /.well-known/oauth-protected-resource HTTP/1.1", ""],
    ["GET http://evil.example/.well-known/oauth-authorization-server HTTP/1.1", ""],
    ["GET /sign-in HTTP/1.1", ""],
    ["GET /account HTTP/1.1", ""],
    ["GET /setup HTTP/1.1", ""],
    [`GET ${authorizePath(app, newVerifier().challenge)} HTTP/1.1`, ""],
    [`GET ${authorizePath(app, "x")} HTTP/1.1`, ""],
    ["GET /api/account HTTP/1.1", ""],
    ["POST /oauth/device-authorization HTTP/1.1", fields],
  ]
  for (const at of [testServer, secure]) {
    for (const [line, body] of requests) {
      const more = [`content-type: ${FORM}`, `content-length: ${body.length}`]
      const answer = await sendRaw(at.url, [line, ...lies, ...more], body)
      assert.notEqual(answer.status, 0, line)
      const heads = JSON.stringify([...answer.headers])
      assert.equal(`${heads}${answer.body}`.includes("evil"), false, line)
      const isSecure = at === secure
      for (const cookie of answer.headers.getSetCookie())
        assert.equal(cookie.includes("Secure"), isSecure, line)
    }
  }
})

test("CVE-2024-39694: where sign-in goes on to is this service's own word, whatever looks like a local path", async () => {
  const query = authorizePath(app, newVerifier().challenge).slice("/oauth/authorize".length)
  const paths = [
    "//evil.example/oauth/authorize",
    "/\\evil.example/oauth/authorize",
    "/%5cevil.example/oauth/authorize",
    "/%2f/evil.example/oauth/authorize",
    "/evil/..//oauth/authorize",
    "/./oauth/authorize",
    "///oauth/authorize",
    "/oauth/authorize/",
    "/oauth/authorize;x",
    "/oauth/authorize%00",
    "/oauth/Authorize",
    "/oauth%2fauthorize",
  ]
  for (const path of paths) {
    const answer = await sendRaw(testServer.url, [
      `GET ${path}${query} HTTP/1.1`,
      "host: x",
      "connection: close",
    ])
    assert.ok(answer.status === 404 || answer.status === 400, `${path} ${answer.status}`)
    assert.equal(answer.body.includes('name="continue"'), false, path)
  }
  // The absolute form is another way to write a URL. Only its path counts.
  const browser = new Browser(testServer.url)
  const start = await browser.get("/sign-in")
  const absolute = await sendRaw(testServer.url, [
    `GET http://evil.example/oauth/authorize${query} HTTP/1.1`,
    "host: x",
    "connection: close",
  ])
  const { continue: sealed = "" } = hiddenFields(absolute.body, "/sign-in")
  assert.notEqual(sealed, "")
  const fields = { username: "bob", password: PASSWORD, continue: sealed }
  const answer = await browser.submit(start, "/sign-in", fields)
  assert.deepEqual([answer.status, answer.location], [303, `/oauth/authorize${query}`])
})

test("Nextcloud #38773, better-auth rate-limit race (2026-06): guesses at a secret are counted, and a crowd of them passes no more than the budget", async () => {
  await testServer.set("rate_limit.oauth_anonymous", "20/60")
  const statuses = await Promise.all(Array.from({ length: 60 }, () => guess(from("198.51.100.1"))))
  assert.deepEqual([count(statuses, 401), count(statuses, 429)], [20, 40])
  // The right secret is refused too, at every endpoint that takes one.
  assert.equal(await guess(from("198.51.100.1"), server.secret ?? ""), 429)
  for (const path of ["/oauth/revoke", "/oauth/device-authorization"])
    assert.equal((await send(testServer, path, own(server), from("198.51.100.1"))).status, 429)
  assert.equal(await guess(from("198.51.100.2")), 401)
})

test("CVE-2024-47070: an address that cannot be read is counted all the same", async () => {
  await testServer.set("rate_limit.oauth_anonymous", "20/60")
  const unread = [
    ...[
      "",
      ",",
      "unknown",
      "evil",
      "198.51.100.300",
      "1.2.3",
      "0x7f.1",
      "::1::",
      "[::1",
      "1.2.3.4:x",
      "'",
      "null",
    ],
    ...[
      "\t",
      "1.2.3.4;",
      "127.0.0.1 1.2.3.4",
      "%31.2.3.4",
      "_hidden",
      "-",
      "a".repeat(5000),
      ",,,,",
      "2130706433",
    ],
  ]
  const statuses: number[] = []
  for (const text of [...unread, ...unread]) statuses.push(await guess({ "x-forwarded-for": text }))
  // A malformed header is ignored, so all these requests count for the proxy's address.
  assert.ok(count(statuses, 401) <= 20, statuses.join(" "))
  assert.equal(count(statuses, 401) + count(statuses, 429), statuses.length)
})

test("CVE-2026-24398, CVE-2026-47674: one address in many spellings is one address", async () => {
  const spellings = [
    "203.0.113.7",
    "::ffff:203.0.113.7",
    "::FFFF:203.0.113.7",
    "::ffff:cb00:7107",
    "0:0:0:0:0:ffff:203.0.113.7",
    "0000:0000:0000:0000:0000:ffff:cb00:7107",
    "evil, 203.0.113.7",
    "198.51.100.9, 203.0.113.7",
    "203.0.113.7, 127.0.0.1",
    "::ffff:203.0.113.7, ::ffff:127.0.0.1",
  ]
  const statuses: number[] = []
  for (const text of [...spellings, ...spellings, ...spellings]) statuses.push(await guess(from(text)))
  assert.deepEqual([count(statuses, 401), count(statuses, 429)], [20, 10])
  const networks = [
    "2001:db8:1:2::1",
    "2001:DB8:1:2:ffff::",
    "2001:0db8:0001:0002:0:0:0:9",
    "2001:db8:1:2::5%eth0",
  ]
  const others: number[] = []
  for (let n = 0; n < 6; n++) for (const text of networks) others.push(await guess(from(text)))
  assert.deepEqual([count(others, 401), count(others, 429)], [20, 4])
  await testServer.set("rate_limit.oauth_anonymous", "off")
})

/** Sends the header as bytes, which platforms read as Latin 1. */
function withCookie(at: TestServer, cookie: string): Promise<RawAnswer> {
  const socket = open(at.url)
  const answer = readAll(socket)
  socket.write(`GET /account HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncookie: ${cookie}\r\n\r\n`, "latin1")
  return answer
}

test("CVE-2026-39410: a cookie with another name is another cookie, however alike the two look", async () => {
  const browser = new Browser(secure.url, { origin: "https://id.example" })
  await browser.signIn("bob", PASSWORD)
  const value = browser.cookie("__Host-latchkey_session") ?? ""
  assert.equal((await withCookie(secure, `__Host-latchkey_session=${value}`)).status, 200)
  const names = [
    "\u00a0__Host-latchkey_session",
    "__Host-latchkey_session\u00a0",
    "\u0085__Host-latchkey_session",
    "__host-latchkey_session",
    "__HOST-LATCHKEY_SESSION",
    "__Secure-latchkey_session",
    "latchkey_session",
    "__Host-latchkey_session[]",
    "__Host-latchkey%5fsession",
    "x=__Host-latchkey_session",
    '"__Host-latchkey_session"',
  ]
  for (const name of names) assert.equal((await withCookie(secure, `${name}=${value}`)).status, 303, name)
  // A planted cookie that only looks similar must not replace the real cookie.
  const planted = `\u00a0__Host-latchkey_session=${"A".repeat(43)}; __Host-latchkey_session=${value}`
  assert.equal((await withCookie(secure, planted)).status, 200)
  for (const odd of ["", ";", "=", ";;;=", "__proto__=x", `constructor=${value}`, `${"a=b; ".repeat(2000)}`])
    assert.equal((await withCookie(secure, odd)).status, 303, odd.slice(0, 20))
})

test("GHSA-2234-fmw7-43wr, CVE-2024-43787: no Content-Type, and none at all, leads a form past its checks", async () => {
  const fields = hiddenFields((await bob.get(authorizePath(app, newVerifier().challenge))).text, CONSENT)
  const body = new URLSearchParams({ ...fields, decision: "authorize" }).toString()
  const cookie = ["session", "browser"]
    .map((name) => `latchkey_${name}=${bob.cookie(`latchkey_${name}`)}`)
    .join("; ")
  const held = (await everything(testServer))["credential"]
  const types = [
    null,
    "",
    FORM,
    FORM.toUpperCase(),
    `${FORM};`,
    `${FORM}; charset=utf-8`,
    ` ${FORM}`,
    "text/plain",
  ]
  const odd = [
    `${FORM}, text/plain`,
    "multipart/form-data",
    `x${FORM}`,
    "application/json",
    "a=b",
    `${FORM}\t`,
  ]
  const post = async (type: string | null, headers: Record<string, string>) => {
    const lines = [`POST ${CONSENT} HTTP/1.1`, "host: x", "connection: close", `cookie: ${cookie}`]
    const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const length = `content-length: ${body.length}`
    return sendRaw(
      testServer.url,
      [...lines, ...more, length, ...(type === null ? [] : [`content-type: ${type}`])],
      body,
    )
  }
  const evil = { origin: "https://evil.example" }
  const senders: Record<string, string>[] = [
    evil,
    { ...evil, "sec-fetch-site": "cross-site" },
    { origin: "null" },
    { origin: testServer.url.toUpperCase() },
    { origin: `${testServer.url}.evil.example` },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "" },
    { "sec-fetch-site": "SAME-ORIGIN", origin: "null" },
  ]
  const attacks = [
    ...[...types, ...odd].map((type) => [type, evil] as const),
    ...senders.map((sender) => [FORM, sender] as const),
  ]
  for (const [type, sender] of attacks) {
    const { status } = await post(type, sender)
    assert.ok(status === 403 || status === 400, `${type} ${JSON.stringify(sender)} ${status}`)
  }
  assert.deepEqual((await everything(testServer))["credential"], held)
  assert.equal((await post(FORM, { origin: testServer.url })).status, 303, "the same form from its own page")
})

test("CVE-2025-32442, CVE-2026-25223, CVE-2026-33806: no spelling of a Content-Type skips what a body has to be", async () => {
  const clients = (await everything(testServer))["client"]
  const types = [
    ...["application/json", "APPLICATION/JSON", "application/json;", "application/json ;charset=utf-8"],
    ...[
      "application/json;charset=utf-16",
      "application/json\t; x",
      "application/json, text/plain",
      "application/jsonx",
    ],
    ...[
      "application/vnd.x+json",
      "text/json",
      "text/plain",
      " application/json",
      "application/json;charset=utf-8;a",
    ],
    ...['application/json;foo="bar', "multipart/form-data; boundary=x", FORM, "", "/", ";", "application/"],
  ]
  const evil = { redirect_uris: ["javascript:alert(1)"], client_name: 7, token_endpoint_auth_method: "none" }
  for (const type of types) {
    const headers = { "content-type": type }
    for (const body of [
      JSON.stringify(evil),
      `\ufeff${JSON.stringify(evil)}`,
      "redirect_uris=javascript:alert(1)",
    ]) {
      const answer = await register(testServer, body, headers)
      assert.ok([400, 415].includes(answer.status), `${type} ${answer.status}`)
    }
    const path = "/api/account"
    const patched = await ask(testServer, token, { method: "PATCH", path, body: '{"username":7}', type })
    assert.ok([400, 403, 415].includes(patched.status), `${type} ${patched.status}`)
  }
  assert.deepEqual((await everything(testServer))["client"], clients)
})

test("workers-oauth-provider 0.8.3: a malformed Content-Type is a bad request, not a fault", async () => {
  const types = [
    ...[
      "",
      ";",
      "=",
      "/",
      "a",
      "a/b/c",
      `${FORM};charset`,
      `${FORM};charset=`,
      `${FORM};charset="`,
      `${FORM};=`,
    ],
    ...["multipart/form-data", "multipart/form-data; boundary=", 'multipart/form-data; boundary="', "image/"],
    ...["\u00e9", `${"a".repeat(7000)}/b`, "text/plain; charset=__proto__", "application/json; charset=x"],
  ]
  for (const path of ["/oauth/token", "/oauth/register", "/oauth/step-up", CONSENT]) {
    for (const type of types) {
      const head = [`POST ${path} HTTP/1.1`, "host: x", "connection: close", "content-length: 3"]
      const answer = await sendRaw(testServer.url, [...head, `content-type: ${type}`], "a=b")
      assert.ok(answer.status >= 400 && answer.status < 500, `${path} ${type.slice(0, 60)} ${answer.status}`)
    }
  }
})

test("GHSA-crvj-82cr-hjcx: nothing behind a # is a query", async () => {
  const query = authorizePath(app, newVerifier().challenge).split("?")[1] ?? ""
  const line = (target: string) => [`GET ${target} HTTP/1.1`, "host: x", "connection: close"]
  for (const target of [
    `/oauth/authorize#?${query}`,
    `/oauth/authorize%23?${query}`,
    `/oauth/authorize#${query}`,
    `#?${query}`,
  ]) {
    const answer = await sendRaw(testServer.url, line(target))
    assert.ok([400, 404].includes(answer.status), `${target.slice(0, 30)} ${answer.status}`)
    assert.equal(answer.body.includes("<form"), false)
  }
  const inQuery = await sendRaw(
    testServer.url,
    line(`/oauth/authorize?${query}#&client_id=${server.clientId}`),
  )
  assert.deepEqual([inQuery.status, inQuery.headers.get("location")], [400, null])
})

test("GHSA-g6gw-c38x-mqfc: names with dots and brackets are flat, and reach no prototype", async () => {
  const deep = "a".concat(".a".repeat(20_000))
  const names = [
    deep,
    "a".concat("[a]".repeat(20_000)),
    "__proto__.admin",
    "__proto__[client_id]",
    "constructor.prototype.x",
  ]
  for (const name of names) {
    const body = `${name}=1&client_id=${app.clientId}&grant_type=refresh_token&refresh_token=x`
    const answer = await send(testServer, "/oauth/token", body)
    assert.deepEqual([answer.status, answer.body["error"]], [400, "invalid_grant"], name.slice(0, 30))
  }
  const nested = await send(
    testServer,
    "/oauth/token",
    `client_id[]=${app.clientId}&grant_type.x=refresh_token`,
  )
  assert.equal(nested.body["error"], "invalid_request")
  assert.equal(({} as Record<string, unknown>)["client_id"], undefined)
})

test("CVE-2026-0621: no text makes a pattern run away", async () => {
  const many = (text: string, times = 3000) => text.repeat(times)
  const texts = [
    many("a"),
    many("a."),
    many("%2e"),
    many("../"),
    many(" "),
    many(";="),
    many("127.0.0."),
    many("%"),
    many("-"),
    many("\u0130"),
  ]
  const began = performance.now()
  for (const text of texts) {
    await bob.get(authorizePath(app, "x", { redirect_uri: `http://127.0.0.1:${text}`, scope: text }))
    await bob.get(authorizePath(app, newVerifier().challenge, { scope: text, installation_name: text }))
    await bob.get(`/oauth/device?user_code=${encodeURIComponent(text)}`)
    await send(testServer, "/oauth/token", {
      ...own(app),
      grant_type: "refresh_token",
      refresh_token: text,
      scope: text,
    })
    await register(testServer, {
      redirect_uris: [`https://${text}`, `x.${text}:/`],
      client_name: text,
      scope: text,
    })
    const header = text.replaceAll(/[^\x21-\x7e]/g, "a").slice(0, 6000)
    await guess({ "x-forwarded-for": header.replaceAll("a", ",") })
    await guess({ authorization: `Basic ${header}` })
    await withCookie(testServer, many(`${header.slice(0, 20)}=;`, 200))
  }
  // Each of the eighty hostile requests takes milliseconds. With a pattern that backtracks without limit, they would
  // take minutes.
  assert.ok(performance.now() - began < 60_000)
})

test("CVE-2025-6514: every address that is published is a clean URL", async () => {
  const clean = /^https?:\/\/[a-z0-9.:-]+(?:\/[A-Za-z0-9._~/-]*)?(?:\?user_code=[A-Z-]+)?$/
  const published: unknown[] = []
  for (const at of [testServer, secure]) {
    for (const path of ["oauth-authorization-server", "oauth-protected-resource"])
      published.push(await (await fetch(`${at.url}/.well-known/${path}`)).json())
  }
  published.push((await send(testServer, "/oauth/device-authorization", own(app))).body)
  const addresses = published.flatMap((one) => JSON.stringify(one).match(/"https?:[^"]*"/g) ?? [])
  assert.ok(addresses.length >= 15, `only ${addresses.length}`)
  for (const address of addresses) assert.match(JSON.parse(address) as string, clean)
})

test("workers-oauth-provider 0.0.11: no letter of a code is likelier than another", () => {
  const letters = 200_000
  const counts = new Map<string, number>()
  for (const letter of randomLetters(USER_CODE_ALPHABET, letters))
    counts.set(letter, (counts.get(letter) ?? 0) + 1)
  assert.equal(counts.size, 20)
  const expected = letters / 20
  const chi = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
  // A correct generator exceeds this value once in a thousand million runs (19 degrees of freedom). Bytes modulo 20
  // would give about 195.
  assert.ok(chi < 85, `chi squared ${chi}`)
})

test("GHSA-r9w3-57w2-gch2: the key of a page is a key, and no statement", async () => {
  const held = await grant(
    testServer,
    bob,
    await testServer.addApp({ permissions: ["credentials:read", "apps:read", "account:read"] }),
  )
  const keys = [
    "' OR 1=1 --",
    "0; DROP TABLE credential",
    "%27%20OR%201",
    "\u0000",
    "e30",
    "-1",
    "[object Object]",
  ]
  const whole = await ask(testServer, held.access_token, { method: "GET", path: "/api/credentials" })
  assert.equal(whole.status, 200)
  for (const key of keys) {
    for (const path of ["/api/credentials", "/api/account/activity", "/api/apps"]) {
      for (const name of ["after", "page_token"]) {
        const query = `${name}=${encodeURIComponent(key)}`
        const { status } = await ask(testServer, held.access_token, {
          method: "GET",
          path: `${path}?${query}`,
        })
        // An imported app keeps its client_id, so these two can be keys of a page of apps.
        const isKey = path === "/api/apps" && ["e30", "-1"].includes(key) && name === "after"
        assert.equal(status, isKey ? 200 : 400, `${path}?${query}`)
      }
    }
    for (const path of ["/account/activity", "/account/apps", "/account"]) {
      const page = await bob.get(`${path}?after=${encodeURIComponent(key)}&before=${encodeURIComponent(key)}`)
      assert.ok([200, 404].includes(page.status), `${path} ${page.status}`)
    }
  }
  assert.deepEqual(
    await ask(testServer, held.access_token, { method: "GET", path: "/api/credentials" }).then(
      ({ body }) => body,
    ),
    whole.body,
  )
})

test("CVE-2026-4633, keycloak #48888, keycloak #51887: an empty password, or an enormous one, does not reveal which names exist", async () => {
  const visitor = new Browser(testServer.url, from("192.0.2.1"))
  const seen: string[] = []
  for (const password of ["", "x".repeat(2000)]) {
    for (const username of ["bob", "unknown"]) {
      const answer = await visitor.signIn(username, password)
      const text = answer.text
        .replaceAll(`value="${username}"`, "")
        .replaceAll(
          /(data-options|name="challenge" value|name="csrf" value|name="continue" value)="[^"]+"/g,
          "$1",
        )
        .replaceAll(answer.headers.get("x-request-id") ?? "-", "")
      seen.push(`${answer.status} ${text}`)
    }
  }
  assert.equal(seen[0], seen[1])
  assert.equal(seen[2], seen[3])
  assert.match(seen[0] ?? "", /^403 /)
})
