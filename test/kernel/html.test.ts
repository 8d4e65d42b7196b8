import { test } from "node:test"
import assert from "node:assert/strict"
import { samplePage } from "../support/page-input.ts"
import { type Html, html } from "../../src/kernel/html.ts"
import { HOSTILE } from "../platform/ui/sample.ts"
import { tagsOf, unescaped } from "../platform/ui/markup.ts"
import { renderDocument } from "../../src/platform/ui/layout.ts"

test("SVC-10 an inserted string is text, between tags and in an attribute", () => {
  assert.equal(String(html`<b>${"<i>"}</b>`), "<b>&lt;i&gt;</b>")
  assert.equal(String(html`<a title="${`"'&`}"></a>`), '<a title="&quot;&#39;&amp;"></a>')
  const escaped = String(html`${HOSTILE}`)
  assert.doesNotMatch(escaped, /[<>"']/)
  assert.equal(unescaped(escaped), HOSTILE)
})

test("markup is inserted once and not escaped again; lists are joined", () => {
  const item = (name: string) => html`<b>${name}</b>`
  assert.equal(String(html`<p>${["a", "&"].map(item)}</p>`), "<p><b>a</b><b>&amp;</b></p>")
  assert.equal(String(html`${[html`<i></i>`, "<", [null, [1]]]}`), "<i></i>&lt;1")
})

test("curly quotes are references, so that a page has one byte for each character in memory", () => {
  assert.equal(String(html`<p>${"You’ll – “é”"}</p>`), "<p>You&#8217;ll &#8211; &#8220;é&#8221;</p>")
  assert.equal(unescaped(String(html`${"‘a’ b…"}`)), "‘a’ b…")
})

test("the empty values and false draw nothing, zero does", () => {
  assert.equal(String(html`[${null}${undefined}${false}${""}${[]}]`), "[]")
  assert.equal(String(html`[${0}]`), "[0]")
})

test("nothing but the tag makes markup, neither a string nor an object that looks like it", () => {
  // @ts-expect-error a string is no markup
  const fromString: Html = "<b>"
  // @ts-expect-error what has the same method is no markup
  const lookalike: Html = { toString: () => "<script>" }
  assert.equal(String(html`${fromString}`), "&lt;b&gt;")
  assert.throws(() => html`${lookalike}`)
})

test("a replacement pattern of String.replace is text like any other", () => {
  assert.equal(String(html`<p>${"$& $1 $`"}</p>`), "<p>$&amp; $1 $`</p>")
})

test("the document escapes its title", () => {
  const page = renderDocument(samplePage(HOSTILE), { title: HOSTILE, main: html`<h1>x</h1>` })
  assert.equal(tagsOf(page).filter(({ name }) => name === "h1").length, 1)
})
