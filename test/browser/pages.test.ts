/**
 * Tests every page of the running service in a real browser. axe must find nothing, and no page may be wider than a
 * small phone. A page may not violate its policy, log to the console or send a request to another host.
 *
 * LATCHKEY_SCREENSHOTS=DIR stores a picture of each page, at 360 and 1280 px, light and dark.
 */
import { before, test } from "node:test"
import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { Chromium, needsChromium } from "../support/chromium.ts"
import { fixture } from "../support/fixture.ts"
import { flawsOf, isLookedAt, widthsOf } from "../support/look.ts"
import { wholeFile } from "../support/spawn.ts"
import { tour } from "./tour.ts"

const file = wholeFile()
/** The faults that were found on each page. There should be no faults. */
const found = {
  axe: [] as string[],
  tooWide: [] as string[],
  complaints: [] as string[],
  elsewhere: [] as string[],
}
let seen = 0

before(async () => {
  if ("skip" in needsChromium) return
  const { testServer } = await fixture({ span: file })
  const chromium = new Chromium(file)
  chromium.onPage((page) => listen(page, testServer.url))
  for (const stop of await tour(testServer, chromium)) {
    const page = await stop.visit()
    await lookAt(page, stop.name)
    seen++
  }
})

test("Every page is come upon", needsChromium, () => assert.ok(seen >= 47, `${seen} pages were seen`))

if (isLookedAt)
  test("axe finds nothing on any page, in light and dark, on a phone and on a desk", needsChromium, () =>
    assert.deepEqual(found.axe, []),
  )

if (isLookedAt)
  test("No page is wider than a window of 320 or 360 pixels", needsChromium, () =>
    assert.deepEqual(found.tooWide, []),
  )

test("No page breaks its own content policy or says anything on the console", needsChromium, () =>
  assert.deepEqual(found.complaints, []),
)

test("SVC-11: no page asks anything of another origin", needsChromium, () =>
  assert.deepEqual(found.elsewhere, []),
)

if (isLookedAt)
  test("The tests above can fail: a page with a flaw of each kind is found out", needsChromium, async () => {
    const chromium = new Chromium(file)
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
    for (const look of ["flawed-360-light", "flawed-1280-dark"])
      assert.ok(found.axe.some((line) => line.startsWith(`${look}:`)))
  })

async function lookAt(page: Page, name: string): Promise<void> {
  found.axe.push(...(await flawsOf(page, name)))
  found.tooWide.push(...(await widthsOf(page, name)))
}

/**
 * Chromium reports a violation of the policy on the console. It also reports a page with status 4xx, and a focus that a
 * person set first. Neither of these is a violation.
 */
function listen(page: Page, origin: string): void {
  const notes = [
    "Failed to load resource: the server responded with a status of 4",
    "Autofocus processing was blocked",
  ]
  page.on("console", (message) => {
    if (!notes.some((note) => message.text().startsWith(note)))
      found.complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on("pageerror", (error) => found.complaints.push(`${page.url()}: ${error.message}`))
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:"))
      found.elsewhere.push(`${page.url()}: ${url}`)
  })
}
