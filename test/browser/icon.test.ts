/** Icons and monograms as a browser shows them. */
import { before, test } from "node:test"
import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { setIcon } from "../../src/service/icon.ts"
import { updateApp } from "../../src/service/app.ts"
import { Chromium, needsChromium, signIn, untilTrue } from "../support/chromium.ts"
import { authorizePath, newVerifier } from "../support/connect.ts"
import { House, type TestApp } from "../support/house.ts"
import { png } from "../support/picture.ts"
import { wholeFile } from "../support/spawn.ts"

const file = wholeFile()
const from = { address: null }
let house: House
let chromium: Chromium
let app: TestApp

before(async () => {
  if ("skip" in needsChromium) return
  house = await House.open()
  file.after(() => house.close())
  await house.addAccount("alice")
  app = await house.addApp({ name: "Notebook Sync", verified: true })
  assert.ok((await setIcon(house.latchkey, app.clientId, png(90, 60), from)).ok)
  chromium = await Chromium.open(file)
})

type Seen = { readonly page: Page; readonly asked: string[]; readonly complaints: string[] }

async function consentPage(of: TestApp): Promise<Seen> {
  const page = await chromium.page()
  const seen: Seen = { page, asked: [], complaints: [] }
  page.on("request", (request) => seen.asked.push(new URL(request.url()).origin))
  page.on("console", (message) => {
    // Noted where somebody is in a field before the page has put the focus into it.
    if (!message.text().startsWith("Autofocus processing was blocked")) seen.complaints.push(message.text())
  })
  await signIn(page, house, "alice")
  await page.goto(house.url + authorizePath(of, newVerifier().challenge))
  await page.getByRole("heading", { name: /wants to use your account/ }).waitFor()
  return seen
}

test(
  "ICON-1, SVC-11: the consent page of a verified app shows its icon, from this service alone",
  needsChromium,
  async () => {
    const { page, asked, complaints } = await consentPage(app)
    const icon = page.locator("img.tile")
    await untilTrue(page, "document.querySelector('img.tile').complete")
    assert.equal(await page.evaluate<number>("document.querySelector('img.tile').naturalWidth"), 256)
    assert.equal((await icon.boundingBox())?.width, 64)
    assert.equal(await page.locator("svg.tile").count(), 0)
    assert.deepEqual([...new Set(asked)], [house.url])
    assert.deepEqual(complaints, [])
  },
)

test("ICON-2, SVC-12: any other app has a monogram, and no icon is asked for", needsChromium, async () => {
  const unverified = await house.addApp({ name: "Notebook Sync" })
  assert.ok((await setIcon(house.latchkey, unverified.clientId, png(90, 60), from)).ok)
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
  await page.locator("img.tile").waitFor()
  await updateApp(house.latchkey, app.clientId, { verified: false }, from)
  await page.reload()
  assert.equal(await page.locator("img").count(), 0)
  await page.locator("svg.tile").waitFor()
  const icon = await page.request.get(`${house.url}/oauth/apps/${app.clientId}/icon`)
  assert.equal(icon.status(), 404)
})
