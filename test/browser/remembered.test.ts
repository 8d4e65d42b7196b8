/** Tests in a real browser that an app asks once, and again after the person says so on the account page. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { Chromium, needsChromium, signIn } from "../support/chromium.ts"
import { authorizePath, exchange, newVerifier } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { press } from "../support/person.ts"
import { openSite } from "../support/site.ts"
import { wholeFile } from "../support/spawn.ts"

const file = wholeFile()
const port = await openSite(file, {}, "app.example")
const { testServer, ada: warm } = await fixture({
  accounts: ["ada"],
  browsers: ["ada"],
  settings: { "openid.enabled": "on" },
  span: file,
})
const chromium = new Chromium(file, { "app.example:443": port })

test("OIDC-16, OIDC-17 an app asks once, and again after the account page", needsChromium, async () => {
  assert.equal((await warm.get("/account")).status, 200)
  const app = await testServer.addApp({
    name: "Team Wiki",
    type: "confidential",
    rememberConsent: true,
    redirectUris: ["https://app.example/callback"],
    permissions: ["openid", "profile"],
  })
  const page = await chromium.page({ ignoreHTTPSErrors: true })
  await signIn(page, testServer, "ada")
  const { verifier, challenge } = newVerifier()
  const request = testServer.url + authorizePath(app, challenge, { scope: "openid profile" })
  const arrive = () => page.waitForURL(/^https:\/\/app\.example\/callback\?/)

  await page.goto(request)
  await page.getByText("this app will not ask you again").waitFor()
  await press(page, "Authorize")
  await arrive()
  await page.goto(request)
  await arrive()
  const code = new URL(page.url()).searchParams.get("code") ?? assert.fail(page.url())
  assert.equal((await exchange(testServer, app, code, verifier)).status, 200)

  await page.goto(`${testServer.url}/account`)
  await page.getByRole("heading", { name: "Apps that do not ask again" }).waitFor()
  await page.getByRole("button", { name: "Ask me again: Team Wiki" }).click()
  await page.getByText("The app will ask you again.").waitFor()
  await page.goto(request)
  await page.getByRole("button", { name: "Authorize" }).waitFor()
})
