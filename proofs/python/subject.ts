/** The service in its own process, on a port that stays, with people and apps; and Python programs that ask it. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { type AppIdentity, connectIn, send, signedInBrowser } from "../../test/support/connect.ts"
import type { Browser } from "../../test/support/browser.ts"
import { databaseIn } from "../../test/support/database.ts"
import { freePort } from "../../test/support/free-port.ts"
import { addAccount, addResourceServer, openRegistration, switchBudgetOff } from "../../test/support/seed.ts"
import { done, environmentWith, newDirectory, type Span, SpawnedServer } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"
import { Membership } from "../membership.ts"

const root = join(import.meta.dirname, "../..")
const config = join(root, "examples/latchkey.yaml")
const START_MILLISECONDS = 60_000

export class Subject {
  readonly alice: Browser
  readonly app: AppIdentity
  readonly #span: Span
  readonly #dir: string
  readonly #port: number
  readonly #api: AppIdentity
  #server: SpawnedServer

  private constructor(
    span: Span,
    given: {
      readonly dir: string
      readonly port: number
      readonly api: AppIdentity
      readonly app: AppIdentity
      readonly alice: Browser
      readonly server: SpawnedServer
    },
  ) {
    this.#span = span
    this.#dir = given.dir
    this.#port = given.port
    this.#api = given.api
    this.app = given.app
    this.alice = given.alice
    this.#server = given.server
  }

  static async open(span: Span): Promise<Subject> {
    const dir = newDirectory(span)
    await databaseIn(dir, "sqlite")
    await addAccount(dir, "alice", true)
    await switchBudgetOff(dir)
    await openRegistration(dir)
    const api = await addResourceServer(dir)
    const flags = [
      "--type",
      "public",
      "--redirect",
      "https://app.example/callback",
      "--permission",
      "notes:read",
    ]
    const added = await done<{ client_id: string }>(dir, [
      "app",
      "add",
      "--config",
      config,
      "--name",
      "Notes",
      ...flags,
    ])
    const port = await freePort()
    const server = await start(span, dir, port)
    const alice = await signedInBrowser(server, "alice")
    return new Subject(span, {
      dir,
      port,
      api,
      app: { clientId: added.client_id, secret: null },
      alice,
      server,
    })
  }

  get url(): string {
    return `http://localhost:${this.#port}`
  }

  /** Creates a new credential of alice, which may read notes. */
  async token(more: Record<string, string> = {}): Promise<string> {
    const asked = { scope: "notes:read", ...more }
    return (await connectIn(this.alice, this, this.app, asked)).access_token
  }

  /** The app is for a group from now on, and alice is in it. */
  async membership(): Promise<Membership> {
    const store = await (await databaseIn(this.#dir, "sqlite")).open()
    this.#span.after(() => store.close())
    return Membership.open(store, "alice", this.app.clientId)
  }

  async revoke(token: string, clientId = this.app.clientId): Promise<void> {
    const { status } = await send(this, "/oauth/revoke", { token, client_id: clientId })
    if (status !== 200) throw new Error(`revocation answered ${status}`)
  }

  async kill(): Promise<void> {
    await this.#server.stop("SIGKILL")
  }

  async restart(): Promise<void> {
    this.#server = await start(this.#span, this.#dir, this.#port)
  }

  /** Stops or continues the service. Its connections stay open. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#server.signal(signal)
  }

  /** Starts a program that asks this service, and waits until `url` answers. */
  async program(
    command: readonly string[],
    url: string,
    more: Record<string, string> = {},
  ): Promise<() => string> {
    const [file = "", ...args] = command
    const child = spawn(file, args, {
      cwd: import.meta.dirname,
      env: environmentWith({ ...this.environment, ...more }),
      stdio: ["ignore", "pipe", "pipe"],
    })
    let said = ""
    for (const output of [child.stdout, child.stderr])
      output.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-20_000)))
    this.#span.after(() => child.kill("SIGTERM"))
    const answers = async () => {
      if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended: ${said}`)
      return fetch(url).then(
        (response) => response.body?.cancel().then(() => true) ?? true,
        () => false,
      )
    }
    await until(answers, `${args.join(" ")} answers`, START_MILLISECONDS)
    return () => said
  }

  get environment(): Record<string, string> {
    return {
      LATCHKEY_ISSUER: this.url,
      LATCHKEY_CLIENT_ID: this.#api.clientId,
      LATCHKEY_CLIENT_SECRET: this.#api.secret ?? "",
      PYTHONDONTWRITEBYTECODE: "1",
      PYTHONUNBUFFERED: "1",
    }
  }
}

function start(span: Span, dir: string, port: number): Promise<SpawnedServer> {
  return SpawnedServer.start(span, dir, { LATCHKEY_CONFIG: config, LATCHKEY_PORT: String(port) })
}
