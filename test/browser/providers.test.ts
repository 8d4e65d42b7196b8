/**
 * Tests sign-in through a provider in a real browser. The provider shows its own form on a second origin and redirects
 * from there, which `form-action` of our pages would block if our answer to the button were a redirect.
 */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { linkAccount } from "../../src/accounts/providers/link.ts"
import type { OpenIdProvider, SignInProvider } from "../../src/model/sign-in/provider.rules.ts"
import { startDevice, started } from "../oauth/device/device.ts"
import { Chromium, needsChromium, signIn } from "../support/chromium.ts"
import { testClock } from "../support/clock.ts"
import { authorizePath, connect, newVerifier, send } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { HostileProvider } from "../support/hostile-provider.ts"
import { flawsOf, widthsOf } from "../support/look.ts"
import { ProviderHost, providerAt, TRUSTED } from "../support/oidc.ts"
import { press, watched } from "../support/person.ts"
import { openSite } from "../support/site.ts"
import { wholeFile } from "../support/spawn.ts"
import { PASSWORD } from "../support/test-server.ts"

const file = wholeFile()
const clock = testClock()
const providers = new Map<string, SignInProvider>()

const host = await ProviderHost.open()
const loginHost = await ProviderHost.open()
file.after(() => host.close())
file.after(() => loginHost.close())
loginHost.serve((request, response) => {
  const back = new URL(request.url ?? "", loginHost.url).searchParams.get("back") ?? ""
  if (request.method === "POST") return void response.writeHead(303, { location: back }).end()
  response.setHeader("content-type", "text/html")
  response.end("<!doctype html><title>Log in</title><form method=post><button>Log in at Work</button></form>")
})
const upstream = await HostileProvider.open(host, () => clock.now())
upstream.loginAt = loginHost.url
const { testServer: server, app } = await fixture({
  outgoing: TRUSTED,
  providers,
  clock,
  accounts: ["ada"],
  apps: {
    app: {
      name: "Notebook Sync",
      permissions: ["account:read"],
      redirectUris: ["http://127.0.0.1/callback", "https://app.example/callback"],
      stepUp: true,
    },
  },
  span: file,
})
offer()
const linked = await linkAccount(server.latchkey, providerAt(host.url), "ada", "ada-at-work", {
  address: null,
})
assert.ok(linked.ok)
const appPort = await openSite(file)
const chromium = new Chromium(file)

/** The configuration has this provider from now on. */
function offer(more: Partial<OpenIdProvider> = {}): void {
  providers.set("corp", providerAt(upstream.host.url, more))
}

const secure = { ignoreHTTPSErrors: true } as const

/** Presses the button and signs in on the other origin. */
async function passThrough(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Continue with Work" }).click()
  await page.getByRole("button", { name: "Log in at Work" }).click()
}

async function assertGood(page: Page): Promise<void> {
  const { pathname } = new URL(page.url())
  assert.deepEqual([...(await flawsOf(page, pathname)), ...(await widthsOf(page, pathname))], [])
}

test(
  "UP-2, UP-7 an authorization that begins signed out passes through the provider to the app",
  needsChromium,
  async () => {
    offer({ createAccounts: { domains: [], claim: null } })
    upstream.idToken = { sub: "grace-at-work", preferred_username: "ada" }
    const page = await chromium.page(secure)
    const complaints = watched(page)
    const redirect_uri = `http://127.0.0.1:${appPort}/callback`
    await page.goto(server.url + authorizePath(app, newVerifier().challenge, { redirect_uri }))
    await assertGood(page)
    await passThrough(page)
    await page.getByRole("heading", { name: "Choose a username" }).waitFor()
    await assertGood(page)
    await page.getByLabel("Username").fill("grace")
    await page.getByRole("button", { name: "Create account" }).click()
    await page.getByText("Notebook Sync").first().waitFor()
    await press(page, "Authorize")
    await page.waitForURL(/callback\?/)
    assert.match(new URL(page.url()).searchParams.get("code") ?? "", /^lkc_/)
    assert.deepEqual(complaints, [])
  },
)

test("UP-2 without script the page between has a link", needsChromium, async () => {
  upstream.idToken = {}
  const page = await chromium.page({ ...secure, javaScriptEnabled: false })
  await page.goto(`${server.url}/sign-in`)
  await passThrough(page)
  await page.waitForURL(`${server.url}/account`)
})

