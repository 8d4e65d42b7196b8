/** A program in a terminal that shows a code and waits. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import type { Span } from "../support/spawn.ts"
import { environmentWith } from "../support/spawn.ts"

const PATIENCE_MILLISECONDS = 30_000

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export class Terminal {
  readonly #child: ChildProcess
  readonly #said = { stdout: "", stderr: "" }
  readonly ended: Promise<Ended>

  /** Starts the program. It is stopped when `span` ends. */
  constructor(
    span: Span,
    program: string,
    args: readonly string[],
    { input = "", environment = {} }: { input?: string; environment?: Record<string, string> } = {},
  ) {
    this.#child = spawn(program, args, { env: environmentWith(environment) })
    this.#child.stdout?.on("data", (part: Buffer) => (this.#said.stdout += part.toString()))
    this.#child.stderr?.on("data", (part: Buffer) => (this.#said.stderr += part.toString()))
    this.#child.stdin?.end(input)
    this.ended = once(this.#child, "close").then(([code]) => ({ code: code as number | null, ...this.#said }))
    span.after(() => this.#child.kill("SIGKILL"))
  }

  /** Waits until standard error matches `pattern`. Returns the first group. */
  async says(pattern: RegExp): Promise<string> {
    const patience = AbortSignal.timeout(PATIENCE_MILLISECONDS)
    const gone = this.ended.then(({ stderr }) => {
      throw new Error(`it ended early: ${stderr}`)
    })
    gone.catch(() => undefined)
    for (;;) {
      const found = pattern.exec(this.#said.stderr)?.[1]
      if (found !== undefined) return found
      await Promise.race([
        once(this.#child.stderr as NodeJS.ReadableStream, "data", { signal: patience }),
        gone,
      ])
    }
  }
}

/** Matches a user code as the program shows it. */
export const USER_CODE = /\b([BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4})\b/
