/** Tests the consent page as a person uses it: by keyboard, without JavaScript, twice, again, and in a popup. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { Chromium, fillSignIn, needsChromium, signIn } from "../support/chromium.ts"
import { authorizePath, newVerifier } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { PASSWORD } from "../support/test-server.ts"
import { moveOntoPage, press } from "../support/person.ts"
import { openSite } from "../support/site.ts"
import { wholeFile } from "../support/spawn.ts"
import { until } from "../support/until.ts"

const file = wholeFile()

/** Opens a popup at the URL after `#`. Shows the message that the popup's callback sends. */
const APP_PAGE = `<title>App</title><button>Connect</button><p id="message">nothing yet</p><script>
  document.querySelector("button").onclick = () => {
    window.popup = window.open(decodeURIComponent(location.hash.slice(1)), "popup", "width=500,height=600")
  }
  addEventListener("message", ({ data }) => { document.getElementById("message").textContent = data })
</script>`
const CALLBACK_PAGE = `<title>Arrived</title><h1>Arrived</h1><script>
  if (opener !== null) opener.postMessage("back with " + location.search, location.origin)
</script>`

const { testServer, app } = await fixture({
  accounts: ["alice", "bob"],
  apps: {
    app: {
      redirectUris: ["http://127.0.0.1/callback"],
      permissions: ["account:read"],
    },
  },
  span: file,
})
const appUrl = `http://127.0.0.1:${await openSite(file, { "/": APP_PAGE, "/callback": CALLBACK_PAGE })}`
const chromium = new Chromium(file)

test("AUTHZ-9, AUTHZ-10: sign-in and consent by keyboard alone, with the focus in sight", needsChromium, () =>
  byKeyboard({}),
)

test("AUTHZ-9, AUTHZ-10: sign-in and consent by keyboard alone, without JavaScript", needsChromium, () =>
  byKeyboard({ javaScriptEnabled: false }),
)

test("CONSENT-1: a double click on Authorize gives one credential", needsChromium, async () => {
  const page = await chromium.page()
  await signIn(page, testServer, "alice")
  const earlier = await credentialCount()
  await page.goto(authorizeAddress())
  await moveOntoPage(page)
  await page.getByRole("button", { name: "Authorize" }).dblclick()
  await page.getByRole("heading", { name: /^(Arrived|You have already answered)$/ }).waitFor()
  assert.equal(await credentialCount(), earlier + 1)
})

test(
  "CONSENT-1: the same form sent again says that it was answered, whatever the second answer is",
  needsChromium,
  async () => {
    for (const again of ["Authorize", "Refuse"]) {
      const page = await chromium.page()
      await signIn(page, testServer, "alice")
      const earlier = await credentialCount()
      await page.goto(authorizeAddress())
      // Each response opens in a new window, so that the form can be sent again.
      await page.evaluate(`document.querySelector("form.decision").target = "_blank"`)
      const first = page.context().waitForEvent("page")
      await press(page, "Authorize")
      await (await first).waitForURL(`${appUrl}/callback?code=*`)
      const second = page.context().waitForEvent("page")
      await press(page, again)
      await (await second).getByRole("heading", { name: "You have already answered" }).waitFor()
      assert.equal((await second).url(), `${testServer.url}/oauth/consent`)
      assert.equal(await credentialCount(), earlier + 1)
    }
  },
)

test("AUTHZ-9: Back after consent asks again, and the first answer stands", needsChromium, async () => {
  const page = await chromium.page()
  await signIn(page, testServer, "alice")
  await page.goto(authorizeAddress())
  const ticket = await ticketOf(page)
  await press(page, "Authorize")
  await page.waitForURL(`${appUrl}/callback?code=*`)
  const earlier = await credentialCount()
  await page.goBack()
  await page.getByRole("button", { name: "Refuse" }).waitFor()
  assert.notEqual(await ticketOf(page), ticket)
  await press(page, "Refuse")
  await page.waitForURL(`${appUrl}/callback?error=access_denied*`)
  assert.equal(await credentialCount(), earlier)
})

