/** Runs every script of this folder, each on a data directory of its own. */
import { suite, test } from "node:test"
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { newDirectory } from "../support/spawn.ts"
import { readScript, runScript } from "./script.ts"

const scripts = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".txt"))

suite("command line scripts", { concurrency: 4 }, () => {
  for (const name of scripts) {
    const script = readScript(readFileSync(join(import.meta.dirname, name), "utf8"))
    test(`${name}: ${script.title}`, (t) => runScript(script, newDirectory(t)))
  }
})

test("there are scripts, and each has a title and a step", () => {
  assert.ok(scripts.length > 20, `only ${scripts.length} scripts were found`)
  for (const name of scripts) {
    const { title, steps } = readScript(readFileSync(join(import.meta.dirname, name), "utf8"))
    assert.ok(title !== "" && steps.length > 0, name)
  }
})

test("a script that expects what is not there fails", async (t) => {
  const wrong = [
    "> latchkey account list",
    "! latchkey --version",
    "> latchkey --version",
    "? latchkey acount\nstderr ^done",
  ]
  for (const steps of wrong) {
    await assert.rejects(runScript(readScript(`# Wrong\n${steps}\n`), newDirectory(t)), steps)
  }
})
