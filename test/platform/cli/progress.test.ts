import { test } from "node:test"
import assert from "node:assert/strict"
import { withProgress } from "../../../src/platform/cli/progress.ts"

test("what is done within a second says nothing; what takes longer says how far it is", async (t) => {
  const written = t.mock.method(process.stderr, "write", () => true)
  const clock = t.mock.method(performance, "now", () => 0)
  await withProgress("backup", "pages", async (progress) => progress(1, 2))
  assert.equal(written.mock.callCount(), 0)
  await withProgress("backup", "pages", async (progress) => {
    clock.mock.mockImplementation(() => 2000)
    progress(1, 2)
    progress(2, 2)
  })
  const lines = written.mock.calls.map(({ arguments: [line] }) => line)
  assert.deepEqual(lines, ["backup: 2 s, 50 % (1 of 2 pages)\n"])
})
