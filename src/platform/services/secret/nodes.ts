/**
 * The running nodes, as each of them records itself: which secrets it holds. `secret rotate` waits for all of them. A row
 * contains check values, never a secret. Interface SECRET-2.
 */
import { decided } from "../../../model/change.rules.ts"
import { metaKeys, NODE_KEY_PREFIX as PREFIX, type Store } from "../../../store/store.ts"
import { MINUTE } from "../../../kernel/time.ts"

/** A node that recorded itself within this time counts as running. */
const SEEN_SECONDS = MINUTE
/** Clocks of nodes may differ by some seconds. */
const TOLERANCE_SECONDS = 5
/** The rows of nodes that ended without removing them are deleted after this time. */
const FORGOTTEN_SECONDS = 10 * MINUTE

export type NodeRecord = {
  /** The host and the process, for people. */
  readonly name: string
  readonly at: number
  /** The check values of its secrets. */
  readonly holds: readonly string[]
}

type Stored = NodeRecord & { readonly key: string }

export async function recordNode(store: Store, id: string, node: NodeRecord): Promise<void> {
  const stale = (await allNodes(store)).filter(({ at }) => Math.abs(node.at - at) > FORGOTTEN_SECONDS)
  await store.change({}, () =>
    decided(
      null,
      { change: "metaSet", key: PREFIX + id, value: JSON.stringify(node) },
      ...stale.map(({ key }) => ({ change: "metaRemoved", key }) as const),
    ),
  )
}

export async function removeNode(store: Store, id: string): Promise<void> {
  await store.change({}, () => decided(null, { change: "metaRemoved", key: PREFIX + id }))
}

/** Lists the nodes that were seen in the last minute. */
export async function runningNodes(store: Pick<Store, "metas">, now: number): Promise<readonly NodeRecord[]> {
  const nodes = await allNodes(store)
  return nodes.filter(({ at }) => Math.abs(now - at) <= SEEN_SECONDS + TOLERANCE_SECONDS)
}

async function allNodes(store: Pick<Store, "metas">): Promise<readonly Stored[]> {
  const rows = await store.metas(PREFIX)
  return [...rows].map(([key, value]) => ({ ...(JSON.parse(value) as NodeRecord), key }))
}

/** Returns the check value of the secret that `secret rotate` is putting in place, or null. */
export async function replacingSecret(store: Pick<Store, "read">): Promise<string | null> {
  const { meta } = await store.read({ meta: metaKeys.nextSecretCheck })
  return meta === null || meta.value === "" ? null : meta.value
}
