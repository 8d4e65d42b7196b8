/**
 * The scripts of this folder. A script is a title, steps and files:
 *
 *   # The last administrator stays
 *   input secret words\n                 what the next command reads from standard input
 *   env LATCHKEY_PORT=http               one more variable for the next command
 *   > latchkey account list --json       must end with 0
 *   ! latchkey account show unknown       must end with 1, refused
 *   ? latchkey acount                    must end with 2, wrong usage
 *   json [{"username": "ada", "user_id": "…", "created_at": "#"}]    exactly this; … is any text, # any integer
 *   stdout ^ada                          a regular expression that standard output must match
 *   stderr no account                    one that standard error must match
 *   keep ID client_id                    $ID is that member of the printed JSON from here on
 *   exists copy.db                       the file is there
 *   -- latchkey.yaml --                  a file of the data directory, to the next such line
 *
 * Commands run on an empty data directory, $DIR. Each prints nothing on standard output but what a step below it names.
 */
import assert from "node:assert/strict"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Ended, latchkey } from "../support/spawn.ts"

export type Script = {
  readonly title: string
  readonly steps: readonly Step[]
  readonly files: ReadonlyMap<string, string>
}

type Step = { readonly verb: string; readonly rest: string; readonly line: number }

const EXITS: ReadonlyMap<string, number> = new Map([
  [">", 0],
  ["!", 1],
  ["?", 2],
])

export function readScript(text: string): Script {
  const [body = "", ...sections] = text.split(/^-- (.+) --\n/m)
  const files = new Map<string, string>()
  for (let i = 0; i < sections.length; i += 2) files.set(sections[i] ?? "", sections[i + 1] ?? "")
  const lines = body.split("\n")
  const steps = lines.flatMap((written, i): Step[] => {
    const [, verb = "", rest = ""] = /^(\S+) ?(.*)$/.exec(written) ?? []
    return verb === "" || verb === "#" ? [] : [{ verb, rest, line: i + 1 }]
  })
  return { title: (lines[0] ?? "").replace(/^# /, ""), steps, files }
}

/** `command` runs a command, either in a separate process, as `latchkey` does, or in `OneProcess`. */
export async function runScript(
  { steps, files }: Script,
  dir: string,
  command: typeof latchkey,
): Promise<void> {
  for (const [name, content] of files) writeFileSync(join(dir, name), content)
  const run = new Run(dir, command)
  for (const step of steps) {
    try {
      await run.step(step)
    } catch (error) {
      throw new Error(`line ${step.line}: ${step.verb} ${step.rest}\n${run.lastWords}`, { cause: error })
    }
  }
  run.nothingUnsaid()
}

class Run {
  readonly #dir: string
  readonly #latchkey: typeof latchkey
  readonly #kept = new Map<string, string>()
  #environment: Record<string, string> = {}
  #input = ""
  #ended: Ended = { code: 0, stdout: "", stderr: "" }
  #isAsserted = true

  constructor(dir: string, command: typeof latchkey) {
    this.#dir = dir
    this.#latchkey = command
    this.#kept.set("DIR", dir)
  }

  get lastWords(): string {
    return `stdout: ${this.#ended.stdout}\nstderr: ${this.#ended.stderr}`
  }

  async step({ verb, rest: written }: Step): Promise<void> {
    const rest = written.replaceAll(/\$([A-Z]+)/g, (whole, name: string) => this.#kept.get(name) ?? whole)
    const exit = EXITS.get(verb)
    if (exit !== undefined) return await this.#command(rest, exit)
    switch (verb) {
      case "input":
        this.#input = rest.replaceAll("\\n", "\n").replaceAll("\\r", "\r")
        return
      case "env":
        this.#environment[rest.split("=", 1)[0] ?? ""] = rest.slice(rest.indexOf("=") + 1)
        return
      case "json":
        this.#isAsserted = true
        return matches(JSON.parse(this.#ended.stdout), JSON.parse(rest))
      case "stdout":
        this.#isAsserted = true
        return assert.match(this.#ended.stdout, new RegExp(rest, "m"))
      case "stderr":
        return assert.match(this.#ended.stderr, new RegExp(rest, "m"))
      case "exists":
        return assert.ok(existsSync(rest), `${rest} is not there`)
      case "keep": {
        const [name = "", member = ""] = rest.split(" ")
        const printed = JSON.parse(this.#ended.stdout) as Record<string, unknown>
        this.#isAsserted = true
        assert.equal(typeof printed[member], "string")
        this.#kept.set(name, String(printed[member]))
        return
      }
      default:
        throw new Error(`a script has no step "${verb}"`)
    }
  }

  async #command(text: string, exit: number): Promise<void> {
    this.nothingUnsaid()
    const [program, ...args] = words(text)
    assert.equal(program, "latchkey")
    const environment = { LATCHKEY_DATA: this.#dir, ...this.#environment }
    this.#ended = await this.#latchkey(args, { input: this.#input, environment })
    this.#isAsserted = this.#ended.stdout === ""
    this.#input = ""
    this.#environment = {}
    assert.equal(this.#ended.code, exit)
  }

  nothingUnsaid(): void {
    assert.ok(this.#isAsserted, `the script does not say what was printed:\n${this.lastWords}`)
  }
}

/** Splits a line into words as a shell does. Spaces separate words, except inside quotes. */
function words(text: string): string[] {
  return [...text.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"),
  )
}

/** Compares deeply, including the order of members. Wildcards match as described above. */
function matches(printed: unknown, expected: unknown): void {
  if (expected === "…")
    return assert.ok(typeof printed === "string" && printed !== "", `${String(printed)} is no text`)
  if (expected === "#") return assert.ok(Number.isInteger(printed), `${String(printed)} is no integer`)
  if (typeof expected !== "object" || expected === null) return assert.deepEqual(printed, expected)
  assert.ok(typeof printed === "object" && printed !== null, `${String(printed)} is no object`)
  assert.equal(Array.isArray(printed), Array.isArray(expected))
  assert.deepEqual(Object.keys(printed), Object.keys(expected))
  for (const [name, value] of Object.entries(expected))
    matches((printed as Record<string, unknown>)[name], value)
}
