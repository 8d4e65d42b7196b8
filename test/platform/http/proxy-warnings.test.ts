/** An operator whose proxy hides the addresses of clients must learn about it: RATE-1. */
import assert from "node:assert/strict"
import type { IncomingMessage } from "node:http"
import { test } from "node:test"
import { clientAddress, trustedRanges } from "../../../src/platform/http/connection/client-address.ts"
import { proxyWarnings } from "../../../src/platform/http/proxy-warnings.ts"
import { recordLog } from "../../support/record-log.ts"

type Line = { readonly address: string; readonly proxy?: string; readonly msg: string }

function opened(trusted: readonly string[]): {
  readonly look: (remoteAddress: string, forwarded?: string) => void
  readonly lines: readonly Line[]
} {
  const { log, lines } = recordLog<Line>()
  const [ranges, warn] = [trustedRanges(trusted), proxyWarnings(log)]
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

test("RATE-6 an entry of a trusted proxy that is not an address is logged once for each proxy, by its name", () => {
  const { look, lines } = opened(["10.0.0.0/8"])
  for (const entry of ["unknown", "", "_hidden", "1.2.3.4:99999999", "[::1", "203.0.113.9, nonsense"])
    for (const proxy of ["10.1.2.3", "10.1.2.4"]) look(proxy, entry)
  look("10.1.2.3", "203.0.113.9:5000")
  assert.deepEqual(
    lines.map(({ proxy }) => proxy),
    ["10.1.2.3", "10.1.2.4"],
  )
  assert.match(lines[0]?.msg ?? "", /^the proxy 10\.1\.2\.3 is trusted, but its X-Forwarded-For does not end/)
})

test("RATE-6 a large range of proxies cannot fill the log", () => {
  const { look, lines } = opened(["10.0.0.0/8"])
  for (let i = 0; i < 200; i++) look(`10.0.0.${i}`, "unknown")
  assert.equal(lines.length, 16)
})
