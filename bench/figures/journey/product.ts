/** The products that are measured beside each other. Server and database share the first core. */
import type { ChildProcess } from "node:child_process"
import { setTimeout as pause } from "node:timers/promises"
import { stopped } from "../../server-process.ts"
import type { Site } from "./visitor.ts"

/** A process whose processor time counts, with its children. */
export type Share = { readonly of: "server" | "database" | "consent program"; readonly pid: number }

export type Product = {
  readonly name: string
  /** How it hashes passwords, by default. */
  readonly hashing: string
  readonly site: Site
  readonly databaseUrl: string | null
  readonly shares: readonly Share[]
  /** The time until its code is compiled. */
  readonly warmUpSeconds: number
  readonly server: Server
  /** Stops everything that belongs to the product. */
  readonly stop: () => Promise<void>
}

/** The accounts of each product. All have the same password. */
export const ACCOUNTS = 100
export const PASSWORD = "a password of the benchmark"

export function usernameOf(at: number): string {
  return `user-${at}`
}

/** The server of a product, which can be started again. */
export class Server {
  readonly #launch: () => ChildProcess
  readonly #readyUrl: string
  #child: ChildProcess | null = null

  /** `readyUrl` answers 200 when the server is ready. */
  constructor(launch: () => ChildProcess, readyUrl: string) {
    this.#launch = launch
    this.#readyUrl = readyUrl
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Returns the milliseconds until the first answer. */
  async start(): Promise<number> {
    const begun = performance.now()
    const child = this.#launch()
    this.#child = child
    child.stdout?.resume()
    const end = begun + START_MILLISECONDS
    while (!(await isReady(this.#readyUrl))) {
      if (child.exitCode !== null || performance.now() > end)
        throw new Error(`${this.#readyUrl} does not answer`)
      await pause(2)
    }
    return performance.now() - begun
  }

  async stop(): Promise<void> {
    if (this.#child !== null) await stopped(this.#child)
  }
}

const START_MILLISECONDS = 300_000

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(url, { headers: { connection: "close" } }).catch(() => null)
  await answer?.arrayBuffer()
  return answer?.status === 200
}
