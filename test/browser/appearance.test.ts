/**
 * Tests the look of the operator in a real browser: the console page, and five brands on the pages for people. One of
 * them is white on white, and one is neon.
 *
 * LATCHKEY_SCREENSHOTS=DIR stores a picture of each page, at 360 and 1280 px, light and dark.
 */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Page } from "playwright-core"
import sharp from "sharp"
import { changeAppearance, setLogo } from "../../src/admin/appearance/appearance.ts"
import { paletteOf } from "../../src/platform/ui/brand/color.rules.ts"
import { Chromium, fillSignIn, needsChromium, signIn, untilTrue } from "../support/chromium.ts"
import { authorizePath, newVerifier } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { flawsOf, widthsOf } from "../support/look.ts"
import { watched } from "../support/person.ts"
import { wholeFile } from "../support/spawn.ts"
import { OPERATOR } from "../support/test-server.ts"
import { startDevice } from "../oauth/device/device.ts"

const file = wholeFile()
const { testServer, app } = await fixture({
  admins: ["ada"],
  accounts: ["alice"],
  apps: { app: { name: "Paperclip" } },
  span: file,
})
const chromium = new Chromium(file)
const services = testServer.latchkey
const ask = () => testServer.url + authorizePath(app, newVerifier().challenge)

const colorOf = (page: Page, selector: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}")).backgroundColor`)
const rgb = (hex: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(", ")})`

test(
  "BRAND-2, BRAND-4: a name and a color are seen in the preview, then on the sign-in and consent page",
  needsChromium,
  async () => {
    const [ada, alice] = [await chromium.page(), await chromium.page()]
    const complaints = [watched(ada), watched(alice)]
    await signIn(alice, testServer, "alice")
    await ada.goto(`${testServer.url}/console/appearance`)
    await fillSignIn(ada, "ada")
    await ada.getByLabel("Name of the service").fill("Orchard")
    await ada.getByLabel("Color").fill("#7c2d92")
    await ada.getByRole("button", { name: "Preview" }).click()
    await untilTrue(ada, "document.querySelector('.picture .brand')?.textContent.includes('Orchard')")
    assert.equal(await colorOf(ada, ".picture.light .primary"), rgb("#7c2d92"))
    assert.equal(await colorOf(ada, ".picture.dark .primary"), rgb(paletteOf("#7c2d92", "dark").accent))
    const isFocused = "(button => (button.focus(), document.activeElement === button))"
    assert.equal(
      await ada.evaluate<boolean>(`${isFocused}(document.querySelector(".picture button"))`),
      false,
    )
    await alice.goto(ask())
    assert.equal(await colorOf(alice, ".primary"), rgb("#155e4c"), "nothing is stored yet")

    await ada.getByRole("button", { name: "Save" }).click()
    await ada.getByText("Saved.").waitFor()
    testServer.clock.advance(1)
    await alice.goto(ask())
    assert.equal(await colorOf(alice, ".primary"), rgb("#7c2d92"))
    assert.equal(await alice.locator(".brand").innerText(), "Orchard")
    await alice.context().clearCookies()
    await alice.goto(`${testServer.url}/sign-in`)
    assert.equal(await colorOf(alice, ".primary"), rgb("#7c2d92"))
    assert.equal(await alice.title(), "Sign in · Orchard")
    assert.deepEqual(complaints.flat(), [])
  },
)

type Brand = {
  readonly name: string
  readonly color: string
  /** The color and shape of a drawn logo, light and dark. */
  readonly logo?: { readonly light: string | null; readonly dark: string | null }
}

const brands: Readonly<Record<string, Brand>> = {
  white: { name: "Blank & Co", color: "#ffffff", logo: { light: null, dark: "#ffffff" } },
  neon: { name: "Voltage", color: "#39ff14" },
  indigo: { name: "Orchard", color: "#3f51b5", logo: { light: "#3f51b5", dark: "#9fa8da" } },
  black: { name: "A service whose name goes on as far as a name may go at all", color: "#111111" },
  orange: { name: "Ember", color: "#ff6a00", logo: { light: "#ff6a00", dark: null } },
}

/** Draws a logo: a disc and three letters as bars, without a font. */
function drawn(color: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" fill="none" stroke="${color}" stroke-width="10" stroke-linecap="round" stroke-linejoin="round"><circle cx="40" cy="40" r="30" fill="${color}" stroke="none"/><path d="M95 20v40h26M140 60V20l30 40V20M196 20h28M196 40h22M196 60h28M196 20v40"/></svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

async function wear({ name, color, logo }: Brand): Promise<void> {
  const links = { support: "mailto:help@example.org", terms: "https://example.org/terms" }
  const patch = { name, color, ...links, privacy: "https://example.org/privacy" }
  assert.ok((await changeAppearance(services, patch, OPERATOR)).ok)
  for (const [member, one] of [
    ["logo", logo?.light ?? null],
    ["logoDark", logo?.dark ?? null],
  ] as const) {
    if (one === null) await changeAppearance(services, { [member]: null }, OPERATOR)
    else assert.ok((await setLogo(services, member, await drawn(one), OPERATOR)).ok)
  }
  testServer.clock.advance(1)
}

for (const [brand, look] of Object.entries(brands))
  test(
    `BRAND-1, BRAND-3: ${brand}: axe finds nothing in light and dark, and no page is wider than a phone`,
    needsChromium,
    async () => {
      await wear(look)
      const [stranger, alice, ada] = [await chromium.page(), await chromium.page(), await chromium.page()]
      const complaints = [watched(stranger), watched(alice), watched(ada)]
      await signIn(alice, testServer, "alice")
      const found: string[] = []
      const lookAt = async (page: Page, name: string, address: string) => {
        await page.goto(address)
        found.push(
          ...(await flawsOf(page, `${brand}-${name}`)),
          ...(await widthsOf(page, `${brand}-${name}`)),
        )
      }
      await lookAt(stranger, "sign-in", `${testServer.url}/sign-in`)
      // The browser complains about the status of an error page.
      const lost = await chromium.page()
      await lookAt(lost, "error", `${testServer.url}/oauth/authorize?client_id=unknown`)
      await lookAt(alice, "consent", ask())
      await lookAt(alice, "account", `${testServer.url}/account`)
      await lookAt(alice, "device", `${testServer.url}/oauth/device`)
      const { userCode } = await startDevice(testServer, app)
      await lookAt(alice, "device-code", `${testServer.url}/oauth/device?user_code=${userCode}`)
      await ada.goto(`${testServer.url}/console/appearance`)
      await fillSignIn(ada, "ada")
      await ada.getByRole("heading", { name: "Appearance" }).waitFor()
      await lookAt(ada, "appearance", `${testServer.url}/console/appearance`)
      await lookAt(ada, "logo", `${testServer.url}/console/appearance/logo`)
      assert.deepEqual(found, [])
      assert.deepEqual(complaints.flat(), [])
    },
  )
