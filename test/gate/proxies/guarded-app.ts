/** A real service, a gate in its own process, and an app that records what reaches it. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { stringify } from "yaml"
import { ApiServer } from "../../kit/api-server.ts"
import { testClock } from "../../support/clock.ts"
import { freePort } from "../../support/free-port.ts"
import { environmentWith, LATCHKEY, newDirectory, type Span } from "../../support/spawn.ts"
import { until } from "../../support/until.ts"
import { HOST, type Program, type RunningProxy, SECRET, startGuard } from "./proxy.ts"

/** A request that reached the app. */
export type Arrived = {
  readonly method: string
  readonly url: string
  /** Names and values, alternating. */
  readonly rawHeaders: readonly string[]
}

const ROUTES = [
  { methods: ["GET"], path: "/public", public: true },
  { methods: ["GET"], path: "/", permission: "files:read" },
  { methods: ["GET"], path: "/files/{id}", permission: "files:read" },
  { methods: ["POST"], path: "/files/{id}", permission: "files:write" },
  { methods: ["DELETE"], path: "/files/{id}", permission: "files:write", elevation: true },
  { methods: ["GET"], path: "/accounts", permission: "account:write" },
]

/** Permissions whose names have about 6 KB together. */
const MANY = Object.fromEntries(
  Array.from({ length: 200 }, (_, at) => [
    `documents:section-${at}:write`,
    { title: `Write section ${at}`, description: "Changes documents." },
  ]),
)
export const MANY_PERMISSIONS = ["files:read", ...Object.keys(MANY)]

export class GuardedApp {
  readonly api: ApiServer
  readonly arrived: Arrived[] = []
  readonly appPort: number
  readonly gatePort: number
  readonly #dir: string
  #gate: ChildProcess | null = null

  private constructor(api: ApiServer, dir: string, appPort: number, gatePort: number) {
    this.api = api
    this.#dir = dir
    this.appPort = appPort
    this.gatePort = gatePort
  }

  static async open(span: Span): Promise<GuardedApp> {
    // The gate is another process: it compares expiry with the real time.
    const api = await ApiServer.open({ clock: testClock(Date.now() / 1000), permissions: MANY })
    span.after(() => api.close())
    const dir = newDirectory(span)
    const app = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
      opened.arrived.push(arrivedOf(request))
      request.resume()
      request.once("end", () => response.end('{"from":"app"}'))
    })
    app.listen(0, "127.0.0.1")
    await once(app, "listening")
    span.after(() => {
      app.close()
      app.closeAllConnections()
    })
    const opened = new GuardedApp(api, dir, (app.address() as AddressInfo).port, await freePort())
    opened.#configure()
    await opened.startGate()
    span.after(() => opened.killGate())
    return opened
  }

  guard(span: Span, program: Program, secure = false): Promise<RunningProxy> {
    return startGuard(span, program, { gate: this.gatePort, app: this.appPort, secure })
  }

  async startGate(): Promise<void> {
    const args = ["gate", "--config", join(this.#dir, "gate.yaml"), "--port", String(this.gatePort)]
    const child = spawn(LATCHKEY, args, { env: environmentWith({}), stdio: ["ignore", "ignore", "pipe"] })
    this.#gate = child
    const said: Buffer[] = []
    child.stderr.on("data", (part: Buffer) => said.push(part))
    const isUp = async () => {
      if (child.exitCode !== null) throw new Error(`the gate ended: ${Buffer.concat(said).toString()}`)
      return (await fetch(`http://127.0.0.1:${this.gatePort}/health`).catch(() => null)) !== null
    }
    await until(isUp, "the gate answers")
  }

  /** Sends a signal to the gate, such as one that stops it without ending it. */
  signalGate(signal: NodeJS.Signals): void {
    this.#gate?.kill(signal)
  }

  async killGate(): Promise<void> {
    if (this.#gate === null || this.#gate.exitCode !== null || this.#gate.signalCode !== null) return
    this.#gate.kill("SIGKILL")
    await once(this.#gate, "exit")
  }

  #configure(): void {
    const { front, api } = this.api
    writeFileSync(join(this.#dir, "client-secret"), api.secret ?? "", { mode: 0o600 })
    writeFileSync(join(this.#dir, "shared-secret"), SECRET, { mode: 0o600 })
    const file = {
      service: front.url,
      client_id: api.clientId,
      client_secret_file: join(this.#dir, "client-secret"),
      proxies: { trusted: ["127.0.0.1/32"], shared_secret_file: join(this.#dir, "shared-secret") },
      hosts: [{ host: HOST, resource: `https://${HOST}`, routes: ROUTES }],
    }
    writeFileSync(join(this.#dir, "gate.yaml"), stringify(file))
  }
}

function arrivedOf({ method = "", url = "", rawHeaders }: IncomingMessage): Arrived {
  return { method, url, rawHeaders }
}

/**
 * Returns the values of a header at the app in every spelling that some program reads as this header: letters in any
 * case, and any other character as a hyphen.
 */
export function valuesOf({ rawHeaders }: Arrived, name: string): readonly string[] {
  const alike = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "-")
  return rawHeaders.filter((_, at) => at % 2 === 1 && alike(rawHeaders[at - 1] ?? "") === alike(name))
}
