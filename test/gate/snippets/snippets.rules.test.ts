import assert from "node:assert/strict"
import { test } from "node:test"
import { parse } from "yaml"
import { IDENTITY_HEADERS } from "../../../src/gate/identity.rules.ts"
import { optionProblem } from "../../../src/gate/snippets/snippet.rules.ts"
import { type ProxyName, snippetFor, snippets } from "../../../src/gate/snippets/snippets.rules.ts"

const OPTIONS = { gate: "127.0.0.1:8790", app: "app:3000", host: "api.example.org", secret: false }
const names = Object.keys(snippets) as ProxyName[]

const textOf = (name: ProxyName, secret: boolean) =>
  snippetFor(name, { ...OPTIONS, secret })
    .map(({ text }) => text)
    .join("\n")

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

test("PROXY-4: in Traefik, a request for an upgrade to HTTP/2 has no router of the app", () => {
  const { http } = parse(textOf("traefik", false)) as {
    http: { routers: Record<string, { rule: string; service: string }> }
  }
  for (const { rule, service } of Object.values(http.routers))
    assert.equal(rule.endsWith("&& !HeaderRegexp(`Upgrade`, `(?i)h2c`)"), service.endsWith("-app"), rule)
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

test("an option that would change the configuration around it is refused", () => {
  assert.equal(optionProblem(OPTIONS), null)
  for (const gate of [
    "",
    "8790",
    "gate",
    "gate:0",
    "gate:70000",
    "gate:80;",
    "a b:80",
    "http://gate:80",
    "gate:80\n",
  ])
    assert.match(optionProblem({ ...OPTIONS, gate }) ?? "", /^--gate/, gate)
  for (const app of ["app", "app:3000 {", "app:3000/x"])
    assert.match(optionProblem({ ...OPTIONS, app }) ?? "", /^--app/)
  for (const host of ["", "API.example", "a.example;", "*.example", "a..b", "-a", "a{b}", 'a"'])
    assert.match(optionProblem({ ...OPTIONS, host }) ?? "", /^--host/, host)
})
