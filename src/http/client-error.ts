/**
 * What Node cannot read as HTTP, or waits for too long. Where it is the rest of a request, that one is answered, in the
 * shape of its address. Else it never becomes a request, and is answered on the socket, in the shape of every error; after
 * the answers to what came before it, which may still be on their way: so answers stay in order (RFC 9112 §9.3.2).
 */
import type { Socket } from "node:net"
import type { ErrorCode } from "../oauth/reasons.rules.ts"
import type { Cut, HttpReply } from "./connection/message.ts"
import { newRequestId } from "./request-id.ts"
import { jsonText } from "./respond.ts"

export const MALFORMED: Cut = { status: 400, description: "The request is not well-formed HTTP." }
const cuts: ReadonlyMap<string | undefined, Cut> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", { status: 408, description: "The request took too long to arrive." }],
  ["HPE_HEADER_OVERFLOW", { status: 431, description: "The head of the request is too large." }],
])

const PHRASES = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
} as const

/** How long the other side has to read the answer and to close; what it sends meanwhile is not looked at. */
const CLOSING_MILLISECONDS = 2_000

/** Connections whose bytes mean nothing any more: each further one would be one more error. */
const broken = new WeakSet<Socket>()

/**
 * Answers once, and closes the connection: where the next request would begin is not known. `last` is the reply to the
 * latest request that came on it; `answerCut` answers one whose body was waited for.
 */
export function answerClientError(
  { code }: NodeJS.ErrnoException,
  socket: Socket,
  last: HttpReply | null,
  answerCut: (reply: HttpReply, cut: Cut) => void,
): void {
  if (broken.has(socket)) return
  // Who has said nothing has asked nothing: an answer would be taken for one to what he asks next.
  if (code === "ECONNRESET" || !socket.writable || socket.bytesRead === 0) return void socket.destroy()
  broken.add(socket)
  // With this Node ends a connection behind its last answer.
  socket.destroySoon = () => endGently(socket)
  const cut = cuts.get(code) ?? MALFORMED
  if (last === null) return tell(socket, cut)
  const { raw, request } = last
  const isRest = !request.raw.complete
  if (raw.writableFinished) return isRest ? socket.destroySoon() : tell(socket, cut)
  if (!isRest) return void raw.once("finish", () => tell(socket, cut))
  request.cut = cut
  last.closes = true
  if (request.isBeingRead) return answerCut(last, cut)
  // Answered already, or its handler still answers: with that, the connection ends.
  raw.once("finish", () => socket.destroySoon())
  request.raw.breakOff()
}

/** Ends a connection behind the answer to its latest request, which then says so. */
export function endBehindLatest(socket: Socket, latest: HttpReply | null): void {
  socket.destroySoon = () => endGently(socket)
  if (latest === null || latest.raw.writableFinished) return endGently(socket)
  if (latest.isSent && !latest.closes) return void latest.raw.once("finish", () => endGently(socket))
  latest.closes = true
}

function tell(socket: Socket, { status, description }: Cut): void {
  if (!socket.writable) return
  const error: ErrorCode = "invalid_request"
  const body = jsonText({ error, error_description: description })
  const head = [
    `HTTP/1.1 ${status} ${PHRASES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    `X-Request-Id: ${newRequestId()}`,
    "Connection: close",
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`)
  endGently(socket)
}

/**
 * Lets the other side read what was answered, and close. Closed at once, with unread bytes, the connection would
 * be reset, and what is still on its way would be lost, answers to earlier requests among it (RFC 9112 §9.6).
 */
function endGently(socket: Socket): void {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), CLOSING_MILLISECONDS)
  socket.once("close", () => clearTimeout(timer))
}
