/**
 * Observes the service from outside while the fuzzer runs. It measures memory, open connections and the delays of other
 * clients.
 */
import { readdirSync, readlinkSync } from "node:fs"
import { usageOf } from "../../bench/server-process.ts"
import { Connection } from "./connection.ts"

const LOOK_MILLISECONDS = 250
const HANG_MILLISECONDS = 30_000

export class Census {
  readonly #pid: number
  readonly #port: number
  readonly #memory: number[] = []
  #isOver = false
  #looking: Promise<void> = Promise.resolve()
  /** The longest time that an ordinary request waited. */
  slowestHealth = 0

  constructor(pid: number, port: number) {
    this.#pid = pid
    this.#port = port
  }

  begin(): void {
    this.#looking = this.#look()
    this.#looking.catch(() => undefined)
  }

  /** Ends the observation. Rejects if the service did not respond at some time. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#looking
  }

  /** Returns the median memory in MiB of a part of the run. `from` and `to` are fractions of the run. */
  memory(from: number, to: number): number {
    const { length } = this.#memory
    const part = this.#memory.slice(Math.floor(from * length), Math.max(1, Math.ceil(to * length)))
    return Math.round(part.sort((a, b) => a - b)[part.length >> 1] ?? 0)
  }

  get now(): number {
    return Math.round(usageOf(this.#pid).residentMiB)
  }

  get peak(): number {
    return Math.round(usageOf(this.#pid).peakMiB)
  }

  /** The number of sockets that the service has, including its own. */
  get sockets(): number {
    const dir = `/proc/${this.#pid}/fd`
    return readdirSync(dir).filter((name) => {
      try {
        return readlinkSync(`${dir}/${name}`).startsWith("socket:")
      } catch {
        return false
      }
    }).length
  }

  async #look(): Promise<void> {
    const connection = await Connection.open(this.#port)
    try {
      while (!this.#isOver) {
        const begun = performance.now()
        connection.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        const answer = await connection.answer("GET", HANG_MILLISECONDS)
        if (answer?.status !== 200) throw new Error(`health answered ${answer?.status ?? "nothing"}`)
        this.slowestHealth = Math.max(this.slowestHealth, performance.now() - begun)
        this.#memory.push(usageOf(this.#pid).residentMiB)
        await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS))
      }
    } finally {
      connection.close()
    }
  }
}
