/**
 * Compares the interface with the tests. A test title must name every implemented row of docs/interface.md. No title
 * may name a row that does not exist or is not implemented yet.
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { titlesOf } from "./support/titles.ts"

type Row = { readonly id: string; readonly status: string }

const root = join(import.meta.dirname, "..")
const page = readFileSync(join(root, "docs/interface.md"), "utf8")
/** Differences from the RFCs also have ids. test/shape.test.ts compares them with the code. */
const rows = rowsOf(page).filter((row) => !/^D-\d+$/.test(row.id))
const named = new Map<string, string>()
for (const file of [...testFiles(join(root, "test")), ...testFiles(join(root, "proofs"))]) {
  for (const title of titlesOf(readFileSync(file, "utf8"))) {
    for (const id of idsOf(title)) if (!named.has(id)) named.set(id, title)
  }
}

test("every row of docs/interface.md has one id, and the document says how many are to come", () => {
  assert.ok(rows.length > 200, `only ${rows.length} rows were read`)
  const ids = rows.map((row) => row.id)
  assert.deepEqual(ids, [...new Set(ids)])
  assert.equal(
    page.includes("at the moment none is"),
    rows.every((row) => row.status === "kept"),
  )
})

test("no series of ids in docs/interface.md has a gap", () => {
  for (const [prefix, series] of Map.groupBy(rows, (row) => row.id.split("-")[0]))
    assert.deepEqual(
      series.map((row) => Number(row.id.split("-")[1])).toSorted((a, b) => a - b),
      series.map((_, at) => at + 1),
      prefix,
    )
})

test("rows are read from tables and lists, and are kept unless marked (next)", () => {
  const text = "| A-1 | x |\n- **B-2** y\n- **B-3** (next) z\nC-4\n| D-5 | a (next) |\n| `A-6` | no |"
  assert.deepEqual(rowsOf(text), [
    { id: "A-1", status: "kept" },
    { id: "B-2", status: "kept" },
    { id: "B-3", status: "next" },
    { id: "D-5", status: "next" },
  ])
})

test("ids are read out of titles, ranges too", () => {
  assert.deepEqual(titlesOf('test("CODE-1 a", f)\n  it(`CODE-2: b`, f)'), ["CODE-1 a", "CODE-2: b"])
  assert.deepEqual(idsOf("CODE-1, DG-10 SHA-256 and TOK-1…TOK-3: x"), [
    "CODE-1",
    "DG-10",
    "TOK-1",
    "TOK-2",
    "TOK-3",
  ])
})

test("every kept row is named by a test", () => {
  const missing = rows.filter((row) => row.status === "kept" && !named.has(row.id)).map((row) => row.id)
  assert.deepEqual(missing, [], `without a test: ${missing.join(" ")}`)
})

test("no test names a row that is still to come", () => {
  const early = rows.filter((row) => row.status === "next" && named.has(row.id))
  assert.deepEqual(
    early.map((row) => `${row.id}: ${named.get(row.id)}`),
    [],
    "these rows are built: docs/interface.md should not mark them (next)",
  )
})

test("no test names a row that does not exist", () => {
  const known = new Set(rows.map((row) => row.id))
  const unknown = [...named].filter(([id]) => !known.has(id))
  assert.deepEqual(unknown, [])
})

/**
 * Returns the rows of tables and the list items that begin with an id. The mark "(next)" means that a row is decided
 * but not implemented.
 */
function rowsOf(markdown: string): readonly Row[] {
  return markdown.split("\n").flatMap((line) => {
    const id = /^(?:\| |- \*\*)([A-Z]+-\d+)(?: |\*\*)/.exec(line)?.[1]
    return id === undefined ? [] : [{ id, status: line.includes("(next)") ? "next" : "kept" }]
  })
}

function testFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && name !== "spec-map.test.ts")
    .map((name) => join(folder, name))
}

/** Returns ids such as `A-1`, and ranges such as `A-1…A-3` and `A-1…3`. Names of algorithms and errors are not ids. */
function idsOf(title: string): readonly string[] {
  const prefixes = new Set(rows.map((row) => row.id.split("-")[0]))
  const ids: string[] = []
  for (const [, prefix = "", first = "", last] of title.matchAll(/\b([A-Z]+)-(\d+)(?:…(?:\1-)?(\d+))?/g)) {
    if (!prefixes.has(prefix)) continue
    for (let n = Number(first); n <= Number(last ?? first); n++) ids.push(`${prefix}-${n}`)
  }
  return ids
}
