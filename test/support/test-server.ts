/** A whole service on a loopback port, with its own database and a clock that the test moves. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SwitchUpdate } from "../../src/model/clients/app-switches.rules.ts"
import type { OpenidUpdate } from "../../src/model/clients/openid-members.rules.ts"
import type { Client, ClientKeys, ClientType } from "../../src/model/clients/client.rules.ts"
import {
  loadCatalog,
  type PermissionDefinition,
} from "../../src/model/permissions/permission-catalog.rules.ts"
import type { ResourceServer } from "../../src/model/known-resources.rules.ts"
import { type Running, start, stop } from "../../src/main.ts"
import type { MetricsAddress } from "../../src/platform/config/metrics-address.ts"
import { addAccount, addServiceAccount } from "../../src/accounts/accounts.ts"
import { addApp } from "../../src/apps/add-app.ts"
import { setSetting } from "../../src/admin/settings/setting.ts"
import type { SignInProviders } from "../../src/model/sign-in/provider.rules.ts"
import { Languages, type OwnTexts } from "../../src/platform/languages/languages.ts"
import type { Store } from "../../src/store/store.ts"
import { randomBytes } from "../../src/kernel/random.ts"
import { deriveKeys } from "../../src/kernel/keys.ts"
import { type Log, openLog } from "../../src/kernel/log.ts"
import type { OutgoingConfig, StartTimer } from "../../src/platform/outgoing/guarded-fetch.ts"
import type { MailConfig } from "../../src/platform/outgoing/smtp/send-mail.ts"
import type { ResolveName } from "../../src/platform/outgoing/resolve-name.ts"
import { type TestClock, testClock } from "./clock.ts"
import { databaseIn, dropDatabase, keepIn, type Engine, ENGINE, type TestDatabase } from "./database.ts"

export const PASSWORD = "correct horse battery staple"

/** Who acts from the command line: no network address, and not the owner of an app. */
export const OPERATOR = { address: null, owner: null } as const

/**
 * Permissions in addition to the built-in ones. A write permission implies its read permission, and a read permission
 * implies another.
 */
export const EXTENSION: Readonly<Record<string, PermissionDefinition>> = {
  "workers:read": { title: "See workers" },
  "files:read": { title: "Read files", implies: ["workers:read"] },
  "files:write": { title: "Change files", implies: ["files:read"] },
}

export type TestServerOptions = {
  /** The engine. The default is the engine of this run. */
  readonly engine?: Engine
  /** An existing database, which is dropped with the server. Without it, a new one is created. */
  readonly database?: TestDatabase
  /** The service secret. The default is random. */
  readonly secret?: string
  readonly clock?: TestClock
  readonly baseUrl?: string
  readonly trustedProxies?: readonly string[]
  /** The hosts that requests may reach in addition to public addresses. */
  readonly outgoing?: OutgoingConfig
  /** Without this member, the service sends no e-mail. */
  readonly mail?: MailConfig
  readonly resolveName?: ResolveName
  /** Starts the deadlines of outgoing requests. */
  readonly startTimer?: StartTimer
  /** The operator's list of resources. Without it, every resource is known. */
  readonly resourceServers?: ReadonlyMap<string, ResourceServer>
  readonly providers?: SignInProviders
  /** Texts of the operator by the tag of their language. */
  readonly languages?: OwnTexts
  readonly permissions?: Readonly<Record<string, PermissionDefinition>>
  /** Without this member, metrics are disabled. */
  readonly metrics?: MetricsAddress
  /** Without this member, nothing is logged. */
  readonly log?: Log
}

export type AppOptions = SwitchUpdate &
  OpenidUpdate & {
    readonly name?: string
    readonly type?: ClientType
    readonly keys?: ClientKeys
    readonly redirectUris?: readonly string[]
    readonly permissions?: readonly string[]
    readonly ownerName?: string
    readonly serviceAccountName?: string
  }

export type TestApp = { readonly client: Client; readonly clientId: string; readonly secret: string | null }

export class TestServer {
  readonly clock: TestClock
  readonly dir: string
  readonly database: TestDatabase
  readonly #options: Opened
  readonly #keys: Running["services"]["keys"]
  #store: Store
  #running: Running

  private constructor(options: Opened, dir: string, store: Store, running: Running) {
    this.#options = options
    this.clock = options.clock
    this.dir = dir
    this.database = options.database
    this.#store = store
    this.#running = running
    this.#keys = running.services.keys
  }

