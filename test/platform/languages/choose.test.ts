import { test } from "node:test"
import assert from "node:assert/strict"
import {
  acceptedLanguages,
  canonicalTag,
  isRightToLeft,
  knownTags,
  lookUp,
  uiLocalesOf,
} from "../../../src/platform/languages/choose.ts"
import { Languages } from "../../../src/platform/languages/languages.ts"

const TAGS = ["en", "de", "fr", "es", "it", "pt-BR", "nl", "pl", "uk", "ja", "zh-Hans", "ar"]
const known = knownTags(TAGS)

test("LANG-2 a tag finds a language by look-up after its likely subtags were added", () => {
  const found = {
    en: "en",
    "en-GB": "en",
    "de-AT": "de",
    "DE-at-1996": "de",
    "de-Latn-CH": "de",
    pt: "pt-BR",
    "pt-BR": "pt-BR",
    "pt-br-abl1943": "pt-BR",
    "pt-PT": null,
    zh: "zh-Hans",
    "zh-CN": "zh-Hans",
    "zh-SG": "zh-Hans",
    "zh-Hans-HK": "zh-Hans",
    "zh-TW": null,
    "zh-HK": null,
    "zh-Hant": null,
    "uk-Latn": null,
    "ar-EG": "ar",
    und: null,
    "MUL-Latn": null,
    da: null,
  }
  assert.deepEqual(Object.fromEntries(Object.keys(found).map((tag) => [tag, lookUp(known, tag)])), found)
})

test("LANG-2 a language of a region is preferred in that region", () => {
  const withSwiss = knownTags(["de", "de-CH", "zh-Hant"])
  assert.deepEqual(
    ["de-CH", "de-Latn-CH", "de-LI", "zh-TW", "zh"].map((tag) => lookUp(withSwiss, tag)),
    ["de-CH", "de-CH", "de", "zh-Hant", null],
  )
})

test("LANG-1 the first wish that finds a language wins, also when it was asked before", () => {
  const languages = new Languages()
  assert.equal(languages.find(["da", "ja-JP", "de"]), "ja")
  assert.equal(languages.find(["da", "ja-JP", "de"]), "ja")
  assert.equal(languages.find(["da", ""]), null)
  for (let i = 0; i < 2_000; i++) languages.find([`x${i}`])
  assert.equal(languages.find(["ja-JP"]), "ja")
})

test("LANG-2 any text is a possible wish and never an error", () => {
  const hostile = ["", " ", "-", "*", "x", "e", "de-", "-de", "de--AT", "de_AT", "a-b-c-d", "de-u-co-phonebk"]
  for (const text of [
    ...hostile,
    "toString",
    "__proto__",
    "i-klingon",
    "x-private",
    "\0",
    "é",
    "d".repeat(1e6),
  ])
    assert.doesNotThrow(() => lookUp(known, text), text.slice(0, 20))
  assert.deepEqual(
    ["constructor", "__proto__", "<b>", "de<b>"].map((text) => lookUp(known, text)),
    [null, null, null, null],
  )
})

test("LANG-2 Accept-Language is read by quality, and what is malformed or refused is left out", () => {
  assert.deepEqual(acceptedLanguages("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5"), [
    "fr-CH",
    "fr",
    "en",
    "de",
  ])
  assert.deepEqual(acceptedLanguages("en;q=0.2 ,de ; q=0.9,fr;q=0,it;q=2,nl;q=x,pl;a=1,;q=1,ja;q=0.90"), [
    "de",
    "ja",
    "en",
  ])
  for (const header of [undefined, "", ",,,", ";;;", "*"]) assert.deepEqual(acceptedLanguages(header), [])
})

test("LANG-2 of a long header only the beginning is read", () => {
  assert.equal(acceptedLanguages(`${"da,".repeat(20)}de`).length, 20)
  assert.deepEqual(acceptedLanguages(`da,${" ".repeat(2_000)},de`), ["da"])
  assert.equal(uiLocalesOf("de ".repeat(1_000)).length, 20)
})

test("LANG-2 a tag has one spelling, and its script says in which direction it is written", () => {
  assert.deepEqual(["PT-br", "zh-hans", "de", "english", "a"].map(canonicalTag), [
    "pt-BR",
    "zh-Hans",
    "de",
    "english",
    null,
  ])
  assert.deepEqual(["ar", "he", "fa", "ur", "de", "ja", "az-Arab"].map(isRightToLeft), [
    true,
    true,
    true,
    true,
    false,
    false,
    true,
  ])
})
