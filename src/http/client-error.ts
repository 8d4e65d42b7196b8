/**
 * Answers the connection errors that Node reports: malformed HTTP and timeouts. If the body of a request is incomplete,
 * the error is the reply to that request. Otherwise the error is written to the socket after all earlier answers, so
 * that answers stay in order (RFC 9112 §9.3.2).
 */
import type { Socket } from "node:net"
import type { ErrorCode } from "../oauth/reasons.rules.ts"
import { endGently } from "./connection/drain.ts"
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

/** Connections with an error. Further bytes cannot be parsed and would each cause another error. */
const broken = new WeakSet<Socket>()

/**
 * Answers once and closes the connection, because the start of the next request is unknown. `last` is the reply to the
 * latest request of the connection. `answerCut` answers a request whose body is being read.
 */
export function answerClientError(
  { code }: NodeJS.ErrnoException,
  socket: Socket,
  last: HttpReply | null,
  answerCut: (reply: HttpReply, cut: Cut) => void,
): void {
  if (broken.has(socket)) return
  // A client that has sent nothing gets no answer. It would mistake the answer for the response to its next request.
  if (code === "ECONNRESET" || !socket.writable || socket.bytesRead === 0) return void socket.destroy()
  broken.add(socket)
  // Node calls this to end a connection after its last answer.
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
  // The handler answers or has answered already. The connection ends after that answer.
  raw.once("finish", () => socket.destroySoon())
  request.raw.breakOff()
}

/** Ends a connection after the answer to its latest request, with `Connection: close` if the answer is not sent yet. */
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
