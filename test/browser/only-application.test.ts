/**
 * Tests an application that is the only way to sign in, in a real browser without JavaScript: the product is a server of
 * its own, with a session of its own.
 */
import assert from "node:assert/strict"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import type { Page } from "playwright-core"
import type { SignInProvider } from "../../src/model/sign-in/provider.rules.ts"
import { startDevice } from "../oauth/device/device.ts"
import { Chromium, needsChromium } from "../support/chromium.ts"
import { testClock } from "../support/clock.ts"
import { authorizePath, newVerifier } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { flawsOf, widthsOf } from "../support/look.ts"
import { TRUSTED } from "../support/oidc.ts"
import { press } from "../support/person.ts"
import { Product } from "../support/product.ts"
import { openSite } from "../support/site.ts"
import { wholeFile } from "../support/spawn.ts"
import { PASSWORD } from "../support/test-server.ts"

const file = wholeFile()
const clock = testClock()
const product = new Product(() => clock.now())
const providers = new Map<string, SignInProvider>()
const { testServer: server, app } = await fixture({
  outgoing: TRUSTED,
  providers,
  clock,
  admins: ["chief"],
  apps: { app: { name: "Notebook Sync", redirectUris: ["http://127.0.0.1/callback"] } },
  span: file,
})

/** The person who is signed in at the product, or null. */
const session: { of: string | null; cancels: boolean } = { of: null, cancels: false }
const shop = createServer((request, response) => {
  const url = new URL(request.url ?? "", "http://localhost")
  const name = session.of
  if (session.cancels) {
    const { searchParams } = url
    const [at, challenge] = [searchParams.get("return_to"), searchParams.get("challenge")]
    const query = new URLSearchParams({ error: "access_denied", challenge: challenge ?? "" })
    return void response.writeHead(303, { location: `${at ?? ""}?${query.toString()}` }).end()
  }
  if (name === null) {
    response.setHeader("content-type", "text/html")
    return void response.end("<!doctype html><title>Shop</title><h1>Log in to the shop</h1>")
  }
  void product.answer(url.href, { sub: name, username: name }).then((location) => {
    response.writeHead(303, { location }).end()
  })
})
await new Promise<void>((done) => void shop.listen(0, "127.0.0.1", done))
file.after(() => shop.close())
const at = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/oauth-login`
providers.set("shop", product.provider({ url: at, only: true, label: "Paper Shop" }))
const site = await openSite(file)
const chromium = new Chromium(file)
const open = (page: Page, path: string) => page.goto(server.url + path)
const headingOf = (page: Page) => page.getByRole("heading", { level: 1 }).innerText()
const authorization = () =>
  authorizePath(app, newVerifier().challenge, { redirect_uri: `http://127.0.0.1:${site}/callback` })

test(
  "LOGIN-12, LOGIN-10 people see the product and the consent page, and after the minutes only what the product says",
  needsChromium,
  async () => {
    session.of = "ada"
    const page = await chromium.page({ javaScriptEnabled: false })
    await open(page, authorization())
    await page.waitForURL(/oauth\/authorize/)
    assert.match(await headingOf(page), /Notebook Sync/)
    assert.match(await page.innerText("body"), /ada/)
    const second = await page.context().newPage()
    await open(second, "/account")
    assert.equal(new URL(second.url()).pathname, "/account")

    session.of = null
    clock.advance(601)
    await press(page, "Authorize")
    assert.equal(await headingOf(page), "Start again")
    assert.match(await page.innerText("body"), /Nothing was changed/)
    await page.getByRole("link", { name: "Start again" }).click()
    await page.waitForURL(`${at}**`)
    assert.equal(await headingOf(page), "Log in to the shop")
    await open(second, "/account")
    await second.waitForURL(`${at}**`)
    // Another person signs in at the product.
    session.of = "bob"
    await page.reload()
    await page.waitForURL(/oauth\/authorize/)
    assert.match(await page.innerText("body"), /bob/)
    assert.doesNotMatch(await page.innerText("body"), /ada/)
  },
)

test("LOGIN-10 a device page comes back from the product with its code", needsChromium, async () => {
  session.of = "ada"
  const { userCode } = await startDevice(server, app)
  const page = await chromium.page({ javaScriptEnabled: false })
  await open(page, `/oauth/device?user_code=${userCode}`)
  await page.waitForURL(/oauth\/device/)
  assert.match(await headingOf(page), /Notebook Sync/)
})

test(
  "LOGIN-12 a person who cancels is back at the app, which gets access_denied",
  needsChromium,
  async () => {
    const denied = (url: URL) =>
      url.pathname === "/callback" && url.searchParams.get("error") === "access_denied"
    session.cancels = true
    const page = await chromium.page()
    await open(page, authorization())
    await page.waitForURL(denied)
    session.cancels = false
    session.of = "chief"
    await open(page, authorization())
    await page.waitForURL(/with\/shop\/callback/)
    assert.equal(await headingOf(page), "Choose a username")
    assert.deepEqual([...(await flawsOf(page, "name")), ...(await widthsOf(page, "name"))], [])
    await press(page, "Cancel")
    await page.waitForURL(denied)
  },
)

test(
  "LOGIN-14, LOGIN-13 administrators sign in without the product, and their form looks right",
  needsChromium,
  async () => {
    session.of = null
    providers.set("shop", product.provider({ url: "http://127.0.0.1:1/", only: true, label: "Paper Shop" }))
    for (const path of ["/sign-in?with=password", "/console"]) {
      const page = await chromium.page()
      await open(page, path)
      assert.match(await page.innerText("body"), /This form is for administrators/)
      assert.deepEqual([...(await flawsOf(page, path)), ...(await widthsOf(page, path))], [])
      await page.getByLabel("Username").fill("chief")
      await page.getByLabel("Password").fill(PASSWORD)
      await press(page, "Sign in")
      assert.match(new URL(page.url()).pathname, /^\/(?:account|console)$/)
    }
  },
)
