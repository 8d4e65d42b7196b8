import { test } from "node:test"
import assert from "node:assert/strict"
import { isReachableAddress } from "../../../src/platform/outgoing/address-ranges.rules.ts"

const PUBLIC = [
  "8.8.8.8",
  "1.1.1.1",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
]
const PUBLIC_V6 = [
  "2606:4700::1",
  "2a00:1450:4001:81b::200e",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
  "2002:808:808::1",
]

const SPECIAL = [
  ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1"],
  ...[
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
  ],
  ...[
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
  ],
]

const SPECIAL_V6 = [
  ...["::", "::1", "fe80::1", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1", "2001::1"],
  ...["2001:2::1", "3fff::1", "100::1", "5f00::1", "4000::1", "::7f00:1", "64:ff9b:1::a00:1"],
  ...["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:a9fe:a9fe", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1"],
  ...["2002:7f00:1::", "2002:a00:1::1", "2002:c0a8:101::1"],
]

test("OUT-2 public addresses are reachable", () => {
  assert.deepEqual(
    [...PUBLIC, ...PUBLIC_V6].filter((address) => !isReachableAddress(address, [])),
    [],
  )
})

test("OUT-2 special-use addresses are not, also inside IPv4-mapped, NAT64 and 6to4 addresses", () => {
  assert.deepEqual(
    [...SPECIAL, ...SPECIAL_V6].filter((address) => isReachableAddress(address, [])),
    [],
  )
})

test("OUT-2 text that is not an address is refused, whatever is allowed", () => {
  const texts = [
    "",
    "host",
    "1.2.3",
    "1.2.3.256",
    "01.2.3.4",
    "8.8.8.8%eth0",
    "2606::1%1",
    "1::2::3",
    "2606:4700",
  ]
  const more = [":::", "12345::", "2606:4700:0:0:0:0:0:0:1", "::1.2.3", "2606:4700:0:0:0:0:0::1", "0x7f.1"]
  assert.deepEqual(
    [...texts, ...more].filter((text) => isReachableAddress(text, ["0.0.0.0/0", "::/0"])),
    [],
  )
})

test("OUT-3 an allowed range opens its own addresses alone, wrapped ones too", () => {
  const allowed = ["10.1.0.0/16", "127.0.0.1/32", "fd00:1::/31", "192.168.7.128/25"]
  for (const address of [
    "10.1.2.3",
    "::ffff:10.1.2.3",
    "64:ff9b::a01:1",
    "127.0.0.1",
    "fd00:0:5::1",
    "192.168.7.129",
  ])
    assert.ok(isReachableAddress(address, allowed), address)
  for (const address of ["10.2.0.1", "127.0.0.2", "fd00:2::1", "192.168.7.127", "169.254.169.254", "::1"])
    assert.ok(!isReachableAddress(address, allowed), address)
})
