/**
 * A real service on a chosen directory, with apps that refresh without a pause and a resource server that introspects.
 */
import assert from "node:assert/strict"
import { mkdirSync } from "node:fs"
import { History, type Pair } from "../../test/nodes/history.ts"
import type { Browser } from "../../test/support/browser.ts"
import {
  type AppIdentity,
  connectIn,
  own,
  refresh,
  send,
  signedInBrowser,
} from "../../test/support/connect.ts"
import { databaseIn, dropDatabase, type Engine } from "../../test/support/database.ts"
import { addAccount, addApp, addResourceServer, switchBudgetOff } from "../../test/support/seed.ts"
import { done, type Span, SpawnedServer } from "../../test/support/spawn.ts"
import { freePort } from "../../test/support/free-port.ts"

type Environment = Readonly<Record<string, string>>

export class World {
  readonly dir: string
  readonly app: AppIdentity
  readonly files: AppIdentity
  readonly url: string
  readonly #span: Span
  readonly #environment: Environment
  #server: SpawnedServer | null = null
  #alice: Browser | null = null

  private constructor(
    span: Span,
    dir: string,
    apps: { app: AppIdentity; files: AppIdentity },
    port: number,
    environment: Environment,
  ) {
    this.#span = span
    this.dir = dir
    this.app = apps.app
    this.files = apps.files
    this.url = `http://localhost:${port}`
    this.#environment = { ...environment, LATCHKEY_PORT: String(port) }
  }

  /** Fills `dir` while no server runs. */
  static async seed(
    span: Span,
    dir: string,
    engine: Engine = "sqlite",
    environment: Environment = {},
  ): Promise<World> {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    await databaseIn(dir, engine)
    span.after(() => dropDatabase(dir))
    await addAccount(dir, "alice")
    await switchBudgetOff(dir)
    const apps = { app: await addApp(dir, { type: "public" }), files: await addResourceServer(dir) }
    return new World(span, dir, apps, await freePort(), environment)
  }

  static async open(...given: Parameters<typeof World.seed>): Promise<World> {
    const world = await World.seed(...given)
    await world.start()
    return world
  }

  /** Returns the same service on another directory, such as a copy. */
  on(dir: string): World {
    const { app, files } = this
    return new World(this.#span, dir, { app, files }, Number(new URL(this.url).port), this.#environment)
  }

  /** Starts one more node on the same database. Only PostgreSQL allows this. */
  async beside(environment: Environment): Promise<World> {
    const { app, files } = this
    const more = { ...this.#environment, ...environment }
    const node = new World(this.#span, this.dir, { app, files }, await freePort(), more)
    await node.start()
    return node
  }

  get server(): SpawnedServer {
    if (this.#server === null) throw new Error("nothing runs")
    return this.#server
  }

  /** The only node, in the form that `History` needs. */
  get each(): readonly World[] {
    return [this]
  }

  at(): World {
    return this
  }

  async start(environment: Environment = {}): Promise<SpawnedServer> {
    this.#server = await SpawnedServer.start(this.#span, this.dir, { ...this.#environment, ...environment })
    return this.#server
  }

  /** Starts the server with its standard error in a file. */
  async startLogging(file: string): Promise<SpawnedServer> {
    const through = ["sh", "-c", 'log=$1; shift; exec "$@" 2>>"$log"', "sh", file]
    this.#server = await SpawnedServer.start(this.#span, this.dir, this.#environment, { through })
    return this.#server
  }

  async alice(): Promise<Browser> {
    return (this.#alice ??= await signedInBrowser(this, "alice"))
  }

  /** Creates this many apps that alice has allowed. */
  async history(count: number): Promise<History> {
    return History.begin(this, this.app, await this.alice(), count)
  }

  async pairs(count: number): Promise<Pair[]> {
    const alice = await this.alice()
    const held = await Promise.all(Array.from({ length: count }, () => connectIn(alice, this, this.app)))
    return held.map(({ access_token: accessToken, refresh_token: refreshToken }) => ({
      accessToken,
      refreshToken,
    }))
  }

  refresh({ refreshToken }: Pair) {
    return refresh(this, this.app, refreshToken)
  }

  revoke({ refreshToken }: Pair) {
    return send(this, "/oauth/revoke", { ...own(this.app), token: refreshToken })
  }

  introspect({ accessToken }: Pair) {
    return send(this, "/oauth/introspect", { ...own(this.files), token: accessToken })
  }

  async verify(): Promise<void> {
    assert.deepEqual(await done(this.dir, ["verify"]), [])
  }
}

/** Checks that the service asks to try again, and says when. */
export function assertAway({ status, headers, body }: Awaited<ReturnType<typeof send>>, what: string): void {
  assert.equal(status, 503, `${what}: ${JSON.stringify(body)}`)
  assert.match(headers.get("retry-after") ?? "", /^[1-9]\d?$/, what)
  assert.equal(body["error"], "temporarily_unavailable", what)
}
