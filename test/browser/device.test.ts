/**
 * Tests the device page and the step-up in a real browser: by keyboard, on a phone, in light and dark, with a passkey.
 */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import { poll, startDevice, started } from "../oauth/device/device.ts"
import { Chromium, needsChromium, signIn } from "../support/chromium.ts"
import { connect, send } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { flawsOf, widthsOf } from "../support/look.ts"
import { press, watched, withAuthenticator } from "../support/person.ts"
import { wholeFile } from "../support/spawn.ts"

const file = wholeFile()

const permissions = ["account:read", "files:write", "admin:accounts"]
const { testServer, app } = await fixture({
  admins: ["ada"],
  apps: { app: { name: "Notebook Sync", permissions, stepUp: true } },
  span: file,
})
const chromium = new Chromium(file)

/**
 * Checks that nothing is wider than the window and that axe finds nothing. Looks at phone and desktop, light and dark.
 */
async function assertGood(page: Page): Promise<void> {
  const { pathname } = new URL(page.url())
  assert.deepEqual([...(await flawsOf(page, pathname)), ...(await widthsOf(page, pathname))], [])
}

test("DPAGE-1, DG-3: a code is typed, compared and approved by keyboard alone", needsChromium, async () => {
  const page = await chromium.page()
  const complaints = watched(page)
  await signIn(page, testServer, "ada")
  const grant = await startDevice(testServer, app, { scope: "files:write", installation_name: "Build box" })

  await page.goto(`${testServer.url}/oauth/device`)
  await assertGood(page)
  // The page is loaded again. After a change of the window, a busy browser may lose the first key.
  await page.goto(`${testServer.url}/oauth/device`)
  await page.locator("input:focus").waitFor()
  await page.keyboard.type(grant.userCode.toLowerCase().replace("-", " "))
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Does your device show this code?" }).waitFor()
  await page.getByText(grant.userCode, { exact: true }).waitFor()
  await page.getByText("Build box").waitFor()
  await assertGood(page)

  const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()")
  for (let i = 0; i < 10 && (await focused()) !== "Authorize"; i++) await page.keyboard.press("Tab")
  assert.equal(await focused(), "Authorize")
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Your device is connected" }).waitFor()
  await assertGood(page)
  assert.equal((await poll(testServer, app, grant)).status, 200)
  assert.deepEqual(complaints, [])
})

test("DG-4, DG-5: administration is confirmed on a page of its own", needsChromium, async () => {
  const page = await chromium.page()
  await signIn(page, testServer, "ada")
  const grant = await startDevice(testServer, app, { scope: "admin:accounts" })
  await page.goto(`${testServer.url}/oauth/device?user_code=${grant.userCode}`)
  await press(page, "Authorize")
  await page.getByRole("heading", { name: "Let this device administer the service?" }).waitFor()
  await assertGood(page)
  assert.equal((await poll(testServer, app, grant)).body["error"], "authorization_pending")
  await press(page, "Authorize")
  await page.getByRole("heading", { name: "Your device is connected" }).waitFor()
  assert.equal((await poll(testServer, app, grant)).status, 200)
})

test("DPAGE-1: an invalid code gets the plain message, and Refuse ends it", needsChromium, async () => {
  const page = await chromium.page()
  await signIn(page, testServer, "ada")
  await page.goto(`${testServer.url}/oauth/device?user_code=BBBB-BBBB`)
  await page.getByText("That code is not valid.").waitFor()
  await assertGood(page)
  const grant = await startDevice(testServer, app, { scope: "files:write" })
  await page.goto(`${testServer.url}/oauth/device?user_code=${grant.userCode}`)
  await press(page, "Refuse")
  await page.getByRole("heading", { name: "You refused" }).waitFor()
  assert.equal((await poll(testServer, app, grant)).body["error"], "access_denied")
})

test("STEP-2, STEP-3, FACTOR-5: a passkey elevates the credential", needsChromium, async () => {
  const page = await chromium.page()
  const complaints = watched(page)
  await testServer.addAccount("paula")
  const held = await connect(testServer, app, "paula", { scope: "account:read" })
  await withAuthenticator(page)
  await signIn(page, testServer, "paula")
  await page.goto(`${testServer.url}/account/security/passkey`)
  await press(page, "Add passkey")
  await page.waitForURL(`${testServer.url}/account/security`)

  const bearer = { authorization: `Bearer ${held.access_token}` }
  const opened = await send(testServer, "/oauth/step-up", { reason: "Delete the shared folder" }, bearer)
  const ceremony = started(opened.body)
  await page.goto(`${testServer.url}/oauth/device?user_code=${ceremony.userCode}`)
  await page.getByText("Delete the shared folder").waitFor()
  await assertGood(page)
  await press(page, "Use your passkey")
  await page.getByRole("heading", { name: "Confirmed" }).waitFor()
  assert.deepEqual((await poll(testServer, app, ceremony)).body, { elevated: true })
  assert.deepEqual(complaints, [])
})
