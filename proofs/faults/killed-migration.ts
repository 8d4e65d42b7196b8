/**
 * A start is killed while it carries over a database from before all migrations were merged. The next start completes
 * this, and nothing is lost.
 */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { environmentWith, LATCHKEY, SpawnedServer, done } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"
import { always, type Fault } from "./fault.ts"
import { issued } from "../../test/store/before-squash.ts"
import {
  assertVersionOfStep,
  credentialsIn,
  fillOldDatabase,
  schemaVersion,
  THIS_VERSION,
} from "./old-database.ts"

/** Each credential has enough copies that the migration can be killed while it runs. */
const COPIES = 400
const KILLS = 4

export const killedMigration: Fault = {
  name: "migration killed",
  rows: "SVC-2, GRANT",
  engines: ["sqlite"],
  times: 18,
  slice: 0,
  missing: always,
  bringAbout: async ({ span, work, choice, times, say }) => {
    let killed = 0
    for (let n = 0; n < times; n++) {
      const dir = join(work, `${n}`)
      mkdirSync(dir, { mode: 0o700 })
      const file = join(dir, "latchkey.db")
      fillOldDatabase(file, COPIES)
      writeFileSync(join(dir, "secret.key"), `${issued.secret}\n`, { mode: 0o600 })
      const count = credentialsIn(file)
      for (let kill = 0; kill < KILLS; kill++) {
        if (await startAndKill(dir, choice.below(500))) killed++
        const now = schemaVersion(file)
        assertVersionOfStep(now)
        assert.equal(credentialsIn(file), count, `at version ${now}`)
      }
      const server = await SpawnedServer.start(span, dir)
      assert.equal((await fetch(`${server.url}/health`)).status, 200)
      await server.stop()
      assert.equal(schemaVersion(file), THIS_VERSION)
      assert.equal(credentialsIn(file), count)
      assert.deepEqual(await done(dir, ["verify"]), [])
    }
    say(`migrations: ${killed} kills`)
    return killed
  },
}

/** Kills the process this many milliseconds after it locked the directory. Returns whether it was still running. */
async function startAndKill(dir: string, milliseconds: number): Promise<boolean> {
  const child = spawn(LATCHKEY, ["serve", "--data", dir, "--port", "0", "--json"], {
    env: environmentWith({}),
    stdio: ["ignore", "pipe", "ignore"],
  })
  const exit = once(child, "exit")
  let hasServed = false
  child.stdout?.once("data", () => (hasServed = true))
  const begun = existsSync(join(dir, "latchkey.db-wal"))
  await until(
    () => begun || existsSync(join(dir, "latchkey.db-wal")) || child.exitCode !== null,
    "it begins",
    60_000,
  )
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  child.kill("SIGKILL")
  await exit
  return !hasServed
}
