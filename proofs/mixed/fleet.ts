/** The servers of a proof, each a process that may be killed and started again: one on SQLite, several on PostgreSQL. */
import { Front } from "../../test/kit/front.ts"
import { databaseIn, type Engine, type TestDatabase } from "../../test/support/database.ts"
import { Probe } from "./probe.ts"
import { newDirectory, type Span, type SpawnOptions, SpawnedServer } from "../../test/support/spawn.ts"
import { freePort } from "../../test/support/free-port.ts"

export type FleetOptions = {
  readonly engine: Engine
  /** On SQLite there is always one. */
  readonly count?: number
  readonly environment?: Readonly<Record<string, string>>
  readonly through?: readonly string[]
}

const FIRST_ANSWER_MILLISECONDS = 60_000
const LOOK_MILLISECONDS = 20

/** One place where a server listens, whichever process that is at the moment. */
export class Member {
  readonly url: string
  readonly #span: Span
  readonly #dir: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #options: SpawnOptions
  /** Whether it is known to be gone, so that no request is sent to it. */
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

  /** What the present server has logged. */
  get log(): string {
    return this.#server?.stderr ?? ""
  }

  /** What all servers that were here have logged. */
  get logs(): string {
    return this.#servers.map(({ stderr }) => stderr).join("\n")
  }

  /** Starts a process, and does not wait until it serves. */
  async begin(): Promise<void> {
    const spawned = Promise.withResolvers<SpawnedServer>()
    this.#starting = SpawnedServer.start(this.#span, this.#dir, this.#environment, {
      ...this.#options,
      spawned: spawned.resolve,
    })
    // A caller that waits gets this error; one killed before it serves has no such caller.
    this.#starting.catch(spawned.reject)
    this.#server = await spawned.promise
    this.#servers.push(this.#server)
  }

  /** Resolves when the server that was begun serves. */
  async serving(): Promise<void> {
    await this.#starting
  }

  /** Waits until a server that was begun just now gives its first answer; how many milliseconds that took. */
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

  /** Ends it on the spot, in whatever it does, and resolves when it is gone. */
  async kill(): Promise<void> {
    await this.#server?.stop("SIGKILL")
    this.isGone = true
    await this.#starting.catch(() => undefined)
  }
}

export class Fleet {
  /** Where the data is, or what stands for the database: for commands beside the servers. */
  readonly dir: string
  readonly database: TestDatabase
  readonly members: readonly Member[]
  /** Where browsers go. */
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

  /** Nothing runs yet: the caller seeds the directory and starts the members. */
  static async open(span: Span, options: FleetOptions): Promise<Fleet> {
    const { engine, environment = {}, through = [] } = options
    const dir = newDirectory(span)
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

  /** Another one each time, of those that are there. */
  next(): Member {
    const there = this.members.filter(({ isGone }) => !isGone)
    const among = there.length === 0 ? this.members : there
    const member = among[this.#turn++ % among.length]
    if (member === undefined) throw new Error("there are no servers")
    return member
  }
}
