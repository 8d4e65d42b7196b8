/** Runs deploy/nginx.conf in front of nodes of the test. Only ports, paths and addresses are changed. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { newDirectory, type Span } from "../support/spawn.ts"
import { until } from "../support/until.ts"
import { freePort } from "../support/free-port.ts"
import { configured, findProgram, makeCertificate, startProxy } from "./proxy.ts"

/** Each worker has its own connections to the nodes. */
export const WORKERS = 2

const executable = findProgram(["nginx", "/usr/sbin/nginx"], "-v")

/**
 * The options of a test that needs nginx. If nginx is missing, the test fails under CI=true. Otherwise it is skipped
 * with a message.
 */
export const needsNginx = executable === null ? { skip: "no nginx is installed" } : {}

type Behind = {
  /** The ports of the two nodes. */
  readonly nodes: readonly [number, number]
  readonly port: number
  /** Whether the service is published below the path of the file's own example. */
  readonly isBelowPath?: boolean
}

export class Nginx {
  readonly #dir: string
  readonly port: number
  /** The port for plain http. */
  readonly plainPort: number

  private constructor(dir: string, port: number, plainPort: number) {
    this.#dir = dir
    this.port = port
    this.plainPort = plainPort
  }

  static async start(span: Span, behind: Behind): Promise<Nginx> {
    const dir = newDirectory(span)
    makeCertificate(span, dir)
    const plainPort = await freePort()
    writeFileSync(join(dir, "latchkey.conf"), configuration(dir, plainPort, behind))
    writeFileSync(join(dir, "nginx.conf"), around(dir))
    const args = ["-p", dir, "-c", join(dir, "nginx.conf"), "-e", "stderr"]
    await startProxy(span, behind.port, executable ?? "", args)
    return new Nginx(dir, behind.port, plainPort)
  }

  get url(): string {
    return `https://localhost:${this.port}`
  }

  /** The certificate file, for programs that must trust it. */
  get certificate(): string {
    return join(this.#dir, "certificate/fullchain.pem")
  }

  /** The access log has one line for each request. */
  get accessLog(): string {
    return readFileSync(join(this.#dir, "access.log"), "utf8")
  }

  /** Waits for a line. nginx writes a line after it has sent the response. */
  async logs(line: RegExp): Promise<void> {
    await until(() => line.test(this.accessLog), `${line} in the access log`)
  }

  get errorLog(): string {
    return readFileSync(join(this.#dir, "error.log"), "utf8")
  }
}

/**
 * Makes the changes that an operator makes in the file. Also changes what a test needs, because it runs as any user
 * beside other tests.
 */
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
  return configured("nginx.conf", changes)
}

/** Two locations replace one, as the comment in the file says. */
const belowPath: readonly [RegExp, string][] = [
  [/^ {4}location \/ \{\n {8}proxy_pass http:\/\/latchkey;\n {4}\}\n/m, ""],
  [/# +(?=location \/id\/)/, ""],
  [/# +(?=location ~ \^\/\\\.well-known)/, ""],
]

/** Returns the rest of a configuration, for a process that belongs only to this test. */
export function around(dir: string): string {
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