test("UP-1 a device flow that begins signed out passes through the provider", needsChromium, async () => {
  offer()
  upstream.idToken = {}
  const page = await chromium.page(secure)
  const grant = await startDevice(server, app, { scope: "account:read" })
  await page.goto(`${server.url}/oauth/device?user_code=${grant.userCode}`)
  await passThrough(page)
  await page.getByText(grant.userCode, { exact: true }).waitFor()
  await press(page, "Authorize")
  await page.getByRole("heading", { name: "Your device is connected" }).waitFor()
})

test(
  "UP-11 a step-up after a sign-in at the provider asks for the factor of this service",
  needsChromium,
  async () => {
    offer()
    upstream.idToken = {}
    const tokens = await connect(server, app, "ada")
    const page = await chromium.page(secure)
    await page.goto(`${server.url}/sign-in`)
    await passThrough(page)
    await page.waitForURL(`${server.url}/account`)
    const opened = await send(
      server,
      "/oauth/step-up",
      {},
      { authorization: `Bearer ${tokens.access_token}` },
    )
    await page.goto(`${server.url}/oauth/device?user_code=${started(opened.body).userCode}`)
    await page.getByLabel("Password").fill(PASSWORD)
    await press(page, "Confirm")
    await page.getByRole("heading", { name: "Confirmed" }).waitFor()
  },
)

test(
  "LOGIN-15, LOGIN-16 a step-up is confirmed at the provider, or the page says why not",
  needsChromium,
  async () => {
    offer()
    const tokens = await connect(server, app, "ada")
    const page = await chromium.page(secure)
    const complaints = watched(page)
    upstream.idToken = {}
    await page.goto(`${server.url}/sign-in`)
    await passThrough(page)
    await page.waitForURL(`${server.url}/account`)
    const opened = await send(
      server,
      "/oauth/step-up",
      {},
      { authorization: `Bearer ${tokens.access_token}` },
    )
    await page.goto(`${server.url}/oauth/device?user_code=${started(opened.body).userCode}`)
    await assertGood(page)
    await press(page, "Continue with Work")
    await page.getByRole("button", { name: "Log in at Work" }).click()
    await page.getByRole("heading", { name: "Not confirmed" }).waitFor()
    await page.getByText("Work does not say when you signed in there").waitFor()
    await assertGood(page)
    await page.getByRole("link", { name: "Start again" }).click()
    upstream.idToken = { auth_time: clock.now() }
    await press(page, "Continue with Work")
    await page.getByRole("button", { name: "Log in at Work" }).click()
    await page.getByRole("heading", { name: "Confirmed" }).waitFor()
    assert.deepEqual(complaints, [])
  },
)

test("UP-9, UP-10 an account is connected and disconnected on the security page", needsChromium, async () => {
  offer()
  await server.addAccount("bob")
  upstream.idToken = { sub: "bob-at-work", email: "bob@example.org" }
  const page = await chromium.page(secure)
  const complaints = watched(page)
  await signIn(page, server, "bob")
  await page.goto(`${server.url}/account/security`)
  await page.getByRole("button", { name: "Connect Work" }).click()
  await page.getByRole("button", { name: "Log in at Work" }).click()
  await page.getByText("bob@example.org").waitFor()
  await assertGood(page)
  await page.getByRole("button", { name: "Disconnect Work" }).click()
  await page.getByRole("button", { name: "Connect Work" }).waitFor()
  assert.deepEqual(complaints, [])
})

test(
  "UP-6, UP-7 a refusal and an outage keep the other ways to sign in on the page",
  needsChromium,
  async () => {
    offer()
    upstream.idToken = { sub: "stranger", email: "stranger@example.org" }
    const page = await chromium.page(secure)
    await page.goto(`${server.url}/sign-in`)
    await passThrough(page)
    await page
      .getByText("No account here is connected to this Work account (stranger@example.org).")
      .waitFor()
    await assertGood(page)
    const dead = await ProviderHost.open()
    const { url } = dead
    await dead.close()
    providers.set("corp", providerAt(url))
    await page.goto(`${server.url}/sign-in`)
    await page.getByRole("button", { name: "Continue with Work" }).click()
    await page.getByText("does not answer right now").waitFor()
    await page.getByLabel("Username").fill("ada")
    await page.getByLabel("Password").fill(PASSWORD)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.waitForURL(`${server.url}/account`)
  },
)
