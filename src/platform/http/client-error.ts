/**
 * Responds to connection errors that Node reports, such as malformed HTTP and timeouts. If the body of a request is
 * incomplete, the error is the reply to that request. Otherwise the error is written to the socket after all earlier
 * replies, because replies must stay in order (RFC 9112 §9.3.2).
 */
import type { Socket } from "node:net"
import type { ErrorCode } from "../../model/refusals/wire-error.rules.ts"
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

/** The connections with an error. Each further byte would cause another error, because it cannot be parsed. */
const broken = new WeakSet<Socket>()

/**
 * Responds once and closes the connection, because the start of the next request is unknown. `last` is the reply to the
 * latest request. `answerCut` replies to a request whose body is still being read.
 */
export function answerClientError(
  { code }: NodeJS.ErrnoException,
  socket: Socket,
  last: HttpReply | null,
  answerCut: (reply: HttpReply, cut: Cut) => void,
): void {
  if (broken.has(socket)) return
  // A client that has sent nothing gets no response. It would take the response for the answer to its next request.
  if (code === "ECONNRESET" || socket.destroyed || socket.bytesRead === 0) return void socket.destroy()
  broken.add(socket)
  // The last response was written, but the client may still be reading it.
  if (!socket.writable) return endGently(socket)
  // Node calls this function to end a connection after its last response.
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
  // The handler responds or has responded already. The connection ends after that response.
  raw.once("finish", () => socket.destroySoon())
  request.raw.breakOff()
}

/** If the response to the latest request is not sent yet, it gets `Connection: close`. */
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
    "Pragma: no-cache",
    "X-Content-Type-Options: nosniff",
    `X-Request-Id: ${newRequestId()}`,
    "Connection: close",
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`)
  endGently(socket)
}
