/**
 * Runs commands one after the other in one process, which loads them once. A separate process for each command takes
 * several times as long. `LATCHKEY` of `spawn.ts` tests the launcher.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { environmentWith, type Ended, LATCHKEY, type Span } from "./spawn.ts"

export type Order = {
  readonly args: readonly string[]
  readonly input: string
  readonly env: Readonly<NodeJS.ProcessEnv>
}

/** `fault` is an error that would have ended a separate process, or something that would have kept it running. */
export type Answered = Ended & { readonly fault: string | null }

export class OneProcess {
  readonly #child: ChildProcess
  #last: Promise<unknown> = Promise.resolve()

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static start(span: Span): OneProcess {
    const child = fork(join(import.meta.dirname, "one-process-child.ts"), {
      env: environmentWith({ LATCHKEY_PROGRAM: LATCHKEY }),
      execArgv: ["--disable-warning=ExperimentalWarning"],
    })
    span.after(() => child.kill())
    return new OneProcess(child)
  }

  /** Runs one command as `latchkey` does, after the earlier commands have ended. */
  run(
    args: readonly string[],
    { input = "", environment = {} }: { input?: string; environment?: Readonly<Record<string, string>> } = {},
  ): Promise<Ended> {
    const order: Order = { args, input, env: environmentWith({ LATCHKEY_PROGRAM: LATCHKEY, ...environment }) }
    const ended = this.#last.then(() => this.#ask(order))
    this.#last = ended.catch(() => undefined)
    return ended
  }

  async #ask(order: Order): Promise<Ended> {
    const patience = AbortSignal.timeout(60_000)
    const answer = once(this.#child, "message", { signal: patience })
    this.#child.send(order)
    const [{ fault, ...ended }] = (await answer) as [Answered]
    if (fault !== null) throw new Error(`latchkey ${order.args.join(" ")}: ${fault}`)
    return ended
  }
}
