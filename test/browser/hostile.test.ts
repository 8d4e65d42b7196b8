/** Tests malicious names, and pages that try to frame the service's own pages. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { Chromium, needsChromium, signIn } from "../support/chromium.ts"
import { authorizePath, newVerifier } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import type { TestApp } from "../support/test-server.ts"
import { openSite } from "../support/site.ts"
import { wholeFile } from "../support/spawn.ts"

const MARKUP = `<script>document.title = "run"</script><img src=x onerror=alert(1)>"'&lt;b&gt;`

const file = wholeFile()

const { testServer } = await fixture({ accounts: ["alice"], span: file })
const chromium = new Chromium(file)

test(
  "CLIENT-4, SVC-10: an app named like markup is shown by its letters, and nothing of it runs",
  needsChromium,
  async () => {
    const app = await testServer.addApp({ name: MARKUP, redirectUris: ["https://app.example/callback"] })
    const page = await chromium.page()
    const harm: string[] = []
    page.on("dialog", (dialog) => {
      harm.push(dialog.message())
      void dialog.dismiss()
    })
    await page.goto(authorizeAddress(app))
    await page.getByRole("heading", { name: `Sign in to continue to ${MARKUP}` }).waitFor()
    await expectNoMarkup(page)
    await signIn(page, testServer, "alice")
    await page.goto(authorizeAddress(app, { installation_name: MARKUP }))
    await page.getByRole("heading", { name: `${MARKUP} wants to use your account` }).waitFor()
    await page.getByText(MARKUP, { exact: true }).last().waitFor()
    await expectNoMarkup(page)
    assert.deepEqual(harm, [])
  },
)

test(
  "CLIENT-4: a name with letters that cannot be seen, or that turn the reading direction, is not registered",
  needsChromium,
  async () => {
    for (const name of [
      "pay\u202Elap",
      "Paper\u200Bclip",
      "Paper\u0000clip",
      "\u3164",
      "Paper\u2066clip",
      "  ",
    ])
      await assert.rejects(testServer.addApp({ name }), /The name of an app/, JSON.stringify(name))
  },
)

test("AUTHZ-8: such a label goes back to the app as an error and is not shown", needsChromium, async () => {
  const port = await openSite(file)
  const app = await testServer.addApp({ redirectUris: ["http://127.0.0.1/callback"] })
  const page = await chromium.page()
  const redirect_uri = `http://127.0.0.1:${port}/callback`
  await page.goto(authorizeAddress(app, { redirect_uri, installation_name: "Alice\u202E’s laptop" }))
  assert.equal(new URL(page.url()).searchParams.get("error"), "invalid_request")
})

test(
  "CLIENT-4: a name that is written from right to left changes nothing of what stands around it",
  needsChromium,
  async () => {
    const app = await testServer.addApp({ name: "דפדפן הקבצים" })
    const page = await chromium.page()
    await signIn(page, testServer, "alice")
    await page.goto(authorizeAddress(app, { installation_name: "מחשב נייד" }))
    const heading = page.getByRole("heading", { level: 1 })
    assert.match(await heading.innerText(), /wants to use your account$/)
    const name = await heading.locator("bdi").boundingBox()
    const rest = await heading.boundingBox()
    assert.ok(name !== null && rest !== null && name.x <= rest.x + 1, "the name does not begin the line")
  },
)

test("CONSENT-1: no page of the service shows in a frame of another site", needsChromium, async () => {
  const app = await testServer.addApp({})
  const addresses = [
    `${testServer.url}/sign-in`,
    authorizeAddress(app),
    `${testServer.url}/setup?link=x`,
    `${testServer.url}/account`,
  ]
  const frames = addresses.map((address) => `<iframe src="${address.replaceAll("&", "&amp;")}"></iframe>`)
  const harmless = await openSite(file)
  const port = await openSite(file, {
    "/": `<title>Framing</title>${frames.join("")}<iframe src="http://127.0.0.1:${harmless}/"></iframe>`,
  })
  for (const isSignedIn of [false, true]) {
    const page = await chromium.page()
    if (isSignedIn) await signIn(page, testServer, "alice")
    await page.goto(`http://localhost:${port}/`)
    const shown = page.frames().slice(1)
    assert.equal(shown.length, addresses.length + 1)
    const texts = await Promise.all(shown.map((frame) => frame.locator("body").innerText()))
    // The last page may be framed. This shows that the texts are read correctly.
    assert.match(texts.pop() ?? "", /Arrived/)
    for (const text of texts) assert.doesNotMatch(text, /Sign in|Latchkey|alice|Authorize/)
    assert.ok(shown.slice(0, -1).every((frame) => frame.url().startsWith("chrome-error:")))
  }
})

function authorizeAddress(app: TestApp, more: Record<string, string> = {}): string {
  return testServer.url + authorizePath(app, newVerifier().challenge, more)
}

async function expectNoMarkup(page: Page): Promise<void> {
  // The sign-in page has one script, which is a file of this service.
  assert.equal(await page.locator('script:not([src^="/assets/passkey.js"]), img, [onerror]').count(), 0)
  assert.doesNotMatch(await page.title(), /^run$/)
}
