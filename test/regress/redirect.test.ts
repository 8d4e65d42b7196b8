/** Tests known flaws of other servers in redirect URIs. README.md, "Code, PKCE, redirect". */
import { test } from "node:test"
import assert from "node:assert/strict"
import { updateApp } from "../../src/apps/app.ts"
import { Browser, hiddenFields } from "../support/browser.ts"
import { authorizePath, exchange, newVerifier, REDIRECT_URI } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { PASSWORD, type TestApp, OPERATOR } from "../support/test-server.ts"
import { returned } from "../support/answers.ts"
import { register } from "../apps/registration/register.ts"
import { everything } from "../support/stored.ts"

const { challenge, verifier } = newVerifier()
const LOOPBACK = "http://127.0.0.1/callback"

const { testServer, bob, app } = await fixture({
  rateLimit: "off",
  settings: { "registration.open": "on" },
  accounts: ["bob"],
  browsers: ["bob"],
  apps: {
    app: {
      redirectUris: [REDIRECT_URI, LOOPBACK, "https://app.example/query?a=1&b=2"],
    },
  },
})
const stranger = new Browser(testServer.url)

type Shown = { readonly status: number; readonly location: string | null; readonly text: string }

/** Checks for a page of the service itself, without a redirect, a link, or anything to grant. The URI is only text. */
function assertStays(page: Shown, address: string): void {
  assert.deepEqual([page.status, page.location], [400, null], `${address} ${page.location}`)
  const body = page.text.slice(page.text.indexOf("</style>"))
  const shown = body.replace(/<p>The address: <code>[^<]{1,200}<\/code><\/p>/, "")
  assert.doesNotMatch(shown, /<form|decision|evil|http-equiv/i, address)
  for (const [, href = ""] of shown.matchAll(/(?:href|src|action)="([^"]*)"/g))
    assert.match(href, /^(?:\/(?!\/)|data:image)/, address)
}

/** Checks the refusal, signed in and not, and with other faults in the request. */
async function assertRefusedThere(address: string, of: TestApp = app): Promise<void> {
  const path = authorizePath(of, challenge, { redirect_uri: address })
  assertStays(await bob.get(path), address)
  assertStays(await stranger.get(path.replace("response_type=code", "response_type=token")), address)
}

test("CVE-2025-4143, GHSA-4pc9-x2fx-p7vj, CVE-2026-5467: an address that is not registered is refused before sign-in and consent", async () => {
  for (const address of ["https://evil.example/", "//evil.example/", "/evil", "evil", "https:evil.example"])
    await assertRefusedThere(address)
  for (const path of [
    `/oauth/authorize?client_id=${app.clientId}`,
    authorizePath(app, challenge, { redirect_uri: "" }),
  ])
    assertStays(await bob.get(path), path)
  const twice = `${authorizePath(app, challenge)}&redirect_uri=${encodeURIComponent("https://evil.example/")}`
  assertStays(await bob.get(twice), "twice")
})

test("nutrition-mcp #148, GHSA-wx5f-576r-gpcx: the same unregistered address at both ends brings no code, nor does an unregistered app", async () => {
  const held = (await everything(testServer))["credential"]
  const evil = "https://evil.example/callback"
  const path = authorizePath(app, challenge, { redirect_uri: evil })
  const fields = hiddenFields((await bob.get(authorizePath(app, challenge))).text, "/oauth/consent")
  assertStays(await bob.get(path), evil)
  const posted = await bob.post("/oauth/consent", { ...fields, decision: "authorize", redirect_uri: evil })
  const { code = "" } = returned(posted, REDIRECT_URI)
  const answer = await exchange(testServer, app, code, verifier, { redirect_uri: evil })
  assert.deepEqual([answer.status, answer.body["error"]], [400, "invalid_grant"])
  for (const clientId of [
    "evil",
    "0".repeat(26),
    app.clientId.toUpperCase(),
    `${app.clientId} `,
    `${app.clientId}\u0000`,
  ])
    await assertRefusedThere(REDIRECT_URI, { ...app, clientId })
  assert.equal((await everything(testServer))["credential"]?.length, (held?.length ?? 0) + 1)
})

test("workers-oauth-provider #52: between the question and the answer neither the app nor its address can be changed", async () => {
  const other = await testServer.addApp({ name: "Other", redirectUris: ["https://other.example/"] })
  const page = await bob.get(authorizePath(app, challenge))
  const forged = { client_id: other.clientId, redirect_uri: "https://other.example/", state: "forged" }
  const answer = await bob.submit(page, "/oauth/consent", { decision: "authorize", ...forged })
  const { code = "", state } = returned(answer, REDIRECT_URI)
  assert.equal(state, "st/ate +1")
  const taken = await exchange(testServer, other, code, verifier)
  assert.deepEqual([taken.status, taken.body["error"]], [400, "invalid_grant"])
  assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
})

