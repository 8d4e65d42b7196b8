/** The vectors must run every line of the Node kit. The kit then does nothing that the vectors do not define. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")
const SOURCE = "packages/resource-server/src"

/** The parts that each platform implements in its own way. */
const NOT_IN_VECTORS: ReadonlyMap<string, string> = new Map([
  [`${SOURCE}/answer-cache.ts`, "the number of cached responses, for metrics"],
  [`${SOURCE}/digest.ts`, "runtimes without node:crypto"],
  [`${SOURCE}/report-limit.ts`, "each platform has its own log"],
  [`${SOURCE}/connection.ts`, "the asynchronous digest, and errors of the platform"],
])

/** The maximum number of lines in an exception. */
const FEW = 5

test("the vectors run every line of the kit, but for a few that belong to the platform", () => {
  const uncovered = Map.groupBy(uncoveredLines(), ({ file }) => file)
  for (const [file, lines] of uncovered) {
    const texts = lines.map(({ line }) => sourceLine(file, line))
    assert.ok(NOT_IN_VECTORS.has(file), `${file}: no vector runs ${texts.join("\n")}`)
    assert.ok(lines.length <= FEW, `${file}: no vector runs ${texts.join("\n")}`)
  }
  assert.deepEqual(
    [...uncovered.keys()].toSorted(),
    [...NOT_IN_VECTORS.keys()].toSorted(),
    "every exception is needed",
  )
})

function uncoveredLines(): readonly { readonly file: string; readonly line: number }[] {
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      "--test",
      "--experimental-test-coverage",
      `--test-coverage-include=${SOURCE}/*.ts`,
      "--test-reporter=lcov",
      "test/kit/vectors.test.ts",
    ],
    // With this variable, the runner would believe that it is a test of this runner.
    { cwd: root, encoding: "utf8", env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  )
  assert.equal(status, 0, stdout.slice(-2000))
  assert.match(stdout, /^SF:/m)
  const lines: { file: string; line: number }[] = []
  let file = ""
  for (const record of stdout.split("\n")) {
    if (record.startsWith("SF:")) file = record.slice(3).replaceAll("\\", "/")
    const [, line] = /^DA:(\d+),0$/.exec(record) ?? []
    if (line !== undefined && sourceLine(file, Number(line)).trim() !== "")
      lines.push({ file, line: Number(line) })
  }
  return lines
}

function sourceLine(file: string, line: number): string {
  return readFileSync(join(root, file), "utf8").split("\n")[line - 1] ?? ""
}
