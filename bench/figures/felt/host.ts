/** A process with many listeners. It is talked to in lines: a token to watch, and the times at which each refused it. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { type Core, startAlone, stopped } from "../../server-process.ts"

/** What each listener needs. Each is a resource server with its own credentials. */
export type ListenerOptions = {
  readonly issuer: string
  /** The permission that each request needs. */
  readonly permission: string
  /** A listener asks again after this many milliseconds. */
  readonly askedEvery: number
  readonly apis: readonly { readonly clientId: string; readonly clientSecret: string }[]
  /** The ports of gates that the process asks in place of kits. */
  readonly gates?: readonly number[]
}

export class Host {
  readonly kind: string
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>

  constructor(kind: string, command: readonly string[], options: ListenerOptions, more: HostOptions) {
    this.kind = kind
    const { core, environment, log } = more
    this.#child = startAlone(core, command, { environment, log, readsInput: true })
    if (this.#child.stdout === null) throw new Error(`${kind} did not start`)
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]()
    this.#say(options)
  }

  /** Resolves when all listeners accept the token. */
  async watch(token: string): Promise<void> {
    this.#say({ token })
    await this.#read<object>()
  }

  /** Returns the milliseconds since 1970 at which each listener refused the token that is watched. */
  async refusals(): Promise<readonly number[]> {
    return (await this.#read<{ readonly refused: readonly number[] }>()).refused
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) {
      const closed = once(this.#child, "close")
      this.#child.stdin?.end()
      await closed
    }
    await stopped(this.#child)
  }

  #say(value: object): void {
    this.#child.stdin?.write(`${JSON.stringify(value)}\n`)
  }

  async #read<T>(): Promise<T> {
    const { value, done } = await this.#lines.next()
    if (done === true) throw new Error(`${this.kind} has ended`)
    return JSON.parse(value) as T
  }
}

export type HostOptions = {
  readonly core: Core
  readonly environment?: Readonly<Record<string, string>>
  readonly log: string
}
