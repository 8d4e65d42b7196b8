/** Tests a disk that fails to store the log. Only Linux shows a process its open files. */
import assert from "node:assert/strict"
import { closeSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { openSqlite } from "../../../../src/store/sqlite/sqlite-store.ts"
import { StoreUnavailable } from "../../../../src/store/unavailable.ts"

const set = (value: string) => () =>
  ({ answer: value, changes: [{ change: "settingSet", key: "k", value }] }) as const

/** Returns the descriptors of the log. SQLite's own comes first, and the one that is synced comes second. */
function descriptorsOf(file: string): number[] {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`) === file
      } catch {
        return false
      }
    })
}

test(
  "a failed sync fails every waiting change, and nothing is committed after it",
  { skip: process.platform === "linux" ? false : "only Linux shows a process its open files" },
  async () => {
    const dir = mkdtempSync(join(tmpdir(), "latchkey-sync-"))
    const file = join(dir, "latchkey.db")
    const failures: StoreUnavailable[] = []
    const store = openSqlite(file, { diskFailed: (failure) => failures.push(failure) })
    await store.change({}, set("kept"))
    const synced = descriptorsOf(`${file}-wal`).at(-1) ?? assert.fail("the log is open")
    closeSync(synced)

    const lost = await Promise.allSettled([store.change({}, set("a")), store.change({}, set("b"))])
    for (const { status } of lost) assert.equal(status, "rejected")
    assert.equal(failures.length, 1)
    await assert.rejects(store.change({}, set("later")), StoreUnavailable)
    await assert.rejects(store.read({ setting: "k" }), StoreUnavailable)
    assert.equal(failures.length, 1)

    const other = new DatabaseSync(file, { readOnly: true })
    assert.notEqual(other.prepare("SELECT value FROM setting WHERE key = 'k'").get()?.["value"], "later")
    other.close()
    await store.close().catch(() => undefined)
    // Copying the log into the file now could copy pages that the disk lost.
    assert.ok(statSync(`${file}-wal`).size > 0, "the log stays for the next start")
    const next = openSqlite(file)
    assert.ok((await next.read({ setting: "k" })).setting !== null)
    await next.close()
    assert.ok(!existsSync(`${file}-wal`))
    rmSync(dir, { recursive: true, force: true })
  },
)
