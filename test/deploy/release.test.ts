/** Tests the npm package. It contains compiled JavaScript that the launcher starts without a checkout. */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { ROOT, stage } from "../../release/staging.ts"
import { environmentWith, newDirectory, wholeFile } from "../support/spawn.ts"

const PICTURE = join(ROOT, "docs/images/console-light.png")

/** npm puts the package below node_modules, with its packages beside it. */
const modules = join(newDirectory(wholeFile()), "node_modules")
const installed = join(modules, "latchkey")
mkdirSync(modules)
for (const name of readdirSync(join(ROOT, "node_modules")))
  if (!name.startsWith(".")) symlinkSync(join(ROOT, "node_modules", name), join(modules, name))
stage(installed)

test("the npm package starts where npm puts it, and its worker processes too", (t) => {
  assert.equal(existsSync(join(installed, "src")), false)
  const data = join(newDirectory(t), "data")
  const latchkey = (...words: readonly string[]) => {
    const args = [...words, "--data", data, "--json"]
    return spawnSync(join(installed, "bin/latchkey"), args, { encoding: "utf8", env: environmentWith({}) })
  }
  const app = ["--name", "Notes", "--type", "public", "--redirect", "http://127.0.0.1/"]
  const added = latchkey("app", "add", ...app, "--icon", PICTURE)
  assert.equal(added.status, 0, added.stderr)
  const verified = latchkey("verify")
  assert.equal(verified.status, 0, verified.stderr)
  const gate = spawnSync(join(installed, "bin/latchkey"), ["gate", "--config", join(data, "gate.yaml")], {
    encoding: "utf8",
    env: environmentWith({}),
  })
  assert.match(gate.stderr, /gate\.yaml/)
  assert.doesNotMatch(gate.stderr, /MODULE/)
})

test("the lock file of the npm package has every package that the service imports, and no tool of its tests", () => {
  const read = (name: string) =>
    JSON.parse(readFileSync(join(installed, name), "utf8")) as Record<string, object>
  const locked = Object.keys(read("npm-shrinkwrap.json")["packages"] ?? {})
  for (const name of Object.keys(read("package.json")["dependencies"] ?? {}))
    assert.ok(locked.includes(`node_modules/${name}`), name)
  assert.equal(locked.includes("node_modules/playwright-core"), false)
})

test("the npm package has the documents, the units, and no secret of a trial", () => {
  for (const name of [
    "docs/operating.md",
    "docs/images",
    "SECURITY.md",
    "deploy/latchkey.service",
    "deploy/alerts.yaml",
  ])
    assert.ok(existsSync(join(installed, name)), name)
  const unit = readFileSync(join(installed, "deploy/latchkey.service"), "utf8")
  for (const [, file = ""] of unit.matchAll(/\bcp (deploy\/\S+)/g))
    assert.ok(existsSync(join(installed, file)), file)
  assert.equal(existsSync(join(installed, "deploy/secrets")), false)
})
