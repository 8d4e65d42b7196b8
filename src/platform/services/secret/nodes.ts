/**
 * The running nodes, as each of them records itself: which secrets it holds, for which `secret rotate` waits, and its
 * base URL, which `/health` compares. A row contains check values, never a secret. Interface SECRET-2, BASE-2.
 */
import { decided } from "../../../model/change.rules.ts"
import { metaKeys, NODE_KEY_PREFIX as PREFIX, type NodeFact } from "../../../store/loadable.ts"
import type { Store } from "../../../store/store.ts"
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
  /** Absent if the node chooses a free port, and in rows of earlier versions. */
  readonly baseUrl?: string | undefined
}

type Stored = NodeRecord & { readonly key: string }

export async function recordNode(store: Store, id: string, node: NodeRecord): Promise<void> {
  await store.change({ nodes: true }, ({ nodes }) => {
    const stale = recordsOf(nodes).filter(({ at }) => Math.abs(node.at - at) > FORGOTTEN_SECONDS)
    return decided(
      null,
      { change: "metaSet", key: PREFIX + id, value: JSON.stringify(node) },
      ...stale.map(({ key }) => ({ change: "metaRemoved", key }) as const),
    )
  })
}

export async function removeNode(store: Store, id: string): Promise<void> {
  await store.change({}, () => decided(null, { change: "metaRemoved", key: PREFIX + id }))
}

/** Lists the nodes that were seen in the last minute. */
export async function runningNodes(store: Pick<Store, "read">, now: number): Promise<readonly NodeRecord[]> {
  const { nodes } = await store.read({ nodes: true })
  return runningAmong(nodes, now)
}

export function runningAmong(nodes: readonly NodeFact[] | null, now: number): readonly NodeRecord[] {
  return recordsOf(nodes).filter(({ at }) => Math.abs(now - at) <= SEEN_SECONDS + TOLERANCE_SECONDS)
}

function recordsOf(nodes: readonly NodeFact[] | null): readonly Stored[] {
  return (nodes ?? []).map(({ key, value }) => ({ ...(JSON.parse(value) as NodeRecord), key }))
}

/** Returns the check value of the secret that `secret rotate` is putting in place, or null. */
export async function replacingSecret(store: Pick<Store, "read">): Promise<string | null> {
  const { meta } = await store.read({ meta: metaKeys.nextSecretCheck })
  return meta === null || meta.value === "" ? null : meta.value
}
