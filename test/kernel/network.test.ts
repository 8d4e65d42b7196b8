import { test } from "node:test"
import assert from "node:assert/strict"
import { networkOf, wideNetworkOf } from "../../src/kernel/network.ts"

test("LOAD-3: the networks of an address", () => {
  for (const [address, network, wide] of [
    ["192.0.2.7", "192.0.2.7", "192.0.2.0/24"],
    ["2001:db8:0a:b:1:2:3:4", "2001:db8:a:b::/64", "2001:db8:a::/48"],
    ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"],
    ["::1", "0:0:0:0::/64", "0:0:0::/48"],
  ] as const)
    assert.deepEqual([networkOf(address), wideNetworkOf(address)], [network, wide])
})
