/** What Node cannot read as HTTP never becomes a request; it is answered on the socket, in the shape of every error. */
import type { Socket } from "node:net"
import type { ErrorCode } from "../core/errors.ts"
import { newRequestId } from "./request-id.ts"
import { jsonText } from "./respond.ts"

type Answer = readonly [status: string, description: string]

const MALFORMED: Answer = ["400 Bad Request", "The request is not well-formed HTTP."]
const answers: ReadonlyMap<string | undefined, Answer> = new Map([
  ["ERR_HTTP_REQUEST_TIMEOUT", ["408 Request Timeout", "The request took too long to arrive."]],
  ["HPE_HEADER_OVERFLOW", ["431 Request Header Fields Too Large", "The head of the request is too large."]],
])

/** Answers once, and closes the connection: where the next request would begin is not known. */
export function answerClientError({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy()
  const [status, description] = answers.get(code) ?? MALFORMED
  const error: ErrorCode = "invalid_request"
  const body = jsonText({ error, error_description: description })
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    `X-Request-Id: ${newRequestId()}`,
    "Connection: close",
  ]
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy())
}
