/**
 * Tests the first steps with a new service in a real browser: set-up, the account page, signing out and in again, and
 * ending access.
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import { offerSetUp } from "../../src/accounts/set-up/set-up.ts"
import { Chromium, fillSignIn, needsChromium, signIn } from "../support/chromium.ts"
import { authorizePath, connect, newVerifier, refresh } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { PASSWORD } from "../support/test-server.ts"
import { press } from "../support/person.ts"
import { openSite } from "../support/site.ts"
import { wholeFile } from "../support/spawn.ts"

const file = wholeFile()

const { testServer } = await fixture({ span: file })
const chromium = new Chromium(file)

test(
  "The set-up link makes the administrator, who signs out, signs in and has the link no more",
  needsChromium,
  async () => {
    const link = `${testServer.url}/setup?link=${await offerSetUp(testServer.latchkey)}`
    const page = await chromium.page()
    await page.goto(link)
    await page.getByLabel("Username").fill("ada")
    await page.getByLabel("Password").fill("short")
    await page.getByRole("button", { name: "Create the administrator" }).click()
    await page.getByText("The password has fewer than 8 characters.").waitFor()
    assert.equal(await page.getByLabel("Username").inputValue(), "ada")
    await page.getByLabel("Password").fill(PASSWORD)
    await page.getByRole("button", { name: "Create the administrator" }).click()
    await page.waitForURL(`${testServer.url}/console`)
    await page.getByRole("banner").getByText("Signed in as ada").waitFor()
    await page.getByRole("heading", { name: "Next steps" }).waitFor()

    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "You are signed out" }).waitFor()
    await page.goto(`${testServer.url}/account`)
    assert.equal(page.url(), `${testServer.url}/sign-in`)
    await fillSignIn(page, "ada")
    await page.waitForURL(`${testServer.url}/account`)
    await page.goto(link)
    await page.getByRole("heading", { name: "This set-up link no longer works" }).waitFor()
  },
)

test(
  "A wrong password is reported without losing the name, nor the app that sign-in is for",
  needsChromium,
  async () => {
    await testServer.addAccount("bob")
    const port = await openSite(file)
    const app = await testServer.addApp({
      redirectUris: ["http://127.0.0.1/callback"],
      permissions: ["account:read"],
    })
    const redirect_uri = `http://127.0.0.1:${port}/callback`
    const page = await chromium.page()
    await page.goto(testServer.url + authorizePath(app, newVerifier().challenge, { redirect_uri }))
    await page.getByLabel("Username").fill("bob")
    await page.getByLabel("Password").fill("not the password")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("alert").getByText("The username or password is not correct.").waitFor()
    assert.equal(await page.getByLabel("Username").inputValue(), "bob")
    assert.equal(await page.getByLabel("Password").inputValue(), "")
    await fillSignIn(page, "bob")
    await press(page, "Authorize")
    await page.waitForURL(`${redirect_uri}?code=*`)
  },
)

test(
  "CRED-3: the account page lists what apps hold, and ends the access of one of them",
  needsChromium,
  async () => {
    await testServer.addAccount("carol")
    const app = await testServer.addApp({ name: "Notebook" })
    const kept = await connect(testServer, app, "carol", { installation_name: "Carol’s phone" })
    testServer.clock.advance(1)
    const ended = await connect(testServer, app, "carol", { installation_name: "Carol’s laptop" })
    const page = await chromium.page()
    await signIn(page, testServer, "carol")
    const entries = page.locator(".access")
    assert.equal(await entries.count(), 2)
    await page.getByRole("link", { name: "End access of Notebook, Carol’s laptop" }).click()
    await page.getByRole("heading", { name: "End the access of Notebook?" }).waitFor()
    await page.getByText("Carol’s laptop").waitFor()
    await page.getByRole("button", { name: "End access" }).click()
    await page.waitForURL(`${testServer.url}/account?done=ended`)
    assert.equal(await entries.count(), 1)
    assert.equal(await entries.filter({ hasText: "Carol’s phone" }).count(), 1)
    assert.equal((await refresh(testServer, app, ended.refresh_token)).body["error"], "invalid_grant")
    assert.equal((await refresh(testServer, app, kept.refresh_token)).status, 200)
  },
)
