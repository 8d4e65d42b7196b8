import assert from "node:assert/strict"
import { test } from "node:test"
import { parse } from "yaml"
import { IDENTITY_HEADERS } from "../../../src/gate/identity.rules.ts"
import { type ProxyName, snippets } from "../../../src/gate/snippets/snippets.rules.ts"
import { OPTIONS, textOf } from "./options.ts"

const names = Object.keys(snippets) as ProxyName[]

test("PROXY-1: every configuration names the app, the gate and all identity headers", () => {
  for (const name of names) {
    const text = textOf(name, false)
    assert.ok(text.startsWith(`# ${OPTIONS.host}, `), name)
    for (const header of IDENTITY_HEADERS) assert.match(text, new RegExp(header, "i"), name)
    const path = { nginx: "nginx", caddy: "caddy", traefik: "traefik", haproxy: "haproxy" } as const
    assert.ok(text.includes(`/auth/${name in path ? name : "envoy"}`), name)
  }
})

test("PROXY-6: the shared secret is read from elsewhere, and nothing of it is there unless asked for", () => {
  for (const name of names.filter((one) => one !== "gateway-api")) {
    assert.doesNotMatch(textOf(name, false), /latchkey[-_]gate[-_]secret\.conf|LATCHKEY_GATE_SECRET|io\.open/)
    assert.match(textOf(name, true), /latchkey-gate-secret\.conf|LATCHKEY_GATE_SECRET|io\.open/, name)
  }
})

test("what is YAML can be parsed, with and without the secret", () => {
  for (const name of ["envoy", "traefik", "gateway-api"] as const)
    for (const secret of [true, false]) assert.equal(typeof parse(textOf(name, secret)), "object", name)
})

test("Traefik and the Gateway API say that they were not tried", () => {
  for (const name of names)
    assert.equal(
      textOf(name, false).includes("not with the proxy itself"),
      ["traefik", "gateway-api"].includes(name),
      name,
    )
})
