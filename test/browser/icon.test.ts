/** Tests icons and monograms as a browser shows them. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { BrowserContextOptions, Page, Route } from "playwright-core"
import { setIcon } from "../../src/apps/icon/icon.ts"
import { updateApp } from "../../src/apps/app.ts"
import { Chromium, needsChromium, signIn, untilTrue } from "../support/chromium.ts"
import { authorizePath, newVerifier } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import type { TestApp } from "../support/test-server.ts"
import { png } from "../support/picture.ts"
import { wholeFile } from "../support/spawn.ts"
import { OPERATOR } from "../support/test-server.ts"

const file = wholeFile()

const { testServer, app } = await fixture({
  accounts: ["alice"],
  apps: { app: { name: "Notebook Sync", verified: true } },
  span: file,
})
assert.ok((await setIcon(testServer.latchkey, app.clientId, png(90, 60), OPERATOR)).ok)
const chromium = new Chromium(file)

type Seen = { readonly page: Page; readonly asked: string[]; readonly complaints: string[] }

async function consentPage(of: TestApp, options: BrowserContextOptions = {}): Promise<Seen> {
  const page = await chromium.page(options)
  const seen: Seen = { page, asked: [], complaints: [] }
  page.on("request", (request) => seen.asked.push(new URL(request.url()).origin))
  page.on("console", (message) => {
    // Chromium logs this if a field has the focus before the page sets it.
    if (!message.text().startsWith("Autofocus processing was blocked")) seen.complaints.push(message.text())
  })
  await signIn(page, testServer, "alice")
  await page.goto(testServer.url + authorizePath(of, newVerifier().challenge))
  await page.getByRole("heading", { name: /wants to use your account/ }).waitFor()
  return seen
}

test(
  "ICON-1, SVC-11: the consent page of a verified app shows its icon, from this service alone",
  needsChromium,
  async () => {
    const { page, asked, complaints } = await consentPage(app)
    const icon = page.locator(".tile img")
    await untilTrue(page, "document.querySelector('.tile img').complete")
    assert.equal(await page.evaluate<number>("document.querySelector('.tile img').naturalWidth"), 256)
    assert.equal((await icon.boundingBox())?.width, 64)
    assert.deepEqual([...new Set(asked)], [testServer.url])
    assert.deepEqual(complaints, [])
  },
)

const failures: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  "404": (route) => route.fulfill({ status: 404, contentType: "application/json", body: "{}" }),
  "500": (route) => route.fulfill({ status: 500, body: "" }),
  "a page in place of a picture": (route) => route.fulfill({ contentType: "text/html", body: "<p>x" }),
  "half a picture": (route) => route.fulfill({ contentType: "image/png", body: png(90, 60).subarray(0, 20) }),
  "nothing, because it is blocked": (route) => route.abort("blockedbyclient"),
}
const looks = [
  { viewport: { width: 360, height: 740 }, colorScheme: "light" },
  { viewport: { width: 360, height: 740 }, colorScheme: "dark" },
  { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
] as const

for (const look of looks) {
  const title = `${look.viewport.width} pixels wide, ${look.colorScheme}`
  test(`ICON-3: an icon that fails to load leaves the monogram, ${title}`, needsChromium, async () => {
    const { page } = await consentPage(app, look)
    const tile = page.locator(".tile.layered")
    const settled = () => untilTrue(page, "document.querySelector('.tile img').complete")
    await settled()
    const icon = await tile.screenshot()
    await page.evaluate("document.querySelector('.tile img').remove()")
    const monogram = await tile.screenshot()
    assert.notDeepEqual(icon, monogram)
    for (const [answer, fail] of Object.entries(failures)) {
      await page.route("**/icon", fail)
      await page.reload()
      await settled()
      assert.deepEqual(await tile.screenshot(), monogram, answer)
      await page.unroute("**/icon")
    }
    await page.reload()
    await settled()
    assert.deepEqual(await tile.screenshot(), icon)
  })
}

test("ICON-2, SVC-12: any other app has a monogram, and no icon is asked for", needsChromium, async () => {
  const unverified = await testServer.addApp({ name: "Notebook Sync" })
  assert.ok((await setIcon(testServer.latchkey, unverified.clientId, png(90, 60), OPERATOR)).ok)
  const { page } = await consentPage(unverified)
  assert.equal(await page.locator("img").count(), 0)
  assert.equal(
    await page
      .locator("svg.tile")
      .textContent()
      .then((text) => text?.trim()),
    "NS",
  )
})

test("ICON-2: an app that is not vouched for any more loses its icon at once", needsChromium, async () => {
  const { page } = await consentPage(app)
  await page.locator(".tile img").waitFor()
  await updateApp(testServer.latchkey, app.clientId, { verified: false }, OPERATOR)
  await page.reload()
  assert.equal(await page.locator("img").count(), 0)
  await page.locator("svg.tile").waitFor()
  const icon = await page.request.get(`${testServer.url}/oauth/apps/${app.clientId}/icon`)
  assert.equal(icon.status(), 404)
})
