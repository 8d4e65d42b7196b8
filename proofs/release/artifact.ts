/** Runs the service of one artifact, and a gate of the same artifact that asks it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { stringify } from "yaml"
import type { Span } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"

export type Artifact = {
  /** The command line of `latchkey` with these words. */
  readonly command: (...words: readonly string[]) => readonly string[]
  readonly options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }
  /** The flag that names the data directory. */
  readonly data: readonly string[]
  /** Where the artifact reads the files of the gate, and where this process writes them. */
  readonly gateFolder: { readonly inside: string; readonly outside: string }
}

const START_MILLISECONDS = 120_000

/** Returns how many seconds passed until the service served. */
export async function tryArtifact(
  span: Span,
  artifact: Artifact,
  probe: (url: string) => void,
): Promise<number> {
  const { command, options, data } = artifact
  const began = performance.now()
  const service = await start(span, command("serve", ...data, "--port", "0", "--json"), options)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const url = String(service.line["base_url"])
  await probePages(url)
  probe(url)
  await tryGate(span, artifact, url)
  await service.end()
  return seconds
}

async function probePages(url: string): Promise<void> {
  const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`)
  const { issuer } = (await metadata.json()) as { readonly issuer?: string }
  if (issuer !== url) throw new Error(`the metadata of ${url} names ${String(issuer)}`)
  const page = await (await fetch(`${url}/sign-in`)).text()
  if (!/<style>[^<]*--page:/.test(page)) throw new Error(`a page without its style sheet: ${page}`)
  const icon = await fetch(`${url}/favicon.svg`)
  if (icon.status !== 200) throw new Error(`the icon of pages answers ${icon.status}`)
}

const ROUTES = [
  { methods: ["GET"], path: "/public", public: true },
  { methods: ["GET"], path: "/notes", permission: "account:read" },
]

/** The gate must be live, and refuse and pass what its file says. */
async function tryGate(span: Span, { command, options, data, gateFolder }: Artifact, url: string) {
  const app = ["app", "add", "--name", "API", "--type", "confidential", "--resource-server"]
  const added = JSON.parse(run(command(...app, ...data, "--json"), options.cwd, options.env)) as Record<
    "client_id" | "client_secret",
    string
  >
  const file = {
    service: url,
    client_id: added.client_id,
    client_secret_file: "client-secret",
    proxies: { trusted: ["127.0.0.1/32"] },
    hosts: [{ host: "api.example", resource: "https://api.example", routes: ROUTES }],
  }
  const write = (name: string, text: string) => {
    writeFileSync(join(gateFolder.outside, name), text)
    chmodSync(join(gateFolder.outside, name), 0o644)
  }
  write("client-secret", added.client_secret)
  write("gate.yaml", stringify(file))
  const config = ["--config", join(gateFolder.inside, "gate.yaml")]
  const gate = await start(span, command("gate", ...config, "--port", "0", "--json"), options)
  const gateUrl = String(gate.line["url"])
  const isLive = async () => (await fetch(`${gateUrl}/health`)).status === 200
  await until(isLive, "the gate is live")
  const ask = async (path: string, more: Record<string, string> = {}) => {
    const original = { "x-original-method": "GET", "x-original-uri": path, "x-original-host": "api.example" }
    return (await fetch(`${gateUrl}/auth/nginx`, { headers: { ...original, ...more } })).status
  }
  const answers = [
    await ask("/public"),
    await ask("/notes"),
    await ask("/notes", { authorization: "Bearer lka_unknown" }),
    await ask("/other"),
  ]
  if (answers.join() !== "200,401,401,403") throw new Error(`the gate answers ${answers.join()}`)
  await gate.end()
}

type Started = {
  /** What the process printed when it was ready. */
  readonly line: Readonly<Record<string, unknown>>
  readonly end: () => Promise<void>
}

async function start(
  span: Span,
  [file = "", ...args]: readonly string[],
  options: Artifact["options"],
): Promise<Started> {
  // The process gets its own group, because npx does not pass on every signal.
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true })
  const exited = once(child, "close")
  span.after(() => end(child, exited))
  const errors: Buffer[] = []
  child.stderr.on("data", (part: Buffer) => errors.push(part))
  const signal = AbortSignal.timeout(START_MILLISECONDS)
  const [line] = (await Promise.race([once(child.stdout, "data", { signal }), exited])) as unknown[]
  if (!Buffer.isBuffer(line))
    throw new Error(`it ended before it served: ${Buffer.concat(errors).toString()}`)
  return {
    line: JSON.parse(line.toString()) as Readonly<Record<string, unknown>>,
    end: () => end(child, exited),
  }
}

async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  process.kill(-child.pid, "SIGTERM")
  await exited
}

/** Runs a command and returns what it printed. Throws with its errors if it fails. */
export function run([file = "", ...args]: readonly string[], cwd: string, env = process.env): string {
  const ended = spawnSync(file, args, { cwd, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
  if (ended.status === 0) return ended.stdout
  throw new Error(`${file} ${args.join(" ")} failed: ${ended.error?.message ?? ended.stderr}${ended.stdout}`)
}
