/** An operator who forgot to configure the proxy must learn about it: RATE-1. */
import assert from "node:assert/strict"
import type { IncomingMessage } from "node:http"
import { test } from "node:test"
import { clientAddress, trustedRanges } from "../../../src/platform/http/connection/client-address.ts"
import { warnUntrustedProxy } from "../../../src/platform/http/untrusted-proxy-warning.ts"
import { recordLog } from "../../support/record-log.ts"

function opened(trusted: readonly string[]): {
  readonly look: (remoteAddress: string, forwarded?: string) => void
  readonly lines: readonly { readonly address: string; readonly msg: string }[]
} {
  const { log, lines } = recordLog<{ readonly address: string; readonly msg: string }>()
  const [ranges, warn] = [trustedRanges(trusted), warnUntrustedProxy(log)]
  const look = (remoteAddress: string, forwarded?: string) => {
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
    const request = { socket: { remoteAddress }, headers } as unknown as IncomingMessage
    clientAddress(request, ranges, warn)
  }
  return { look, lines }
}

test("RATE-1 a header from a private address that is not named is logged once, with the flag that names it", () => {
  for (const address of ["127.0.0.1", "10.1.2.3", "172.18.0.2", "::1", "fd00::7"]) {
    const { look, lines } = opened(["192.0.2.0/24"])
    for (let times = 0; times < 3; times++) look(address, "203.0.113.9")
    assert.equal(lines.length, 1)
    assert.equal(lines[0]?.address, address)
    assert.match(lines[0].msg, new RegExp(`--trusted-proxy ${address}$`))
  }
})

test("RATE-1 nothing is said of a proxy that is named, of a request without the header, or of a stranger", () => {
  const { look, lines } = opened(["10.0.0.0/8"])
  look("10.1.2.3", "203.0.113.9")
  look("127.0.0.1")
  look("198.51.100.7", "203.0.113.9")
  look("2001:db8::1", "203.0.113.9")
  assert.deepEqual(lines, [])
})
