import { test } from "node:test"
import assert from "node:assert/strict"
import { graphemes, shownName } from "../../../src/platform/ui/shown-text.ts"
import { lifetimeOf, waitOf } from "../../../src/platform/languages/span.rules.ts"
import { errorPageOf } from "../../../src/oauth/authorize/error-page.ts"
import { renderError } from "../../../src/platform/ui/error.ts"
import { english, samplePage } from "../../support/page-input.ts"

test("CLIENT-4 a name cannot reorder or hide what stands around it", () => {
  assert.equal(shownName("\u202eevil\u202c", "-"), "evil")
  assert.equal(shownName("a\u2066b\u2069c\u200fd\u061ce", "-"), "abcde")
  assert.equal(shownName("pay\u200bpal\ufeff\u00ad\u2060", "-"), "paypal")
  assert.equal(shownName("two\r\n\u2028lines\u0000\u0085", "-"), "two lines")
})

test("CLIENT-4 what scripts and pictograms need stays", () => {
  for (const name of ["می‌خواهم", "👩‍👩‍👧‍👦 Family", "דפדפן", "Việt Nam", "❤️", "ｆｕｌｌ"])
    assert.equal(shownName(name, "-"), name)
})

test("CLIENT-4 a name without a visible character is reported", () => {
  for (const name of ["", "   ", "\u200b", "\u3164\u2800", "\u0301", "\u200d"])
    assert.equal(shownName(name, "none"), "none")
})

test("CLIENT-4 marks do not pile up over the neighbouring lines", () => {
  const piled = shownName(`Z${"\u0301".repeat(50)}a`, "-")
  assert.equal(piled, `Z${"\u0301".repeat(4)}a`)
})

test("CLIENT-4 a long name is cut between characters, never inside one", () => {
  assert.equal(shownName("a".repeat(80), "-"), "a".repeat(80))
  const cut = shownName("👩‍👩‍👧‍👦".repeat(200), "-")
  assert.equal(graphemes(cut).length, 80)
  assert.ok(cut.endsWith("👩‍👩‍👧‍👦…"))
})

test("LIM-6 the lifetime of an access is shown in words and never as longer than it is", () => {
  const lasts = (seconds: number) => english.plain("consent.lasts", lifetimeOf(seconds))
  assert.equal(lasts(365 * 86_400), "Access lasts up to a year.")
  assert.equal(lasts(365 * 86_400 - 1), "Access lasts up to 364 days.")
  assert.equal(lasts(86_400), "Access lasts up to 1 day.")
  assert.equal(lasts(7_199), "Access lasts up to 1 hour.")
  assert.equal(lasts(90), "Access lasts up to 1 minute.")
})

test("a wait is shown in words and never as shorter than it is", () => {
  const wait = (seconds: number) => english.plain("device.throttled", waitOf(seconds))
  assert.equal(wait(60), "Too many invalid codes. Wait 1 minute, then try again.")
  assert.equal(wait(61), "Too many invalid codes. Wait 2 minutes, then try again.")
  assert.equal(wait(3 * 3600 + 1), "Too many invalid codes. Wait 4 hours, then try again.")
})

test("AUTHZ-12 the error page names the parameter that is missing, repeated or malformed", () => {
  for (const [reason, text] of [
    ["parameterMissing", "redirect_uri is missing."],
    ["parameterRepeated", "redirect_uri is given more than once."],
    ["parameterMalformed", "redirect_uri is not encoded correctly."],
  ] as const) {
    const error = errorPageOf({ reason, parameter: "redirect_uri" })
    assert.ok(
      renderError({ ...samplePage(), error }).includes(`contradicts itself: ${text} No access was granted.`),
    )
  }
})
