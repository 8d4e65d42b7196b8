/** An answer may be sent after the first sync that started after its commit. */
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { LogSync } from "../../../../src/store/sqlite/engine/log-sync.ts"
import { StoreUnavailable } from "../../../../src/store/unavailable.ts"
import { scratchDirectory } from "../../scratch.ts"

test("commits of one turn share a sync; one that comes while it runs waits for the next", async (t) => {
  const log = opened(join(scratchDirectory(t), "latchkey.db"))
  t.after(() => log.close())
  const first = log.synced()
  assert.equal(log.synced(), first)
  await Promise.resolve()
  const second = log.synced()
  assert.notEqual(second, first)
  assert.equal(log.settled(), second)
  const over: string[] = []
  await Promise.all([second.then(() => over.push("second")), first.then(() => over.push("first"))])
  assert.deepEqual(over, ["first", "second"])
})

test("a disk that failed once is not trusted again", async (t) => {
  const log = opened(join(scratchDirectory(t), "latchkey.db"))
  log.close()
  await assert.rejects(log.synced(), StoreUnavailable)
  await assert.rejects(log.settled(), StoreUnavailable)
  await assert.rejects(log.synced(), StoreUnavailable)
})

function opened(file: string): LogSync {
  writeFileSync(`${file}-wal`, "")
  return new LogSync(file, () => {})
}
