/** `bin/latchkey` finds its checkout and a Node, or says what to do. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { LATCHKEY, newDirectory } from "../support/spawn.ts"

test("the launcher works through symlinks, absolute and relative, and from any directory", (t) => {
  const dir = newDirectory(t)
  symlinkSync(LATCHKEY, join(dir, "absolute"))
  mkdirSync(join(dir, "bin"))
  symlinkSync(relative(join(dir, "bin"), join(dir, "absolute")), join(dir, "bin/relative"))
  for (const path of ["absolute", "bin/relative", "./bin/relative"]) {
    const ended = spawnSync("sh", ["-c", `exec ${path.includes("/") ? path : `./${path}`} --version`], {
      cwd: dir,
    })
    assert.match(ended.stdout.toString(), /^latchkey \d/, ended.stderr.toString())
  }
})

test("without its packages the launcher says what to run", (t) => {
  const root = copyOfLauncher(newDirectory(t))
  const ended = spawnSync(join(root, "bin/latchkey"), ["--version"])
  assert.equal(ended.status, 1)
  assert.match(ended.stderr.toString(), /packages are not installed\. Run: cd '.+' && npm ci/)
})

test("without the pinned Node the launcher takes the machine's own where it is new enough", (t) => {
  const root = copyOfLauncher(newDirectory(t))
  mkdirSync(join(root, "node_modules/yaml"), { recursive: true })
  mkdirSync(join(root, "src/cli"), { recursive: true })
  writeFileSync(join(root, "src/cli/main.ts"), `process.exitCode = Number(process.argv[2] as string)`)
  const run = (path: string) => spawnSync(join(root, "bin/latchkey"), ["7"], { env: { PATH: path } })

  const tooOld = join(root, "old")
  mkdirSync(tooOld)
  writeFileSync(join(tooOld, "node"), "#!/bin/sh\nexit 1\n", { mode: 0o755 })
  const refused = run(`${tooOld}:/usr/bin:/bin`)
  assert.equal(refused.status, 1)
  assert.match(refused.stderr.toString(), /needs Node 24\.15 or newer/)

  const newEnough = join(root, "new")
  mkdirSync(newEnough)
  symlinkSync(process.execPath, join(newEnough, "node"))
  assert.equal(run(`${newEnough}:/usr/bin:/bin`).status, 7)
})

function copyOfLauncher(root: string): string {
  mkdirSync(join(root, "bin"))
  copyFileSync(LATCHKEY, join(root, "bin/latchkey"))
  return root
}
