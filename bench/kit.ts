/**
 * Measures what the kit costs an API, and how soon a change takes effect:
 *
 *   npm run bench:kit -- [--connections 64] [--seconds 5] [--rounds 5] [--samples 40] [--json FILE]
 *
 * 1. The first part measures a cached check alone, in this process.
 * 2. The second part loads the same small API without a check, with the kit, and with an introspection of each request.
 * They are loaded in turn, in several rounds, and the results are medians. The API has its own core. The service and
 * the generator share another core.
 * 3. The third part makes changes under this load. The time runs from the request for a revocation, a removed
 * permission or a disabled account to the first response that refuses.
 */
import { writeFileSync } from "node:fs"
import { Agent, get } from "node:http"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { createResourceServer, requirePermission } from "../packages/resource-server/src/resource-server.ts"
import { setAccountEnabled } from "../src/accounts/accounts.ts"
import { updateApp } from "../src/apps/app.ts"
import { LOOKED_EVERY_MILLISECONDS } from "../src/platform/services/invalidation-feed.ts"
import { systemClock } from "../src/kernel/clock.ts"
import { amount, count, flagsOf, resultFile, workDirectory, writeJson } from "./command.ts"
import type { ApiOptions } from "./kit-api.ts"
import type { KitLoad, KitLoadResult } from "./kit-load.ts"
import { type Held, NEEDED, seed, type Seeded } from "./kit-seed.ts"
import { printedBy, type Server, startApi, startNode, startService, usageOf } from "./server-process.ts"

const asked = flagsOf({
  connections: { type: "string", default: "64" },
  seconds: { type: "string", default: "5" },
  rounds: { type: "string", default: "5" },
  samples: { type: "string", default: "40" },
  json: { type: "string" },
})
const [connections, rounds, samples] = [
  count("connections", asked.connections),
  count("rounds", asked.rounds),
  count("samples", asked.samples),
]
const seconds = amount("seconds", asked.seconds)
resultFile(asked.json)

const COMMON = 1000
const MODES = ["none", "kit", "introspection"] as const
const CHANGES = ["revocation", "removed permission", "disabled account"] as const
const IN_EFFECT_MILLISECONDS = 1000
const CHECK_MICROSECONDS = 20

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const dir = workDirectory("kit")
const servers: Server[] = []
try {
  await main()
} finally {
  agent.destroy()
  for (const server of servers.toReversed()) await server.stop()
}

async function main(): Promise<void> {
  const seeded = await seed(dir, COMMON, CHANGES.length * samples)
  const service = await startService(dir, 1)
  servers.push(service)
  const identity = { issuer: `http://localhost:${service.port}`, ...seeded.api }

  const check = await checkAlone(identity, seeded)
  const apis = new Map<string, Server>()
  for (const mode of MODES) {
    const options: ApiOptions = { mode, ...identity }
    const api = await startApi(["bench/kit-api.ts", JSON.stringify(options)])
    servers.push(api)
    apis.set(mode, api)
  }
  const throughput = await compare(apis, service, seeded)
  const changes = await feel(apis.get("kit")?.port ?? 0, service.port, seeded)
  await seeded.store.close()
  console.log(`a cached check: ${check.toFixed(2)} µs`)
  console.table(throughput)
  console.table(changes)
  if (asked.json !== undefined) await writeJson(asked.json, { check, throughput, changes })
  if (check >= CHECK_MICROSECONDS) throw new Error(`a cached check took ${check} µs`)
  for (const { change, max } of changes)
    if (max >= IN_EFFECT_MILLISECONDS) throw new Error(`a ${change} was in effect only after ${max} ms`)
}

/** Returns the median of the rounds in microseconds. Each round uses every token in turn. */
async function checkAlone(
  identity: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string },
  { common }: Seeded,
): Promise<number> {
  const kit = createResourceServer({ ...identity, resource: "https://api.example" })
  const needed = requirePermission(NEEDED)
  const requests = common.map(({ token }) => ({ headers: { authorization: `Bearer ${token}` } }))
  const checkAll = async (times: number) => {
    for (let i = 0; i < times; i++) {
      const checked = await kit.verify(requests[i % requests.length] ?? { headers: {} }, needed)
      if (!checked.ok) throw new Error(`refused: ${checked.refusal.reason}`)
    }
  }
  await checkAll(1)
  for (let i = 0; i < 1000 && !kit.isLive(); i++) await pause(5)
  if (!kit.isLive()) throw new Error("the stream did not open")
  await checkAll(20_000)
  const each: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    await checkAll(100_000)
    each.push(((performance.now() - begun) * 1000) / 100_000)
  }
  kit.close()
  return median(each)
}

