/** Tests the pages of an account in a real browser, with only the keyboard. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { Chromium, needsChromium, signIn } from "../support/chromium.ts"
import { connect, refresh, signedInBrowser } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { assertAccessible } from "../support/look.ts"
import { wholeFile } from "../support/spawn.ts"

const file = wholeFile()

const { testServer } = await fixture({ span: file })
const chromium = new Chromium(file)

const TABS_AT_MOST = 60

/** Presses Tab until the focused element has this name for a screen reader. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = `(() => {
    const at = document.activeElement
    const label = at?.labels?.[0] ?? at
    return (label?.textContent ?? "").replace(/\\s+/g, " ").trim()
  })()`
  for (let i = 0; i < TABS_AT_MOST; i++) {
    await page.keyboard.press("Tab")
    if ((await page.evaluate<string>(focused)) === name) return
  }
  assert.fail(`no way to "${name}" on ${page.url()}`)
}

async function enter(page: Page): Promise<void> {
  const shown = page.waitForEvent("domcontentloaded")
  await page.keyboard.press("Enter")
  await shown
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 }).innerText()

test(
  "SVC-8 by keyboard: an app is registered, its mistake corrected, its secret copied, and it is removed",
  needsChromium,
  async () => {
    await testServer.addAccount("ada")
    const page = await chromium.page({ viewport: { width: 360, height: 720 } })
    await signIn(page, testServer, "ada")
    await tabTo(page, "My apps")
    await enter(page)
    await tabTo(page, "Register an app")
    await enter(page)
    await tabTo(page, "Name")
    await page.keyboard.type("Notebook")
    await tabTo(page, "Public")
    await page.keyboard.press("ArrowDown")
    await tabTo(page, "Redirect URIs")
    await page.keyboard.type("http://app.example/callback")
    await tabTo(page, "Change files")
    await page.keyboard.press("Space")
    await tabTo(page, "Register the app")
    await enter(page)
    await page.getByRole("alert").getByText("Check the marked field.").waitFor()
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Notebook")
    assert.ok(await page.getByLabel("Confidential").isChecked())
    assert.ok(await page.getByLabel("Change files").isChecked())
    await assertAccessible(page)

    await tabTo(page, "Redirect URIs")
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.type("https://app.example/callback")
    await tabTo(page, "Register the app")
    await enter(page)
    assert.equal(await heading(page), "Notebook is registered")
    assert.match(await page.locator("code.secret").innerText(), /^lks_/)
    await page.reload()
    assert.equal(await page.locator("code.secret").count(), 0)

    await page.goto(`${testServer.url}/account/apps`)
    await tabTo(page, "Notebook")
    await enter(page)
    await tabTo(page, "Remove")
    await enter(page)
    await tabTo(page, "Remove for good")
    await enter(page)
    assert.equal(await heading(page), "My apps")
    await page.getByText("You have not registered an app.").waitFor()
  },
)

test(
  "CRED-3 by keyboard: the access of all apps is ended, and another browser is signed out",
  needsChromium,
  async () => {
    await testServer.addAccount("bob")
    const app = await testServer.addApp({ name: "Sketches" })
    const held = [await connect(testServer, app, "bob"), await connect(testServer, app, "bob")]
    const page = await chromium.page()
    await signIn(page, testServer, "bob")
    await tabTo(page, "End the access of all apps")
    await enter(page)
    assert.equal(await heading(page), "End the access of all apps?")
    await tabTo(page, "End all access")
    await enter(page)
    await page.getByText("No app has access to your account.").waitFor()
    for (const { refresh_token } of held)
      assert.equal((await refresh(testServer, app, refresh_token)).body["error"], "invalid_grant")

    const other = await signedInBrowser(testServer, "bob")
    await page.goto(`${testServer.url}/account/security`)
    await tabTo(page, "View browsers")
    await enter(page)
    await page.getByText("Chrome on Linux").first().waitFor()
    await assertAccessible(page)
    await tabTo(page, "Sign out all other browsers")
    await enter(page)
    assert.equal(await page.locator(".access").count(), 1)
    assert.equal((await other.get("/account")).status, 303)
    await page.goto(`${testServer.url}/account/activity`)
    await page.getByText("You signed every other browser out.").waitFor()
  },
)
