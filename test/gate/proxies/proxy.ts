/** Runs a proxy with the configuration of `gate snippet`. Only ports, paths and the certificate are changed. */
import type { ChildProcess } from "node:child_process"
import { writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parse, stringify } from "yaml"
import { snippetFor } from "../../../src/gate/snippets/snippets.rules.ts"
import { around } from "../../deploy/nginx.ts"
import { changed, findProgram, startProxy } from "../../deploy/proxy.ts"
import { freePort } from "../../support/free-port.ts"
import { newDirectory, type Span } from "../../support/spawn.ts"

export const HOST = "api.example"
export const SECRET = "a-secret-that-proxy-and-gate-share"

export type ProxyKind = "nginx" | "haproxy" | "caddy" | "envoy"
export type Program = { readonly name: string; readonly kind: ProxyKind; readonly path: string | null }
export type RunningProxy = {
  readonly name: string
  readonly kind: ProxyKind
  readonly port: number
  readonly child: ChildProcess
}
export type Behind = {
  /** The port of the gate. */
  readonly gate: number
  readonly app: number
  /** Changes the configuration further, for a measurement. */
  readonly edit?: (text: string) => string
}
type Change = readonly [RegExp, string]

/** The proxies of the operating system. */
export function installedPrograms(): readonly Program[] {
  return [
    { name: "nginx", kind: "nginx", path: findProgram(["nginx", "/usr/sbin/nginx"], "-v") },
    { name: "haproxy", kind: "haproxy", path: findProgram(["haproxy", "/usr/sbin/haproxy"], "-v") },
    { name: "caddy", kind: "caddy", path: findProgram(["caddy"], "version") },
  ]
}

/** Starts a proxy that asks the gate before it passes a request to the app. */
export async function startGuard(
  span: Span,
  { name, kind, path }: Program,
  { gate, app, edit = (text) => text }: Behind,
): Promise<RunningProxy> {
  const dir = newDirectory(span)
  const port = await freePort()
  const options = { gate: `127.0.0.1:${gate}`, app: `127.0.0.1:${app}`, host: HOST, secret: true }
  const changes = changesOf[kind](dir, port)
  for (const file of snippetFor(kind, options)) {
    const here = changes.filter(([pattern]) => file.text.search(pattern) >= 0)
    const text = edit(changed(file.path, file.text, here))
    writeFileSync(join(dir, basename(file.path)), kind === "envoy" ? plainListener(text, port) : text)
  }
  const args = await argumentsOf[kind](dir)
  const env = {
    ...process.env,
    LATCHKEY_GATE_SECRET: SECRET,
    HOME: dir,
    XDG_DATA_HOME: dir,
    XDG_CONFIG_HOME: dir,
  }
  return { name, kind, port, child: await startProxy(span, port, path ?? "", args, env) }
}

const changesOf: Readonly<Record<ProxyKind, (dir: string, port: number) => readonly Change[]>> = {
  nginx: (dir, port) => [
    [/listen 443 ssl http2;/, `listen 127.0.0.1:${port};`],
    [/^ *ssl_certificate.*\n/gm, ""],
    [/\/etc\/nginx\/latchkey-gate-secret\.conf/, join(dir, "secret.conf")],
  ],
  haproxy: (dir, port) => [
    [/bind :443 ssl crt \S+ alpn \S+/, `bind 127.0.0.1:${port}`],
    [/\/etc\/haproxy/g, dir],
  ],
  caddy: (_, port) => [
    [
      /^api\.example \{$/m,
      `{\n\tadmin off\n\tauto_https off\n}\n\nhttp://${HOST}:${port} {\n\tbind 127.0.0.1`,
    ],
  ],
  envoy: () => [],
}

/** Writes what else the proxy reads. Returns its arguments. */
const argumentsOf: Readonly<
  Record<ProxyKind, (dir: string) => readonly string[] | Promise<readonly string[]>>
> = {
  nginx: (dir) => {
    writeFileSync(join(dir, "secret.conf"), `proxy_set_header Latchkey-Gate-Secret "${SECRET}";\n`)
    const main = around(dir).replace("latchkey.conf", `${HOST}.conf`)
    writeFileSync(join(dir, "nginx.conf"), main)
    return ["-p", dir, "-c", join(dir, "nginx.conf"), "-e", "stderr"]
  },
  haproxy: (dir) => {
    writeFileSync(join(dir, "latchkey-gate-secret"), `${SECRET}\n`)
    return ["-db", "-f", join(dir, "haproxy.cfg")]
  },
  caddy: (dir) => ["run", "--adapter", "caddyfile", "--config", join(dir, "Caddyfile")],
  envoy: async (dir) => [
    "-c",
    join(dir, "envoy.yaml"),
    ...["--concurrency", "2", "--log-level", "error", "--base-id", String(await freePort())],
  ],
}

type EnvoyFile = {
  readonly static_resources: {
    readonly listeners: {
      address: unknown
      readonly filter_chains: { transport_socket?: unknown }[]
    }[]
  }
}

/** Lets Envoy listen without TLS on `port`. */
function plainListener(text: string, port: number): string {
  const whole = parse(text) as EnvoyFile
  for (const listener of whole.static_resources.listeners) {
    listener.address = { socket_address: { address: "127.0.0.1", port_value: port } }
    for (const chain of listener.filter_chains) delete chain.transport_socket
  }
  return stringify(whole)
}
