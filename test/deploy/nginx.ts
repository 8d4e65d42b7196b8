/** deploy/nginx.conf as it stands, in front of nodes of the test: only ports, paths and addresses are others. */
import assert from "node:assert/strict"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { newDirectory, type Span } from "../support/spawn.ts"
import { until } from "../support/until.ts"
import { freePort } from "../support/free-port.ts"

const DEPLOY = join(import.meta.dirname, "../../deploy")
const START_MILLISECONDS = 10_000

/** Each keeps its own connections to the nodes. */
export const WORKERS = 2

const executable = findNginx()

/** For the options of a test that needs nginx. Under CI=true a missing one is an error, elsewhere it is said. */
export const needsNginx = executable === null ? { skip: "no nginx is installed" } : {}

type Behind = {
  /** The ports of the two nodes. */
  readonly nodes: readonly [number, number]
  readonly port: number
  /** Published below the path that the file's own example has. */
  readonly isBelowPath?: boolean
}

export class Nginx {
  readonly #dir: string
  readonly #child: ChildProcess
  readonly #said: () => string
  readonly port: number
  /** Where it listens for plain http. */
  readonly plainPort: number

  private constructor(dir: string, child: ChildProcess, port: number, plainPort: number) {
    this.#dir = dir
    this.#child = child
    const said: Buffer[] = []
    child.stderr?.on("data", (part: Buffer) => said.push(part))
    this.#said = () => Buffer.concat(said).toString()
    this.port = port
    this.plainPort = plainPort
  }

  static async start(span: Span, behind: Behind): Promise<Nginx> {
    const dir = newDirectory(span)
    makeCertificate(dir)
    const plainPort = await freePort()
    writeFileSync(join(dir, "latchkey.conf"), configuration(dir, plainPort, behind))
    writeFileSync(join(dir, "nginx.conf"), around(dir))
    const args = ["-p", dir, "-c", join(dir, "nginx.conf"), "-e", "stderr"]
    const child = spawn(executable ?? "", args, { stdio: ["ignore", "ignore", "pipe"] })
    span.after(async () => {
      if (child.exitCode !== null) return
      child.kill("SIGTERM")
      await once(child, "exit")
    })
    const nginx = new Nginx(dir, child, behind.port, plainPort)
    await nginx.#untilItListens()
    return nginx
  }

  get url(): string {
    return `https://localhost:${this.port}`
  }

  /** The file of what it shows to everybody, for programs that are told whom to believe. */
  get certificate(): string {
    return join(this.#dir, "certificate/fullchain.pem")
  }

  /** One line a request. */
  get accessLog(): string {
    return readFileSync(join(this.#dir, "access.log"), "utf8")
  }

  /** A line is written once its answer is sent. */
  async logs(line: RegExp): Promise<void> {
    await until(() => line.test(this.accessLog), `${line} in the access log`)
  }

  get errorLog(): string {
    return readFileSync(join(this.#dir, "error.log"), "utf8")
  }

  async #untilItListens(): Promise<void> {
    const end = Date.now() + START_MILLISECONDS
    while (!(await answersAt(this.port))) {
      assert.ok(this.#child.exitCode === null && Date.now() < end, `nginx does not start: ${this.#said()}`)
      await pause(10)
    }
  }
}

/** What an operator changes in the file, and what a test must: it runs as anybody, beside others. */
function configuration(dir: string, plainPort: number, { nodes, port, isBelowPath = false }: Behind): string {
  const changes: readonly [RegExp, string][] = [
    [/listen 80 default_server;/, `listen 127.0.0.1:${plainPort};`],
    [/listen 443 ssl http2 default_server;/, `listen 127.0.0.1:${port} ssl http2;`],
    [/^ *listen \[::\].*\n/gm, ""],
    [/server node1:8787 /, `server 127.0.0.1:${nodes[0]} `],
    [/server node2:8787 /, `server 127.0.0.1:${nodes[1]} `],
    [/\/etc\/nginx\/certificate/g, join(dir, "certificate")],
    [/\/var\/log\/nginx/g, dir],
    ...(isBelowPath ? belowPath : []),
  ]
  let configured = readFileSync(join(DEPLOY, "nginx.conf"), "utf8")
  for (const [from, to] of changes) {
    assert.match(configured, from, "deploy/nginx.conf reads otherwise")
    configured = configured.replace(from, to)
  }
  return configured
}

/** As the comment in the file says: two locations in place of one. */
const belowPath: readonly [RegExp, string][] = [
  [/^ {4}location \/ \{\n {8}proxy_pass http:\/\/latchkey;\n {4}\}\n/m, ""],
  [/# (?=location \/id\/)/, ""],
  [/# (?=location ~ \^\/\\\.well-known)/, ""],
]

/** The rest of a configuration, for a process of this test alone. */
function around(dir: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
  return `
    daemon off;
    worker_processes ${WORKERS};
    pid ${dir}/nginx.pid;
    ${process.getuid?.() === 0 ? "user root;" : ""}
    events { worker_connections 256; }
    http {
      ${temporary.map((name) => `${name}_temp_path ${dir}/${name};`).join("\n")}
      gzip on;
      include ${dir}/latchkey.conf;
    }`
}

/** The one of deploy/make-secrets; from now on this process believes it. */
function makeCertificate(dir: string): void {
  const made = spawnSync(join(DEPLOY, "make-secrets"), [dir], { encoding: "utf8" })
  assert.equal(made.status, 0, made.stderr)
  const certificate = readFileSync(join(dir, "certificate/fullchain.pem"), "utf8")
  setDefaultCACertificates([...getCACertificates(), certificate])
}

function answersAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })
}

function findNginx(): string | null {
  for (const name of ["nginx", "/usr/sbin/nginx"])
    if (spawnSync(name, ["-v"]).status === 0 && spawnSync("openssl", ["version"]).status === 0) return name
  if (process.env["CI"] === "true")
    throw new Error("no nginx is installed: its tests cannot be left out here")
  console.log("no nginx is installed: the tests of deploy/nginx.conf are left out")
  return null
}
