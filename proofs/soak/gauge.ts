/** Measures a server and its files every few seconds. */
import type { Fleet, Member } from "../mixed/fleet.ts"
import { bytesOf, metric, usageOf } from "../mixed/usage.ts"

export type Look = {
  /** The time in seconds since the first measurement. */
  readonly at: number
  readonly residentMiB: number
  readonly descriptors: number
  /** The event loop delay that one in a hundred turns exceeded since the previous measurement. */
  readonly delayMilliseconds: number
}

const DATA = "latchkey.db"

export class Gauge {
  readonly samples: Look[] = []
  readonly dataBytesAtFirst: number
  peakMiB = 0
  logOfDatabaseBytes = 0
  readonly #dir: string
  readonly #member: Member
  readonly #begun = performance.now()

  constructor(fleet: Fleet) {
    const [member] = fleet.members
    if (member === undefined) throw new Error("there is no server")
    this.#member = member
    this.#dir = fleet.dir
    this.dataBytesAtFirst = this.dataBytes
  }

  get seconds(): number {
    return (performance.now() - this.#begun) / 1000
  }

  get dataBytes(): number {
    return bytesOf(this.#dir, DATA)
  }

  get logBytes(): number {
    return this.#member.log.length
  }

  async look(): Promise<Look> {
    const { residentMiB, peakMiB, descriptors } = usageOf(this.#member.pid)
    this.peakMiB = peakMiB
    this.logOfDatabaseBytes = Math.max(this.logOfDatabaseBytes, bytesOf(this.#dir, `${DATA}-wal`))
    const delay = await metric(this.#member.url, "nodejs_eventloop_lag_p99_seconds")
    const look = { at: this.seconds, residentMiB, descriptors, delayMilliseconds: delay * 1000 }
    this.samples.push(look)
    return look
  }
}
