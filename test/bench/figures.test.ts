/** Tests that each part of `npm run bench:figures` still runs, and that the page shows it. Speed is not judged. */
import { deepEqual, equal, notEqual, ok } from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { figureLines, figureSections } from "../../bench/figures/page.ts"
import { type AllFigures, parts } from "../../bench/figures/results.ts"
import { writtenIn } from "../../bench/figures/writes/trace.ts"
import { postgresMissing } from "../support/postgres-server.ts"
import { benchDirectory, runBench } from "./run-bench.ts"

const nothing = figureSections({})["journey"]

for (const part of parts) {
  const skip = part === "nodes" ? (postgresMissing() ?? false) : false
  test(`npm run bench:figures measures "${part}", and both pages show it`, { skip }, async (t) => {
    const file = join(benchDirectory(t), "figures.json")
    writeFileSync(file, '{"kept":{"rows":[]}}')
    const args = ["bench/figures/main.ts", "--tiny", "--only", part, "--json", file]
    const { code, stderr } = await runBench(t, args)
    equal(code, 0, stderr)

    const measured = JSON.parse(readFileSync(file, "utf8")) as AllFigures
    deepEqual(Object.keys(measured), ["kept", part])
    ok((measured[part]?.rows.length ?? 0) > 0)
    const shown = Object.values(figureSections(measured)).filter((text) => text !== nothing)
    equal(shown.length, 1)
    ok(!/NaN|undefined|null/.test(`${shown.join()}${figureLines(measured)}`))
    notEqual(figureLines(measured), "")
  })
}

test("README.md has no text where nothing was measured", () => {
  equal(figureLines({}), "")
})

test("Traced calls are counted by file", () => {
  const lines = [
    '12 pwrite64(20</data/latchkey.db-wal>, ""..., 4096, 32) = 4096',
    '12 pwrite64(20</data/latchkey.db-wal>, ""..., 100, 4128 <unfinished ...>',
    "12 <... pwrite64 resumed>) = 100",
    '13 pwrite64(19</data/latchkey.db>, ""..., 4096, 0) = 4096',
    "13 fdatasync(20</data/latchkey.db-wal>) = 0",
    '12 write(21<socket:[7]>, ""..., 300) = 300',
  ]
  deepEqual(writtenIn(lines.join("\n")), { writes: 3, logBytes: 4196, syncs: 1 })
})
