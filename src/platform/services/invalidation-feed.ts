/** Resource servers discard cached checks. One periodic query serves all listeners. Without listeners, none runs. */
import type { ClientId } from "../../kernel/ids.ts"
import type { Invalidations, RecordedInvalidation } from "../../store/list-shapes.ts"
import type { Store } from "../../store/store.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Log } from "../../kernel/log.ts"

export const LOOKED_EVERY_MILLISECONDS = 200

/** A listener that receives nothing for this long gets a heartbeat. */
const BEAT_MILLISECONDS = 10_000

const BATCH = 500

/** The maximum number of open streams of an app. An API may open one for each process, and some of them may be dead. */
export const STREAMS_AT_MOST = 100

export type FeedRow = RecordedInvalidation

export type Listener = {
  readonly clientId: ClientId
  /** Whether the app may still listen. This is checked after each change of the app, at each heartbeat and after `reset`. */
  readonly mayListen: () => Promise<boolean>
  readonly onRows: (rows: readonly FeedRow[]) => void
  /** The feed calls this if it deleted invalidations up to `last` before this listener read them. */
  readonly reset: (last: number) => void
  /** The feed calls this once, after `reset` or after the missed rows. Everything up to `last` has then been sent. */
  readonly ready: (last: number) => void
  readonly beat: () => void
  /** Called when the service ends the stream, for example because the app is no longer a resource server. */
  readonly over: () => void
}

type Heard = Listener & { position: number }

export class InvalidationFeed {
  readonly #store: Store
  readonly #clock: Clock
  readonly #log: Log
  readonly #listeners = new Set<Heard>()
  /** The number of streams of each app, including streams that still receive missed rows. */
  readonly #counts = new Map<ClientId, number>()
  /** Every listener in `#listeners` has received the rows up to this id. */
  #position = 0
  #beatAt = 0
  #timer: NodeJS.Timeout | undefined
  #looks = false
  #isClosed = false

  constructor({ store, clock, log }: { readonly store: Store; readonly clock: Clock; readonly log: Log }) {
    this.#store = store
    this.#clock = clock
    this.#log = log
  }

  get streams(): number {
    let streams = 0
    for (const count of this.#counts.values()) streams += count
    return streams
  }

  get isLooking(): boolean {
    return this.#timer !== undefined || this.#looks
  }

  hasRoomFor(clientId: ClientId): boolean {
    return (this.#counts.get(clientId) ?? 0) < STREAMS_AT_MOST
  }

  /**
   * Sends `listener` the invalidations after id `after`, then `ready`, and then new invalidations. If `after` is null,
   * only new ones are sent. The returned function ends the stream without calling `over`.
   */
  listen(listener: Listener, after: number | null): () => void {
    const { clientId } = listener
    let isOver = false
    const heard: Heard = {
      ...listener,
      position: after ?? 0,
      over: () => {
        if (isOver) return
        leave()
        listener.over()
      },
    }
    const leave = () => {
      if (isOver) return
      isOver = true
      this.#listeners.delete(heard)
      if (this.#listeners.size === 0) this.#rest()
      const left = (this.#counts.get(clientId) ?? 1) - 1
      if (left === 0) this.#counts.delete(clientId)
      else this.#counts.set(clientId, left)
    }
    this.#counts.set(clientId, (this.#counts.get(clientId) ?? 0) + 1)
    this.#catchUp(heard, after, () => isOver).catch((err: unknown) => {
      this.#log.error({ err }, "an invalidation stream could not start")
      heard.over()
    })
    return leave
  }

  /** Ends every stream when the service stops. */
  close(): void {
    this.#isClosed = true
    this.#rest()
    for (const listener of this.#listeners) listener.over()
  }

  async #catchUp(heard: Heard, after: number | null, isOver: () => boolean): Promise<void> {
    const begun = await this.#store.invalidations(after ?? 0, after === null ? 0 : BATCH)
    if (isOver()) return
    if (after === null) heard.position = begun.last
    else send(heard, begun)
    // Meanwhile, the other listeners may have received more rows. A new listener first receives the same rows.
    while (
      !isOver() &&
      heard.position < Math.max(begun.last, this.#listeners.size > 0 ? this.#position : 0)
    ) {
      const next = await this.#store.invalidations(heard.position, BATCH)
      send(heard, next)
      if (next.isWhole && next.rows.length === 0) break
    }
    if (isOver()) return
    if (this.#isClosed) return heard.over()
    this.#join(heard)
  }

  #join(heard: Heard): void {
    if (this.#listeners.size === 0) {
      this.#position = heard.position
      this.#beatAt = this.#clock.monotonic()
    }
    this.#listeners.add(heard)
    heard.ready(heard.position)
    this.#next()
  }

  #next(): void {
    if (this.#timer !== undefined || this.#looks || this.#isClosed || this.#listeners.size === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#looks = true
      this.#look()
        .catch((err: unknown) => {
          // If a stream stayed open without messages, its listener would assume that nothing has changed.
          this.#log.error({ err }, "invalidations could not be read; every stream ends")
          for (const listener of this.#listeners) listener.over()
        })
        .finally(() => {
          this.#looks = false
          this.#next()
        })
    }, LOOKED_EVERY_MILLISECONDS)
    this.#timer.unref()
  }

  #rest(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #look(): Promise<void> {
    const found = await this.#store.invalidations(this.#position, BATCH)
    const { last, isWhole, rows } = found
    this.#position = isWhole ? (rows.at(-1)?.id ?? this.#position) : last
    for (const listener of this.#listeners) send(listener, found)
    const changedApps = new Set(rows.filter(({ of }) => of === "client").map(({ key }) => key as string))
    const isBeat = this.#clock.monotonic() - this.#beatAt >= BEAT_MILLISECONDS
    if (isBeat) {
      this.#beatAt = this.#clock.monotonic()
      for (const listener of this.#listeners) listener.beat()
    }
    for (const listener of this.#listeners) {
      const isAskedAgain = isBeat || !isWhole || changedApps.has(listener.clientId)
      if (isAskedAgain && !(await listener.mayListen())) listener.over()
    }
    if (rows.length === BATCH) await this.#look()
  }
}

/** Sends what is new to the listener. */
function send(heard: Heard, { last, isWhole, rows }: Invalidations): void {
  if (!isWhole) {
    heard.position = last
    return heard.reset(last)
  }
  const news = rows.filter(({ id }) => id > heard.position)
  if (news.length === 0) return
  heard.position = news.at(-1)?.id ?? heard.position
  heard.onRows(news)
}
