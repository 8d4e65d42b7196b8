/** Tests the console pages of the appearance: save, preview, logo, and what pages show then. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { storedAppearance } from "../../../src/admin/appearance/appearance.ts"
import { brandSheet } from "../../../src/platform/ui/brand/brand-sheet.ts"
import { paletteOf } from "../../../src/platform/ui/brand/color.rules.ts"
import { sourceOf } from "../../../src/platform/ui/style/style.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { fixture } from "../../support/fixture.ts"
import { png } from "../../support/picture.ts"

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
      `On light pages, <code>#ffee00</code> is too light. Buttons use the darker\\s+<code>${accent}</code>, links use the darker <code>${link}</code>`,
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
  assert.ok(text.includes(`src="/appearance/logo?v=${logo}" alt="Orchard &amp; Söhne"`))
  assert.ok(text.includes(`srcset="/appearance/logo-dark?v=${logoDark}"`))
  assert.equal((await upload("dark", null, { remove: "yes" })).status, 303)
  assert.deepEqual([(await stored()).logo, (await stored()).logoDark], [logo, null])
})
