/**
 * Drives the examples of products with a login of their own as a person does: in a real browser, from an MCP client that
 * knows one URL, through the login of the product and the consent page, to a tool call. Attacks are in
 * test/accounts/providers/application.
 */
import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { type ApplicationProvider, NO_TRUST } from "../../src/model/sign-in/provider.rules.ts"
import { Chromium } from "../support/chromium.ts"
import { type TestClock, testClock } from "../support/clock.ts"
import { own, send } from "../support/connect.ts"
import { untilInEffect } from "../kit/in-effect.ts"
import { freePort } from "../support/free-port.ts"
import { press } from "../support/person.ts"
import { openSite } from "../support/site.ts"
import { newDirectory, wholeFile } from "../support/spawn.ts"
import { type TestApp, TestServer } from "../support/test-server.ts"
import { launch, type ProductExample, productExamples, type ToolClient, type Visit } from "./products.ts"

const SESSION_SECONDS = 600
const OWN_PATHS = ["/", "/connect?challenge=a%2Fb&return_to=https%3A%2F%2Fid.example%2F", "/%5cevil.example/"]
/** No paths, and paths that a browser or `http.Redirect` of Go could read as another site. */
const ELSEWHERE = [
  "",
  "evil.example",
  "https://evil.example/",
  "//evil.example/",
  "///evil.example/",
  "/\\evil.example/",
  "\\/evil.example/",
  "/x/..//evil.example/",
  "/x/../\\evil.example/",
  "/x\\..\\/evil.example/",
  ...["\t", "\n", "\r", "\0", "\x7f", "\x85"].flatMap((sign) => [`/${sign}/evil.example/`, `/x${sign}`]),
]
const file = wholeFile()
/** The redirect URI of the clients, at which something answers the browser. */
const CALLBACK = "127.0.0.1:43111"
const chromium = new Chromium(file, { [CALLBACK]: await openSite(file) })

for (const example of productExamples) describe(example.name, example.needs, () => connects(example))

