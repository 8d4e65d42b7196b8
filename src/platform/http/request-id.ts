/** It is in the response, each log line of the request and the error page. A trusted proxy may choose it. */
import type { IncomingMessage } from "node:http"
import type { BlockList } from "node:net"
import { randomBytes } from "../../kernel/random.ts"
import { isFromTrustedProxy } from "./connection/client-address.ts"

export const REQUEST_ID = "x-request-id"

const LENGTH = 16
const BYTES_TOGETHER = 1024

let digits = ""
let used = 0

/** Sixteen hexadecimal digits of a block of 1 KiB, which is faster than a random number for each request. */
export function newRequestId(): string {
  if (used === digits.length) {
    digits = randomBytes(BYTES_TOGETHER).toString("hex")
    used = 0
  }
  used += LENGTH
  return digits.slice(used - LENGTH, used)
}

export function numbering(trusted: BlockList): (request: IncomingMessage) => string {
  return (request) => {
    const given = request.headers[REQUEST_ID]
    return given !== undefined && isPlain(given) && isFromTrustedProxy(request, trusted)
      ? given
      : newRequestId()
  }
}

/** Whether an id is safe in a log, in a header and on a page. */
function isPlain(given: string | readonly string[]): given is string {
  return typeof given === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(given)
}
