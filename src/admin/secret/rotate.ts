/**
 * Replaces the service secret under running nodes:
 *
 * 1. Every node gets the new secret first, and records that it holds it. It is never stored in the database.
 * 2. Everything in the database is sealed again. Nodes open there what either secret sealed.
 * 3. The check value is switched. Each node then seals with the secret that fits it, and opens pages and cookies with
 *    that one alone.
 * 4. What a node sealed in the second before it noticed is sealed again. Nodes then forget the former secret.
 *
 * Each step can be repeated, so a rotation that was killed continues when it is called again. Interface SECRET-1…3.
 */
import { setTimeout as pause } from "node:timers/promises"
import type { Clock } from "../../kernel/clock.ts"
import type { Keys } from "../../kernel/keys.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { decided, eventRecorded } from "../../model/change.rules.ts"
import { isLeftOver } from "../../model/moved/import.rules.ts"
import { type NodeRecord, runningNodes } from "../../platform/services/secret/nodes.ts"
import { metaKeys } from "../../store/loadable.ts"
import type { Store } from "../../store/store.ts"
import { sealAgain } from "./seal-again.ts"

/** Nodes read the new secret within a second. */
const NODES_WAIT_MS = 10_000
/** A node notices the switch within a second. What it sealed before is committed, or refused, within the rest. */
const SETTLE_MS = 5000
const PAUSE_MS = 250

export type RotateStep = "announced" | "held" | "batch" | "sealed" | "switched" | "settled" | "done"

export type Rotation = {
  readonly store: Store
  readonly clock: Clock
  readonly former: Keys
  readonly next: Keys
  /** Whether the check value fits the new secret, because an earlier call was interrupted. */
  readonly isSwitched: boolean
  /** Called after each step. */
  readonly step?: (step: RotateStep) => void
}

export type Rotated = { readonly sealed: number; readonly unreadable: number }

export async function rotateSecret(rotation: Rotation): Promise<Result<Rotated, Problem>> {
  const { store, former, next, isSwitched, step = () => undefined } = rotation
  let sealed = 0
  if (!isSwitched) {
    await announce(store, next.checkValue)
    step("announced")
    const lacking = await waitForNodes(rotation)
    if (lacking.length > 0) {
      await announce(store, "")
      return err(lackingProblem(lacking))
    }
    step("held")
    const before = await sealAgain(store, { former, next }, () => step("batch"))
    sealed += before.sealed
    step("sealed")
    const late = await nodesWithout(rotation)
    if (late.length > 0) return err(lackingProblem(late))
    if (!(await switchSecret(rotation))) return err("Another process replaced the service secret meanwhile.")
    step("switched")
  }
  await pause(SETTLE_MS)
  if (await isImporting(rotation))
    return err(
      "An import is running, which began with the former secret. Wait for its end, then run secret rotate again.",
    )
  const after = await sealAgain(store, { former, next }, () => step("batch"))
  step("settled")
  await announce(store, "")
  step("done")
  return ok({ sealed: sealed + after.sealed, unreadable: after.unreadable })
}

/** From now on, a node that lacks the new secret does not start. */
async function announce(store: Store, checkValue: string): Promise<void> {
  const key = metaKeys.nextSecretCheck
  await store.change({ meta: key }, () => decided(null, { change: "metaSet", key, value: checkValue }))
}

async function waitForNodes(rotation: Rotation): Promise<readonly NodeRecord[]> {
  const until = performance.now() + NODES_WAIT_MS
  for (;;) {
    const lacking = await nodesWithout(rotation)
    if (lacking.length === 0 || performance.now() > until) return lacking
    await pause(PAUSE_MS)
  }
}

async function nodesWithout({ store, clock, next }: Rotation): Promise<readonly NodeRecord[]> {
  const nodes = await runningNodes(store, clock.now())
  return nodes.filter(({ holds }) => !holds.includes(next.checkValue))
}

function lackingProblem(nodes: readonly NodeRecord[]): Problem {
  const names = nodes.map(({ name }) => name).join("; ")
  return (
    `These nodes were seen in the last minute and lack the new secret: ${names}. Copy secret.key.next into the data ` +
    "directory of each, or restart each with LATCHKEY_SECRET_KEY_NEW. Then run secret rotate again."
  )
}

function switchSecret({ store, clock, former, next }: Rotation): Promise<boolean> {
  const key = metaKeys.serviceSecretCheck
  const at = clock.now()
  return store.change({ meta: key }, ({ meta }) =>
    meta?.value === former.checkValue
      ? decided<boolean>(
          true,
          { change: "metaSet", key, value: next.checkValue },
          eventRecorded("service-secret-replaced", at),
        )
      : decided<boolean>(false),
  )
}

async function isImporting({ store, clock }: Rotation): Promise<boolean> {
  const { openImport } = await store.read({ openImport: true })
  return openImport !== null && !isLeftOver(openImport, clock.now())
}
