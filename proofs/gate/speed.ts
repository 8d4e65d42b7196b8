/** Measures what a question to the gate costs a proxy, in one run: the proxy alone, a constant answer, and the gate. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parse, stringify } from "yaml"
import type { KitLoad, KitLoadResult } from "../../bench/kit-load.ts"
import type { GuardedApp } from "../../test/gate/proxies/guarded-app.ts"
import { type Program, type ProxyKind, type RunningProxy, startGuard } from "../../test/gate/proxies/proxy.ts"
import { around } from "../../test/deploy/nginx.ts"
import { findProgram, startProxy } from "../../test/deploy/proxy.ts"
import { freePort } from "../../test/support/free-port.ts"
import { newDirectory, type Span } from "../../test/support/spawn.ts"
import type { Figures } from "../proof.ts"

const TOKENS = 100
const CONNECTIONS = 16
const ROUNDS = 3

type Subject = { readonly name: string; readonly mode: string; readonly port: number }
type Measured = { readonly rate: number; readonly p50: number; readonly p99: number }

export async function measureSpeed(
  span: Span,
  guarded: GuardedApp,
  programs: readonly Program[],
  seconds: number,
): Promise<Figures> {
  const dir = newDirectory(span)
  const tokensFile = join(dir, "tokens")
  const tokens = []
  for (let i = 0; i < TOKENS; i++) tokens.push((await guarded.api.grant()).access_token)
  writeFileSync(tokensFile, tokens.join("\n"))
  const constant = await startConstant(span)
  const subjects = await startSubjects(span, programs, guarded.gatePort, constant)
  const measured = new Map<Subject, Measured[]>(subjects.map((subject) => [subject, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const subject of subjects) {
      const load = { port: subject.port, connections: CONNECTIONS, seconds, tokensFile }
      measured.get(subject)?.push(await measure(subject, load))
    }
  return figuresOf(measured)
}

async function startSubjects(
  span: Span,
  programs: readonly Program[],
  gate: number,
  constant: number,
): Promise<readonly Subject[]> {
  const subjects: Subject[] = []
  const add = (mode: string, { name, port }: RunningProxy) => subjects.push({ name, mode, port })
  for (const program of programs) {
    const start = (asked: number, edit = (text: string) => text) =>
      startGuard(span, program, { gate: asked, app: constant, edit: (text) => edit(lasting(text)) })
    add("alone", await start(gate, withoutGate[program.kind]))
    if (program.kind === "nginx") add("a constant 204", await start(constant))
    add("with the gate", await start(gate))
  }
  return subjects
}

/** nginx otherwise ends a connection after a thousand requests, and the generator does not connect again. */
function lasting(text: string): string {
  return text.replace("server_name", "keepalive_requests 100000000;\n    server_name")
}

/** The same configuration without the question to the gate. */
const withoutGate: Readonly<Record<ProxyKind, (text: string) => string>> = {
  nginx: (text) => text.replace("auth_request /_latchkey;", ""),
  haproxy: (text) => text.replace(/^ *http-request (?:lua|return).*$/gm, ""),
  caddy: (text) => text.replace(/forward_auth [^]*?\n\t\t\t\}\n/, ""),
  envoy: (text) => {
    const whole = parse(text) as {
      static_resources: {
        listeners: { filter_chains: { filters: { typed_config: HttpFilters }[] }[] }[]
      }
    }
    for (const listener of whole.static_resources.listeners)
      for (const chain of listener.filter_chains)
        for (const { typed_config } of chain.filters)
          typed_config.http_filters = typed_config.http_filters.filter(
            ({ name }) => name !== "envoy.filters.http.ext_authz",
          )
    return stringify(whole)
  },
}

type HttpFilters = { http_filters: { readonly name: string }[] }

/** An nginx that answers everything at once, and questions below /auth/ with 204. */
async function startConstant(span: Span): Promise<number> {
  const dir = newDirectory(span)
  const port = await freePort()
  writeFileSync(join(dir, "nginx.conf"), around(dir))
  writeFileSync(
    join(dir, "latchkey.conf"),
    `access_log off;
     server {
       listen 127.0.0.1:${port};
       keepalive_requests 1000000;
       location / { default_type application/json; return 200 '{"from":"app"}'; }
       location /auth/ { return 204; }
     }`,
  )
  const nginx = findProgram(["nginx", "/usr/sbin/nginx"], "-v") ?? ""
  await startProxy(span, port, nginx, ["-p", dir, "-c", join(dir, "nginx.conf"), "-e", "stderr"])
  return port
}

async function measure({ name, mode }: Subject, load: KitLoad): Promise<Measured> {
  const script = join(import.meta.dirname, "../../bench/kit-load.ts")
  const child = spawn(process.execPath, [script, JSON.stringify(load)], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part))
  await once(child, "close")
  const { requestsPerSecond, p50, p99, others } = JSON.parse(text) as KitLoadResult
  if (others > 0) throw new Error(`${name}, ${mode}: ${others} requests were refused`)
  return { rate: requestsPerSecond, p50, p99 }
}

function figuresOf(measured: ReadonlyMap<Subject, readonly Measured[]>): Figures {
  const figures: Record<string, number> = {}
  const alone = new Map<string, number>()
  for (const [{ name, mode }, rounds] of measured) {
    const middle = (of: (one: Measured) => number) => median(rounds.map(of))
    const p50 = middle((one) => one.p50)
    if (mode === "alone") alone.set(name, p50)
    figures[`${name} ${mode}: requests a second`] = Math.round(middle((one) => one.rate))
    figures[`${name} ${mode}: latency p50, ms`] = rounded(p50)
    figures[`${name} ${mode}: latency p99, ms`] = rounded(middle((one) => one.p99))
    if (mode !== "alone") figures[`${name} ${mode}: added at p50, ms`] = rounded(p50 - (alone.get(name) ?? 0))
  }
  return figures
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? NaN
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}