test("nutrition-mcp #148: an address that was taken off the registration while the page lay open gets nothing", async () => {
  const leaving = await testServer.addApp({ redirectUris: [REDIRECT_URI, LOOPBACK] })
  for (const decision of ["authorize", "refuse"]) {
    const page = await bob.get(authorizePath(leaving, challenge))
    await updateApp(testServer.latchkey, leaving.clientId, { removeRedirectUris: [REDIRECT_URI] }, OPERATOR)
    const answer = await bob.submit(page, "/oauth/consent", { decision })
    assert.deepEqual([answer.status, answer.location], [400, null])
    await updateApp(testServer.latchkey, leaving.clientId, { addRedirectUris: [REDIRECT_URI] }, OPERATOR)
  }
})

test("CVE-2020-15233, CVE-2024-8883: of a loopback address the port is free, and nothing else", async () => {
  const secure = await testServer.addApp({ redirectUris: ["https://localhost/callback"] })
  for (const port of ["", ":1", ":8080", ":65535"]) {
    for (const [client, host] of [
      [app, "http://127.0.0.1"],
      [secure, "https://localhost"],
    ] as const) {
      const redirect_uri = `${host}${port}/callback`
      assert.equal((await bob.get(authorizePath(client, challenge, { redirect_uri }))).status, 200, port)
    }
  }
  const others = [
    "http://127.0.0.1/other",
    "http://127.0.0.1/callback/",
    "http://127.0.0.1/callback?x=1",
    "http://127.0.0.1:80/callback?",
    "http://127.0.0.1",
    "http://127.0.0.1:8080/callback/../evil",
    "http://127.0.0.1:0/callback",
    "http://127.0.0.1:08080/callback",
    "http://127.0.0.1:65536/callback",
    "http://127.0.0.1:/callback",
    "http://127.0.0.1:8080@evil.example/callback",
    "http://127.0.0.1:@evil.example/callback",
    "http://127.0.0.1.evil.example/callback",
    "http://127.0.0.1.:8080/callback",
    "http://127.0.0.2:8080/callback",
    "http://127.1:8080/callback",
    "http://2130706433:8080/callback",
    "http://localhost:8080/callback",
    "http://[::1]:8080/callback",
    "http://[::ffff:127.0.0.1]:8080/callback",
    "https://127.0.0.1:8080/callback",
    "HTTP://127.0.0.1:8080/callback",
  ]
  for (const address of others) {
    await assertRefusedThere(address)
    await assertRefusedThere(address, secure)
  }
})

test("CVE-2024-8883: a loopback address without a path stands for itself alone", async () => {
  const bare = await testServer.addApp({ redirectUris: ["http://localhost", "http://127.0.0.1"] })
  for (const address of ["http://localhost:8080", "http://127.0.0.1:1"])
    assert.equal((await bob.get(authorizePath(bare, challenge, { redirect_uri: address }))).status, 200)
  for (const rest of [
    "/",
    "/x",
    ".evil.example/",
    "@evil.example/",
    "evil.example",
    ":80@evil.example",
    "?x",
    "%2eevil",
  ]) {
    await assertRefusedThere(`http://localhost${rest}`, bare)
    await assertRefusedThere(`http://127.0.0.1${rest}`, bare)
  }
})

test("CVE-2020-15234: case and query count", async () => {
  const others = [
    "https://app.example/Callback",
    "https://APP.example/callback",
    "HTTPS://app.example/callback",
    "https://app.example/callback?",
    "https://app.example/callback?a=1",
    "https://app.example/query?a=1",
    "https://app.example/query?b=2&a=1",
    "https://app.example/query?a=1&b=2&c=3",
    "https://app.example/query?A=1&b=2",
    "https://app.example/query?a=1&amp;b=2",
    "https://app.example/query?a=1%26b=2",
    "https://app.example/query",
  ]
  for (const address of others) await assertRefusedThere(address)
})

