/**
 * A connection pool of limited size. If no connection is free, a caller waits in a bounded queue for a limited time. If
 * the server is silent, a probe checks it (`heartbeat.ts`). If the server is away, all waiting callers fail at once.
 * Later callers connect again, so the service recovers automatically.
 */
import { StoreUnavailable } from "../../unavailable.ts"
import type { Connection } from "./connection.ts"
import { Heartbeat, isAway } from "./heartbeat.ts"
import { ConnectionLost, sqlStateOf } from "./postgres-error.ts"

type Waiting = {
  readonly resolve: (connection: Connection) => void
  readonly reject: (reason: unknown) => void
  readonly since: number
}

export type PoolOptions = {
  readonly connect: () => Promise<Connection>
  /** The maximum number of connections. */
  readonly size: number
}

const WAITING_AT_MOST = 1000
/**
 * The longest time that a caller waits for a connection. If the server does not respond, callers are rejected earlier.
 */
const WAIT_MILLISECONDS = 5000

/** With this SQLSTATE, the server runs but has no free connection. */
const TOO_MANY_CONNECTIONS = "53300"

export class Pool {
  readonly #options: PoolOptions
  readonly #idle: Connection[] = []
  readonly #lent = new Set<Connection>()
  readonly #heartbeat: Heartbeat
  #waiting: Waiting[] = []
  #connecting = 0
  #isClosed = false
  readonly #whenAway: ((reason: StoreUnavailable) => void)[] = []

  constructor(options: PoolOptions) {
    this.#options = options
    this.#heartbeat = new Heartbeat(options.connect, this.#lent, {
      ticked: (now) => this.#giveUpOnLate(now),
      gone: (reason) => this.#serverIsAway(reason),
    })
  }

  get size(): number {
    return this.#options.size
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Calls `listener` when the server is found to be away. Queues in front of the pool then reject their callers at
   * once.
   */
  whenAway(listener: (reason: StoreUnavailable) => void): void {
    this.#whenAway.push(listener)
  }

  borrow(): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(closed())
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.failure === null) return Promise.resolve(this.#lend(idle))
    }
    if (this.#waiting.length >= WAITING_AT_MOST)
      return Promise.reject(new StoreUnavailable("too many callers are waiting for a database connection"))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject, since: performance.now() })
      this.#heartbeat.start()
      this.#connectMore()
    })
  }

  giveBack(connection: Connection): void {
    this.#lent.delete(connection)
    if (this.#isClosed) void connection.end()
    else if (connection.failure !== null) this.#replace()
    else this.#offer(connection)
    this.#rest()
  }

  /** Lends no more connections. Connections that are in use are closed when they are returned. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#heartbeat.stop()
    this.#rejectAll(closed())
    await Promise.all(this.#idle.splice(0).map((connection) => connection.end()))
  }

  #lend(connection: Connection): Connection {
    this.#lent.add(connection)
    this.#heartbeat.start()
    return connection
  }

  #offer(connection: Connection): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(connection)
    else next.resolve(this.#lend(connection))
  }

  /** Closes the idle connections too, because after a failover they still lead to the old server. */
  #replace(): void {
    for (const idle of this.#idle.splice(0)) void idle.end()
    this.#connectMore()
  }

  #rest(): void {
    if (this.#lent.size === 0 && this.#waiting.length === 0) this.#heartbeat.stop()
  }

  #connectMore(): void {
    const open = this.#idle.length + this.#lent.size + this.#connecting
    if (open >= this.#options.size || this.#connecting >= this.#waiting.length) return
    this.#connecting++
    const begun = performance.now()
    this.#options.connect().then(
      (connection) => {
        this.#connecting--
        if (this.#isClosed) void connection.end()
        else this.#offer(connection)
      },
      (error: unknown) => {
        this.#connecting--
        // The waiting callers get connections that other callers return.
        if (this.#isOnlyBusy(error, begun)) return
        this.#rejectAll(error)
        if (isAway(error)) this.#tell(error)
      },
    )
  }

  /**
   * Whether the server is only busy. It then has no free connection, or it answered on other connections in the
   * meantime.
   */
  #isOnlyBusy(error: unknown, begun: number): boolean {
    if (sqlStateOf(error) === TOO_MANY_CONNECTIONS) return this.#lent.size > 0
    if (!(error instanceof ConnectionLost)) return false
    return [...this.#lent].some(({ failure, heardAt }) => failure === null && heardAt > begun)
  }

  #rejectAll(reason: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(reason)
  }

  #giveUpOnLate(now: number): void {
    const late = this.#waiting.filter(({ since }) => now - since > WAIT_MILLISECONDS)
    this.#waiting = this.#waiting.filter((one) => !late.includes(one))
    for (const { reject } of late) reject(new StoreUnavailable("no database connection became free in time"))
    this.#rest()
  }

  #serverIsAway(cause: unknown): void {
    const reason = new StoreUnavailable("the database does not answer", { cause })
    const lost = new ConnectionLost("the server does not answer", { cause })
    for (const connection of [...this.#lent, ...this.#idle.splice(0)]) connection.destroy(lost)
    this.#rejectAll(reason)
    this.#tell(cause)
  }

  #tell(cause: unknown): void {
    const reason = new StoreUnavailable("the database does not answer", { cause })
    for (const listener of this.#whenAway) listener(reason)
  }
}

function closed(): StoreUnavailable {
  return new StoreUnavailable("the store is closed")
}
