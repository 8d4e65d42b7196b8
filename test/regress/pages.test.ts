/** Tests known flaws of other servers that show foreign script and markup. README.md, "Clients and front door". */
import { test } from "node:test"
import assert from "node:assert/strict"
import { Browser } from "../support/browser.ts"
import { authorizePath, connectIn, newVerifier, REDIRECT_URI, send } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import type { TestApp } from "../support/test-server.ts"
import { openCode, started, startDevice } from "../oauth/device/device.ts"
import { registered, TOOL } from "../apps/registration/register.ts"

const MARKUP = `"'><img src=x onerror=alert(1)><script>alert(1)</script></title></style><!--`
const SHORT = `"'><script>alert(1)</script><b>`

const { testServer, bob, app } = await fixture({
  rateLimit: "off",
  settings: { "registration.open": "on" },
  admins: ["root"],
  accounts: ["bob"],
  browsers: ["bob"],
  apps: { app: { name: SHORT, stepUp: true } },
})
const stranger = new Browser(testServer.url)

type Shown = { readonly status: number; readonly headers: Headers; readonly text: string }

/** Checks that no foreign text became markup, and that the policy would not run it. */
function assertInert(page: Shown, what: string): void {
  const shown = page.text.slice(page.text.indexOf("</style>") + 8)
  assert.doesNotMatch(
    shown,
    /<script(?! src="\/assets\/)|<img src=x|<b>|<\/style>|onerror=alert\(1\)>/i,
    what,
  )
  assert.doesNotMatch(shown, /(?:href|src|action|formaction)="(?:javascript|data:text|\/\/|https?:)/i, what)
  const tags = shown.replaceAll(/"[^"]*"/g, '""').match(/<[^>]*>/g) ?? []
  for (const tag of tags) assert.doesNotMatch(tag, /\son[a-z]+=|'|=\s*[^"\s]/i, what)
  const policy = page.headers.get("content-security-policy") ?? ""
  assert.match(policy, /^default-src 'none'; (?:script-src 'self'; )?style-src 'sha256-/, what)
  assert.doesNotMatch(policy, /unsafe|script-src[^;]*(?:\*|data:|http)/, what)
  assert.equal(page.headers.get("x-content-type-options"), "nosniff", what)
}

test("CVE-2019-8400, CVE-2017-14395: an error page repeats nothing of a request", async () => {
  const names = [
    "error",
    "error_hint",
    "error_description",
    "error_debug",
    "hint",
    "message",
    "state",
    "client_id",
  ]
  const query = new URLSearchParams([...names.map((name) => [name, MARKUP] as [string, string])]).toString()
  const raw = `error_hint=${"<script>alert(1)</script>"}`
  for (const path of [
    "/oauth/authorize",
    "/oauth/nowhere",
    "/nowhere",
    "/oauth/error",
    "/oauth/consent",
    "/setup",
    "/console/x",
  ]) {
    for (const browser of [bob, stranger]) {
      for (const text of [query, raw]) {
        const page = await browser.get(`${path}?${text}`)
        if (page.status === 303) continue
        assert.equal(page.text.includes("alert(1)"), false, path)
        if ((page.headers.get("content-type") ?? "").startsWith("text/html")) assertInert(page, path)
        else assert.match(page.headers.get("content-type") ?? "", /^application\/json/)
      }
    }
  }
  const inPath = await stranger.get(`/${encodeURIComponent(MARKUP)}`)
  assert.equal(inPath.text.includes("alert(1)"), false)
})

test("CVE-2026-42849: neither state nor redirect_uri nor any other parameter is written into a page", async () => {
  const { challenge } = newVerifier()
  for (const more of [
    { state: MARKUP },
    { redirect_uri: `${REDIRECT_URI}${MARKUP}` },
    { redirect_uri: MARKUP, state: MARKUP },
    { client_id: MARKUP },
    { scope: MARKUP },
    { login_hint: MARKUP, display: MARKUP, ui_locales: MARKUP, prompt: MARKUP },
    { resource: `https://${MARKUP}` },
  ] as Record<string, string>[]) {
    for (const browser of [bob, stranger]) {
      const page = await browser.get(authorizePath(app, challenge, more))
      if (page.status === 303) {
        assert.equal(page.text, "")
        assert.doesNotMatch(page.headers.get("location") ?? "", /[<>"'\r\n]/)
      } else assertInert(page, JSON.stringify(more))
    }
  }
})

test("CVE-2018-1000088: a name that an app or an installation gave itself is text, on every page that shows it", async () => {
  const { clientId } = await registered(testServer, { ...TOOL, client_name: SHORT })
  const itself: TestApp = { ...app, clientId, secret: null }
  for (const who of [app, itself]) {
    const label = { installation_name: MARKUP.slice(0, 90) }
    const path = authorizePath(who, newVerifier().challenge, label)
    for (const browser of [bob, stranger]) {
      const page = await browser.get(path)
      assert.equal(page.status, 200)
      assert.match(page.text, /&lt;script&gt;/)
      assertInert(page, path)
    }
    const device = await startDevice(testServer, who, label)
    assertInert(await openCode(bob, device.userCode), "device")
    await connectIn(bob, testServer, who, label)
  }
  const held = await connectIn(bob, testServer, app, { installation_name: SHORT })
  const asked = await send(
    testServer,
    "/oauth/step-up",
    { reason: MARKUP.slice(0, 120) },
    { authorization: `Bearer ${held.access_token}` },
  )
  assertInert(await openCode(bob, started(asked.body).userCode), "step-up")
  for (const path of ["/account", "/account/activity", "/account/security"]) {
    const page = await bob.get(path)
    assert.equal(page.status, 200)
    assertInert(page, path)
  }
})

test("CVE-2018-1000088, CVE-2026-42849: what is typed into a form comes back as text", async () => {
  for (const username of [MARKUP, "\u0000<script>", "</title><script>alert(1)</script>"]) {
    const page = await stranger.signIn(username, "x")
    assert.ok(page.status === 403 || page.status === 429)
    assertInert(page, username)
  }
  assertInert(await bob.get(`/oauth/device?user_code=${encodeURIComponent(MARKUP)}`), "code")
  assertInert(await stranger.get(`/oauth/device?user_code=${encodeURIComponent(MARKUP)}`), "code, signed out")
})

test("CVE-2024-29891, CVE-2019-8400: no answer of any kind can be read as a page that a stranger wrote", async () => {
  const json = { "content-type": "application/json" }
  for (const [path, init] of [
    ["/oauth/token", { method: "POST", body: `client_id=${encodeURIComponent(MARKUP)}` }],
    [
      "/oauth/register",
      {
        method: "POST",
        body: JSON.stringify({ client_name: MARKUP, redirect_uris: [MARKUP] }),
        headers: json,
      },
    ],
    [`/api/${encodeURIComponent(MARKUP)}`, {}],
    [`/oauth/apps/${encodeURIComponent(MARKUP)}/icon`, {}],
    [`/.well-known/${encodeURIComponent(MARKUP)}`, {}],
  ] as [string, RequestInit][]) {
    const answer = await fetch(testServer.url + path, init)
    const type = answer.headers.get("content-type") ?? ""
    assert.match(type, /^(?:application\/json|text\/html; charset=utf-8)/, path)
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff", path)
    assert.equal((await answer.text()).includes("<script>alert"), false, path)
  }
})
