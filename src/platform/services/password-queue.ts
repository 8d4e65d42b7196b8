/**
 * The queue for password hashing. A hash takes tens of milliseconds of a core and 19 MiB, and anonymous requests
 * cause it. Limits on length and waiting time refuse a flood of wrong passwords, so that it does not delay sign-ins.
 */

/**
 * The priorities, highest first. `administrator` is an administrator or the command line. `known` is a browser that is
 * or was signed in. `unsuspected` is an address without failures in the current window. `other` is every other request.
 */
export type PasswordPriority = "administrator" | "known" | "unsuspected" | "other"

export type PasswordPlace = {
  readonly priority: PasswordPriority
  /** The canonical username, even if no such account exists. The value is null for an administrator. */
  readonly account: string | null
  /** The /24 of an IPv4 address or the /48 of an IPv6 address. The value is null if networks are not limited. */
  readonly network: string | null
}

type PasswordQueueOptions = {
  readonly atOnce: number
  readonly lengths: Readonly<Record<PasswordPriority, number>>
  /** A job that has waited this long is refused. */
  readonly waitMilliseconds: Readonly<Record<PasswordPriority, number>>
  /** The maximum number of running and waiting jobs in one priority, for each account and each network. */
  readonly ofOneAccount: number
  readonly ofOneNetwork: number
}

/** Means that the queue is full or the wait is too long. No hash was computed. */
export class PasswordQueueFull extends Error {
  constructor() {
    super("too many passwords are being checked")
  }
}

export const PASSWORD_RETRY_AFTER_SECONDS = 5

type Waiting = { readonly start: () => void }

const PRIORITIES = ["administrator", "known", "unsuspected", "other"] as const

/**
 * After this number of starts in a row that passed over it, the lowest waiting priority has its turn, so that it makes progress.
 * A single sign-in from a known browser never waits for that turn.
 */
const PASSED_OVER_AT_MOST = 3

export class PasswordQueue {
  readonly #options: PasswordQueueOptions
  readonly #waiting: Record<PasswordPriority, Set<Waiting>> = {
    administrator: new Set(),
    known: new Set(),
    unsuspected: new Set(),
    other: new Set(),
  }
  /** The number of running and waiting jobs, for each account and each network in a priority. */
  readonly #shares = new Map<string, number>()
  #running = 0
  #passedOver = 0

  constructor(options: PasswordQueueOptions) {
    this.#options = options
  }

  /** Whether the queue would accept a job for this place now. */
  hasRoom(place: PasswordPlace): boolean {
    const { atOnce, lengths } = this.#options
    const { priority } = place
    if (this.#sharesOf(place).some(({ key, most }) => (this.#shares.get(key) ?? 0) >= most)) return false
    return this.#running < atOnce || this.#waiting[priority].size < lengths[priority]
  }

  /** Runs `work` when its turn comes. Throws `PasswordQueueFull` if the queue is full or the wait is too long. */
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

  #startNext(): void {
    const waiting = PRIORITIES.filter((priority) => this.#waiting[priority].size > 0)
    const lowest = waiting.at(-1)
    const priority = this.#passedOver < PASSED_OVER_AT_MOST ? waiting[0] : lowest
    this.#passedOver = priority === lowest ? 0 : this.#passedOver + 1
    const [next] = priority === undefined ? [] : this.#waiting[priority]
    if (priority === undefined || next === undefined) {
      this.#running--
      return
    }
    this.#waiting[priority].delete(next)
    next.start()
  }
}
