/** Files that root made, for a service that runs as another user. */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { environmentWith, LATCHKEY, newDirectory } from "../support/spawn.ts"

const USER = 65_534
const needsRoot = process.getuid?.() === 0 ? {} : { skip: "only root can make files of another user" }

test("MSG-1 a file that another user owns is named, with its owner and the remedy", needsRoot, (t) => {
  const dir = newDirectory(t)
  const run = (args: readonly string[], uid: number) =>
    spawnSync(LATCHKEY, [...args, "--data", dir], {
      encoding: "utf8",
      env: environmentWith({}),
      uid,
      gid: uid,
      input: "",
      timeout: 120_000,
    })
  const made = run(["app", "add", "--name", "N", "--type", "public", "--redirect", "http://127.0.0.1/"], 0)
  assert.equal(made.status, 0, made.stderr)
  const give = (user: number) => {
    chownSync(dir, USER, USER)
    chmodSync(dir, 0o700)
    for (const name of readdirSync(dir)) chownSync(join(dir, name), user, user)
  }
  const belongs = (name: string) =>
    new RegExp(`${name} belongs to user 0 \\(mode 0600\\), and user ${USER} may not use it: .*chown ${USER} `)
  give(0)
  const listed = run(["app", "list"], USER)
  assert.deepEqual([listed.status, belongs("latchkey\\.db").test(listed.stderr)], [1, true], listed.stderr)
  assert.match(run(["serve", "--port", "0"], USER).stderr, belongs("latchkey\\.db"))
  for (const name of ["latchkey.db.keys", "secret.key"]) {
    give(USER)
    writeFileSync(join(dir, name), name === "secret.key" ? "s".repeat(40) : "", { mode: 0o600 })
    chownSync(join(dir, name), 0, 0)
    const served = run(["serve", "--port", "0"], USER)
    assert.equal(served.status, 1)
    assert.match(served.stderr, belongs(name.replaceAll(".", "\\.")))
  }
})
