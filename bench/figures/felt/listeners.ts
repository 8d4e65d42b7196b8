/** Starts a number of listeners, spread over the kits of three languages and gates. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../../test/support/free-port.ts"
import { until } from "../../../test/support/until.ts"
import { type Core, startAlone, stopped } from "../../server-process.ts"
import { writeGateFile } from "./gate-file.ts"
import { Host, type ListenerOptions } from "./host.ts"

const root = join(import.meta.dirname, "../../..")
/** A gate is a process of its own, so one listener in twenty is one. */
const LISTENERS_A_GATE = 20
const GATE_START_MILLISECONDS = 60_000

type Api = { readonly clientId: string; readonly clientSecret: string }

export type Languages = { readonly go: string | null; readonly python: boolean }

/** Builds the Go program into `work`. `missing` gets what this machine does not have. */
export function languages(work: string, missing: string[]): Languages {
  const go = join(work, "listener-go")
  const built = spawnSync("go", ["build", "-buildvcs=false", "-o", go, "."], {
    cwd: join(import.meta.dirname, "listener-go"),
    env: { ...process.env, GOPROXY: "off", GOTOOLCHAIN: "local" },
  })
  const python = spawnSync("/usr/bin/python3", ["-c", "import httpx"]).status === 0
  if (built.status !== 0) missing.push("the Go kit: no Go builds it")
  if (!python) missing.push("the Python kit: python3 with httpx is not installed")
  return { go: built.status === 0 ? go : null, python }
}

export type Listeners = {
  readonly hosts: readonly Host[]
  readonly counts: Readonly<Record<string, number>>
  readonly stop: () => Promise<void>
}

/** The kits share the listeners that are not gates. Each listener is another resource server. */
export async function openListeners(
  apis: readonly Api[],
  { issuer, permission, askedEvery }: Pick<ListenerOptions, "issuer" | "permission" | "askedEvery">,
  { go, python }: Languages,
  { work, core }: { readonly work: string; readonly core: Core },
): Promise<Listeners> {
  const gateCount = Math.floor(apis.length / LISTENERS_A_GATE)
  const kits = ["Node", ...(go === null ? [] : ["Go"]), ...(python ? ["Python"] : [])]
  const commands: Readonly<Record<string, readonly string[]>> = {
    Node: [process.execPath, "bench/figures/felt/listener.ts"],
    Go: [go ?? ""],
    Python: ["/usr/bin/python3", "bench/figures/felt/listener.py"],
    gate: [process.execPath, "bench/figures/felt/listener.ts"],
  }
  const hosts: Host[] = []
  const counts: Record<string, number> = {}
  const gates: (() => Promise<void>)[] = []
  const open = (kind: string, own: readonly Api[], ports?: readonly number[]) => {
    const environment = { PYTHONPATH: join(root, "packages/resource-server-python/src") }
    const options = {
      issuer,
      permission,
      askedEvery,
      apis: own,
      ...(ports !== undefined && { gates: ports }),
    }
    counts[kind] = own.length
    hosts.push(
      new Host(kind, commands[kind] ?? [], options, { core, environment, log: `${work}/${kind}.log` }),
    )
  }
  const stop = async () => {
    for (const host of hosts) await host.stop()
    for (const end of gates) await end()
  }
  try {
    const rest = apis.slice(gateCount)
    for (const [at, kind] of kits.entries()) {
      const own = rest.filter((_, i) => i % kits.length === at)
      if (own.length > 0) open(kind, own)
    }
    const ports: number[] = []
    for (const [at, api] of apis.slice(0, gateCount).entries()) {
      const gate = await startGate(`${work}/gate-${at}`, api, issuer, permission, core)
      gates.push(gate.stop)
      ports.push(gate.port)
    }
    if (gateCount > 0) open("gate", apis.slice(0, gateCount), ports)
    return { hosts, counts, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startGate(dir: string, api: Api, issuer: string, permission: string, core: Core) {
  mkdirSync(dir, { recursive: true })
  const port = await freePort()
  const file = writeGateFile(dir, issuer, permission, api)
  const command = ["bin/latchkey", "gate", "--config", file, "--port", String(port)]
  const child = startAlone(core, command, { log: `${dir}.log` })
  child.stdout?.resume()
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`the gate ended: ${readFileSync(`${dir}.log`, "utf8")}`)
    return (await fetch(`http://127.0.0.1:${port}/health`).catch(() => null)) !== null
  }
  await until(isUp, "the gate answers", GATE_START_MILLISECONDS)
  return { port, stop: () => stopped(child) }
}
