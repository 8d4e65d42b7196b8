/**
 * docs/conformance.md and the tests hold each other: what it links is there, what it quotes is a title in the file that it
 * names, and every flaw that test/regress/ tries has its row.
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { titlesOf } from "./support/titles.ts"

/** `words` are how the title of a test ends, after its ids. */
type Quote = { readonly file: string; readonly words: string }
type Row = { readonly cells: readonly string[]; readonly text: string; readonly quotes: readonly Quote[] }

const root = join(import.meta.dirname, "..")
const page = readFileSync(join(root, "docs/conformance.md"), "utf8")
const [requirementsText = "", flawsText = ""] = page.split("## Flaws of others")
const requirements = rowsOf(requirementsText)
const flaws = rowsOf(flawsText)

test("docs/conformance.md: a hundred requirements, numbered, each with what is kept, where, and its test", () => {
  assert.deepEqual(
    requirements.map(({ cells }) => Number(cells[0])),
    Array.from({ length: requirements.length }, (_, at) => at + 1),
  )
  assert.ok(requirements.length >= 100, `only ${requirements.length}`)
  for (const { cells, quotes, text } of requirements) {
    const [, requirement = "", source = "", kept = "", where = "", , remark = ""] = cells
    assert.notEqual(requirement, "", text)
    assert.match(source, /^(?:OAuth 2\.1|RFC \d+) §/, text)
    assert.match(kept, /^(?:yes|in part|no)$/, text)
    assert.match(where, /\]\([^)]+\)/, text)
    assert.ok(quotes.length > 0, text)
    if (kept !== "yes") assert.notEqual(remark, "", `why not: ${text}`)
  }
})

test("docs/conformance.md: every flaw has names, a way in which it is ruled out, and a test", () => {
  assert.ok(flaws.length >= 80, `only ${flaws.length}`)
  for (const { cells, quotes, text } of flaws) {
    const [flaw = "", found = "", ruledOut = ""] = cells
    for (const cell of [flaw, found, ruledOut]) assert.notEqual(cell, "", text)
    assert.ok(quotes.length > 0, text)
  }
})

test("docs/conformance.md: every file that is linked exists", () => {
  const links = [...page.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = ""]) => link)
  assert.ok(links.length > 300)
  const gone = [...new Set(links)].filter((link) => !existsSync(join(root, "docs", link)))
  assert.deepEqual(gone, [])
  for (const [, name = "", link = ""] of page.matchAll(/\[([^\]`]+)\]\((\.\.\/src\/[^)]+)\)/g))
    assert.equal(basename(link, ".ts"), name, "a link is called by its file")
})

test("docs/conformance.md: every test that is quoted stands in that file, by its last words", () => {
  const missing = [...requirements, ...flaws]
    .flatMap(({ quotes }) => quotes)
    .filter(({ file, words }) => words.length < 5 || !titlesIn(file).some((title) => title.endsWith(words)))
  assert.deepEqual(missing, [])
})

test("docs/conformance.md: every flaw that is tried is listed, under each of its names", () => {
  const tried = readdirSync(join(root, "test/regress"))
    .map((name) => `test/regress/${name}`)
    .flatMap((file) => titlesIn(file).map((title) => ({ file, title })))
  assert.ok(tried.length >= 80, `only ${tried.length}`)
  const unlisted = tried.flatMap(({ file, title }) => {
    const [names = "", ...words] = title.split(": ")
    const isQuoted = ({ quotes }: Row) =>
      quotes.some((one) => one.file === file && one.words === words.join(": "))
    const listed = new Set(flaws.filter(isQuoted).flatMap(({ cells }) => (cells[1] ?? "").split(", ")))
    return names.split(", ").filter((name) => !listed.has(name))
  })
  assert.deepEqual(unlisted, [])
})

/** The rows of every table of a text, without heads and rules. */
function rowsOf(markdown: string): readonly Row[] {
  const rows: Row[] = []
  for (const [at, text] of markdown.split("\n").entries()) {
    const next = markdown.split("\n")[at + 1] ?? ""
    if (!text.startsWith("|") || /^\| -+ \|/.test(text) || /^\| -+ \|/.test(next)) continue
    const cells = text
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim())
    const quotes = [...text.matchAll(/\]\(\.\.\/(test\/[^)]+)\) "([^"]*)"/g)]
    rows.push({ cells, text, quotes: quotes.map(([, file = "", words = ""]) => ({ file, words })) })
  }
  return rows
}

const known = new Map<string, readonly string[]>()

function titlesIn(file: string): readonly string[] {
  const titles = known.get(file) ?? titlesOf(readFileSync(join(root, file), "utf8"))
  known.set(file, titles)
  return titles
}
