/** Measures the time from a revocation, or from leaving a group, to the first refusal through each proxy. */
import { setTimeout as pause } from "node:timers/promises"
import type { GuardedApp } from "../../test/gate/proxies/guarded-app.ts"
import type { RunningProxy } from "../../test/gate/proxies/proxy.ts"
import { sendTo } from "../../test/gate/proxies/wire.ts"
import { LOOKED_EVERY_MILLISECONDS } from "../../src/platform/services/invalidation-feed.ts"
import type { Choice } from "../choice.ts"
import { check } from "../../test/kit/api-server.ts"
import { Membership } from "../membership.ts"

const PATIENCE_MILLISECONDS = 10_000

/** Returns the milliseconds of each revocation, by the name of the proxy. */
export async function feelRevocations(
  guarded: GuardedApp,
  proxies: readonly RunningProxy[],
  times: number,
  choice: Choice,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const felt = new Map<string, number[]>(proxies.map(({ name }) => [name, []]))
  for (let i = 0; i < times; i++) {
    const held = await guarded.api.grant()
    const sent = { path: "/files/1", token: held.access_token }
    for (const { name, port } of proxies) {
      const { status } = await sendTo(port, sent)
      if (status !== 200) throw new Error(`${name} answered ${status} before the revocation`)
    }
    // The revocation happens at a random moment between two reads of the log of invalidations.
    await pause(choice.below(LOOKED_EVERY_MILLISECONDS))
    const begun = performance.now()
    const refused = proxies.map(async ({ name, port }) => {
      while ((await sendTo(port, sent)).status === 200)
        if (performance.now() - begun > PATIENCE_MILLISECONDS)
          throw new Error(`${name} still passes a revoked token`)
      felt.get(name)?.push(performance.now() - begun)
    })
    await guarded.api.revoke(held)
    await Promise.all(refused)
  }
  return felt
}

/** The account leaves the group that the app is for, and comes back, with one token. Also asks a kit without a gate. */
export async function feelLeaving(
  { api }: GuardedApp,
  proxies: readonly RunningProxy[],
  times: number,
  choice: Choice,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const membership = await Membership.open(api.testServer.store, "bob", api.app.clientId)
  const [kit, held] = [await api.liveKit(), await api.grant()]
  const needed = { permissions: ["files:read"], elevation: false }
  const sent = { path: "/files/1", token: held.access_token }
  const watched = [
    ...proxies.map(
      ({ name, port }) => [name, async () => (await sendTo(port, sent)).status === 200] as const,
    ),
    ["Node kit", async () => (await check(kit, held, needed)).ok] as const,
  ]
  const untilAll = async (isPassed: boolean) => {
    const begun = performance.now()
    const wait = async ([name, passes]: (typeof watched)[number]) => {
      while ((await passes()) !== isPassed) {
        if (performance.now() - begun > PATIENCE_MILLISECONDS)
          throw new Error(`${name} does not follow the group`)
        await pause(1)
      }
      return [name, performance.now() - begun] as const
    }
    return Promise.all(watched.map(wait))
  }
  const felt = new Map<string, number[]>(watched.map(([name]) => [name, []]))
  for (let i = 0; i < times; i++) {
    await untilAll(true)
    await pause(choice.below(LOOKED_EVERY_MILLISECONDS))
    const refused = untilAll(false)
    await membership.leave()
    for (const [name, milliseconds] of await refused) felt.get(name)?.push(milliseconds)
    await membership.join()
  }
  return felt
}
