/**
 * What the server keeps for each connection. It bounds what a client can make the service hold that sends requests ahead
 * and does not read the answers: 32 requests are in flight, the others of the same read wait, and reading stops
 * meanwhile. Of more than 32 in one read (Node parses all of a read at once) the 33rd ends the connection.
 */
import type { Socket } from "node:net"
import {
  REQUESTS_IN_FLIGHT,
  SMALL_PIECES_A_REQUEST,
  SMALL_PIECES_A_TURN,
  STALLED_CHECKS,
  UNSENT_BYTES_AT_MOST,
} from "./limits.ts"
import type { HttpReply } from "./message.ts"
import { awaitTurn } from "./read-turns.ts"

const states = new WeakMap<Socket, ConnectionState>()

export function connectionState(socket: Socket): ConnectionState {
  const known = states.get(socket)
  if (known !== undefined) return known
  const state = new ConnectionState(socket)
  states.set(socket, state)
  return state
}

export class ConnectionState {
  /** The reply to the latest request. */
  latest: HttpReply | null = null
  /** An answer was sent that closes the connection: no further request begins (RFC 9112 §9.6). */
  isEnding = false
  readonly #socket: Socket
  #inFlight = 0
  #unsentBytes = 0
  /** Begins each request that waits for others to be answered. */
  readonly #waiting: (() => void)[] = []
  /** A request had to wait: until all answers have left nothing further is read. */
  #isFull = false
  #parsedInRead = 0
  /** `bytesRead` of the socket at the latest request: the same for all requests of one read. */
  #readEndsAt = -1
  #smallPieces = 0
  #awaitsTurn = false
  readonly #progress: Progress

  constructor(socket: Socket) {
    this.#socket = socket
    this.#progress = new Progress(socket)
    // Node resumes a socket behind each message that it has parsed.
    socket.on("resume", () => this.#mustStop() && socket.pause())
  }

  /** Counts a request whose head has been parsed. False: it is one too many of one read. */
  admits(): boolean {
    if (this.#smallPieces > 0) this.#smallPieces = Math.max(0, this.#smallPieces - SMALL_PIECES_A_REQUEST)
    const { bytesRead } = this.#socket
    if (bytesRead !== this.#readEndsAt) {
      this.#readEndsAt = bytesRead
      this.#parsedInRead = 0
    }
    return ++this.#parsedInRead <= REQUESTS_IN_FLIGHT
  }

  /** Whether the latest request may begin. The 32nd of a read may not before the end of the read is known. */
  get hasRoom(): boolean {
    return this.#waiting.length === 0 && this.#parsedInRead !== REQUESTS_IN_FLIGHT && this.#canBegin()
  }

  wait(begin: () => void): void {
    this.#waiting.push(begin)
    this.#isFull = true
    this.#socket.pause()
    if (this.#parsedInRead === REQUESTS_IN_FLIGHT) setImmediate(() => this.#beginWaiting())
  }

  /** A request has begun: it is in flight until `left`. */
  begin(): void {
    this.#inFlight++
  }

  /** An answer of `bytes` was handed over. */
  hold(bytes: number): void {
    this.#unsentBytes += bytes
  }

  /** An answer of `bytes` has left. */
  left(bytes: number): void {
    this.#inFlight--
    this.#unsentBytes -= bytes
    if (this.#isFull) this.#beginWaiting()
  }

  /** Counts a piece of a body that costs more than it brings; after many of them reading waits for its turn. */
  countSmallPiece(): void {
    if (this.#awaitsTurn || ++this.#smallPieces < SMALL_PIECES_A_TURN) return
    this.#smallPieces = 0
    this.#awaitsTurn = true
    this.#socket.pause()
    awaitTurn(this.#socket, () => {
      this.#awaitsTurn = false
      this.#readOn()
    })
  }

  /** To be asked at intervals. True: there are answers to take, and nothing was taken for several intervals. */
  isStalled(): boolean {
    return this.#progress.isStalled()
  }

  #canBegin(): boolean {
    return this.#inFlight < REQUESTS_IN_FLIGHT && this.#unsentBytes < UNSENT_BYTES_AT_MOST
  }

  #beginWaiting(): void {
    if (this.#socket.destroyed || this.isEnding) this.#waiting.length = 0
    while (this.#waiting.length > 0 && this.#canBegin()) this.#waiting.shift()?.()
    if (this.#waiting.length === 0 && this.#inFlight === 0) this.#isFull = false
    this.#readOn()
  }

  #readOn(): void {
    if (!this.#mustStop()) this.#socket.resume()
  }

  #mustStop(): boolean {
    if (this.#awaitsTurn) return true
    // A request that has begun may need the rest of its body.
    return this.#isFull && (this.#waiting.length > 0 || this.latest?.request.raw.complete !== false)
  }
}

/** Whether a client takes what is written to it. What it sends meanwhile does not count. */
class Progress {
  readonly #socket: Socket
  #checks = 0
  #taken = 0
  #queued = 0

  constructor(socket: Socket) {
    this.#socket = socket
  }

  isStalled(): boolean {
    const { bytesWritten, writableLength } = this.#socket
    const taken = bytesWritten - writableLength
    const queued = queuedBytes(this.#socket)
    const hasMoved = writableLength === 0 || taken !== this.#taken || queued < this.#queued
    this.#taken = taken
    this.#queued = queued
    this.#checks = hasMoved ? 0 : this.#checks + 1
    return this.#checks >= STALLED_CHECKS
  }
}

/** Of a large answer the system takes a part at a time. Node's own timeout of a socket looks here, too. */
function queuedBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } }
  return handle?.writeQueueSize ?? 0
}