function connects({ name, product, mcp, environment, connect }: ProductExample): void {
  const providers = new Map<string, ApplicationProvider>()
  let service: TestServer
  let manager: TestApp
  let productUrl: string
  let mcpUrl: URL
  /** The browser of ada, and the app that she connected first. */
  let ada: Page
  let connected: ToolClient
  let ben: Page
  let connectedByBen: ToolClient

  before(async () => {
    const secret = randomBytes(48).toString("base64")
    const secretFile = join(newDirectory(file), "notebook.secret")
    writeFileSync(secretFile, `${secret}\n`)
    const port = await freePort()
    service = await TestServer.open({ clock: runningClock(), providers, permissions: PERMISSIONS })
    await service.addAccount("root", true)
    await service.addServiceAccount("notebook")
    manager = await service.addBoundApp("notebook", { permissions: ["account:read"] })
    providers.set("notebook", notebook(`http://localhost:${port}/connect`, secret, manager.clientId))
    await service.set("registration.open", "on")
    await service.set("rate_limit.oauth_anonymous", "off")
    const resourceServer = {
      type: "confidential",
      resourceServer: true,
      redirectUris: [],
      permissions: [],
    } as const
    const { clientId, secret: clientSecret } = await service.addApp(resourceServer)
    const shared = { ...environment, LATCHKEY_ISSUER: service.url }
    productUrl = await launch(file, product(file), { ...shared, LATCHKEY_SECRET_FILE: secretFile }, port)
    const credentials = { LATCHKEY_CLIENT_ID: clientId, LATCHKEY_CLIENT_SECRET: clientSecret ?? "" }
    mcpUrl = new URL("/mcp", await launch(file, mcp(file), { ...shared, ...credentials }))
  })
  after(() => service.close())

  test(`LOGIN-29 ${name}: from one URL through the login of the product and our consent to a tool call`, async () => {
    ada = await chromium.page()
    connected = await connectIn(async (address) => {
      await ada.goto(address.href)
      await ada.waitForURL(`${productUrl}/login?**`)
      await signInAs(ada, "ada")
      return consent(ada, "ada")
    })
    assert.deepEqual(await connected.call("add_note", { text: "milk" }), { username: "ada", notes: ["milk"] })
  })

  test(`LOGIN-31 ${name}: from its login the product leads to a path of its own and nowhere else`, async () => {
    const formWith = async (next: string) =>
      (await fetch(`${productUrl}/login?${new URLSearchParams({ next }).toString()}`)).text()
    const afterLogin = async (next: string) => {
      const body = new URLSearchParams({ email: "ada@notebook.example", password: "password of ada", next })
      const response = await fetch(`${productUrl}/login`, { method: "POST", body, redirect: "manual" })
      assert.equal(response.status, 303)
      return response.headers.get("location")
    }
    for (const next of OWN_PATHS) assert.equal(await afterLogin(next), next)
    assert.equal(await afterLogin("/x/../\\evil.example/"), "/")
    // A form costs no hash of a password.
    assert.match(await formWith("/connect"), /name="next" value="\/connect"/)
    for (const next of ELSEWHERE)
      assert.match(await formWith(next), /name="next" value="\/"/, JSON.stringify(next))
  })

  test(`LOGIN-29 ${name}: a person who is signed in there sees only the consent page`, async () => {
    ben = await chromium.page()
    await ben.goto(`${productUrl}/login`)
    await signInAs(ben, "ben")
    connectedByBen = await connectIn(async (address) => {
      await ben.goto(address.href)
      return consent(ben, "ben")
    })
    assert.deepEqual(await connectedByBen.call("list_notes"), { username: "ben", notes: [] })
  })

  test(`LOGIN-29 ${name}: the product removes the account of a user whom it deletes, and his apps are disconnected`, async () => {
    await ben.goto(productUrl)
    await ben.getByRole("button", { name: "Delete my account" }).click()
    await ben.getByRole("heading", { name: "Sign in to Notebook" }).waitFor()
    await signInAs(ben, "ben")
    await ben.getByText("E-mail address or password is wrong.").waitFor()
    assert.deepEqual(await connectedByBen.call("list_notes"), { username: "ben", notes: [] })
    const token = await connectedByBen.accessToken()
    const settings = await settingsOf()
    const account = (await itemsAt(settings, "accounts?provider=notebook&subject=4712"))[0]?.["user_id"]
    assert.equal((await itemsAt(settings, `credentials?user_id=${String(account)}`)).length, 1)
    assert.equal((await admin(settings, `accounts/${String(account)}`, "DELETE")).status, 204)
    const headers = { authorization: `Bearer ${token}` }
    await untilInEffect(
      async () => (await fetch(mcpUrl, { method: "POST", headers })).status === 401,
      "the MCP server refuses the token",
    )
    assert.equal((await admin(settings, "accounts?provider=notebook&subject=4712")).status, 404)
  })

  test(`LOGIN-29 ${name}: a name that changed there is changed here with the next arrival`, async () => {
    await ada.goto(`${service.url}/account/security`)
    await ada.getByText(/\bAda\b/).waitFor()
    await ada.goto(productUrl)
    await ada.getByLabel("Your name").fill("Countess")
    await ada.getByRole("button", { name: "Save" }).click()
    await ada.getByRole("heading", { name: "Hello, Countess" }).waitFor()
    // Without our session, the next page begins with an arrival.
    await ada.context().clearCookies({ name: /^(?!notebook$)/ })
    await ada.goto(`${service.url}/account/security`)
    await ada.getByText(/\bCountess\b/).waitFor()
    assert.deepEqual(await connected.call("list_notes"), { username: "ada", notes: ["milk"] })
  })

  test(`LOGIN-29 ${name}: a person who signed out there is asked there, as soon as the session must be renewed`, async () => {
    await ada.goto(productUrl)
    await ada.getByRole("button", { name: "Sign out" }).click()
    await ada.getByRole("heading", { name: "Sign in to Notebook" }).waitFor()
    service.clock.advance(SESSION_SECONDS + 1)
    await ada.goto(`${service.url}/account`)
    await ada.waitForURL(`${productUrl}/login?**`)
    await ada.getByRole("heading", { name: "Sign in to Notebook" }).waitFor()
    assert.deepEqual(await connected.call("list_notes"), { username: "ada", notes: ["milk"] })
  })

  /** Returns a token of the app that the entry of the product names. */
  async function settingsOf(): Promise<string> {
    const answer = await send(service, "/oauth/token", { ...own(manager), grant_type: "client_credentials" })
    return String(answer.body["access_token"])
  }

  const admin = (token: string, path: string, method = "GET") =>
    fetch(`${service.url}/api/admin/${path}`, { method, headers: { authorization: `Bearer ${token}` } })

  async function itemsAt(token: string, path: string): Promise<readonly Record<string, unknown>[]> {
    return ((await (await admin(token, path)).json()) as { items: Record<string, unknown>[] }).items
  }

  const connectIn = (visit: Visit) => connect(file, mcpUrl, visit)

  /** Fills in the form of the product. */
  async function signInAs(page: Page, user: string): Promise<void> {
    await page.getByLabel("E-mail").fill(`${user}@notebook.example`)
    await page.getByLabel("Password").fill(`password of ${user}`)
    await page.getByRole("button", { name: "Sign in" }).click()
  }

  /** Consents on our page, which names the account. Returns where the client's code is. */
  async function consent(page: Page, username: string): Promise<URL> {
    await page.getByRole("button", { name: "Authorize" }).waitFor()
    assert.equal(new URL(page.url()).origin, service.url)
    assert.match(await page.locator("main").innerText(), new RegExp(`\\b${username}\\b`))
    await press(page, "Authorize")
    await page.waitForURL(`http://${CALLBACK}/callback?**`)
    return new URL(page.url())
  }
}

const PERMISSIONS = {
  "notes:read": { title: "Read your notes" },
  "notes:write": { title: "Write and delete your notes", implies: ["notes:read"] },
}

function notebook(url: string, secret: string, manager: string): ApplicationProvider {
  return {
    name: "notebook",
    preset: "application",
    issuer: "notebook",
    url,
    label: "Notebook",
    keys: { kind: "secret", secret: Buffer.from(secret) },
    only: true,
    sessionSeconds: SESSION_SECONDS,
    createAccounts: { domains: [], claim: null },
    usernameClaim: null,
    groups: null,
    manager,
    ...NO_TRUST,
  }
}

/** The time of this machine, because the products sign with it. The test can move it ahead. */
function runningClock(): TestClock {
  const moved = testClock(0)
  const now = () => Math.floor(Date.now() / 1000) + moved.now()
  return { ...moved, now, monotonic: () => performance.now() + moved.monotonic() }
}
