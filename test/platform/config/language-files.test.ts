import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { readConfig } from "../../../src/platform/config/config.ts"

const NOT_FOUND = "language.title"

function directoryWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), "latchkey-"))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, "latchkey.yaml"), "languages: texts\n")
  mkdirSync(join(dir, "texts"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, "texts", name), text)
  return dir
}

const read = (dir: string) => readConfig({ data: dir, config: null, databaseUrl: null })

test("LANG-5 files of the operator replace texts, add a language, and leave the rest to the nearest one", async (t) => {
  const dir = directoryWith(t, {
    "en.json": JSON.stringify({ [NOT_FOUND]: "Your language" }),
    "da.json": JSON.stringify({ [NOT_FOUND]: "Sprog" }),
    "he.json": "{}",
    "de-AT.json": JSON.stringify({ [NOT_FOUND]: "Sprache wählen" }),
    "README.md": "not a language",
  })
  const config = await read(dir)
  assert.ok(config.ok, JSON.stringify(config))
  const { languages } = config.value
  const added = languages.all.filter(({ tag }) => tag === "da" || tag === "he")
  assert.deepEqual(added, [
    { tag: "da", direction: "ltr", name: "dansk" },
    { tag: "he", direction: "rtl", name: "עברית" },
  ])
  const titles = ["en", "da", "he"].map((tag) => languages.textsOf(tag).plain(NOT_FOUND))
  assert.deepEqual(titles, ["Your language", "Sprog", "Your language"])
  assert.equal(languages.textsOf("da").plain("sign-in.title"), "Sign in")
  const austrian = languages.textsOf("de-AT")
  assert.equal(austrian.plain(NOT_FOUND), "Sprache wählen")
  assert.equal(austrian.plain("sign-in.title"), languages.textsOf("de").plain("sign-in.title"))
})

test("LANG-5 a bad file is refused at the start by its name, with the reason", async (t) => {
  const dir = directoryWith(t, {
    "Danish.json": "{}",
    "da.json": '{"nothing": "x"}',
    "de.json": "{",
    "und.json": "{}",
    "fr.json": JSON.stringify({ [NOT_FOUND]: "<i>Langue</i>" }),
  })
  const config = await read(dir)
  const problems = config.ok ? [] : config.error.map((problem) => problem.replace(join(dir, "texts"), ""))
  assert.equal(problems.length, 5)
  assert.deepEqual(
    problems.filter((problem) => !problem.startsWith("/de.json: ")),
    [
      "/Danish.json: expected a tag, such as pt-BR.json",
      "/da.json: nothing: there is no such key",
      `/fr.json: ${NOT_FOUND}: markup is not allowed`,
      "/und.json: expected a tag, such as pt-BR.json",
    ],
  )
})

test("LANG-5 a directory that cannot be read is refused with the line that names it", async (t) => {
  const dir = directoryWith(t, {})
  writeFileSync(join(dir, "latchkey.yaml"), "trusted_proxies: []\nlanguages: nowhere\n")
  const config = await read(dir)
  assert.match(config.ok ? "" : config.error.join(), /latchkey\.yaml:2: languages: nowhere: /)
})
