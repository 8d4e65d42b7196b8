/** Tests passkeys, authenticator apps and recovery codes in a real browser. Chromium simulates the authenticator. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { HOTP, Secret } from "otpauth"
import jsqr from "jsqr"
import type { Page } from "playwright-core"
import { Chromium, fillSignIn, needsChromium, signIn } from "../support/chromium.ts"
import { authorizePath, newVerifier } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { assertAccessible } from "../support/look.ts"
import { press, watched, withAuthenticator } from "../support/person.ts"
import { wholeFile } from "../support/spawn.ts"

const file = wholeFile()

const { testServer } = await fixture({ span: file })
const chromium = new Chromium(file)

const security = () => `${testServer.url}/account/security`

function codeField(page: Page) {
  return page.getByRole("textbox", { name: "Code", exact: true })
}

function codeOf(secret: string, steps = 0): string {
  const counter = Math.floor(testServer.clock.now() / 30) + steps
  return HOTP.generate({ secret: Secret.fromBase32(secret), counter })
}

/** Reads the QR code from its picture, as a phone does. */
async function scan(page: Page): Promise<URL> {
  const drawn = `(async () => {
    const svg = document.querySelector("svg.qr")
    const image = new Image()
    image.src = "data:image/svg+xml;base64," + btoa(new XMLSerializer().serializeToString(svg))
    await image.decode()
    const canvas = Object.assign(document.createElement("canvas"), { width: 240, height: 240 })
    const context = canvas.getContext("2d")
    context.drawImage(image, 0, 0, 240, 240)
    return Array.from(context.getImageData(0, 0, 240, 240).data)
  })()`
  const pixels = Uint8ClampedArray.from(await page.evaluate<number[]>(drawn))
  const read = (jsqr as unknown as typeof jsqr.default)(pixels, 240, 240)
  assert.ok(read !== null, "the QR code cannot be read")
  return new URL(read.data)
}

test(
  "FACTOR-2, FACTOR-5: a passkey is added, signs in alone and as the second step, and is removed",
  needsChromium,
  async () => {
    await testServer.addAccount("paula")
    const page = await chromium.page()
    const complaints = watched(page)
    await withAuthenticator(page)
    await signIn(page, testServer, "paula")

    await page.goto(security())
    await page.getByRole("link", { name: "Add a passkey" }).click()
    await assertAccessible(page)
    await page.getByLabel("Name").fill("Test key")
    await press(page, "Add passkey")
    await page.waitForURL(security())
    assert.match(await page.locator(".factors li").innerText(), /Test key/)
    await assertAccessible(page)

    await page.goto(`${testServer.url}/account`)
    await press(page, "Sign out")
    await page.goto(`${testServer.url}/sign-in`)
    await assertAccessible(page)
    await press(page, "Use a passkey")
    await page.waitForURL(`${testServer.url}/account`)
    assert.match(await page.getByRole("banner").innerText(), /paula/)

    await press(page, "Sign out")
    await page.goto(`${testServer.url}/sign-in`)
    await fillSignIn(page, "paula")
    await page.getByRole("heading", { name: "One more step" }).waitFor()
    // The note is visible until the script of the page has run.
    await page.getByText("Your passkeys need a browser").waitFor({ state: "hidden" })
    await assertAccessible(page)
    await press(page, "Use your passkey")
    await page.waitForURL(`${testServer.url}/account`)

    testServer.clock.advance(600)
    await page.goto(security())
    await page.getByRole("link", { name: "Change Test key" }).click()
    await assertAccessible(page)
    await press(page, "Remove")
    await page.getByRole("heading", { name: "Confirm that it’s you" }).waitFor()
    await assertAccessible(page)
    await press(page, "Use your passkey")
    await page.waitForURL(security())
    await page.getByText("Only your password protects your account").waitFor()
    assert.deepEqual(complaints, [])
  },
)

test("FACTOR-5, AUTHZ-10: a passkey alone also goes on with an authorization", needsChromium, async () => {
  await testServer.addAccount("petra")
  const app = await testServer.addApp()
  const page = await chromium.page()
  await withAuthenticator(page)
  await signIn(page, testServer, "petra")
  await page.goto(`${security()}/passkey`)
  await press(page, "Add passkey")
  await page.waitForURL(security())
  await page.context().clearCookies()
  await page.goto(testServer.url + authorizePath(app, newVerifier().challenge))
  await press(page, "Use a passkey")
  await page.getByRole("button", { name: "Authorize" }).waitFor()
})

test("FACTOR-2: a canceled ceremony is reported, and can be tried again", needsChromium, async () => {
  const page = await chromium.page()
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
  })
  await page.goto(`${testServer.url}/sign-in`)
  await press(page, "Use a passkey")
  await page.getByText("Nothing was confirmed. Try again.").waitFor()
  assert.equal(await page.getByRole("button", { name: "Use a passkey" }).isEnabled(), true)
})

test(
  "FACTOR-1, FACTOR-4: an authenticator app is added by its QR code, signs in, and no code twice",
  needsChromium,
  async () => {
    await testServer.addAccount("tom")
    const page = await chromium.page({ colorScheme: "dark", viewport: { width: 360, height: 720 } })
    const complaints = watched(page)
    await signIn(page, testServer, "tom")
    await page.goto(`${security()}/totp`)
    await assertAccessible(page)
    const uri = await scan(page)
    assert.deepEqual([uri.protocol, uri.host, uri.searchParams.get("digits")], ["otpauth:", "totp", "6"])
    const secret = uri.searchParams.get("secret") ?? ""
    const code = codeOf(secret)
    await codeField(page).fill(code)
    await press(page, "Add the app")
    await page.waitForURL(security())
    await assertAccessible(page)

    await page.goto(`${testServer.url}/account`)
    await press(page, "Sign out")
    await page.goto(`${testServer.url}/sign-in`)
    await fillSignIn(page, "tom")
    await codeField(page).fill(code)
    await press(page, "Sign in")
    await page.getByRole("alert").waitFor()
    await assertAccessible(page)
    await codeField(page).fill(codeOf(secret, 1))
    await page.keyboard.press("Enter")
    await page.waitForURL(`${testServer.url}/account`)
    assert.deepEqual(complaints, [])
  },
)

test("FACTOR-6: recovery codes without JavaScript, by keyboard", needsChromium, async () => {
  await testServer.addAccount("rita")
  const page = await chromium.page({ javaScriptEnabled: false })
  await signIn(page, testServer, "rita")
  await page.goto(`${security()}/totp`)
  const uri = new URL(
    (await page.getByRole("link", { name: "Open the app on this device" }).getAttribute("href")) ?? "",
  )
  await codeField(page).fill(codeOf(uri.searchParams.get("secret") ?? ""))
  await press(page, "Add the app")
  await page.getByRole("link", { name: "Get recovery codes" }).click()
  await press(page, "Show my codes")
  const code = (await page.locator("ol.codes li").first().innerText()).trim()

  await page.goto(`${testServer.url}/account`)
  await press(page, "Sign out")
  await page.goto(`${testServer.url}/sign-in`)
  assert.equal(await page.getByRole("button", { name: "Use a passkey" }).isVisible(), false)
  await fillSignIn(page, "rita")
  await page.getByText("Use a recovery code").focus()
  await page.keyboard.press("Enter")
  await page.keyboard.press("Tab")
  await page.keyboard.type(code.toUpperCase())
  await page.keyboard.press("Enter")
  await page.waitForURL(`${testServer.url}/account`)
})