  static async open(options: TestServerOptions = {}): Promise<TestServer> {
    const dir = mkdtempSync(join(tmpdir(), "latchkey-"))
    const keys = deriveKeys(options.secret === undefined ? randomBytes(32) : Buffer.from(options.secret))
    if (options.database !== undefined) keepIn(dir, options.database)
    const database = await databaseIn(dir, options.engine ?? ENGINE)
    const opened = { ...options, clock: options.clock ?? testClock(), database }
    const store = await database.open()
    try {
      return new TestServer(opened, dir, store, await run(opened, store, keys))
    } catch (problem) {
      await store.close()
      await dropDatabase(dir)
      rmSync(dir, { recursive: true, force: true })
      throw problem
    }
  }

  get store(): Store {
    return this.#store
  }

  get latchkey(): Running["services"] {
    return this.#running.services
  }

  /** The URL of the metrics, if they have a separate listener. */
  get metricsUrl(): string {
    return `http://127.0.0.1:${this.#running.metricsListener?.port}/metrics`
  }

  /** The URL of the service: `http://localhost:port`. */
  get url(): string {
    return `http://localhost:${this.#running.port}`
  }

  /** The published base URL. It equals `url` unless the test has set another. */
  get issuer(): string {
    return this.#running.services.issuer
  }

  /** Stops the service and starts it again with what is on disk. The port changes unless a base URL is set. */
  async restart(): Promise<void> {
    await this.#end()
    this.#store = await this.database.open()
    this.#running = await run(this.#options, this.#store, this.#keys)
  }

  async close(): Promise<void> {
    await this.#end()
    await dropDatabase(this.dir)
    rmSync(this.dir, { recursive: true, force: true })
  }

  async addAccount(username: string, admin = false): Promise<string> {
    const added = await addAccount(this.latchkey, { username, password: PASSWORD, admin, address: null })
    if (!added.ok) throw new Error(added.error)
    return added.value.userId
  }

  async addServiceAccount(username: string, admin = false, ownerName: string | null = null): Promise<string> {
    const asked = { username, admin, ownerName, address: null }
    const added = await addServiceAccount(this.latchkey, asked)
    if (!added.ok) throw new Error(added.error)
    return added.value.userId
  }

  /** Adds a confidential app that is bound to a service account. */
  addBoundApp(serviceAccountName: string, app: AppOptions = {}): Promise<TestApp> {
    return this.addApp({ type: "confidential", redirectUris: [], serviceAccountName, ...app })
  }

  async addApp(app: AppOptions = {}): Promise<TestApp> {
    const added = await addApp(
      this.latchkey,
      {
        ...app,
        name: app.name ?? "Paperclip",
        type: app.type ?? (app.keys === undefined ? "public" : "confidential"),
        redirectUris: app.redirectUris ?? ["http://127.0.0.1/callback", "https://app.example/callback"],
        permissions: app.permissions ?? ["account:read", "files:write"],
      },
      { address: null, owner: null },
    )
    if (!added.ok) throw new Error(added.error)
    const { client, secret } = added.value
    return { client, clientId: client.clientId, secret }
  }

  /** Sends every mail that is due. A round that began before may have missed the newest. Returns the number of attempts. */
  async sendMails(): Promise<number> {
    const { mailSender } = this.#running
    await mailSender?.idle()
    return (await mailSender?.deliver()) ?? 0
  }

  async set(key: string, value: string): Promise<void> {
    const set = await setSetting(this.latchkey, key, value, { address: null })
    if (!set.ok) throw new Error(set.error)
    this.clock.advance(1)
  }

  async #end(): Promise<void> {
    await stop(this.#running, this.#running.services.log)
    await this.#store.close()
  }
}

type Opened = TestServerOptions & { readonly clock: TestClock; readonly database: TestDatabase }

async function run(options: Opened, store: Store, keys: Running["services"]["keys"]): Promise<Running> {
  const catalog = loadCatalog({ ...EXTENSION, ...options.permissions })
  if (!catalog.ok) throw new Error(JSON.stringify(catalog.error))
  const running = await start(
    {
      catalog: catalog.value,
      trustedProxies: options.trustedProxies ?? [],
      ...(options.outgoing !== undefined && { outgoing: options.outgoing }),
      ...(options.mail !== undefined && { mail: options.mail }),
      ...(options.resourceServers !== undefined && { resourceServers: options.resourceServers }),
      ...(options.providers !== undefined && { providers: options.providers }),
      ...(options.languages !== undefined && { languages: new Languages(options.languages) }),
      ...(options.resolveName !== undefined && { resolveName: options.resolveName }),
      ...(options.startTimer !== undefined && { startTimer: options.startTimer }),
      host: "127.0.0.1",
      port: 0,
      baseUrl: options.baseUrl ?? null,
      metrics: options.metrics ?? null,
    },
    store,
    { clock: options.clock, keys, log: options.log ?? openLog("silent") },
    options.metrics === undefined
      ? null
      : new (await import("../../src/platform/http/metrics.ts")).Metrics(ENGINE),
  )
  // The clock may jump by months. Rows must be deleted only when the test says so.
  running.endHousekeeping()
  return running
}
