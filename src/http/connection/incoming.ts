/**
 * A request whose body goes straight from the parser to its reader. As a stream each piece would be buffered by itself,
 * announced by events and closed in a turn of the queue: a tenth of what a small request costs, and 130 bytes of memory
 * for each byte of a body that comes one byte a chunk.
 */
import type { IncomingMessage as Message } from "node:http"
import type { Socket } from "node:net"
import { ByteCollector } from "./byte-collector.ts"
import { type ConnectionState, connectionState } from "./connection-state.ts"
import { holdBytes, releaseBytes } from "./held-bodies.ts"
import { EARLY_BODY_BYTES_AT_MOST, SMALL_PIECE_BYTES } from "./limits.ts"

const { IncomingMessage } = process.getBuiltinModule("node:http")

/** Takes each piece of a body, and null once it is whole. */
export type Reader = (piece: Buffer | null) => void

const ignore: Reader = () => undefined

export class Incoming extends (IncomingMessage as typeof Message) {
  readonly state: ConnectionState
  /** One too many of one read: Node stops parsing there, as before another protocol. */
  readonly isSurplus: boolean
  /** Whether it asks for another protocol, as Node has it. */
  declare asksForUpgrade: boolean | null
  /** The body has ended: no stream has to announce it. */
  isRead = false
  #reader: Reader | null = null
  /** What came before there was a reader. */
  #early: ByteCollector | null = null
  #hasBegun = false
  /** What is counted of this body among those that the process holds. */
  #held = 0
  #isGone = false
  /** What came before there was a reader did not fit, and was thrown away. */
  lacksRoom = false

  constructor(socket: Socket) {
    super(socket)
    this.state = connectionState(socket)
    this.isSurplus = !this.state.admits()
  }

  /** Gives `reader` all of the body: first what came while something else was waited for. */
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

  /** Counts what is held of the body, `bytes` in all. False: they do not fit. */
  holds(bytes: number): boolean {
    if (this.#isGone) return true
    if (!holdBytes(bytes - this.#held, bytes)) return false
    this.#held = bytes
    return true
  }

  /** Nothing is held of the body any more. */
  release(): void {
    this.#early = null
    releaseBytes(this.#held)
    this.#held = 0
  }

  /** Called by Node when the connection ends before the answer. */
  override destroy(error?: Error): this {
    this.release()
    this.#isGone = true
    return super.destroy(error)
  }

  /** Throws away what is still to come. */
  discard(): void {
    this.release()
    this.#reader = ignore
    // Makes Node take it for a message with a reader: else it would parse on behind the answer without calling `push`.
    this.read(0)
    this.socket.resume()
  }

  /** The rest never comes: who waits for the end of what is thrown away has it. */
  breakOff(): void {
    const reader = this.#reader
    this.#reader = ignore
    reader?.(null)
  }

  /** Called by the parser with each piece, and with null at the end. False: reading stops for now. */
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

  /** There is no stream to flow: Node calls this behind an answer. */
  override resume(): this {
    return this
  }
}

// Accessors, which the types take for properties: a class could not override them.
Object.defineProperty(Incoming.prototype, "readableEnded", {
  get(this: Incoming): boolean {
    return this.isRead
  },
})
Object.defineProperty(Incoming.prototype, "upgrade", {
  get(this: Incoming): boolean | null {
    return this.isSurplus || this.asksForUpgrade
  },
  set(this: Incoming, asked: boolean | null) {
    this.asksForUpgrade = asked
  },
})