async function compare(apis: ReadonlyMap<string, Server>, service: Server, { common }: Seeded) {
  const tokens = common.map(({ token }) => token)
  const results = new Map<string, (KitLoadResult & { readonly api: number; readonly service: number })[]>()
  for (const { port } of apis.values()) await load({ port, connections, seconds: 2, tokens })
  for (let round = 1; round <= rounds; round++) {
    for (const [mode, { port, pid }] of apis) {
      const before = [usageOf(pid).cpuSeconds, usageOf(service.pid).cpuSeconds] as const
      const result = await load({ port, connections, seconds, tokens })
      if (result.others > 0) throw new Error(`${mode}: ${result.others} requests were refused`)
      const used = (now: number, then: number) => ((now - then) * 1e6) / result.requests
      const api = used(usageOf(pid).cpuSeconds, before[0])
      const one = { ...result, api, service: used(usageOf(service.pid).cpuSeconds, before[1]) }
      results.set(mode, [...(results.get(mode) ?? []), one])
      console.error(`round ${round}: ${mode} ${Math.round(result.requestsPerSecond)}/s`)
    }
  }
  const bare = results.get("none") ?? []
  return [...results].map(([mode, all]) => ({
    check: mode,
    requestsPerSecond: Math.round(median(all.map((one) => one.requestsPerSecond))),
    ofNone: rounded(median(all.map((one, i) => one.requestsPerSecond / (bare[i]?.requestsPerSecond ?? NaN)))),
    p50: rounded(median(all.map(({ p50 }) => p50))),
    p99: rounded(median(all.map(({ p99 }) => p99))),
    apiMicroseconds: Math.round(median(all.map(({ api }) => api))),
    serviceMicroseconds: Math.round(median(all.map((one) => one.service))),
  }))
}

/** Measures how soon each kind of change takes effect while the API is under load. */
async function feel(apiPort: number, servicePort: number, seeded: Seeded) {
  const tokens = seeded.common.map(({ token }) => token)
  const loads = startLoads(apiPort, tokens)
  try {
    const figures = []
    for (const [i, change] of CHANGES.entries()) {
      const took: number[] = []
      for (const one of seeded.single.slice(i * samples, (i + 1) * samples))
        took.push(await untilInEffect(change, one, apiPort, servicePort, seeded))
      figures.push({ change, samples, p50: Math.round(median(took)), max: Math.round(Math.max(...took)) })
    }
    return figures
  } finally {
    const rates = (await loads.end()).map(({ requestsPerSecond }) => requestsPerSecond)
    console.error(`under ${Math.round(median(rates))} requests a second`)
  }
}

/** Returns the milliseconds from the request for the change to the first response that refuses. */
async function untilInEffect(
  change: (typeof CHANGES)[number],
  held: Held,
  apiPort: number,
  servicePort: number,
  seeded: Seeded,
): Promise<number> {
  const status = await statusAt(apiPort, held.token)
  // The change happens at a random moment between two reads of the invalidation log.
  await pause(Math.random() * LOOKED_EVERY_MILLISECONDS)
  if (status !== 200) throw new Error(`before the ${change} the API answered ${status}`)
  const begun = performance.now()
  await make(change, held, servicePort, seeded)
  while ((await statusAt(apiPort, held.token)) === 200)
    if (performance.now() - begun > 10 * IN_EFFECT_MILLISECONDS)
      throw new Error(`a ${change} is not in effect`)
  return performance.now() - begun
}

async function make(
  change: (typeof CHANGES)[number],
  { token, clientId, username }: Held,
  servicePort: number,
  { store, catalog }: Seeded,
): Promise<void> {
  const needs = { store, clock: systemClock, catalog }
  const from = { address: null, owner: null } as const
  switch (change) {
    case "revocation": {
      const body = new URLSearchParams({ token, client_id: clientId })
      const { status } = await fetch(`http://localhost:${servicePort}/oauth/revoke`, { method: "POST", body })
      if (status !== 200) throw new Error(`the revocation answered ${status}`)
      return
    }
    case "removed permission":
      return orThrow(await updateApp(needs, clientId, { removePermissions: [NEEDED, "account:write"] }, from))
    case "disabled account":
      return orThrow(await setAccountEnabled(needs, username, false, from))
  }
}

function orThrow(outcome: { readonly ok: boolean }): void {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome))
}

function statusAt(port: number, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume()
      response.once("end", () => resolve(response.statusCode ?? 0))
    }).once("error", reject)
  })
}

/**
 * Applies load until `end` is called, with one generator after the other. The function `end` returns the measurements
 * of the generators.
 */
function startLoads(port: number, tokens: readonly string[]) {
  const over = { isSo: false }
  const run = async () => {
    const results: KitLoadResult[] = []
    while (!over.isSo) results.push(await load({ port, connections, seconds: 3, tokens }))
    return results
  }
  const results = run()
  // The results are awaited only when the load ends.
  results.catch(() => undefined)
  return {
    end: () => {
      over.isSo = true
      return results
    },
  }
}

async function load({
  tokens,
  ...options
}: Omit<KitLoad, "tokensFile"> & { readonly tokens: readonly string[] }) {
  const tokensFile = join(dir, "tokens")
  writeFileSync(tokensFile, tokens.join("\n"))
  const argument = JSON.stringify({ ...options, tokensFile } satisfies KitLoad)
  return JSON.parse(await printedBy(startNode(1, ["bench/kit-load.ts", argument]))) as KitLoadResult
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