test("CVE-2026-41569, CVE-2024-52289, CVE-2020-26938: no address is a prefix, a suffix or a pattern", async () => {
  const dotted = await testServer.addApp({ redirectUris: ["https://a.b.example/c", "com.example.app:/cb"] })
  const others = [
    "https://aXb.example/c",
    "https://a.bXexample/c",
    "https://a.b.example/c.evil.example",
    "https://a.b.example/cc",
    "https://a.b.example/c/",
    "https://a.b.example/",
    "https://evil.example/?https://a.b.example/c",
    "xhttps://a.b.example/c",
    "https://a.b.example/c\nhttps://evil.example/",
    " https://a.b.example/c",
    "https://a.b.example/c ",
    "https://a.b.example:443/c",
    "comXexample.app:/cb",
    "com.example.app:/cb/evil",
    "com.example.app://evil/cb",
    "com.example.app:cb",
  ]
  for (const address of others) await assertRefusedThere(address, dotted)
  for (const address of [
    "https://*.example/",
    "https://app.example/*",
    "https://.*",
    "https://(a|b).example/",
    "https://app.example/.*",
  ]) {
    const answer = await register(testServer, {
      redirect_uris: [address],
      token_endpoint_auth_method: "none",
    })
    assert.deepEqual([answer.status, answer.body["error"]], [400, "invalid_redirect_uri"], address)
  }
})

/**
 * Paths that confuse parsers, from the ACSAC 2023 paper and from reports. Some parsers read them as the registered
 * path, and others do not.
 */
const CONFUSED = [
  "/callback/../evil",
  "/callback/..;/evil",
  "/callback/..%3b/evil",
  "/evil/../callback",
  "/./callback",
  "/callback/.",
  "/callback/%2e%2e/evil",
  "/callback/%2E%2E%2Fevil",
  "/callback%2f..%2fevil",
  "/callback/..%5cevil",
  "/callback/..\\evil",
  "/callback\\evil",
  "//callback",
  "/callback//",
  "/callback%00",
  "/callback%00.evil",
  "/callback%20",
  "/callback%0d%0aLocation:https://evil.example",
  "/callback\t",
  "/call%62ack",
  "/%63allback",
  "/callback%2f",
  "/callback%252f..%252fevil",
  "/callback;evil",
  "/callback;/../evil",
  "/callback%3fx=1",
  "/callback%23",
  "/callback/%c0%ae%c0%ae/evil",
  "/callback/\uff0e\uff0e/evil",
  "/callback\u2028",
] as const

test("CVE-2026-3872, CVE-2024-1132: no way through dots, semicolons and escapes leads past the registered path", async () => {
  for (const path of CONFUSED) await assertRefusedThere(`https://app.example${path}`)
  for (const path of CONFUSED.filter((text) => /\.|%2e|\\/i.test(text) && !/252f|%00|evil$/.test(text))) {
    const uri = `https://app.example${path}`
    const answer = await register(testServer, { redirect_uris: [uri], token_endpoint_auth_method: "none" })
    assert.deepEqual([answer.status, answer.body["error"]], [400, "invalid_redirect_uri"], path)
  }
})

test("CVE-2026-7504, GHSA-9h33-g3ww-mqff: one @ or many before the host are refused, at authorization and at registration", async () => {
  const others = [
    "https://app.example@evil.example/callback",
    "https://app.example:443@evil.example/callback",
    "https://user@app.example/callback",
    "https://@app.example/callback",
    "https://a@b@c@app.example/callback",
    "https://app.example%40evil.example/callback",
    "https://app.example\\@evil.example/callback",
    "https://evil.example\\@app.example/callback",
    "https://evil.example#@app.example/callback",
    "https://evil.example?@app.example/callback",
    "https:app.example@evil.example/callback",
  ]
  for (const address of others) {
    await assertRefusedThere(address)
    const answer = await register(testServer, {
      redirect_uris: [address],
      token_endpoint_auth_method: "none",
    })
    // A question mark ends the host. Every parser reads what follows as a query.
    if (!address.includes("?")) assert.equal(answer.status, 400, address)
  }
})

test("CVE-2026-9689, CVE-2026-18209: an address brings no answer of its own", async () => {
  const forged = [
    "?code=evil",
    "?state=evil",
    "?iss=https://evil.example",
    "?error=x",
    "?a=1&code=evil",
    "?c%6fde=evil",
    "?%63%6f%64%65=evil",
    "?a=1;code=evil",
    "?code",
    "#code=evil",
    "#",
    "?a=1#state=evil",
    "%23code=evil&state=evil",
  ]
  for (const rest of forged) {
    const address = `https://app.example/callback${rest}`
    await assertRefusedThere(address)
    if (rest.startsWith("%")) continue
    const answer = await register(testServer, {
      redirect_uris: [address],
      token_endpoint_auth_method: "none",
    })
    assert.deepEqual([answer.status, answer.body["error"]], [400, "invalid_redirect_uri"], address)
  }
})

