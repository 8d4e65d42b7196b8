/**
 * Checks docs/conformance.md and test/regress/README.md. Each requirement must name a test that exists, each flaw must
 * have a test named after it, and each link must lead to a file.
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { titlesOf } from "./support/titles.ts"

/** `words` is the end of a test's title, after its ids. */
type Quote = { readonly file: string; readonly words: string }
type Flaw = { readonly text: string; readonly names: readonly string[]; readonly quotes: readonly Quote[] }

const root = join(import.meta.dirname, "..")
const page = readFileSync(join(root, "docs/conformance.md"), "utf8")
const regressions = readFileSync(join(root, "test/regress/README.md"), "utf8")
const testsByRequirement = JSON.parse(readFileSync(join(root, "test/conformance.json"), "utf8")) as Readonly<
  Record<string, readonly string[]>
>
const flaws = flawsOf(regressions)

test("docs/conformance.md: a hundred numbered requirements, each with its source and whether it is met", () => {
  const items = page
    .split(/\n(?=\d+\. |\n)/)
    .filter((item) => /^\d+\. /.test(item))
    .map((item) => item.replaceAll(/\s+/g, " "))
  assert.ok(items.length >= 100, `only ${items.length}`)
  for (const [at, item] of items.entries()) {
    const [, number, source = "", unmet, reason = ""] =
      /^(\d+)\. [^]+? \[((?:RFC \d+ )?§[^\]]+)\](?:: (\*\*(?:in part|no)\*\*)?([^]*))?$/.exec(item) ??
      assert.fail(item)
    assert.equal(Number(number), at + 1)
    assert.notEqual(source, "", item)
    assert.ok(unmet === undefined || reason.length > 10, `why not: ${item}`)
  }
  assert.deepEqual(
    Object.keys(testsByRequirement),
    items.map((_, at) => String(at + 1)),
  )
})

test("test/conformance.json: every requirement has a test, and every test that is quoted exists", () => {
  for (const [number, quoted] of Object.entries(testsByRequirement)) assert.ok(quoted.length > 0, number)
  const quotes = Object.values(testsByRequirement).flat().map(quoteOf)
  assert.deepEqual(quotes.filter(isMissing), [])
})

test("test/regress/README.md: every flaw has names, a way in which it is ruled out, and a test", () => {
  assert.ok(flaws.length >= 80, `only ${flaws.length}`)
  assert.equal(flaws.length, regressions.split("\n").filter((line) => line.startsWith("- ")).length)
  const tried = new Set(namesTried())
  const untried = flaws.filter(
    ({ names, quotes }) => quotes.length === 0 && !names.some((name) => tried.has(name)),
  )
  assert.deepEqual(
    untried.map(({ text }) => text),
    [],
  )
  assert.deepEqual(flaws.flatMap(({ quotes }) => quotes).filter(isMissing), [])
})

test("test/regress/README.md: every flaw that is tried is listed", () => {
  const tried = namesTried()
  assert.ok(tried.length >= 80, `only ${tried.length}`)
  const listed = new Set(flaws.flatMap(({ names }) => names))
  assert.deepEqual(
    tried.filter((name) => !listed.has(name)),
    [],
  )
})

test("every file that these pages link exists, and links to code are called by their files", () => {
  const links = [
    ...[...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => join("docs", link)),
    ...[...regressions.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = ""]) => join("test/regress", link)),
  ]
  assert.ok(links.length > 80)
  assert.deepEqual(
    [...new Set(links)].filter((link) => !existsSync(join(root, link))),
    [],
  )
  for (const [, name = "", link = ""] of regressions.matchAll(/\[([^\]`]+)\]\(([^)]*\/src\/[^)]+)\)/g))
    assert.equal(basename(link, ".ts"), name)
})

/**
 * Reads lines such as "- **flaw** (`name, name`): how it is ruled out". The quotes of each flaw are indented below it.
 */
function flawsOf(markdown: string): readonly Flaw[] {
  return markdown.split(/\n(?=- )/).flatMap((text) => {
    const [, names] = /^- \*\*.+?\*\* \(`([^`]+)`\): ./.exec(text) ?? []
    const quotes = [...text.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\) "([^"]*)"/g)]
    return names === undefined
      ? []
      : [
          {
            text,
            names: names.split(", "),
            quotes: quotes.map(([, file = "", words = ""]) => ({ file: `test/${file}`, words })),
          },
        ]
  })
}

/** Returns the names with which titles in test/regress begin. */
function namesTried(): readonly string[] {
  return readdirSync(join(root, "test/regress"))
    .filter((name) => name.endsWith(".test.ts"))
    .flatMap((name) => titlesIn(`test/regress/${name}`))
    .flatMap((title) => (title.split(": ")[0] ?? "").split(", "))
}

/** Parses "file: the end of a title". */
function quoteOf(text: string): Quote {
  const [file = "", ...words] = text.split(": ")
  return { file, words: words.join(": ") }
}

function isMissing({ file, words }: Quote): boolean {
  return words.length < 5 || !titlesIn(file).some((title) => title.endsWith(words))
}

const known = new Map<string, readonly string[]>()

function titlesIn(file: string): readonly string[] {
  const titles = known.get(file) ?? titlesOf(readFileSync(join(root, file), "utf8"))
  known.set(file, titles)
  return titles
}
