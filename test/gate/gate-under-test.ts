/** A real service with a gate before it, and questions as proxies ask them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type IncomingHttpHeaders, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openLog } from "../../src/kernel/log.ts"
import { readGateConfig } from "../../src/gate/file/gate-config.ts"
import { type RunningGate, startGate } from "../../src/gate/run-gate.ts"
import { ApiServer, RESOURCE } from "../kit/api-server.ts"
import type { TestServerOptions } from "../support/test-server.ts"
import { until } from "../support/until.ts"

export const GATE_SECRET = "a-secret-that-the-proxy-and-gate-share"
export const HOST = "api.example"

export const ROUTES = `
      - { methods: [GET, POST], path: "/notes/{id}", permission: "files:read" }
      - { methods: [DELETE], path: "/notes/{id}", permission: "files:write", elevation: true }
      - { methods: [GET], path: "/admin", permission: "admin:accounts" }
      - { methods: [GET], path: "/status", public: true }
      - { methods: [GET], path: "/account", permission: "account:read" }
      - { methods: [GET], path: "/blobs/{name}", permission: "files:read", paths: { allow: [encoded_slash, double_slash, semicolon] } }
`

export type GateTestOptions = {
  readonly routes?: string
  readonly proxies?: string
  readonly more?: string
  /** The APIs in the configuration of the service. */
  readonly resourceServers?: TestServerOptions["resourceServers"]
}

export type Asked = { readonly method?: string; readonly path?: string; readonly host?: string }
export type GateReply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export class GateUnderTest {
  readonly api: ApiServer
  readonly directory: string
  #gate: RunningGate

  private constructor(api: ApiServer, directory: string, gate: RunningGate) {
    this.api = api
    this.directory = directory
    this.#gate = gate
  }

  static async open(options: GateTestOptions = {}): Promise<GateUnderTest> {
    const { resourceServers } = options
    const api = await ApiServer.open(resourceServers === undefined ? {} : { resourceServers })
    const directory = mkdtempSync(join(tmpdir(), "latchkey-gate-"))
    writeGateFile(directory, api, options)
    const gate = await startIn(directory, api)
    const under = new GateUnderTest(api, directory, gate)
    await until(async () => (await under.send("/health")).body === '{"live":true}', "the stream is ready")
    return under
  }

  get port(): number {
    return this.#gate.port
  }

  /** Returns the value of a line of the metrics, or null. */
  async metric(line: string): Promise<number | null> {
    const text = (await sendTo(this.#gate.metricsPort ?? 0, "/metrics")).body
    const found = text.split("\n").find((one) => one.startsWith(`${line} `))
    return found === undefined ? null : Number(found.slice(line.length))
  }

  /** Sends a request as it is. */
  send(
    path: string,
    headers: Readonly<Record<string, string | string[]>> = {},
    method = "GET",
  ): Promise<GateReply> {
    return sendTo(this.#gate.port, path, headers, method)
  }

  /** Asks as nginx does, with the shared secret. */
  ask(
    { method = "GET", path = "/notes/1", host = HOST }: Asked,
    token?: string,
    more: Readonly<Record<string, string | string[]>> = {},
  ): Promise<GateReply> {
    return this.send("/auth/nginx", {
      "x-original-method": method,
      "x-original-uri": path,
      "x-original-host": host,
      ...trusted(token),
      ...more,
    })
  }

  async restart(options: GateTestOptions): Promise<void> {
    await this.#gate.close()
    writeGateFile(this.directory, this.api, options)
    this.#gate = await startIn(this.directory, this.api)
  }

  async close(): Promise<void> {
    await this.#gate.close()
    await this.api.close()
    rmSync(this.directory, { recursive: true, force: true })
  }
}

export function trusted(token?: string): Record<string, string> {
  return {
    "latchkey-gate-secret": GATE_SECRET,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
}

export function sendTo(
  port: number,
  path: string,
  headers: Readonly<Record<string, string | string[]>> = {},
  method = "GET",
): Promise<GateReply> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      let body = ""
      response.setEncoding("utf8")
      response.on("data", (piece: string) => (body += piece))
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
      response.on("error", reject)
    })
    sent.on("error", reject)
    sent.end()
  })
}

function writeGateFile(directory: string, api: ApiServer, options: GateTestOptions): void {
  writeFileSync(join(directory, "client-secret"), `${api.api.secret}\n`, { mode: 0o600 })
  writeFileSync(join(directory, "gate-secret"), `${GATE_SECRET}\n`, { mode: 0o600 })
  const { routes = ROUTES, proxies = "{ shared_secret_file: gate-secret }", more = "" } = options
  const file = `service: ${api.front.url}
client_id: ${api.api.clientId}
client_secret_file: client-secret
proxies: ${proxies}
hosts:
  - host: ${HOST}
    resource: ${RESOURCE}
    routes:${routes}
${more}`
  writeFileSync(join(directory, "gate.yaml"), file)
}

function startIn(directory: string, api: ApiServer): Promise<RunningGate> {
  const config = readGateConfig(join(directory, "gate.yaml"))
  if (!config.ok) throw new Error(config.error.join("\n"))
  const { clock } = api.testServer
  const metrics = { host: "127.0.0.1", port: 0 }
  return startGate(
    { config: config.value, host: "127.0.0.1", port: 0, metrics },
    { log: openLog("silent"), clock },
  )
}
