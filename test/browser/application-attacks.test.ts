/** What can go wrong between a product and the service, in a real browser: each case has its page, with one way on. */
import assert from "node:assert/strict"
import { generateKeyPairSync } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { test } from "node:test"
import type { BrowserContext, Page } from "playwright-core"
import type { SignInProvider } from "../../src/model/sign-in/provider.rules.ts"
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

const file = wholeFile()
const clock = testClock()
const product = new Product(() => clock.now())
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
const providers = new Map<string, SignInProvider>()
const { testServer: server, app } = await fixture({
  outgoing: TRUSTED,
  providers,
  clock,
  admins: ["chief"],
  apps: { app: { name: "Notebook Sync", redirectUris: ["http://127.0.0.1/callback"] } },
  span: file,
})

type Answering = "answers" | "holds" | "signs with the key of another product"
/** What the product does, and where it last sent a browser. */
const shop = { does: "answers" as Answering, sent: "" }
const shopServer = createServer((request, response) => {
  const { href } = new URL(request.url ?? "", "http://localhost")
  const signing = shop.does === "signs with the key of another product" ? { key: stranger } : {}
  void product.answer(href, { sub: "u-1", username: "ada" }, signing).then((location) => {
    shop.sent = location
    if (shop.does === "holds") response.setHeader("content-type", "text/html").end("<h1>Paper Shop</h1>")
    else response.writeHead(303, { location }).end()
  })
})
await new Promise<void>((done) => void shopServer.listen(0, "127.0.0.1", done))
file.after(() => shopServer.close())
const at = `http://127.0.0.1:${(shopServer.address() as AddressInfo).port}/oauth-login`
const entry = { url: at, only: true, label: "Paper Shop" }
const offer = (more = {}) => providers.set("shop", product.provider({ ...entry, ...more }))
const site = await openSite(file)
const chromium = new Chromium(file)
const authorization = () =>
  server.url +
  authorizePath(app, newVerifier().challenge, { redirect_uri: `http://127.0.0.1:${site}/callback` })

async function newPage(does: Answering): Promise<Page> {
  clock.advance(3600)
  shop.does = does
  offer()
  return chromium.page()
}

/** Goes to the product and stays there. Returns the URL to which the product would send the browser. */
async function held(page: Page, url: string): Promise<string> {
  await page.goto(url)
  await page.waitForURL(`${at}**`)
  return shop.sent
}

/** Checks the page that leads back, and that its button leads to the consent page. */
async function leadsBack(page: Page, words: RegExp): Promise<void> {
  assert.match(await page.innerText("main"), words)
  assert.deepEqual([...(await flawsOf(page, "back")), ...(await widthsOf(page, "back"))], [])
  assert.equal(await isSignedIn(page.context()), false)
  shop.does = "answers"
  offer()
  await press(page, "Go back to Paper Shop")
  await page.waitForURL(/\/(?:oauth\/authorize|account)/)
}

async function isSignedIn(context: BrowserContext): Promise<boolean> {
  shop.does = "holds"
  const page = await context.newPage()
  await page.goto(`${server.url}/account`)
  const { pathname } = new URL(page.url())
  await page.close()
  return pathname === "/account"
}

test("LOGIN-5, LOGIN-7 an assertion that was stolen works in no other browser", needsChromium, async () => {
  const person = await newPage("holds")
  const sent = await held(person, authorization())
  const thief = await chromium.page()
  await thief.goto(sent)
  await leadsBack(thief, /began in another browser/)
  await person.goto(sent)
  await person.waitForURL(/oauth\/authorize/)
})

test("LOGIN-5, LOGIN-7 an assertion that comes again signs no one in", needsChromium, async () => {
  const page = await newPage("answers")
  await page.goto(authorization())
  await page.waitForURL(/oauth\/authorize/)
  const used = shop.sent
  await page.context().clearCookies({ name: /session/ })
  await page.goto(used)
  await leadsBack(page, /was used before/)
})

test("LOGIN-4, LOGIN-7 another product vouches for no one", needsChromium, async () => {
  const page = await newPage("signs with the key of another product")
  await page.goto(authorization())
  await leadsBack(page, /could not be verified/)
  assert.match(await page.innerText("body"), /Notebook Sync/)
})

test("LOGIN-7 while the keys of the product are away, the page says to wait", needsChromium, async () => {
  const page = await newPage("answers")
  offer({ keys: { kind: "url", jwksUri: "https://127.0.0.1:1/jwks" } })
  await page.goto(authorization())
  await leadsBack(page, /cannot be checked right now/)
})

test("LOGIN-5 each of two tabs comes back to what waited in it", needsChromium, async () => {
  const first = await newPage("holds")
  const ofFirst = await held(first, authorization())
  const second = await first.context().newPage()
  const ofSecond = await held(second, `${server.url}/account/security`)
  await first.goto(ofFirst)
  await first.waitForURL(/oauth\/authorize/)
  await second.goto(ofSecond)
  await second.waitForURL(`${server.url}/account/security`)
})

test("LOGIN-12 a product that is down is not hidden, and comes back", needsChromium, async () => {
  const page = await newPage("answers")
  offer({ url: "http://127.0.0.1:1/" })
  const failed = page.waitForEvent("requestfailed")
  await page.goto(authorization()).catch(() => undefined)
  assert.equal(new URL((await failed).url()).port, "1")
  await page.waitForURL("chrome-error://chromewebdata/")
  offer()
  await page.goto(authorization())
  await page.waitForURL(/oauth\/authorize/)
  assert.match(await page.innerText("body"), /Notebook Sync/)
})
