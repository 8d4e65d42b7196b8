/**
 * The queue for hashing passwords: a hash takes tens of milliseconds of a core and 19 MiB, and anonymous requests
 * cause them.
 * The queue is bounded in length and in time, so that a flood of wrong passwords is refused instead of delaying sign-ins.
 */

/**
 * Who goes first: `administrator` is an administrator or the command line; `known` a browser that signed in before, or is
 * signed in; `unsuspected` an address without failures in the present window; `other` everything else.
 */
export type PasswordPriority = "administrator" | "known" | "unsuspected" | "other"

export type PasswordPlace = {
  readonly priority: PasswordPriority
  /** The canonical name, whether or not an account has it. Null where it is an administrator who waits. */
  readonly account: string | null
  /** The wide network that the request comes from; null where it does not count. */
  readonly network: string | null
}

export type PasswordQueueOptions = {
  readonly atOnce: number
  /** How many may wait, by priority. */
  readonly lengths: Readonly<Record<PasswordPriority, number>>
  /** What waited this long is refused. */
  readonly waitMilliseconds: Readonly<Record<PasswordPriority, number>>
  /** How many may run and wait together in one priority. */
  readonly ofOneAccount: number
  readonly ofOneNetwork: number
}

/** Nothing was hashed, and nothing decided. */
export class PasswordQueueFull extends Error {
  constructor() {
    super("too many passwords are being checked")
  }
}

/** Sent as `Retry-After` where a password is refused. */
export const PASSWORD_RETRY_AFTER_SECONDS = 5

type Waiting = { readonly start: () => void }

const PRIORITIES = ["administrator", "known", "unsuspected", "other"] as const

/** One start in this many goes to the lowest priority that waits, so that no priority starves. */
const TURN_OF_THE_LOWEST = 4

export class PasswordQueue {
  readonly #options: PasswordQueueOptions
  readonly #waiting: Record<PasswordPriority, Set<Waiting>> = {
    administrator: new Set(),
    known: new Set(),
    unsuspected: new Set(),
    other: new Set(),
  }
  /** How many run and wait, by priority and account, and by priority and network. */
  readonly #shares = new Map<string, number>()
  #running = 0
  #starts = 0

  constructor(options: PasswordQueueOptions) {
    this.#options = options
  }

  /** Whether work would be taken at this place now. */
  hasRoom(place: PasswordPlace): boolean {
    const { atOnce, lengths } = this.#options
    const { priority } = place
    if (this.#sharesOf(place).some(({ key, most }) => (this.#shares.get(key) ?? 0) >= most)) return false
    return this.#running < atOnce || this.#waiting[priority].size < lengths[priority]
  }

  /** Throws `PasswordQueueFull` where there is no room, and where the turn does not come in time. */
  async run<T>(place: PasswordPlace, work: () => Promise<T>): Promise<T> {
    if (!this.hasRoom(place)) throw new PasswordQueueFull()
    this.#count(place, 1)
    try {
      if (this.#running < this.#options.atOnce) this.#running++
      else await this.#turn(place.priority)
      try {
        return await work()
      } finally {
        this.#startNext()
      }
    } finally {
      this.#count(place, -1)
    }
  }

  #sharesOf({ priority, account, network }: PasswordPlace) {
    const { ofOneAccount, ofOneNetwork } = this.#options
    return [
      ...(account === null ? [] : [{ key: `${priority} account ${account}`, most: ofOneAccount }]),
      ...(network === null ? [] : [{ key: `${priority} network ${network}`, most: ofOneNetwork }]),
    ]
  }

  #count(place: PasswordPlace, by: 1 | -1): void {
    for (const { key } of this.#sharesOf(place)) {
      const count = (this.#shares.get(key) ?? 0) + by
      if (count === 0) this.#shares.delete(key)
      else this.#shares.set(key, count)
    }
  }

  #turn(priority: PasswordPriority): Promise<void> {
    const queue = this.#waiting[priority]
    return new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => {
        queue.delete(waiting)
        reject(new PasswordQueueFull())
      }, this.#options.waitMilliseconds[priority])
      const waiting: Waiting = {
        start: () => {
          clearTimeout(tooLate)
          resolve()
        },
      }
      queue.add(waiting)
    })
  }

  /** Passes the place of finished work on. */
  #startNext(): void {
    const isTurnOfTheLowest = ++this.#starts % TURN_OF_THE_LOWEST === 0
    const order = isTurnOfTheLowest ? PRIORITIES.toReversed() : PRIORITIES
    for (const priority of order) {
      const [next] = this.#waiting[priority]
      if (next === undefined) continue
      this.#waiting[priority].delete(next)
      return next.start()
    }
    this.#running--
  }
}
