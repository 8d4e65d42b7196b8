/** Tests the console pages of the appearance: save, preview, logo, and what pages show then. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { storedAppearance } from "../../../src/admin/appearance/appearance.ts"
import { FRESH_PROOF_SECONDS } from "../../../src/kernel/account-limits.ts"
import { brandSheet } from "../../../src/platform/ui/brand.ts"
import { paletteOf } from "../../../src/platform/ui/brand/color.rules.ts"
import { sourceOf } from "../../../src/platform/ui/style/style.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { fixture } from "../../support/fixture.ts"
import { png } from "../../support/picture.ts"
import { PASSWORD } from "../../support/test-server.ts"

const PATH = "/console/appearance"
const { testServer, ada } = await fixture({ admins: ["ada"], browsers: ["ada"] })
const stored = () => storedAppearance(testServer.latchkey)
const policyOf = (headers: Headers) => headers.get("content-security-policy") ?? ""
const sheetsOf = (text: string) =>
  [...text.matchAll(/<style>([^]*?)<\/style>/g)].map((match) => match[1] ?? "")
const send = async (fields: Record<string, string>) => ada.submit(await ada.get(PATH), PATH, fields)

test("BRAND-4: a preview shows what was typed and stores nothing", async () => {
  const page = await send({
    name: "Orchard",
    color: "#FFEE00",
    support: "mailto:help@example.org",
    preview: "yes",
  })
  assert.equal(page.status, 200)
  assert.equal((await stored()).color, null)
  assert.equal(page.text.split('inert><header class="brand">').length, 5, "four pictures")
  assert.match(page.text, /inert>[^]*<span>Orchard<\/span>[^]*href="mailto:help@example.org">Help</)
  const { accent, link } = paletteOf("#ffee00", "light")
  assert.match(
    page.text,
    new RegExp(
      `On light pages buttons are the darker <code>${accent}</code>\\s+and links <code>${link}</code>\\.\\s+A text needs`,
    ),
  )
  assert.doesNotMatch(page.text, /On dark pages/)
  const [sheet = "", ...more] = sheetsOf(page.text)
  assert.deepEqual(more, [], "the page itself has the stored look")
  assert.ok(policyOf(page.headers).includes(`style-src ${sourceOf(sheet)};`))
  assert.match(sheet, /\.picture\.dark\{[^}]*color-scheme:dark;--accent:#ffee00/)
  assert.match(page.text, /name="name"[^>]*value="Orchard"/)
})

test("BRAND-4: wrong texts are named beside their fields, and nothing is stored", async () => {
  const page = await send({ name: "Orchard", color: "green", terms: "javascript:alert(1)" })
  assert.equal(page.status, 400)
  assert.match(page.text, /id="color-problem"[^>]*>Write a color as #RRGGBB/)
  assert.match(page.text, /id="terms-problem"/)
  assert.doesNotMatch(page.text, /id="name-problem"/)
  assert.equal((await stored()).name, "Latchkey")
})

test("BRAND-2, BRAND-3: what was saved is on every page, and its sheet in the policy", async () => {
  assert.match((await ada.get("/console")).text, /href="\/console\/appearance"\s*>Appearance</)
  const saved = await send({ name: "Orchard & Söhne", color: "#FFEE00", terms: "https://example.org/terms" })
  assert.equal(saved.status, 303)
  testServer.clock.advance(1)
  const { css, source } = brandSheet("#ffee00")
  for (const [browser, path] of [
    [new Browser(testServer.url), "/sign-in"],
    [new Browser(testServer.url), "/nowhere"],
    [ada, "/account"],
    [ada, "/console"],
    [ada, PATH],
  ] as const) {
    const { text, headers } = await browser.get(path)
    assert.equal(sheetsOf(text)[1], css, path)
    assert.ok(policyOf(headers).includes(` ${source};`), path)
    assert.match(text, / · Orchard &amp; Söhne<\/title>/, path)
    assert.match(text, /<footer[^]*href="https:\/\/example\.org\/terms">Terms</, path)
  }
  assert.doesNotMatch((await ada.get("/console")).text, /href="\/console\/appearance"\s*>Appearance</)
})

test("BRAND-3, BRAND-4: a logo is stored and removed", async () => {
  const page = await ada.get(`${PATH}/logo`)
  const { csrf = "" } = hiddenFields(page.text, `${PATH}/logo`)
  const upload = (logo: string, file: Uint8Array | null, more = {}) =>
    ada.postFile(`${PATH}/logo`, { csrf, logo, ...more }, "icon", file)
  const none = await upload("light", null)
  assert.deepEqual([none.status, none.text.includes("Choose a picture first.")], [400, true])
  assert.equal((await upload("light", new TextEncoder().encode("<svg/>"))).status, 400)
  assert.equal((await upload("light", png(90, 60))).status, 303)
  assert.equal((await upload("dark", png(60, 60))).status, 303)
  const { logo, logoDark } = await stored()
  assert.ok(logo !== null && logoDark !== null && logo !== logoDark)
  testServer.clock.advance(1)
  const { text } = await ada.get("/account")
  assert.match(text, new RegExp(`src="/appearance/logo\\?v=${logo}"\\s+alt="Orchard &amp; Söhne"`))
  assert.ok(text.includes(`srcset="/appearance/logo-dark?v=${logoDark}"`))
  assert.equal((await upload("dark", null, { remove: "yes" })).status, 303)
  assert.deepEqual([(await stored()).logo, (await stored()).logoDark], [logo, null])
})

test("LOOK-3: a white logo for light pages and a black one for dark pages are refused, with the way out", async () => {
  const { csrf = "" } = hiddenFields((await ada.get(`${PATH}/logo`)).text, `${PATH}/logo`)
  const upload = (logo: string, color: readonly [number, number, number, number]) =>
    ada.postFile(`${PATH}/logo`, { csrf, logo }, "icon", png(90, 60, { color }))
  const [white, black, clear] = [
    [255, 255, 255, 255],
    [0, 0, 0, 255],
    [0, 0, 0, 0],
  ] as const
  for (const [logo, color, problem] of [
    ["light", white, "Nothing of this logo can be seen on a light page. It can be the logo for dark pages."],
    ["light", clear, "Nothing of this logo can be seen on a light page."],
    ["dark", black, "Nothing of this logo can be seen on a dark page."],
  ] as const) {
    const refused = await upload(logo, color)
    assert.deepEqual([refused.status, refused.text.includes(problem)], [400, true], problem)
    assert.match(refused.text, new RegExp(`value="${logo}"[^>]* checked`), "the choice is kept")
  }
  assert.equal((await upload("light", black)).status, 303)
  assert.equal((await upload("dark", white)).status, 303)
})

test("BRAND-1: the favicon has the color, and pages name the color in its address", async () => {
  assert.match((await ada.get("/account")).text, /<link rel="icon" [^>]*href="\/favicon\.svg\?color=ffee00"/)
  const icon = await fetch(`${testServer.url}/favicon.svg?color=000000`)
  assert.equal(icon.headers.get("content-type"), "image/svg+xml")
  assert.ok((await icon.text()).includes(`fill="${paletteOf("#ffee00", "light").accent}"`))
})

test("FACTOR-8: without a recent factor the page of the logo asks for one before a file is chosen", async () => {
  const { csrf = "" } = hiddenFields((await ada.get(`${PATH}/logo`)).text, `${PATH}/logo`)
  const before = await stored()
  testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
  const asked = await ada.get(`${PATH}/logo`)
  assert.match(asked.text, /action="\/account\/prove"/)
  assert.doesNotMatch(asked.text, /name="icon"/)
  const late = await ada.postFile(`${PATH}/logo`, { csrf, logo: "light" }, "icon", png(90, 60))
  assert.match(late.text, /action="\/account\/prove"/)
  const back = await ada.submit(late, "/account/prove", { password: PASSWORD })
  assert.equal(back.headers.get("location"), `${PATH}/logo?again=yes`)
  assert.match((await ada.get(`${PATH}/logo?again=yes`)).text, /Nothing has changed yet\. Choose again\./)
  assert.deepEqual(await stored(), before)
})