test(
  "CONSENT-1: a form that was opened under one sign-in grants nothing under another, and its page starts again",
  needsChromium,
  async () => {
    const page = await chromium.page()
    await signIn(page, testServer, "alice")
    await page.goto(authorizeAddress())
    const other = await page.context().newPage()
    await other.goto(`${testServer.url}/account`)
    await other.getByRole("button", { name: "Sign out" }).click()
    await signIn(other, testServer, "bob")
    const earlier = await credentialCount()
    await press(page, "Authorize")
    await page.getByRole("heading", { name: "Start again" }).waitFor()
    assert.equal(page.url(), `${testServer.url}/oauth/consent`)
    assert.equal(await credentialCount(), earlier)
    await page.getByRole("link", { name: "Start again" }).click()
    await page.getByRole("definition").filter({ hasText: "as bob" }).waitFor()
    await press(page, "Authorize")
    await page.waitForURL(`${appUrl}/callback?code=*`)
    assert.equal(await credentialCount(), earlier + 1)
  },
)

test(
  "AUTHZ-9: a person who finds another account signed in signs it out on the consent page, and goes on with their own",
  needsChromium,
  async () => {
    const page = await chromium.page()
    await signIn(page, testServer, "bob")
    await page.goto(authorizeAddress())
    await page.getByRole("definition").filter({ hasText: "as bob" }).waitFor()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in to continue to Paperclip" }).waitFor()
    await fillSignIn(page, "alice")
    await page.getByRole("definition").filter({ hasText: "as alice" }).waitFor()
    await press(page, "Authorize")
    await page.waitForURL(`${appUrl}/callback?code=*`)
  },
)

test(
  "AUTHZ-10: a popup keeps its opener through sign-in, consent and the way back",
  needsChromium,
  async () => {
    const page = await chromium.page()
    const popup = await openPopup(page, authorizeAddress())
    await fillSignIn(popup, "alice")
    await press(popup, "Authorize")
    await page.getByText(/^back with \?code=lkc_/).waitFor()
  },
)

test("CONSENT-2: the account page is cut off from a window that opened it", needsChromium, async () => {
  const page = await chromium.page()
  await signIn(page, testServer, "alice")
  const popup = await openPopup(page, `${testServer.url}/account`)
  await popup.getByRole("heading", { name: "Apps and devices" }).waitFor()
  await until(() => page.evaluate<boolean>("window.popup.closed"), "it has lost the window")
  await popup.goto(`${appUrl}/callback?code=none`)
  assert.equal(await popup.evaluate("window.opener === null"), true)
})

/** Opens the URL in a popup that a click on the app's page creates. */
async function openPopup(page: Page, address: string): Promise<Page> {
  await page.goto(`${appUrl}/#${encodeURIComponent(address)}`)
  const opened = page.waitForEvent("popup")
  await page.getByRole("button", { name: "Connect" }).click()
  return opened
}

async function byKeyboard(options: { readonly javaScriptEnabled?: boolean }): Promise<void> {
  const page = await chromium.page(options)
  await page.goto(authorizeAddress())
  await page.getByRole("heading", { name: "Sign in to continue to Paperclip" }).waitFor()
  await tabTo(page, "username")
  await page.keyboard.type("alice")
  await tabTo(page, "password")
  await page.keyboard.type(PASSWORD)
  await tabTo(page, "Sign in")
  await page.keyboard.press("Space")
  await page.getByRole("heading", { name: "Paperclip wants to use your account" }).waitFor()
  await tabTo(page, "Refuse")
  await page.keyboard.press("Shift+Tab")
  assert.equal(await focused(page), "Authorize")
  await page.keyboard.press("Enter")
  await page.waitForURL(`${appUrl}/callback?code=*`)
}

/** Presses Tab until the focused element has this name or label. Checks that each focused element is visibly marked. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stops = 0; stops < 10; stops++) {
    if ((await focused(page)) === name) return
    await page.keyboard.press("Tab")
    const isMarked = `(({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) >= 2)(
      getComputedStyle(document.activeElement))`
    assert.ok(await page.evaluate(isMarked), `the focus on ${await focused(page)} is not to be seen`)
  }
  assert.fail(`Tab never came to ${name}`)
}

/** Returns the name of a field or the text of a button. */
function focused(page: Page): Promise<string> {
  return page.evaluate(`document.activeElement.name === "decision" || document.activeElement.name === ""
    ? document.activeElement.textContent.trim() : document.activeElement.name ?? ""`)
}

function authorizeAddress(): string {
  return testServer.url + authorizePath(app, newVerifier().challenge, { redirect_uri: `${appUrl}/callback` })
}

async function credentialCount(): Promise<number> {
  return (await testServer.store.credentials({}, { limit: 1000 })).length
}

async function ticketOf(page: Page): Promise<string | null> {
  return page.locator("input[name=ticket]").getAttribute("value")
}
