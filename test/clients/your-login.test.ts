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
import type { ApplicationProvider } from "../../src/model/sign-in/provider.rules.ts"
import { Chromium } from "../support/chromium.ts"
import { type TestClock, testClock } from "../support/clock.ts"
import { freePort } from "../support/free-port.ts"
import { press } from "../support/person.ts"
import { newDirectory, wholeFile } from "../support/spawn.ts"
import { TestServer } from "../support/test-server.ts"
import { launch, type ProductExample, productExamples, type ToolClient, type Visit } from "./products.ts"

const SESSION_SECONDS = 600
const file = wholeFile()
const chromium = new Chromium(file)

for (const example of productExamples) describe(example.name, example.needs, () => connects(example))

function connects({ name, product, mcp, environment, connect }: ProductExample): void {
  const providers = new Map<string, ApplicationProvider>()
  let service: TestServer
  let productUrl: string
  let mcpUrl: URL
  /** The browser of ada, and the app that she connected first. */
  let ada: Page
  let connected: ToolClient

  before(async () => {
    const secret = randomBytes(48).toString("base64")
    const secretFile = join(newDirectory(file), "notebook.secret")
    writeFileSync(secretFile, `${secret}\n`)
    const port = await freePort()
    providers.set("notebook", notebook(`http://localhost:${port}/connect`, secret))
    service = await TestServer.open({ clock: runningClock(), providers, permissions: PERMISSIONS })
    await service.addAccount("root", true)
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

  test(`LOGIN-29 ${name}: a person who is signed in there sees only the consent page`, async () => {
    const another = await chromium.page()
    await another.goto(`${productUrl}/login`)
    await signInAs(another, "ben")
    const client = await connectIn(async (address) => {
      await another.goto(address.href)
      return consent(another, "ben")
    })
    assert.deepEqual(await client.call("list_notes"), { username: "ben", notes: [] })
    await client.close()
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
    const back = page.waitForRequest(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/)
    await press(page, "Authorize")
    return new URL((await back).url())
  }
}

const PERMISSIONS = {
  "notes:read": { title: "Read your notes" },
  "notes:write": { title: "Write and delete your notes", implies: ["notes:read"] },
}

function notebook(url: string, secret: string): ApplicationProvider {
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
    manager: null,
  }
}

/** The time of this machine, because the products sign with it. The test can move it ahead. */
function runningClock(): TestClock {
  const moved = testClock(0)
  const now = () => Math.floor(Date.now() / 1000) + moved.now()
  return { ...moved, now, monotonic: () => performance.now() + moved.monotonic() }
}
