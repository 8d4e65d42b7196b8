/**
 * The number of a request: in its answer, in every line of the log about it, and on the error page, so that what a person
 * saw is found again. A proxy that is trusted may have numbered it before.
 */
import type { IncomingMessage } from "node:http"
import type { BlockList } from "node:net"
import { randomBytes } from "../kernel/random.ts"
import { isFromTrustedProxy } from "./connection/client-address.ts"

export const REQUEST_ID = "x-request-id"

const LENGTH = 16
const BYTES_TOGETHER = 1024

let digits = ""
let used = 0

/** Sixteen hexadecimal digits, cut from a block of random ones: it costs next to nothing, and tells nothing. */
export function newRequestId(): string {
  if (used === digits.length) {
    digits = randomBytes(BYTES_TOGETHER).toString("hex")
    used = 0
  }
  used += LENGTH
  return digits.slice(used - LENGTH, used)
}

/** Gives each request its number. */
export function numbering(trusted: BlockList): (request: IncomingMessage) => string {
  return (request) => {
    const given = request.headers[REQUEST_ID]
    return given !== undefined && isPlain(given) && isFromTrustedProxy(request, trusted)
      ? given
      : newRequestId()
  }
}

/** What may stand in a log, a header and a page as it is. */
function isPlain(given: string | readonly string[]): given is string {
  return typeof given === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(given)
}
