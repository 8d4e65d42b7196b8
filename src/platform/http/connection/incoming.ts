/**
 * A request that passes its body directly from the parser to a reader. A stream would buffer each piece and emit
 * events. That would take a tenth of the CPU time of a small request, and 130 bytes of memory for each one-byte chunk.
 */
import type { IncomingMessage as Message } from "node:http"
import type { Socket } from "node:net"
import { ByteCollector } from "./byte-collector.ts"
import { type ConnectionState, connectionState } from "./connection-state.ts"
import { holdBytes, releaseBytes } from "./held-bodies.ts"
import { EARLY_BODY_BYTES_AT_MOST, SMALL_PIECE_BYTES } from "./limits.ts"

const { IncomingMessage } = process.getBuiltinModule("node:http")

type Reader = (piece: Buffer | null) => void

const ignore: Reader = () => undefined

export class Incoming extends (IncomingMessage as typeof Message) {
  readonly state: ConnectionState
  /** Whether this is the 33rd request in one read. Node then stops parsing, as it does for a protocol upgrade. */
  readonly isSurplus: boolean
  /** Whether the request asks for a protocol upgrade. Node sets this member. */
  declare asksForUpgrade: boolean | null
  /** Whether the body has ended. Node reads this member as `readableEnded`. */
  isRead = false
  #reader: Reader | null = null
  /** The pieces that arrived before a reader was set. */
  #early: ByteCollector | null = null
  #hasBegun = false
  /** The bytes that `held-bodies.ts` counts for this body. */
  #held = 0
  #isGone = false
  /** Whether early pieces exceeded the limit and were discarded. */
  lacksRoom = false

  constructor(socket: Socket) {
    super(socket)
    this.state = connectionState(socket)
    this.isSurplus = !this.state.admits()
  }

  /** Passes the whole body to `reader`, including the pieces that have already arrived. */
  readWith(reader: Reader): void {
    this.#reader = reader
    const early = this.#early
    this.#early = null
    if (early !== null) {
      reader(early.bytes())
      if (early.length >= EARLY_BODY_BYTES_AT_MOST) this.socket.resume()
    }
    if (this.complete) this.#reader(null)
  }

  /** Counts `bytes` as memory of this body. Returns false if that exceeds the limit. */
  holds(bytes: number): boolean {
    if (this.#isGone) return true
    if (!holdBytes(bytes - this.#held, bytes)) return false
    this.#held = bytes
    return true
  }

  release(): void {
    this.#early = null
    releaseBytes(this.#held)
    this.#held = 0
  }

  /** Node calls this method if the connection ends before the response. */
  override destroy(error?: Error): this {
    this.release()
    this.#isGone = true
    return super.destroy(error)
  }

  discard(): void {
    this.release()
    this.#reader = ignore
    // This call marks the message as read. Otherwise Node would parse the rest after the response without calling
    // `push`.
    this.read(0)
    this.socket.resume()
  }

  /** Ends the body early, because its rest will never arrive. The reader receives null. */
  breakOff(): void {
    const reader = this.#reader
    this.#reader = ignore
    reader?.(null)
  }

  /** The parser calls this method with each piece, and with null at the end. Returns false to pause reading. */
  override push(piece: Buffer | null): boolean {
    if (piece === null) {
      this.isRead = true
      this.#reader?.(null)
      return this.emit("end")
    }
    if (this.#hasBegun && piece.length < SMALL_PIECE_BYTES) this.state.countSmallPiece()
    this.#hasBegun = true
    if (this.#reader !== null) {
      this.#reader(piece)
      return true
    }
    if (this.lacksRoom) return true
    this.#early ??= new ByteCollector()
    this.#early.add(piece)
    if (!this.holds(this.#early.capacity)) {
      this.release()
      this.lacksRoom = true
      return true
    }
    return this.#early.length < EARLY_BODY_BYTES_AT_MOST
  }

  /** Does nothing, because there is no stream. Node calls this method after a response. */
  override resume(): this {
    return this
  }
}

// These are accessors, because a class cannot override a member that the types declare as a property.
Object.defineProperty(Incoming.prototype, "readableEnded", {
  get(this: Incoming): boolean {
    return this.isRead
  },
})
Object.defineProperty(Incoming.prototype, "upgrade", {
  get(this: Incoming): boolean | null {
    return this.isSurplus || this.asksForUpgrade
  },
  set(this: Incoming, asks: boolean | null) {
    this.asksForUpgrade = asks
  },
})
