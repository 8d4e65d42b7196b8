import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { startDevice } from "../../oauth/device/device.ts"
import { Browser } from "../../support/browser.ts"
import { authorizePath, newVerifier, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"

const {
  testServer,
  ada: signedIn,
  app,
} = await fixture({
  admins: ["ada"],
  browsers: ["ada"],
  apps: {
    app: {
      redirectUris: [
        "https://app.example/callback",
        "http://127.0.0.1/callback",
        "https://localhost/callback",
        "com.paper:/back",
      ],
    },
  },
})
const { testServer: secureServer } = await fixture({ baseUrl: "https://id.example" })

type Policy = Record<string, string>

function policyOf(headers: Headers): Policy {
  const directives = (headers.get("content-security-policy") ?? "").split(";").map((text) => text.trim())
  return Object.fromEntries(
    directives.map((text) => [text.split(" ", 1)[0], text.split(" ").slice(1).join(" ")]),
  )
}

/** `script` is the source that `script-src` allows. The value is null if the page may run no script. */
function assertPage(
  page: { headers: Headers; text: string },
  waiting: "nothing waits" | "app waits" | "device waits",
  script: "'self'" | null = null,
  referrer = "same-origin",
): void {
  const { headers, text } = page
  const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? ""
  const digest = createHash("sha256").update(style).digest("base64")
  assert.deepEqual(policyOf(headers), {
    "default-src": "'none'",
    ...(script !== null && { "script-src": script }),
    "style-src": `'sha256-${digest}'`,
    "img-src": "'self' data:",
    ...(waiting === "nothing waits" && { "form-action": "'self'" }),
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
  })
  assert.equal(headers.get("content-type"), "text/html; charset=utf-8")
  const opener = waiting === "app waits" ? "unsafe-none" : "same-origin"
  assert.equal(headers.get("cross-origin-opener-policy"), opener)
  assert.equal(headers.get("x-content-type-options"), "nosniff")
  assert.equal(headers.get("referrer-policy"), referrer)
  assert.equal(headers.get("x-frame-options"), "DENY")
  assert.equal(headers.get("cache-control"), "no-store")
  assert.match(headers.get("permissions-policy") ?? "", /camera=\(\).*geolocation=\(\)/)
  assert.equal(headers.get("access-control-allow-origin"), null)
  const markup =
    script === null
      ? text
      : text.replace(/<script src="\/assets\/passkey\.js\?v=[\w-]+" defer><\/script>/, "")
  assert.equal(markup === text, script === null)
  assert.equal(/<script|<iframe|\bon[a-z]+="|\bstyle="/.test(markup), false)
}

describe("AUTHZ-9, CONSENT-2: a page that an authorization waits behind sends no form-action", () => {
  const addresses: Record<string, string> = {
    https: "https://app.example/callback",
    loopback: "http://127.0.0.1:49152/callback",
    "loopback over https": "https://localhost:8443/callback",
    "a private-use scheme": "com.paper:/back",
  }
  for (const [name, address] of Object.entries(addresses)) {
    test(`sign-in and consent, ${name}`, async () => {
      const path = authorizePath(app, newVerifier().challenge, { redirect_uri: address })
      const anonymous = new Browser(testServer.url, { origin: "https://app.example" })
      const signIn = await anonymous.get(path)
      assert.match(signIn.text, /name="password"/)
      assertPage(signIn, "app waits", "'self'")
      const consent = await signedIn.get(path)
      assert.match(consent.text, /name="decision"/)
      assertPage(consent, "app waits")
    })
  }

  test("the sign-in page that comes again after a wrong password", async () => {
    const browser = new Browser(testServer.url)
    const page = await browser.get(authorizePath(app, newVerifier().challenge))
    const again = await browser.submit(page, "/sign-in", { username: "unknown", password: "wrong password" })
    assert.equal(again.status, 403)
    assertPage(again, "app waits", "'self'")
  })

  test("device: sign-in, the page of the code, and consent", async () => {
    const { userCode } = await startDevice(testServer, app)
    const path = `/oauth/device?user_code=${userCode}`
    assertPage(await new Browser(testServer.url).get(path), "device waits", "'self'")
    assertPage(await signedIn.get("/oauth/device"), "device waits")
    const consent = await signedIn.get(path)
    assert.match(consent.text, /name="decision"/)
    assertPage(consent, "device waits")
  })
})

test("AUTHZ-12, CONSENT-2: every other page submits to this service alone and keeps to itself", async () => {
  const pages = {
    "/sign-in": 200,
    "/oauth/authorize": 400,
    "/setup?link=x": 410,
    "/nothing": 404,
    "/oauth/consent": 405,
  }
  for (const [path, status] of Object.entries(pages)) {
    const page = await new Browser(testServer.url, { origin: "https://app.example" }).get(path)
    assert.equal(page.status, status, path)
    // The URL of a one-time link holds a secret.
    const referrer = path.startsWith("/setup") ? "strict-origin" : "same-origin"
    assertPage(page, "nothing waits", path === "/sign-in" ? "'self'" : null, referrer)
  }
  // The other browser has seen consent pages, which wait there for a decision.
  const fresh = await signedInBrowser(testServer, "ada")
  assertPage(await fresh.get("/account"), "nothing waits")
})

test("AUTHZ-11, AUTHZ-12: a redirect back to the app is not kept and keeps the opener", async () => {
  const path = authorizePath(app, newVerifier().challenge, { scope: "nonsense" })
  const { headers, status } = await new Browser(testServer.url).get(path)
  assert.equal(status, 303)
  assert.equal(headers.get("cache-control"), "no-store")
  assert.equal(headers.get("cross-origin-opener-policy"), "unsafe-none")
  assert.equal(headers.get("access-control-allow-origin"), null)
})

test("AUTHZ-9: HSTS is sent where the base address is https, and only there", async () => {
  const secure = await fetch(`${secureServer.url}/sign-in`)
  assert.equal(secure.headers.get("strict-transport-security"), "max-age=63072000")
  const plain = await fetch(`${testServer.url}/sign-in`)
  assert.equal(plain.headers.get("strict-transport-security"), null)
})

test("SVC-10, SVC-11, SVC-12: the consent page names the app, draws a monogram and loads nothing", async () => {
  const other = await testServer.addApp({ name: '<img src="https://evil.example/x"> & co', verified: true })
  for (const [who, shown] of [
    [app, "Paperclip"],
    [other, "&lt;img src=&quot;https://evil.example/x&quot;&gt; &amp; co"],
  ] as const) {
    const { text } = await signedIn.get(authorizePath(who, newVerifier().challenge))
    assert.ok(text.includes(`<bdi class="name">${shown}</bdi>`), text)
    assert.match(text, /<svg[^>]*class="tile"/)
    const loaded = [...text.matchAll(/<[^>]*?\s(?:src|href|action|data)="([^"]*)"/g)].map(
      (match) => match[1] ?? "",
    )
    assert.ok(loaded.length > 0)
    assert.deepEqual(
      loaded.filter((address) => !/^\/(?!\/)/.test(address)),
      [],
    )
  }
})
