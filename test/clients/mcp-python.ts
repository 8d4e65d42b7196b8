/** MCP clients of Python. They are not among Debian's packages, so they have an environment of their own. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Browser } from "../support/browser.ts"
import { decide } from "../support/connect.ts"
import { needsModules } from "../support/leave-out.ts"
import { environmentWith, type Span } from "../support/spawn.ts"

/** `.ci/run` makes it after `npm ci`, which removes it. */
const ENVIRONMENT = "node_modules/.cache/python"
const REQUIREMENTS = "test/clients/python/requirements.txt"
const root = join(import.meta.dirname, "../..")

/** The environment is not compiled when it is installed, and nothing is to be written beside the sources. */
export const COMPILED = join(root, "node_modules/.cache/pycache")
const env = environmentWith({ PYTHONPYCACHEPREFIX: COMPILED })

/** The interpreter of the environment. */
export const PYTHON = join(root, ENVIRONMENT, "bin/python")

/** Returns the command of a program in the folder "python". */
export function pythonCommand(python: string, program: string, url: string): readonly string[] {
  return [python, join(import.meta.dirname, "python", program), url]
}

type Line = Readonly<Record<string, unknown>>

/** Takes a browser to the address, where a person consents. Returns the address to which it is sent back. */
type Visit = (address: URL) => Promise<URL>

/** A program that reads steps and prints results. The account in `browser` consents to whatever it opens. */
export class McpProgram {
  /** The addresses of the consent pages that it has opened. */
  readonly opened: URL[] = []
  readonly #visit: Visit
  readonly #child
  readonly #lines: AsyncIterator<string>
  #said = ""

  constructor(span: Span, browser: Browser | Visit, [file = "", ...args]: readonly string[]) {
    this.#visit = typeof browser === "function" ? browser : (address) => decide(browser, address, "authorize")
    this.#child = spawn(file, args, { env, stdio: ["pipe", "pipe", "pipe"] })
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#said += text))
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
    span.after(() => this.#child.kill("SIGKILL"))
  }

  /** The scopes of the consent pages that it has opened. */
  get scopes(): readonly (string | null)[] {
    return this.opened.map((address) => address.searchParams.get("scope"))
  }

  does(step: Line): Promise<Line> {
    this.#child.stdin.write(`${JSON.stringify(step)}\n`)
    return this.next()
  }

  async end(): Promise<void> {
    this.#child.stdin.end()
    if (this.#child.exitCode === null) await once(this.#child, "exit")
  }

  /** Returns the next result. Consents meanwhile. */
  async next(): Promise<Line> {
    for (;;) {
      const { value, done } = await this.#lines.next()
      if (done === true) throw new Error(`the MCP client ended: ${this.#said.slice(-3000)}`)
      const line = JSON.parse(value) as Line
      if (typeof line["open"] !== "string") return line
      const address = new URL(line["open"])
      this.opened.push(address)
      const back = await this.#visit(address)
      this.#child.stdin.write(`${back.href}\n`)
    }
  }
}

/** How to make the environment. */
export const INSTALL = `To install them: python3 -m venv ${ENVIRONMENT} && ${ENVIRONMENT}/bin/pip install -r ${REQUIREMENTS}`

export function needsEnvironment(): { skip?: string } {
  return needsModules(["mcp", "fastmcp"], PYTHON, INSTALL)
}
