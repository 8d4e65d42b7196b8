/**
 * Measures how soon a revocation takes effect at many resource servers. Each listener has its own credentials and its own
 * stream, and asks itself about one token at short intervals. The time runs from the request for the revocation to the
 * first refusal. The service has the first core and the listeners the second, because no machine here has a core for
 * each.
 */
import { setTimeout as pause } from "node:timers/promises"
import { addApp } from "../../../src/apps/add-app.ts"
import { systemClock } from "../../../src/kernel/clock.ts"
import { LOOKED_EVERY_MILLISECONDS } from "../../../src/platform/services/invalidation-feed.ts"
import { type Held, NEEDED, seed, type Seeded } from "../../kit-seed.ts"
import { say } from "../../measure.ts"
import { canPin, startService, usageOf } from "../../server-process.ts"
import type { Context } from "../context.ts"
import { pin } from "../database.ts"
import type { Felt, FeltBy } from "../results.ts"
import { quantile, round } from "../spread.ts"
import { languages, type Languages, type Listeners, openListeners } from "./listeners.ts"

const IDLE_MILLISECONDS = 5000
/** In milliseconds. If hundreds of listeners asked more often, their core would be busy with it. */
const ASKED_EVERY = 20

/** Progress is said after this many revocations. */
const SAID_EVERY = 25

type Service = { readonly port: number; readonly pid: number }

export async function measureFelt({ work, length, missing }: Context): Promise<Felt> {
  const { listeners: counts, times } = length.felt
  const most = Math.max(...counts)
  if (canPin) pin(process.pid, 1)
  const found = languages(work, missing)
  const seeded = await seed(work, 0, times * counts.length)
  say(`adding resource servers: ${most}`)
  const apis = await addApis(seeded, most)
  const service = await startService(work, canPin ? 0 : "any", { log: `${work}/service.log` })
  const rows: FeltBy[] = []
  try {
    for (const [at, count] of counts.entries()) {
      const held = seeded.single.slice(at * times, (at + 1) * times)
      rows.push(await feltBy(apis.slice(0, count), held, service, found, work))
    }
    return { times, lookedEvery: LOOKED_EVERY_MILLISECONDS, askedEvery: ASKED_EVERY, rows }
  } finally {
    await service.stop()
    await seeded.store.close()
    if (canPin) pin(process.pid, "any")
  }
}

type Api = { readonly clientId: string; readonly clientSecret: string }

async function addApis({ store, catalog }: Seeded, count: number): Promise<Api[]> {
  const apis: Api[] = []
  for (let at = 0; at < count; at++) {
    const added = await addApp(
      { store, clock: systemClock, catalog },
      {
        ...{ name: `API ${at}`, type: "confidential", redirectUris: [], permissions: [] },
        ...{ verified: false, stepUp: false, resourceServer: true },
      },
      { address: null, owner: null },
    )
    if (!added.ok) throw new Error(added.error)
    apis.push({ clientId: added.value.client.clientId, clientSecret: added.value.secret ?? "" })
  }
  return apis
}

async function feltBy(
  apis: readonly Api[],
  held: readonly Held[],
  service: Service,
  found: Languages,
  work: string,
): Promise<FeltBy> {
  const from = { issuer: `http://localhost:${service.port}`, permission: NEEDED, askedEvery: ASKED_EVERY }
  say(`opening listeners: ${apis.length}`)
  const listeners = await openListeners(apis, from, found, { work, core: canPin ? 1 : "any" })
  try {
    const kinds: Record<string, number[]> = {}
    const last: number[] = []
    for (const [at, one] of held.entries()) {
      if (at % SAID_EVERY === 0) say(`${apis.length} listeners, revocation ${at + 1} of ${held.length}`)
      const felt = await revoke(one, service, listeners)
      for (const [kind, all] of felt) (kinds[kind] ??= []).push(...all)
      last.push(Math.max(...[...felt.values()].flat()))
    }
    const before = usageOf(service.pid).cpuSeconds
    await pause(IDLE_MILLISECONDS)
    const idle = (usageOf(service.pid).cpuSeconds - before) / (IDLE_MILLISECONDS / 1000)
    const all = Object.values(kinds).flat()
    say(`${apis.length} listeners: p50 ${quantile(all, 0.5)} ms, p99 ${quantile(all, 0.99)} ms`)
    return {
      listeners: apis.length,
      kinds: Object.entries(kinds).map(([kind, felt]) => ({
        kind,
        listeners: listeners.counts[kind] ?? 0,
        ...quantiles(felt),
      })),
      ...quantiles(all),
      last: quantiles(last),
      idlePart: round(idle),
    }
  } finally {
    await listeners.stop()
  }
}

/** Returns the milliseconds of each listener, by their kind. */
async function revoke(
  { token, clientId }: Held,
  { port }: Service,
  { hosts }: Listeners,
): Promise<Map<string, readonly number[]>> {
  await Promise.all(hosts.map((host) => host.watch(token)))
  // The revocation happens at a random moment between two reads of the log of invalidations.
  await pause(Math.random() * LOOKED_EVERY_MILLISECONDS)
  const begun = Date.now()
  const body = new URLSearchParams({ token, client_id: clientId })
  const { status } = await fetch(`http://localhost:${port}/oauth/revoke`, { method: "POST", body })
  if (status !== 200) throw new Error(`the revocation answered ${status}`)
  const felt = await Promise.all(
    hosts.map(async (host) => {
      const refused = await host.refusals()
      return [host.kind, refused.map((at) => at - begun)] as const
    }),
  )
  return new Map(felt)
}

function quantiles(felt: readonly number[]) {
  return { p50: quantile(felt, 0.5), p99: quantile(felt, 0.99), worst: quantile(felt, 1) }
}
