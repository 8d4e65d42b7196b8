/** Runs every script of this folder, each with its own data directory. Some scripts also run with the launcher. */
import { suite, test } from "node:test"
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { OneProcess } from "../support/one-process.ts"
import { latchkey, newDirectory, wholeFile } from "../support/spawn.ts"
import { readScript, runScript, type Script } from "./script.ts"

const scripts = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".txt"))

/**
 * Together, these scripts cover every exit code, input and output. One process for all commands must behave like a
 * separate process for each.
 */
const launched = ["account-password.txt", "global-flags.txt", "setting.txt", "usage-command.txt"]

const oneProcess = OneProcess.start(wholeFile())
const inOneProcess: typeof latchkey = (args, options) => oneProcess.run(args, options)

suite("command line scripts", () => {
  for (const name of scripts) {
    const script = read(name)
    test(`${name}: ${script.title}`, (t) => runScript(script, newDirectory(t), inOneProcess))
  }
})

suite("command line scripts, each command a process", { concurrency: 2 }, () => {
  for (const name of launched) {
    const script = read(name)
    test(`${name}: ${script.title}`, (t) => runScript(script, newDirectory(t), latchkey))
  }
})

test("there are scripts, and each has a title and a step", () => {
  assert.ok(scripts.length > 20, `only ${scripts.length} scripts were found`)
  for (const name of scripts) {
    const { title, steps } = read(name)
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
    await assert.rejects(runScript(readScript(`# Wrong\n${steps}\n`), newDirectory(t), inOneProcess), steps)
  }
})

function read(name: string): Script {
  return readScript(readFileSync(join(import.meta.dirname, name), "utf8"))
}
