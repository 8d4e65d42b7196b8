/**
 * Every page of the running service in a real browser: nothing that axe finds, nothing wider than a small phone, no
 * breach of the page's own policy, no word on the console and no request to anywhere else.
 *
 * LATCHKEY_SCREENSHOTS=DIR keeps a picture of each page, at 360 and 1280 px, light and dark.
 */
import { before, test } from "node:test"
import assert from "node:assert/strict"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "playwright-core"
import { Chromium, needsChromium } from "../support/chromium.ts"
import { ENGINE } from "../support/database.ts"
import { House } from "../support/house.ts"
import { wholeFile } from "../support/spawn.ts"
import { tour } from "./tour.ts"

const file = wholeFile()
const pictures = process.env["LATCHKEY_SCREENSHOTS"]
/** How a page looks does not depend on the database: on the second engine one look is enough. */
const looks = [360, 1280]
  .flatMap((width) => (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })))
  .slice(0, ENGINE === "postgres" ? 1 : undefined)

/** What was found on the way, page by page; all of it should be nothing. */
const found = {
  axe: [] as string[],
  tooWide: [] as string[],
  complaints: [] as string[],
  elsewhere: [] as string[],
}
let seen = 0

before(async () => {
  if ("skip" in needsChromium) return
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
  const house = await House.open()
  file.after(() => house.close())
  const chromium = await Chromium.open(file)
  chromium.onPage((page) => listen(page, house.url))
  for (const stop of await tour(house, chromium)) {
    const page = await stop.visit()
    await lookAt(page, stop.name)
    seen++
  }
})

test("Every page is come upon", needsChromium, () => assert.ok(seen >= 47, `${seen} pages were seen`))

test("axe finds nothing on any page, in light and dark, on a phone and on a desk", needsChromium, () =>
  assert.deepEqual(found.axe, []),
)

test("No page is wider than a window of 320 or 360 pixels", needsChromium, () =>
  assert.deepEqual(found.tooWide, []),
)

test("No page breaks its own content policy or says anything on the console", needsChromium, () =>
  assert.deepEqual(found.complaints, []),
)

test("SVC-11: no page asks anything of another origin", needsChromium, () =>
  assert.deepEqual(found.elsewhere, []),
)

test("The tests above can fail: a page with a flaw of each kind is found out", needsChromium, async () => {
  const chromium = await Chromium.open(file)
  const page = await chromium.page()
  const earlier = structuredClone(found)
  listen(page, "http://localhost:1")
  await page.route("**/*", (route) =>
    route.fulfill({
      headers: { "content-type": "text/html", "content-security-policy": "default-src 'none'; img-src *" },
      body: `<p style="color: red">x</p><img src="http://127.0.0.1:2/"><input><pre>${"wide ".repeat(200)}</pre>`,
    }),
  )
  await page.goto("http://localhost:1/")
  await lookAt(page, "flawed")
  const more = Object.entries(found).filter(
    ([kind, list]) => list.length > earlier[kind as keyof typeof found].length,
  )
  assert.deepEqual(
    more.map(([kind]) => kind),
    Object.keys(found),
  )
  for (const { width, colorScheme } of looks)
    assert.ok(found.axe.some((line) => line.startsWith(`flawed-${width}-${colorScheme}:`)))
})

async function lookAt(page: Page, name: string): Promise<void> {
  for (const [at, { width, colorScheme }] of looks.entries()) {
    const look = `${name}-${width}-${colorScheme}`
    await page.setViewportSize({ width, height: 720 })
    await page.emulateMedia({ colorScheme })
    const violations = at === 0 ? await firstAxe(page) : await axeAgain(page)
    for (const { id, nodes } of violations)
      found.axe.push(`${look}: ${id} ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${look}.png`), fullPage: true })
  }
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 720 })
    const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
    if (over > 0) found.tooWide.push(`${name} at ${width}: ${over} pixels`)
  }
}

type Violations = Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"]

async function firstAxe(page: Page): Promise<Violations> {
  return (await new AxeBuilder({ page }).setLegacyMode().analyze()).violations
}

/** Reading axe into a page takes longer than running it, and it is there already. */
function axeAgain(page: Page): Promise<Violations> {
  return page.evaluate(`axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`)
}

/** Chromium reports a breach of the policy on the console. A page that answers 4xx is noted there, too; that is none. */
function listen(page: Page, origin: string): void {
  page.on("console", (message) => {
    if (!message.text().startsWith("Failed to load resource: the server responded with a status of 4"))
      found.complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on("pageerror", (error) => found.complaints.push(`${page.url()}: ${error.message}`))
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:"))
      found.elsewhere.push(`${page.url()}: ${url}`)
  })
}