test("OAuch CodePollution: whatever state and query hold, code, state and iss come once, and are ours", async () => {
  const redirect_uri = "https://app.example/query?a=1&b=2"
  for (const state of [
    "x&code=evil",
    "x#code=evil",
    "x?code=evil;iss=evil",
    "&&",
    "%26code%3Devil",
    "\r\ncode: evil",
  ]) {
    const page = await bob.get(authorizePath(app, challenge, { redirect_uri, state }))
    const answer = await bob.submit(page, "/oauth/consent", {
      decision: "authorize",
      code: "evil",
      iss: "evil",
    })
    const response = returned(answer, redirect_uri)
    assert.deepEqual(Object.keys(response), ["code", "state", "iss"])
    assert.match(response["code"] ?? "", /^lkc_/)
    assert.deepEqual([response["state"], response["iss"]], [state, testServer.issuer])
    assert.equal(answer.location?.includes("#"), false)
  }
})

test("CVE-2026-9086, CVE-2024-21637, CVE-2020-26938: no scheme that a browser runs, however it is written", async () => {
  const others = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "javascript://app.example/callback%0aalert(1)",
    "javascript:/callback",
    "javascript%3aalert(1)",
    "DATA:text/html,<script>alert(1)</script>",
    "data:/callback",
    "vbscript:x",
    "VBScript:/x",
    "blob:https://app.example/x",
    "about:blank",
    "file:///etc/passwd",
    "view-source:https://app.example/callback",
    "filesystem:https://app.example/x",
    "intent://evil/#Intent;end",
  ]
  for (const address of others) {
    await assertRefusedThere(address)
    const body = { redirect_uris: [REDIRECT_URI, address], token_endpoint_auth_method: "none" }
    const answer = await register(testServer, body)
    assert.deepEqual([answer.status, answer.body["error"]], [400, "invalid_redirect_uri"], address)
    await assert.rejects(testServer.addApp({ redirectUris: [address] }), address)
  }
})

test("oauthjs/node-oauth2-server #637: a fragment is refused wherever an address is given", async () => {
  for (const address of [`${REDIRECT_URI}#`, `${REDIRECT_URI}#x`, "com.example.app:/cb#x", `${LOOPBACK}#`]) {
    await assertRefusedThere(address)
    await assert.rejects(testServer.addApp({ redirectUris: [address] }), address)
  }
})

test("doorkeeper-openid_connect #61, GHSA-2wvm-8mvp-22qv: prompt=none neither leads to an unregistered address nor past a person", async () => {
  for (const more of [
    { prompt: "none" },
    { prompt: "none login" },
    { prompt: "none", max_age: "0" },
  ] as Record<string, string>[]) {
    const evil = authorizePath(app, challenge, { ...more, redirect_uri: "https://evil.example/" })
    for (const browser of [bob, stranger]) assertStays(await browser.get(evil), evil)
    const right = authorizePath(app, challenge, more)
    assert.match((await bob.get(right)).text, /name="decision"/)
    assert.match((await stranger.get(right)).text, /name="password"/)
  }
})

test("CVE-2017-14394, CVE-2026-5467: no other parameter and no other page sends a browser off this service", async () => {
  const evil = "https://evil.example/"
  const names = [
    "redirect_uri",
    "post_logout_redirect_uri",
    "goto",
    "next",
    "continue",
    "return_to",
    "returnUrl",
    "rd",
    "url",
  ]
  const query = names.map((name) => `${name}=${encodeURIComponent(evil)}`).join("&")
  for (const path of [
    "/",
    "/sign-in",
    "/setup",
    "/account",
    "/oauth/device",
    "/sign-in/code",
    "/console",
    "/account/prove",
  ]) {
    for (const browser of [bob, stranger]) {
      const { location } = await browser.get(`${path}?${query}`)
      // What waited before may be kept, under a seal of this service.
      const isOwn = location === null || /^\/(?![/\\])[a-z/-]*(?:\?continue=[\w-]+)?$/.test(location)
      assert.ok(isOwn, `${path} ${location}`)
    }
  }
  const fresh = new Browser(testServer.url)
  const fields = Object.fromEntries(names.map((name) => [name, evil]))
  const signIn = await fresh.submit(await fresh.get(`/sign-in?${query}`), "/sign-in", {
    username: "bob",
    password: PASSWORD,
    ...fields,
  })
  assert.deepEqual([signIn.status, signIn.location], [303, "/account"])
  const page = await fresh.get("/account")
  assert.equal((await fresh.submit(page, "/sign-out", fields)).location, null)
})
