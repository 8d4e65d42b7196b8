/**
 * A running node looks once a second whether there is a new service secret, and whether it is in force. It records which
 * secrets it holds, and forgets a former one when everything in the database is sealed again. A node that does not hold
 * the secret in force stops: it could open nothing that is stored. SECRET-2.
 */
import { hostname } from "node:os"
import type { Clock } from "../../../kernel/clock.ts"
import type { Keys } from "../../../kernel/keys.ts"
import type { Log } from "../../../kernel/log.ts"
import { randomSecret } from "../../../kernel/random.ts"
import type { Store } from "../../../store/store.ts"
import { StoreUnavailable } from "../../../store/unavailable.ts"
import { checkServiceSecret, refuseNewSecret, secretInForce } from "./check-secret.ts"
import { hasSecret, readKeyRing, readNextSecret } from "./held-secrets.ts"
import type { KeyRing } from "./key-ring.ts"
import { recordNode, removeNode, replacingSecret } from "./nodes.ts"

const EVERY_MILLISECONDS = 1000
const RECORDED_EVERY_SECONDS = 20

type Needs = {
  readonly store: Store
  readonly ring: KeyRing
  readonly clock: Clock
  readonly log: Log
  readonly dataDir: string
  /** The base URL of this node, if it is known before the node listens. */
  readonly baseUrl: string | undefined
  /** Called once if this node does not hold the secret in force. */
  readonly lost: () => void
}

/**
 * Takes the service secret that fits the database, and runs `serve` with it. Throws if this process does not hold it.
 */
export async function withServiceSecret(
  needs: Omit<Needs, "ring">,
  serve: (keys: Keys) => Promise<void>,
): Promise<void> {
  const { store, dataDir } = needs
  if (!hasSecret(dataDir)) await refuseNewSecret(store)
  const ring = await readKeyRing(dataDir)
  await checkServiceSecret(store, ring)
  const watch = new SecretWatch({ ...needs, ring })
  await watch.round()
  const end = watch.start()
  try {
    // A rotation that began before this node recorded itself may not have waited for it.
    await checkServiceSecret(store, ring)
    await serve(ring)
  } finally {
    await end()
  }
}

class SecretWatch {
  readonly #needs: Needs
  readonly #id = randomSecret().slice(0, 22)
  #recorded: { readonly at: number; readonly holds: string } | null = null
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #unreadable = ""

  constructor(needs: Needs) {
    this.#needs = needs
  }

  start(): () => Promise<void> {
    const next = () => {
      if (!this.#isOver)
        this.#timer = setTimeout(() => void this.round().finally(next), EVERY_MILLISECONDS).unref()
    }
    next()
    return async () => {
      this.#isOver = true
      clearTimeout(this.#timer)
      await removeNode(this.#needs.store, this.#id).catch(() => undefined)
    }
  }

  async round(): Promise<void> {
    const { log } = this.#needs
    const next = await this.#readNext()
    try {
      await this.#compare()
      if (!this.#isOver && next !== undefined) await this.#forgetReplaced(next)
      if (!this.#isOver) await this.#record()
    } catch (err) {
      // While the database is unavailable, nothing can be sealed either.
      if (!(err instanceof StoreUnavailable) && !this.#isOver)
        log.error({ err }, "the service secret could not be compared; this will be retried")
    }
  }

  /** Returns undefined if the new secret cannot be read. */
  async #readNext(): Promise<Buffer | null | undefined> {
    const { ring, dataDir, log } = this.#needs
    try {
      const next = await readNextSecret(dataDir)
      if (next !== null) ring.hold(next)
      this.#unreadable = ""
      return next
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#unreadable)
        log.warn({ problem: message }, "the new service secret cannot be read")
      this.#unreadable = message
      return undefined
    }
  }

  async #compare(): Promise<void> {
    const { store, ring, log, lost } = this.#needs
    const inForce = await secretInForce(store)
    if (this.#isOver || inForce === ring.checkValue) return
    if (inForce !== null && ring.take(inForce)) {
      log.info("the new service secret is in force")
      return
    }
    this.#isOver = true
    log.fatal("this node does not hold the service secret that is in force; it stops")
    lost()
  }

  /** While a rotation is unfinished, the database may have rows that the former secret sealed. */
  async #forgetReplaced(next: Buffer | null): Promise<void> {
    const { store, ring } = this.#needs
    if (ring.holds.length > 1 && (await replacingSecret(store)) === null) ring.forgetReplaced(next)
  }

  async #record(): Promise<void> {
    const { store, ring, clock, baseUrl } = this.#needs
    const now = clock.now()
    const { holds } = ring
    const held = holds.join()
    const last = this.#recorded
    const isFresh = last !== null && Math.abs(now - last.at) < RECORDED_EVERY_SECONDS && last.holds === held
    if (isFresh) return
    const name = `${hostname()}, process ${process.pid}`
    await recordNode(store, this.#id, { name, at: now, holds, baseUrl })
    this.#recorded = { at: now, holds: held }
  }
}
