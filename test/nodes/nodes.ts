/**
 * Several servers on one PostgreSQL database, each in its own process. A balancer sends each request to the next
 * server.
 */
import { Front } from "../kit/front.ts"
import { keepIn, postgresAt, type TestDatabase } from "../support/database.ts"
import { freshDatabase } from "../support/postgres.ts"
import { newDirectory, type Span, SpawnedServer } from "../support/spawn.ts"
import { freePort } from "../support/free-port.ts"

export type NodesOptions = {
  readonly count?: number
  /** Without this member, a database with the tables of this version is created. */
  readonly database?: TestDatabase
  /** Additional environment variables for every node. */
  readonly environment?: Readonly<Record<string, string>>
}

export class Node {
  readonly #span: Span
  readonly #environment: Readonly<Record<string, string>>
  /** The URL on which the node itself listens, whatever its base URL is. */
  readonly url: string
  #server: SpawnedServer

  private constructor(
    span: Span,
    environment: Readonly<Record<string, string>>,
    url: string,
    server: SpawnedServer,
  ) {
    this.#span = span
    this.#environment = environment
    this.url = url
    this.#server = server
  }

  static async start(span: Span, given: Readonly<Record<string, string>>): Promise<Node> {
    const port = await freePort()
    const environment = { ...given, LATCHKEY_PORT: String(port) }
    const server = await SpawnedServer.start(span, newDirectory(span), environment)
    return new Node(span, environment, `http://localhost:${port}`, server)
  }

  get server(): SpawnedServer {
    return this.#server
  }

  /** Kills the node. Resolves when it has ended. */
  kill(): Promise<unknown> {
    return this.#server.stop("SIGKILL")
  }

  /** Starts the node again on its port. The node has kept nothing. */
  async startAgain(): Promise<void> {
    this.#server = await SpawnedServer.start(this.#span, newDirectory(this.#span), this.#environment)
  }
}

export class Nodes {
  /** A directory that stands for the database, for commands beside the servers. */
  readonly dir: string
  readonly database: TestDatabase
  readonly each: readonly Node[]
  readonly #front: Front
  #turn = 0

  private constructor(dir: string, database: TestDatabase, each: readonly Node[], front: Front) {
    this.dir = dir
    this.database = database
    this.each = each
    this.#front = front
  }

  static async start(
    span: Span,
    { count = 3, environment = {}, ...given }: NodesOptions = {},
  ): Promise<Nodes> {
    const front = await Front.open()
    span.after(() => front.close())
    const dir = newDirectory(span)
    const database = given.database ?? (await newDatabase())
    keepIn(dir, database)
    const all = { ...database.environment, LATCHKEY_BASE_URL: front.url, ...environment }
    const each = await Promise.all(Array.from({ length: count }, () => Node.start(span, all)))
    const nodes = new Nodes(dir, database, each, front)
    front.leadTo(() => nodes.next().url)
    return nodes
  }

  /** The URL for browsers and apps. Each request goes to another node than the one before. */
  get url(): string {
    return this.#front.url
  }

  next(): Node {
    return this.at(this.#turn++)
  }

  at(n: number): Node {
    const node = this.each[n % this.each.length]
    if (node === undefined) throw new Error("there are no nodes")
    return node
  }
}

async function newDatabase(): Promise<TestDatabase> {
  const { url, drop } = await freshDatabase({ migrated: true })
  return postgresAt(url, drop)
}
