/**
 * Tests the redirect to the app after a decision, with the pages' real content security policy. Chromium applies
 * `form-action` to every redirect after a form, also to those with which the app answers.
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { Chromium, fillSignIn, needsChromium, signIn } from "../support/chromium.ts"
import { authorizePath, newVerifier } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { press } from "../support/person.ts"
import { openSite } from "../support/site.ts"
import { wholeFile } from "../support/spawn.ts"

const file = wholeFile()

/** Where an app's redirect URI leads to: the status of its answer and the address that the browser ends at. */
const hops = {
  "/own": { status: 302, location: "/arrived" },
  "/other-302": { status: 302, location: "https://other.example/arrived" },
  "/other-307": { status: 307, location: "https://other.example/arrived" },
  "/scheme-307": { status: 307, location: "com.example.hop:/arrived" },
} as const

const httpsPort = await openSite(file, hops, "app.example")
const otherPort = await openSite(file, {}, "other.example")
const loopbackPort = await openSite(file, hops)
const securePort = await openSite(file, {}, "localhost")
const { testServer, app } = await fixture({
  accounts: ["alice"],
  apps: {
    app: {
      redirectUris: [
        "https://app.example/callback",
        "http://127.0.0.1/callback",
        "https://localhost/callback",
        "com.example.app:/callback",
        "org.example.other://return/here",
        ...Object.keys(hops).flatMap((path) => [`https://app.example${path}`, `http://127.0.0.1${path}`]),
      ],
      permissions: ["account:read"],
    },
  },
  span: file,
})
const destinations = [
  "https://app.example/callback",
  `http://127.0.0.1:${loopbackPort}/callback`,
  `https://localhost:${securePort}/callback`,
  "com.example.app:/callback",
  "org.example.other://return/here",
]
const chromium = new Chromium(file, { "app.example:443": httpsPort, "other.example:443": otherPort })

test(
  "CONSENT-2, AUTHZ-10, REDIR-2, REDIR-4: Authorize leads to https, loopback and private-use addresses, signed in already",
  needsChromium,
  async () => {
    const page = await chromium.page({ ignoreHTTPSErrors: true })
    await signIn(page, testServer, "alice")
    for (const destination of destinations) {
      const returned = await decide(page, destination, "Authorize")
      assert.match(returned.get("code") ?? "", /^lkc_/)
      assert.equal(returned.get("state"), "st/ate +1")
      assert.equal(returned.get("iss"), testServer.issuer)
    }
  },
)

test(
  "CONSENT-2, AUTHZ-10: Authorize leads to each of them where sign-in comes first",
  needsChromium,
  async () => {
    for (const destination of destinations.slice(0, 4))
      assert.match((await signInAndDecide(destination, "Authorize")).get("code") ?? "", /^lkc_/)
  },
)

test(
  "CONSENT-2, AUTHZ-11: Refuse leads to each of them, signed in already and where sign-in comes first",
  needsChromium,
  async () => {
    const signedIn = await chromium.page({ ignoreHTTPSErrors: true })
    await signIn(signedIn, testServer, "alice")
    for (const destination of destinations) {
      const returned = await decide(signedIn, destination, "Refuse")
      assert.equal(returned.get("error"), "access_denied")
      assert.equal(returned.get("state"), "st/ate +1")
    }
    for (const destination of destinations.slice(0, 4))
      assert.equal((await signInAndDecide(destination, "Refuse")).get("error"), "access_denied")
  },
)

for (const decision of ["Authorize", "Refuse"] as const)
  test(
    `CONSENT-2, AUTHZ-10, AUTHZ-11: ${decision} leads on where the app answers its redirect URI with a redirect`,
    needsChromium,
    async () => {
      const page = await chromium.page({ ignoreHTTPSErrors: true })
      await signIn(page, testServer, "alice")
      for (const origin of ["https://app.example", `http://127.0.0.1:${loopbackPort}`])
        for (const [path, { location }] of Object.entries(hops)) {
          const window = await page.context().newPage()
          const first = window.waitForRequest((request) => request.url().startsWith(`${origin}${path}?`))
          const last = arrival(window, new URL(location, origin).href)
          await window.goto(testServer.url + authorizeAddress(origin + path))
          await press(window, decision)
          const returned = new URL((await first).url()).searchParams
          await Promise.all([last.requested, last.ended])
          assert.equal(returned.has(decision === "Authorize" ? "code" : "error"), true)
          await window.close()
        }
    },
  )

