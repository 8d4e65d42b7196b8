import { test } from "node:test"
import assert from "node:assert/strict"
import { isMeantForService, isSameAudience } from "../../../src/oauth/credential/audience.rules.ts"

const BASE = "https://id.example/auth"

test("API-16 a token is meant for the service where it names no resource, or the base URL", () => {
  const good = [
    [],
    [BASE],
    ["HTTPS://ID.example:443/auth"],
    ["https://mcp.example/", BASE],
    [BASE, "urn:other"],
  ]
  for (const resources of good) assert.equal(isMeantForService(resources, BASE), true, resources.join(" "))
  const others = [
    "https://mcp.example/",
    "https://id.example",
    `${BASE}/`,
    `${BASE}//`,
    `${BASE}/api`,
    `${BASE}?`,
    `${BASE}.example`,
    "https://id.example/auth2",
    "http://id.example/auth",
  ]
  for (const resource of others) assert.equal(isMeantForService([resource], BASE), false, resource)
  assert.equal(isMeantForService(others, BASE), false)
  assert.equal(isMeantForService(["https://id.example/"], "https://id.example"), true)
})

test("RES-2 two audiences are the same whatever their order and repetitions", () => {
  const [a, b] = ["https://a.example", "https://b.example"]
  for (const [one, other] of [
    [[], []],
    [[a], [a, a]],
    [
      [a, b],
      [b, a],
    ],
    [[a], [`${a}/`, "HTTPS://A.example"]],
  ] as const)
    assert.equal(isSameAudience(one, other), true)
  for (const [one, other] of [
    [[], [a]],
    [[a], []],
    [[a], [b]],
    [[a], [a, b]],
    [[a, b], [b]],
  ] as const)
    assert.equal(isSameAudience(one, other), false)
})
