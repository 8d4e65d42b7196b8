import { test } from "node:test"
import assert from "node:assert/strict"
import { builtInPermissions } from "../../../src/model/permissions/built-in-permissions.rules.ts"
import { Languages } from "../../../src/platform/languages/languages.ts"
import { localText, permissionTexts, titleOf } from "../../../src/platform/languages/local-text.ts"
import { catalog, permission } from "../../support/core-sample.ts"

const languages = new Languages(new Map([["de", { "permission.account-read.title": "Konto lesen" }]]))
const table = catalog({
  "files:read": {
    title: new Map(Object.entries({ de: "Dateien lesen", fr: "Lire les fichiers", en: "Read files" })),
    description: "Plain",
    group: new Map([["de", "Dateien"]]),
  },
  "admin:hub": { title: "Hub" },
  "own:read": { title: "Own", group: "Your apps" },
})
const source = (defaultLanguage: string) => ({ catalog: table, settings: { latest: { defaultLanguage } } })
const inPage = (tag: string, name: string, defaultLanguage = "en") =>
  permissionTexts(source(defaultLanguage), languages.textsOf(tag), name)

test("LANG-9 of a map a page has its language, then the default one, then English, then the first", () => {
  const written = (tags: string, page: string | null, defaultLanguage: string) =>
    localText(
      source(defaultLanguage),
      page === null ? null : languages.textsOf(page),
      new Map(tags.split(" ").map((tag) => [tag, `in ${tag}`])),
    )
  const cases = [
    ["fr de en", "de", "fr", "in de"],
    ["fr de en", "ja", "fr", "in fr"],
    ["fr en de", "ja", "es", "in en"],
    ["nl de", "ja", "es", "in nl"],
    ["pt zh-CN de", "pt-BR", "de", "in pt"],
    ["pt zh-CN de", "zh-Hans", "de", "in zh-CN"],
    ["zh-TW en-GB", "zh-Hans", "de", "in zh-TW"],
    ["en fr de", null, "de", "in de"],
    ["fr en de", null, "ja", "in en"],
    ["nl de", null, "ja", "in nl"],
  ] as const
  for (const [tags, page, byDefault, expected] of cases)
    for (let times = 0; times < 2; times++) assert.equal(written(tags, page, byDefault), expected, tags)
  assert.equal(localText(source("de"), languages.textsOf("ja"), "As it is"), "As it is")
})

test("LANG-9 each text of a permission is chosen by itself, and one that the catalog lacks has its name", () => {
  assert.deepEqual(inPage("fr", "files:read"), {
    title: "Lire les fichiers",
    description: "Plain",
    group: "Dateien",
  })
  assert.deepEqual(inPage("ar", "gone:read"), { title: "gone:read", description: "", group: "" })
  assert.equal(titleOf(source("fr"), permission("files:read")), "Lire les fichiers")
  assert.equal(titleOf(source("fr"), permission("gone:read")), null)
})

test("LANG-10 built-in permissions are in the language of the page, and in English for everything else", () => {
  for (const [name, { title, description, group }] of Object.entries(builtInPermissions)) {
    assert.deepEqual(inPage("en", name, "ja"), { title, description, group })
    assert.deepEqual(permissionTexts(source("ja"), null, name), { title, description, group })
    for (const tag of languages.tags.filter((one) => one !== "en")) {
      const texts = inPage(tag, name)
      assert.notEqual(texts.title, title, `${name} in ${tag}`)
      assert.notEqual(texts.description, description, `${name} in ${tag}`)
    }
  }
})

test("LANG-10 the operator's files replace the texts of built-in permissions", () => {
  assert.equal(inPage("de", "account:read").title, "Konto lesen")
})

test("LANG-10 a permission of the operator without a group, or in a built-in one, has that group in the page's language", () => {
  assert.equal(inPage("ja", "admin:hub").group, inPage("ja", "admin:apps").group)
  assert.equal(inPage("ja", "own:read").group, inPage("ja", "apps:read").group)
  assert.equal(permissionTexts(source("ja"), null, "admin:hub").group, "Administration")
})
