/**
 * Several services in this process on one PostgreSQL database. Their clocks differ as much as those of nodes may, and
 * the test moves them. A balancer sends each request to the next service.
 */
import {
  loadCatalog,
  type PermissionDefinition,
} from "../../src/model/permissions/permission-catalog.rules.ts"
import { type Running, start, stop } from "../../src/main.ts"
import type { Store } from "../../src/store/store.ts"
import { Front } from "../kit/front.ts"
import { EXTENSION, TestServer } from "../support/test-server.ts"

export type AnotherNode = { readonly url: string; readonly store: Store; readonly running: Running }

export class TestServers {
  /** The first node. The test fills its database. */
  readonly testServer: TestServer
  readonly #front: Front
  readonly #others: readonly AnotherNode[]
  #turn = 0

  private constructor(testServer: TestServer, front: Front, others: readonly AnotherNode[]) {
    this.testServer = testServer
    this.#front = front
    this.#others = others
  }

  /** Only the configuration file of the first node has these `permissions`. */
  static async open(
    count: number,
    permissions: Readonly<Record<string, PermissionDefinition>> = {},
  ): Promise<TestServers> {
    const front = await Front.open()
    const testServer = await TestServer.open({ engine: "postgres", baseUrl: front.url, permissions })
    const others = await Promise.all(
      Array.from({ length: count - 1 }, (_, n) => another(testServer, n % 2 === 0 ? -2 : 3)),
    )
    const servers = new TestServers(testServer, front, others)
    front.leadTo(() => servers.at(servers.#turn++).url)
    return servers
  }

  /** The URL for browsers and apps. Each request goes to another node than the one before. */
  get url(): string {
    return this.#front.url
  }

  get count(): number {
    return this.#others.length + 1
  }

  get latchkeys(): readonly Running["services"][] {
    return [this.testServer.latchkey, ...this.#others.map(({ running }) => running.services)]
  }

  /** Returns the n-th node. After the last node comes the first. */
  at(n: number): { readonly url: string } {
    return [this.testServer, ...this.#others][n % this.count] ?? this.testServer
  }

  async close(): Promise<void> {
    for (const { running, store } of this.#others) {
      await stop(running, running.services.log)
      await store.close()
    }
    await this.testServer.close()
    await this.#front.close()
  }
}

/** Starts a node whose clock is `ahead` seconds ahead of the first node's clock. */
async function another(testServer: TestServer, ahead: number): Promise<AnotherNode> {
  const store = await testServer.database.open()
  const { keys, log, issuer } = testServer.latchkey
  const catalog = loadCatalog(EXTENSION)
  if (!catalog.ok) throw new Error(JSON.stringify(catalog.error))
  const running = await start(
    { catalog: catalog.value, trustedProxies: [], host: "127.0.0.1", port: 0, baseUrl: issuer },
    store,
    { clock: { ...testServer.clock, now: () => testServer.clock.now() + ahead }, keys, log },
  )
  running.endHousekeeping()
  return { url: `http://localhost:${running.port}`, store, running }
}
