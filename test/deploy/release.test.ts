/** Tests the npm package. It contains compiled JavaScript that the launcher starts without a checkout. */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { ROOT, stage } from "../../release/staging.ts"
import { newDirectory } from "../support/spawn.ts"
import { environmentWith } from "../support/spawn.ts"

test("the npm package starts where npm puts it: below node_modules, its packages beside it", (t) => {
  const modules = join(newDirectory(t), "node_modules")
  mkdirSync(modules)
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (!name.startsWith(".")) symlinkSync(join(ROOT, "node_modules", name), join(modules, name))
  const installed = join(modules, "latchkey")
  stage(installed)
  assert.equal(existsSync(join(installed, "src")), false)

  const dir = newDirectory(t)
  const picture = join(dir, "picture.png")
  cpSync(join(ROOT, "docs/images", firstPicture()), picture)
  const latchkey = (...words: string[]) => {
    const args = [...words, "--data", join(dir, "data"), "--json"]
    return spawnSync(join(installed, "bin/latchkey"), args, { encoding: "utf8", env: environmentWith({}) })
  }
  const added = latchkey(
    "app",
    "add",
    "--name",
    "Notes",
    "--type",
    "public",
    "--redirect",
    "http://127.0.0.1/",
    "--icon",
    picture,
  )
  assert.equal(added.status, 0, added.stderr)
  const verified = latchkey("verify")
  assert.equal(verified.status, 0, verified.stderr)
})

function firstPicture(): string {
  return readdirSync(join(ROOT, "docs/images")).find((name) => name.endsWith(".png")) ?? "none"
}

test("the lock file of the npm package has every package that the service imports, and no tool of its tests", (t) => {
  const dir = newDirectory(t)
  stage(dir)
  const read = (name: string) => JSON.parse(readFileSync(join(dir, name), "utf8")) as Record<string, unknown>
  const locked = Object.keys(read("npm-shrinkwrap.json")["packages"] as object)
  for (const name of Object.keys(read("package.json")["dependencies"] as object))
    assert.ok(locked.includes(`node_modules/${name}`), name)
  assert.equal(locked.includes("node_modules/playwright-core"), false)
})
