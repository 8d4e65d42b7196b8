/**
 * Helpers for the tests of all proxies: a certificate, the program, and servers that record what the proxy passes on.
 */
import assert from "node:assert/strict"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { leaveOut } from "../support/leave-out.ts"
import type { Span } from "../support/spawn.ts"

export const DEPLOY = join(import.meta.dirname, "../../deploy")

const START_MILLISECONDS = 10_000

/**
 * Returns the first of `programs` that runs. If none runs, the tests fail under CI=true. Otherwise they are skipped
 * with a message.
 */
export function findProgram(programs: readonly string[], versionFlag: string): string | null {
  for (const name of programs)
    if (spawnSync(name, [versionFlag]).status === 0 && spawnSync("openssl", ["version"]).status === 0)
      return name
  const [name = ""] = programs
  leaveOut(`no ${name} is installed`, "the tests of its file in deploy/")
  return null
}

/** Creates the certificate of deploy/make-secrets in `dir`/certificate. This process trusts it until `span` ends. */
export function makeCertificate(span: Span, dir: string): void {
  const made = spawnSync(join(DEPLOY, "make-secrets"), [dir], { encoding: "utf8" })
  assert.equal(made.status, 0, made.stderr)
  const certificate = readFileSync(join(dir, "certificate/fullchain.pem"), "utf8")
  const former = getCACertificates()
  setDefaultCACertificates([...former, certificate])
  // Another certificate for localhost would be judged by the key of this one.
  span.after(() => setDefaultCACertificates(former))
}

/** Returns a file of deploy/ with changes. Each change must apply. */
export function configured(file: string, changes: readonly (readonly [RegExp, string])[]): string {
  return changed(`deploy/${file}`, readFileSync(join(DEPLOY, file), "utf8"), changes)
}

/** Returns `text` with changes. Each change must apply. */
export function changed(name: string, text: string, changes: readonly (readonly [RegExp, string])[]): string {
  let after = text
  for (const [from, to] of changes) {
    assert.match(after, from, `${name} reads otherwise`)
    after = after.replace(from, to)
  }
  return after
}

/** Starts a proxy and waits until it listens on `port`. The proxy ends with `span`. */
export async function startProxy(
  span: Span,
  port: number,
  program: string,
  args: readonly string[],
  env = process.env,
): Promise<ChildProcess> {
  const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"] })
  const said: Buffer[] = []
  child.stderr.on("data", (part: Buffer) => said.push(part))
  span.after(async () => {
    if (child.exitCode !== null) return
    child.kill("SIGTERM")
    await once(child, "exit")
  })
  const end = Date.now() + START_MILLISECONDS
  while (!(await answersAt(port))) {
    const isStarting = child.exitCode === null && Date.now() < end
    assert.ok(isStarting, `${program} does not start: ${Buffer.concat(said).toString()}`)
    await pause(10)
  }
  return child
}

function answersAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })
}

/**
 * Starts a node that responds to everything with 200 and records the paths. Health checks of the proxy are not
 * recorded.
 */
export async function startNode(span: Span): Promise<{ readonly port: number; readonly got: string[] }> {
  const got: string[] = []
  const server = createServer((request, response) => {
    if (request.url !== "/health") got.push(request.url ?? "")
    request.resume()
    response.end("fine")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  span.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, got }
}
