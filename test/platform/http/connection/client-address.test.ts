/** Tests against whose limit a request counts: RATE-1. */
import assert from "node:assert/strict"
import type { IncomingMessage } from "node:http"
import { test } from "node:test"
import {
  budgetKey,
  clientAddress,
  trustedRanges,
} from "../../../../src/platform/http/connection/client-address.ts"

const from = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as unknown as IncomingMessage

const ignored = { untrusted: () => undefined, unreadable: () => undefined }
const proxies = trustedRanges(["10.0.0.0/8", "::1/128"])

const cases: readonly (readonly [
  name: string,
  remote: string,
  forwarded: string | undefined,
  address: string,
])[] = [
  ["nothing is forwarded", "192.0.2.1", undefined, "192.0.2.1"],
  ["a stranger's header is ignored", "192.0.2.1", "198.51.100.7", "192.0.2.1"],
  ["a proxy's is", "10.0.0.1", "198.51.100.7", "198.51.100.7"],
  [
    "the last address that is no proxy counts",
    "10.0.0.1",
    "203.0.113.9, 198.51.100.7, 10.2.3.4",
    "198.51.100.7",
  ],
  ["what cannot be read ends the reading", "10.0.0.1", "198.51.100.7, nonsense", "10.0.0.1"],
  ["an empty header says nothing", "10.0.0.1", "", "10.0.0.1"],
  ["IPv4 in IPv6 is IPv4", "::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["in hexadecimal too", "::1", "::ffff:c633:6407", "198.51.100.7"],
  ["in full too", "::1", "0:0:0:0:0:ffff:198.51.100.7", "198.51.100.7"],
  ["a zone is left out", "fe80::1%eth0", undefined, "fe80::1"],
]

const withPorts: typeof cases = [
  ["IPv4 with a port", "10.0.0.1", "198.51.100.7:52044", "198.51.100.7"],
  ["IPv6 with a port", "10.0.0.1", "[2001:db8::7]:52044", "2001:db8::7"],
  ["IPv6 in brackets", "10.0.0.1", "[2001:DB8::7]", "2001:db8::7"],
  ["IPv4 in IPv6 with a port", "10.0.0.1", "[::ffff:198.51.100.7]:1", "198.51.100.7"],
  ["several hops with ports", "10.0.0.1", "203.0.113.9:1, 198.51.100.7:2, 10.2.3.4:3", "198.51.100.7"],
  ["IPv6 without brackets has no port", "10.0.0.1", "2001:db8::7:443", "2001:db8::7:443"],
  ["a name with a port is no address", "10.0.0.1", "client:80", "10.0.0.1"],
  ["an empty port", "10.0.0.1", "198.51.100.7:", "10.0.0.1"],
]

for (const [name, remote, forwarded, address] of withPorts)
  test(`RATE-6 ${name}`, () => {
    assert.equal(clientAddress(from(remote, forwarded), proxies, ignored), address)
  })

for (const [name, remote, forwarded, address] of cases) {
  test(`RATE-1 ${name}`, () => {
    assert.equal(clientAddress(from(remote, forwarded), proxies, ignored), address)
  })
}

test("RATE-1 what a stranger wrote before a proxy's word costs nothing", () => {
  const request = from("10.0.0.1", `${"::1,".repeat(4_000)} 198.51.100.7`)
  const begun = process.cpuUsage()
  for (let times = 0; times < 500; times++)
    assert.equal(clientAddress(request, proxies, ignored), "198.51.100.7")
  // Reading every hop would take seconds of this process. The time of other processes does not count.
  assert.ok(process.cpuUsage(begun).user < 1_000_000)
})

test("RATE-1 a whole /64 of IPv6 is one", () => {
  assert.equal(budgetKey("192.0.2.1"), "192.0.2.1")
  assert.equal(budgetKey("2001:db8::1"), budgetKey("2001:db8:0:0:ffff:1:2:3"))
  assert.notEqual(budgetKey("2001:db8::1"), budgetKey("2001:db8:0:1::1"))
})
