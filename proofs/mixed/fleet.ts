/**
 * The servers of a proof. Each is a process that may be killed and started again. SQLite has one server, and PostgreSQL
 * has several.
 */
import { Front } from "../../test/kit/front.ts"
import { databaseIn, type Engine, keepIn, type TestDatabase } from "../../test/support/database.ts"
import { Probe } from "./probe.ts"
import { newDirectory, type Span, type SpawnOptions, SpawnedServer } from "../../test/support/spawn.ts"
import { freePort } from "../../test/support/free-port.ts"

export type FleetOptions = {
  readonly engine: Engine
  /** An existing database. The default is a new one. */
  readonly database?: TestDatabase
  /** The number of servers. SQLite always has one. */
  readonly count?: number
  readonly environment?: Readonly<Record<string, string>>
  readonly through?: readonly string[]
}

const FIRST_ANSWER_MILLISECONDS = 60_000
const LOOK_MILLISECONDS = 20

/** An address at which a server listens, whichever process that is at the moment. */
export class Member {
  readonly url: string
  readonly #span: Span
  readonly #dir: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #options: SpawnOptions
  /** Whether the server is known to be stopped. No request is then sent to it. */
  isGone = false
  #server: SpawnedServer | null = null
  readonly #servers: SpawnedServer[] = []
  #starting: Promise<unknown> = Promise.resolve()

  constructor(
    span: Span,
    dir: string,
    port: number,
    environment: Readonly<Record<string, string>>,
    options: SpawnOptions,
  ) {
    this.url = `http://localhost:${port}`
    this.#span = span
    this.#dir = dir
    this.#environment = { ...environment, LATCHKEY_PORT: String(port) }
    this.#options = options
  }

  get pid(): number {
    return this.#server?.pid ?? 0
  }

  /** What the current process has logged. */
  get log(): string {
    return this.#server?.stderr ?? ""
  }

  /** What all processes at this address have logged. */
  get logs(): string {
    return this.#servers.map(({ stderr }) => stderr).join("\n")
  }

  /** Starts a process without waiting until it serves. */
  async begin(): Promise<void> {
    const spawned = Promise.withResolvers<SpawnedServer>()
    this.#starting = SpawnedServer.start(this.#span, this.#dir, this.#environment, {
      ...this.#options,
      spawned: spawned.resolve,
    })
    // A waiting caller gets this error. A process that is killed before it serves has no such caller.
    this.#starting.catch(spawned.reject)
    this.#server = await spawned.promise
    this.#servers.push(this.#server)
  }

  /** Resolves when the new process serves. */
  async serving(): Promise<void> {
    await this.#starting
  }

  /** Waits for the first response of the new process. Returns how many milliseconds that took. */
  async firstAnswer(): Promise<number> {
    const begun = performance.now()
    for (;;) {
      const answer = await fetch(`${this.url}/health`).catch(() => null)
      if (answer !== null) {
        await answer.arrayBuffer()
        this.isGone = false
        return performance.now() - begun
      }
      if (performance.now() - begun > FIRST_ANSWER_MILLISECONDS)
        throw new Error(`no answer ${FIRST_ANSWER_MILLISECONDS} ms after a start: ${this.log}`)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS))
    }
  }

  /** Kills the process at any moment. Resolves when it has ended. */
  async kill(): Promise<void> {
    await this.#server?.stop("SIGKILL")
    this.isGone = true
    await this.#starting.catch(() => undefined)
  }
}

export class Fleet {
  /** The data directory, or a directory that stands for the database. Commands use it beside the servers. */
  readonly dir: string
  readonly database: TestDatabase
  readonly members: readonly Member[]
  /** The URL for browsers. */
  readonly url: string
  readonly probe: Probe
  #turn = 0

  private constructor(
    dir: string,
    database: TestDatabase,
    members: readonly Member[],
    url: string,
    probe: Probe,
  ) {
    this.dir = dir
    this.database = database
    this.members = members
    this.url = url
    this.probe = probe
  }

  /** Opens a fleet in which nothing runs yet. The caller fills the directory and starts the members. */
  static async open(span: Span, options: FleetOptions): Promise<Fleet> {
    const { engine, environment = {}, through = [] } = options
    const dir = newDirectory(span)
    if (options.database !== undefined) keepIn(dir, options.database)
    const database = await databaseIn(dir, engine)
    const given = { ...database.environment, ...environment }
    if (engine === "sqlite") {
      const only = new Member(span, dir, await freePort(), given, { through })
      return new Fleet(dir, database, [only], only.url, new Probe(span, database))
    }
    const front = await Front.open()
    span.after(() => front.close())
    const all = { ...given, LATCHKEY_BASE_URL: front.url }
    const members: Member[] = []
    for (let n = 0; n < (options.count ?? 3); n++)
      members.push(new Member(span, newDirectory(span), await freePort(), all, { through }))
    const fleet = new Fleet(dir, database, members, front.url, new Probe(span, database))
    front.leadTo(() => fleet.next().url)
    return fleet
  }

  async start(): Promise<void> {
    await Promise.all(this.members.map((member) => member.begin()))
    await Promise.all(this.members.map((member) => member.serving()))
  }

  get isThere(): boolean {
    return this.members.some(({ isGone }) => !isGone)
  }

  /** Returns the next running member. */
  next(): Member {
    const there = this.members.filter(({ isGone }) => !isGone)
    const among = there.length === 0 ? this.members : there
    const member = among[this.#turn++ % among.length]
    if (member === undefined) throw new Error("there are no servers")
    return member
  }
}
