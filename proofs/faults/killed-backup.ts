/**
 * A backup is killed at any moment. Its file is then missing or complete. A restore follows docs/operating.md with a
 * copy that was made under load. Everything acknowledged before the copy must be there.
 */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts"
import { done, environmentWith, LATCHKEY } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"
import { always, type Fault } from "./fault.ts"
import { fillOldDatabase } from "./old-database.ts"
import { type Pair, pairIn } from "../../test/nodes/history.ts"
import { World } from "./world.ts"

const COPIES = 1500

export const killedBackup: Fault = {
  name: "backup killed",
  rows: "SVC-2",
  engines: ["sqlite"],
  times: 60,
  slice: 0,
  missing: always,
  bringAbout: async ({ work, choice, times, say }) => {
    const dir = join(work, "large")
    mkdirSync(dir, { mode: 0o700 })
    fillOldDatabase(join(dir, "latchkey.db"), COPIES)
    await openSqlite(join(dir, "latchkey.db"), { mayMigrate: true }).close()
    let whole = 0
    for (let n = 0; n < times; n++) {
      const target = join(work, `copy-${n}.db`)
      const child = spawn(LATCHKEY, ["backup", target, "--data", dir], {
        env: environmentWith({}),
        stdio: "ignore",
      })
      const exit = once(child, "exit")
      const begun = () =>
        readdirSync(work).some((name) => name.startsWith(`copy-${n}.db`)) || child.exitCode !== null
      await until(begun, "the copy begins", 60_000)
      await pause(choice.below(120))
      child.kill("SIGKILL")
      const [code] = (await exit) as [number | null]
      if (existsSync(target)) {
        const copy = openSqlite(target)
        assert.deepEqual(await copy.verify(), [], "a copy that has its name is whole")
        await copy.close()
        whole++
      } else assert.notEqual(code, 0, "done, and no copy is there")
      // What a killed backup leaves must not stop the next backup.
      await done(dir, ["backup", join(work, `again-${n}.db`)])
      for (const name of readdirSync(work).filter((one) => one.includes(".db"))) rmSync(join(work, name))
    }
    say(`backups killed: ${times}, of which ${whole} were whole already`)
    return times
  },
}

export const restored: Fault = {
  name: "backup restored",
  rows: "SVC-2, CRED-1",
  engines: ["sqlite"],
  times: 10,
  slice: 0,
  missing: always,
  bringAbout: async ({ span, work, times }) => {
    for (let n = 0; n < times; n++) {
      const world = await World.open(span, join(work, `busy-${n}`))
      const quiet = await world.pairs(4)
      const history = await world.history(6)
      let isOver = false
      const loaded = history.load(() => isOver)
      loaded.catch(() => undefined)
      const known = history.acknowledged
      await until(() => history.acknowledged > known + 20, "the load is on")
      const copy = join(work, `copy-${n}.db`)
      await done(world.dir, ["backup", copy])
      isOver = true
      await loaded
      const later = pairIn((await world.refresh(quiet[0] as Pair)).body)
      await world.server.stop()
      // The copy replaces the database but not the secret. The old log and the old rotation keys are removed.
      // docs/operating.md.
      const dir = join(work, `restored-${n}`)
      cpSync(world.dir, dir, { recursive: true })
      rmSync(join(dir, "latchkey.db"))
      copyFileSync(copy, join(dir, "latchkey.db"))
      for (const suffix of ["-wal", "-shm", ".keys"])
        rmSync(join(dir, `latchkey.db${suffix}`), { force: true })
      const other = world.on(dir)
      await other.verify()
      await other.start()
      for (const [at, pair] of quiet.entries()) {
        assert.equal(
          (await other.introspect(pair)).body["active"],
          true,
          `credential ${at} was acknowledged before the copy`,
        )
        const next = await other.refresh(pair)
        assert.equal(next.status, 200, JSON.stringify(next.body))
        assert.notEqual(pairIn(next.body).refreshToken, later.refreshToken, "nothing is issued twice")
      }
      assert.notEqual(
        (await other.introspect(later)).body["active"],
        true,
        "what came after the copy is not known",
      )
      assert.equal((await other.refresh(later)).status, 400)
      await other.server.stop()
      await other.verify()
    }
    return times
  },
}
