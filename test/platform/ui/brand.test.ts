/** Tests the look of the operator on pages: color, logo and links. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { type Appearance, defaultAppearance } from "../../../src/model/appearance.rules.ts"
import { sourceOf } from "../../../src/platform/ui/style/style.ts"
import { renderConsole } from "../../../src/platform/ui/console/frame.ts"
import { html } from "../../../src/kernel/html.ts"
import { type PageInput, renderDocument } from "../../../src/platform/ui/layout.ts"
import { paletteOf } from "../../../src/platform/ui/brand/color.rules.ts"
import { brandSheet } from "../../../src/platform/ui/brand.ts"
import { samplePage } from "../../support/page-input.ts"

const page = (look: Partial<Appearance>, basePath = ""): PageInput => ({
  ...samplePage(basePath),
  look: { ...defaultAppearance, ...look },
})
const rendered = (look: Partial<Appearance>, basePath = "") =>
  renderDocument(page(look, basePath), { title: "Sign in", main: html`<p>x</p>` })
const sheets = (document: string) => [...document.matchAll(/<style>([^]*?)<\/style>/g)].map((m) => m[1] ?? "")

test("BRAND-2: a page without a color has one style sheet, and no foot without a link", () => {
  const document = rendered({})
  assert.equal(sheets(document).length, 1)
  assert.doesNotMatch(document, /<footer|<picture/)
  assert.match(document, /<svg[^>]*class="mark"[^]*<span>Latchkey<\/span>/)
})

test("BRAND-2: the second style sheet of a page holds derived colors only", () => {
  const [, sheet = "", ...more] = sheets(rendered({ color: "#ffee00" }))
  assert.deepEqual(more, [])
  const { accent, accentOver, onAccent, link } = paletteOf("#ffee00", "light")
  const light = `--accent:${accent};--accent-over:${accentOver};--on-accent:${onAccent};--link:${link};`
  assert.ok(sheet.startsWith(`:root{${light}--plot-1:${accent}`), sheet)
  assert.ok(sheet.includes(`(prefers-color-scheme:dark){:root{--accent:#ffee00;`), sheet)
  assert.match(sheet, /^[-:{}@();a-z0-9# ]+$/)
  assert.equal(brandSheet("#ffee00").source, sourceOf(sheet))
  assert.equal(brandSheet("#ffee00"), brandSheet("#ffee00"))
  assert.notEqual(brandSheet("#ff0000").source, sourceOf(sheet))
})

test("BRAND-3: a logo takes the place of mark and name, which a screen reader still reads", () => {
  const document = rendered({ name: 'A "&" <B>', logo: "L", logoDark: "D" }, "/auth")
  assert.match(
    document,
    /<source media="\(prefers-color-scheme: dark\)" srcset="\/auth\/appearance\/logo-dark\?v=D"/,
  )
  assert.match(
    document,
    /<img\s+class="logo"\s+src="\/auth\/appearance\/logo\?v=L"\s+alt="A &quot;&amp;&quot; &lt;B&gt;"/,
  )
  assert.doesNotMatch(document, /class="mark"/)
  assert.doesNotMatch(rendered({ logo: "L" }), /<source/)
  // A logo alone could vanish on pages of the other color scheme.
  assert.match(rendered({ logo: "L" }), /class="logo plate-if-dark"\s+src="\/appearance\/logo\?v=L"/)
  assert.match(
    rendered({ logoDark: "D" }),
    /class="logo plate-if-light"\s+src="\/appearance\/logo-dark\?v=D"/,
  )
})

test("BRAND-3: the foot has the operator's links, and only that of the console has the product's name", () => {
  const links = {
    support: "mailto:help@example.org?subject=a&body=b",
    terms: "https://example.org/terms",
    privacy: null,
  }
  const foot = (document: string) => /<footer[^]*<\/footer>/.exec(document)?.[0].replace(/\s+/g, " ") ?? ""
  const look = { ...links, name: "Orchard" }
  assert.equal(
    foot(rendered(look)),
    '<footer class="foot"> <ul> <li><a href="mailto:help@example.org?subject=a&amp;body=b">Help</a></li><li>' +
      '<a href="https://example.org/terms">Terms</a></li> </ul> </footer>',
  )
  const console = renderConsole(
    { ...page(look), username: "ada", csrf: "c", done: null },
    { title: "Overview", place: "overview", main: html`<p>x</p>` },
  )
  assert.match(foot(console), /Help<\/a>.*Terms<\/a>.*<li><span>Latchkey<\/span><\/li>/)
  assert.match(console, /<title>Overview · Console · Orchard<\/title>/)
})

test("BRAND-3: the page of `latchkey login`, which belongs to no service, has the product's mark", () => {
  const document = renderDocument(null, { title: "Signed in", main: html`<p>x</p>` })
  assert.match(document, /class="mark"[^]*<span>Latchkey<\/span>/)
  assert.doesNotMatch(document, /<footer/)
})
