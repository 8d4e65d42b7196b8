/**
 * The state of a connection. It limits the memory that a client can take by sending requests without reading the
 * responses. At most 32 requests are in flight. More requests wait, and reading stops. Node parses everything from one
 * read at once, so the 33rd request in one read ends the connection.
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
  latest: HttpReply | null = null
  /** Whether a response with `Connection: close` was sent. No further request begins (RFC 9112 §9.6). */
  isEnding = false
  readonly #socket: Socket
  #inFlight = 0
  #unsentBytes = 0
  readonly #waiting: (() => void)[] = []
  /** Whether a request had to wait. Reading then stops until all responses are sent. */
  #isFull = false
  #parsedInRead = 0
  /** `bytesRead` of the socket at the latest request. It has the same value for all requests of one read. */
  #readEndsAt = -1
  #smallPieces = 0
  #awaitsTurn = false
  readonly #progress: Progress

  constructor(socket: Socket) {
    this.#socket = socket
    this.#progress = new Progress(socket)
    // Node resumes the socket after each parsed message, so it may have to be paused again.
    socket.on("resume", () => this.#mustStop() && socket.pause())
  }

  /** Counts a request whose head was parsed. Returns false for the 33rd request in one read. */
  admits(): boolean {
    if (this.#smallPieces > 0) this.#smallPieces = Math.max(0, this.#smallPieces - SMALL_PIECES_A_REQUEST)
    const { bytesRead } = this.#socket
    if (bytesRead !== this.#readEndsAt) {
      this.#readEndsAt = bytesRead
      this.#parsedInRead = 0
    }
    return ++this.#parsedInRead <= REQUESTS_IN_FLIGHT
  }

  /** The 32nd request in a read waits, because a 33rd may follow in the same read. */
  get hasRoom(): boolean {
    return this.#waiting.length === 0 && this.#parsedInRead !== REQUESTS_IN_FLIGHT && this.#canBegin()
  }

  wait(begin: () => void): void {
    this.#waiting.push(begin)
    this.#isFull = true
    this.#socket.pause()
    if (this.#parsedInRead === REQUESTS_IN_FLIGHT) setImmediate(() => this.#beginWaiting())
  }

  begin(): void {
    this.#inFlight++
  }

  hold(bytes: number): void {
    this.#unsentBytes += bytes
  }

  /** Counts a response of `bytes` as sent. Its request is no longer in flight. */
  left(bytes: number): void {
    this.#inFlight--
    this.#unsentBytes -= bytes
    if (this.#isFull) this.#beginWaiting()
  }

  /** Small pieces cost more CPU time per byte. After 1,000 of them, the connection waits for its turn. */
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

  /** Whether the client has accepted no bytes for several checks. This function must be called at fixed intervals. */
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
    if (this.#isFull && this.#waiting.length > 0) return true
    // A request that has begun may need the rest of its body.
    return (this.#isFull || this.isEnding) && this.latest?.request.raw.complete !== false
  }
}

/** Tells whether a client accepts the bytes that are written to it. Bytes that the client sends do not count. */
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

/** The bytes that the operating system has not accepted. It accepts a large response in parts. */
function queuedBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } }
  return handle?.writeQueueSize ?? 0
}
