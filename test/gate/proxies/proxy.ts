/** Runs a proxy with the configuration of `gate snippet`. Only ports, paths and the certificate are changed. */
import type { ChildProcess } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parse, stringify } from "yaml"
import { snippetFor } from "../../../src/gate/snippets/snippets.rules.ts"
import { around } from "../../deploy/nginx.ts"
import { changed, findProgram, makeCertificate, startProxy } from "../../deploy/proxy.ts"
import { freePort } from "../../support/free-port.ts"
import { newDirectory, type Span } from "../../support/spawn.ts"
import { type Received, sendSecurely, type Sent, sendTo } from "./wire.ts"

export const HOST = "api.example"
export const SECRET = "a-secret-that-proxy-and-gate-share"

export type ProxyKind = "nginx" | "haproxy" | "caddy" | "envoy"
export type Program = { readonly name: string; readonly kind: ProxyKind; readonly path: string | null }
export type RunningProxy = {
  readonly name: string
  readonly kind: ProxyKind
  readonly port: number
  readonly child: ChildProcess
  readonly send: (sent: Sent) => Promise<Received>
}
export type Behind = {
  /** The port of the gate. */
  readonly gate: number
  readonly app: number
  /** Whether the proxy listens with TLS for HTTP/2, as printed. Otherwise it listens without. */
  readonly secure?: boolean
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
  { gate, app, secure = false, edit = (text) => text }: Behind,
): Promise<RunningProxy> {
  const dir = newDirectory(span)
  const port = await freePort()
  const options = { gate: `127.0.0.1:${gate}`, app: `127.0.0.1:${app}`, host: HOST, secret: true }
  const changes = (secure ? secureChanges : plainChanges)[kind](dir, port)
  if (secure) writeCertificate(span, dir)
  for (const file of snippetFor(kind, options)) {
    const here = changes.filter(([pattern]) => file.text.search(pattern) >= 0)
    const text = edit(changed(file.path, file.text, here))
    writeFileSync(join(dir, basename(file.path)), kind === "envoy" ? listener(text, port, secure) : text)
  }
  const args = await argumentsOf[kind](dir)
  const env = {
    ...process.env,
    LATCHKEY_GATE_SECRET: SECRET,
    HOME: dir,
    XDG_DATA_HOME: dir,
    XDG_CONFIG_HOME: dir,
  }
  const child = await startProxy(span, port, path ?? "", args, env)
  return { name, kind, port, child, send: (sent) => (secure ? sendSecurely : sendTo)(port, sent) }
}

const CERTIFICATE = ["certificate/fullchain.pem", "certificate/privkey.pem"] as const
const SECRET_FILE = /\/etc\/nginx\/latchkey-gate-secret\.conf/
const SITE = /^api\.example \{$/m
const CADDY_GLOBAL = "{\n\tadmin off\n\tauto_https off\n}"

type ChangesOf = Readonly<Record<ProxyKind, (dir: string, port: number) => readonly Change[]>>

const plainChanges: ChangesOf = {
  nginx: (dir, port) => [
    [/listen 443 ssl http2;/, `listen 127.0.0.1:${port};`],
    [/^ *ssl_certificate.*\n/gm, ""],
    [SECRET_FILE, join(dir, "secret.conf")],
  ],
  haproxy: (dir, port) => [
    [/bind :443 ssl crt \S+ alpn \S+/, `bind 127.0.0.1:${port}`],
    [/\/etc\/haproxy/g, dir],
  ],
  caddy: (_, port) => [[SITE, `${CADDY_GLOBAL}\n\nhttp://${HOST}:${port} {\n\tbind 127.0.0.1`]],
  envoy: () => [],
}

const secureChanges: ChangesOf = {
  nginx: (dir, port) => [
    [/listen 443 /, `listen 127.0.0.1:${port} `],
    [/\/etc\/nginx\/certificate/g, join(dir, "certificate")],
    [SECRET_FILE, join(dir, "secret.conf")],
  ],
  haproxy: (dir, port) => [
    [/bind :443 /, `bind 127.0.0.1:${port} `],
    [/\/etc\/haproxy/g, dir],
  ],
  caddy: (dir, port) => [
    [
      SITE,
      `${CADDY_GLOBAL}\n\nhttps://${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${CERTIFICATE.map((name) => join(dir, name)).join(" ")}`,
    ],
  ],
  envoy: (dir) => [[/\/etc\/envoy\/certificate/g, join(dir, "certificate")]],
}

function writeCertificate(span: Span, dir: string): void {
  makeCertificate(span, dir)
  const both = CERTIFICATE.map((name) => readFileSync(join(dir, name), "utf8"))
  writeFileSync(join(dir, "certificate.pem"), both.join("\n"))
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

/** Lets Envoy listen on `port`. */
function listener(text: string, port: number, secure: boolean): string {
  const whole = parse(text) as EnvoyFile
  for (const one of whole.static_resources.listeners) {
    one.address = { socket_address: { address: "127.0.0.1", port_value: port } }
    if (!secure) for (const chain of one.filter_chains) delete chain.transport_socket
  }
  return stringify(whole)
}
