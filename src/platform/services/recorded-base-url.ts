/**
 * The database stores the base URL that the service last served with. Links of commands begin with it, and `/health`
 * says if a node has another one. Interface BASE-1, BASE-2.
 */
import { decided } from "../../model/change.rules.ts"
import { metaKeys } from "../../store/loadable.ts"
import type { Store } from "../../store/store.ts"
import { StoreUnavailable } from "../../store/unavailable.ts"
import { runningAmong } from "./secret/nodes.ts"
import type { Services } from "./services.ts"

const KEY = metaKeys.baseUrl
const RETRY_MILLISECONDS = 1000

type Needs = Pick<Services, "store" | "issuer" | "log">

/** Returns null before the first start. */
export async function recordedBaseUrl(store: Pick<Store, "read">): Promise<string | null> {
  return (await store.read({ meta: KEY })).meta?.value ?? null
}

/** Whether the stored base URL, or that of a node seen in the last minute, is not the one of this node. */
export async function hasOtherBaseUrl({
  store,
  clock,
  issuer,
}: Pick<Services, "store" | "clock" | "issuer">): Promise<boolean> {
  const { meta, nodes } = await store.read({ meta: KEY, nodes: true })
  const served = [meta?.value, ...runningAmong(nodes, clock.now()).map(({ baseUrl }) => baseUrl)]
  return served.some((baseUrl) => baseUrl !== undefined && baseUrl !== issuer)
}

/**
 * Records the base URL of this node, and logs a warning if another one was recorded. While the database takes no
 * changes, this is tried again in the background. Returns a function that ends the tries.
 */
export async function recordBaseUrl(services: Needs): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const attempt = async () => {
    try {
      await compareAndRecord(services)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (!isOver) timer = setTimeout(() => void attempt(), RETRY_MILLISECONDS).unref()
    }
  }
  await attempt()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

async function compareAndRecord({ store, issuer, log }: Needs): Promise<void> {
  // The value is read first. A start then needs no write while the database is locked.
  if ((await recordedBaseUrl(store)) === issuer) return
  const former = await store.change({ meta: KEY }, ({ meta }) =>
    decided(meta?.value ?? null, { change: "metaSet", key: KEY, value: issuer }),
  )
  if (former !== null && former !== issuer)
    log.warn(
      { baseUrl: issuer, former },
      "the service last served with another base URL; all nodes need the same --base-url",
    )
}
