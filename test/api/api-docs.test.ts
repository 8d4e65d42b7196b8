/** docs/api.md lists the operations that there are, with what they need. */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { apiStatuses } from "../../src/http/api-error.ts"
import { operations } from "../../src/api/operations.ts"

const rows = readFileSync(join(import.meta.dirname, "../../docs/api.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

test("API-8: docs/api.md has every operation, in the order of the table", () => {
  const written = rows
    .filter(([first = ""]) => /^`[A-Z]+ \/api/.test(first))
    .map((cells) => cells.join(" | "))
  const known = operations.map(({ method, path, needs, elevation, summary }) => {
    const names = (needs ?? []).map((name) => `\`${name}\``).join(", ")
    const needed = needs === null ? "nothing" : names === "" ? "any live token" : names
    return [`\`${method} ${path}\``, needed, elevation ?? "", summary].join(" | ")
  })
  assert.deepEqual(written, known)
})

test("API-3: docs/api.md has every status", () => {
  const written = rows
    .filter(([code = ""]) => /^\d{3}$/.test(code))
    .map(([code, status]) => `${status} ${code}`)
  // A budget is spent at addresses that are not the API's.
  const known = Object.entries(apiStatuses).filter(([status]) => status !== "RESOURCE_EXHAUSTED")
  assert.deepEqual(written.toSorted(), known.map(([status, code]) => `\`${status}\` ${code}`).toSorted())
})
