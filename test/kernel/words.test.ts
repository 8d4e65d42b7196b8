import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { countOf, withPeriod } from "../../src/kernel/words.ts"

const source = join(import.meta.dirname, "../../src")

test("TEXT-1: one thing is not things, and a sentence ends with one period", () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => countOf(count, "row")),
    ["0 rows", "1 row", "2 rows"],
  )
  assert.equal(countOf(1, "repeated refresh", "repeated refreshes"), "1 repeated refresh")
  for (const text of ["It failed", "It failed.", "It failed..", "It failed. "])
    assert.equal(withPeriod(text), "It failed.")
})

test("TEXT-1: no sentence puts a period behind the message of an error, which may have one", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  )
  assert.ok(files.length > 500)
  const found = files.flatMap((name) =>
    readFileSync(join(source, name), "utf8")
      .split("\n")
      .filter((line) => /\$\{[^}]*\.message[^}]*\}\./.test(line) && !line.includes("withPeriod"))
      .map((line) => `${name}: ${line.trim()}`),
  )
  assert.deepEqual(found, [])
})
