import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { lockDirectory } from "../../../../src/store/sqlite/engine/directory-lock.ts"
import { scratchDirectory, startChild } from "../../scratch.ts"

describe("SVC one server a data directory", () => {
  it("SVC a second lock is refused and names the process that holds it, also in the same process", (t) => {
    const dir = scratchDirectory(t)
    const first = lockDirectory(dir)
    assert.ok(first.held)
    assert.deepEqual(lockDirectory(dir), { held: false, pid: process.pid })
    first.release()
    const second = lockDirectory(dir)
    assert.ok(second.held)
    second.release()
  })

  it("SVC kill -9 releases it", async (t) => {
    const dir = scratchDirectory(t)
    const child = startChild("lock", [dir])
    assert.equal(await child.line(), "true")
    assert.deepEqual(lockDirectory(dir), { held: false, pid: child.process.pid })
    await child.kill()
    const lock = lockDirectory(dir)
    assert.ok(lock.held)
    lock.release()
  })
})