test(
  "The tests above can fail: with the app's address in form-action, Chromium stops its redirect to another origin",
  needsChromium,
  async () => {
    const page = await chromium.page({ ignoreHTTPSErrors: true })
    await signIn(page, testServer, "alice")
    await page.route("**/oauth/authorize?*", async (route) => {
      const response = await route.fetch()
      const { "content-security-policy": policy = "", ...headers } = response.headers()
      const stricter = `${policy}; form-action 'self' https://app.example`
      await route.fulfill({ response, headers: { ...headers, "content-security-policy": stricter } })
    })
    for (const path of ["/other-302", "/other-307", "/scheme-307"]) {
      await page.goto(testServer.url + authorizeAddress(`https://app.example${path}`))
      const blocked = page.waitForEvent("console", (message) => message.text().includes("form-action"))
      const failed = page.waitForEvent("requestfailed")
      await press(page, "Authorize")
      assert.match((await blocked).text(), /has been blocked|Refused/)
      await failed
      assert.match(page.url(), /\/oauth\/authorize\?/)
    }
  },
)

test(
  "AUTHZ-4, ERR-12: what is wrong with a request goes back to the app at once, also from a browser",
  needsChromium,
  async () => {
    const page = await chromium.page({ ignoreHTTPSErrors: true })
    for (const destination of destinations) {
      const address = `${testServer.url}${authorizeAddress(destination)}&scope=no:such`
      const returned = await returnTo(page, destination, () => page.goto(address).catch(() => null))
      assert.equal(returned.get("error"), "invalid_scope")
    }
  },
)

function authorizeAddress(redirectUri: string): string {
  return authorizePath(app, newVerifier().challenge, { redirect_uri: redirectUri })
}

/**
 * Decides in a separate window of the same session as `page`. The window is closed before the next one opens, because
 * Chromium's question about a private-use scheme blocks input.
 */
async function decide(page: Page, destination: string, decision: "Authorize" | "Refuse") {
  const window = await page.context().newPage()
  await window.goto(testServer.url + authorizeAddress(destination))
  const returned = await returnTo(window, destination, () => press(window, decision))
  await window.close()
  return returned
}

async function signInAndDecide(destination: string, decision: "Authorize" | "Refuse") {
  const page = await chromium.page({ ignoreHTTPSErrors: true })
  await page.goto(testServer.url + authorizeAddress(destination))
  await fillSignIn(page, "alice")
  const returned = await returnTo(page, destination, () => press(page, decision))
  await page.close()
  return returned
}

/**
 * Returns the parameters that the app receives. No program opens private-use schemes here, so the test checks the
 * attempt.
 */
async function returnTo(
  page: Page,
  destination: string,
  act: () => Promise<unknown>,
): Promise<URLSearchParams> {
  const { requested, ended } = arrival(page, `${destination}?`)
  await act()
  const [request] = await Promise.all([requested, ended])
  return new URL(request.url()).searchParams
}

/** `requested` is the browser's attempt to open an address, and `ended` its arrival there. */
function arrival(page: Page, begin: string) {
  const isThere = (url: string) => url.startsWith(begin)
  const requested = page.waitForRequest((request) => isThere(request.url()))
  const ended = begin.startsWith("http")
    ? page.waitForURL((url) => isThere(url.href))
    : page.waitForEvent("requestfailed", (request) => isThere(request.url()))
  return { requested, ended }
}

test(
  "OIDC-14, OIDC-15: the button of the sign-out page leads back to the app, in a language of the request",
  needsChromium,
  async () => {
    await testServer.set("openid.enabled", "on")
    const bye = "https://app.example/own"
    const leaving = await testServer.addApp({ name: "Leaving", postLogoutRedirectUris: [bye] })
    const query = new URLSearchParams({
      client_id: leaving.clientId,
      post_logout_redirect_uri: bye,
      state: "a b",
      ui_locales: "de",
    })
    const page = await chromium.page({ ignoreHTTPSErrors: true })
    await signIn(page, testServer, "alice")
    await page.goto(`${testServer.url}/oauth/end-session?${query.toString()}`)
    await page.getByText("Leaving möchte Sie in diesem Browser abmelden.").waitFor()
    const left = page.waitForRequest((request) => request.url().startsWith(bye))
    await page.getByRole("button", { name: "Abmelden" }).click()
    assert.equal(new URL((await left).url()).searchParams.get("state"), "a b")
    await page.waitForURL("https://app.example/arrived")
    await page.goto(`${testServer.url}/account`)
    await page.waitForURL(/sign-in/)
  },
)
