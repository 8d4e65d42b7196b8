import assert from "node:assert/strict"
import { test } from "node:test"
import { IDENTITY_HEADERS } from "../../../src/gate/identity.rules.ts"
import { haproxySnippet } from "../../../src/gate/snippets/haproxy.rules.ts"
import { REFUSAL_HEADERS, ROUTING_HEADERS } from "../../../src/gate/snippets/snippet.rules.ts"
import { OPTIONS, placesOf } from "./options.ts"

const filesOf = (secret: boolean) => haproxySnippet({ ...OPTIONS, secret })
const [configuration = "", action = ""] = filesOf(false).map(({ text }) => text)

test("PROXY-1: HAProxy loads the action that asks the gate, and lets nothing else through", () => {
  const [first, second] = filesOf(false).map(({ path }) => path)
  assert.deepEqual([first, second], ["/etc/haproxy/haproxy.cfg", "/etc/haproxy/latchkey-gate.lua"])
  assert.ok(configuration.includes(`lua-load ${second}\n`))
  const order = placesOf(
    configuration,
    "http-request del-header ^latchkey- -m reg",
    "http-request lua.latchkey_gate unless latchkey_metadata",
    "http-request return status 503",
    "http-request set-uri %[pathq]",
    "default_backend latchkey_app",
  )
  assert.deepEqual(
    order.toSorted((a, b) => a - b),
    order,
  )
  assert.match(configuration, /^ +server gate 127\.0\.0\.1:8790$/m)
  assert.match(configuration, /^ +server app app:3000$/m)
  assert.ok(action.includes(`local gate = "http://${OPTIONS.gate}/auth/haproxy"`))
})

test("PROXY-3: a request passes only if the action has set its mark, which is its last step", () => {
  assert.match(
    configuration,
    /return status 503 .* unless latchkey_metadata \|\| \{ var\(txn\.latchkey_allowed\) -m str yes \}/,
  )
  const [, body = ""] =
    /return status 503 content-type application\/json string '([^']*)'/.exec(configuration) ?? []
  assert.deepEqual(JSON.parse(body), {
    error: { code: 503, status: "UNAVAILABLE", message: "The access token cannot be checked right now." },
  })
  const [, steps = ""] = action.split("core.register_action")
  assert.match(steps, /txn:set_var\("txn\.latchkey_allowed", "yes"\)\nend, 0\)\n$/)
  assert.equal(action.split("latchkey_allowed").length, 2)
  const statuses = [...steps.matchAll(/answer\.status [=~]= (\d+)/g)].map(([, status]) => status)
  assert.deepEqual(statuses, ["401", "403", "503", "200"])
})

test("PROXY-1, PROXY-2: the action copies the identity to the app, and the headers of a refusal to the client", () => {
  const list = (names: readonly string[]) =>
    `{ ${names.map((name) => `"${name.toLowerCase()}"`).join(", ")} }`
  assert.ok(action.includes(`local identity = ${list(IDENTITY_HEADERS)}\n`))
  assert.ok(action.includes(`local refusal = ${list(REFUSAL_HEADERS)}\n`))
})

test("PROXY-4: the patterns remove what only the gate may set, in every spelling, and no usual header", () => {
  const patterns = [...configuration.matchAll(/del-header (\S+) -m reg/g)].map(
    ([, pattern = ""]) => new RegExp(pattern),
  )
  const isRemoved = (name: string) => patterns.some((pattern) => pattern.test(name.toLowerCase()))
  const own = [...IDENTITY_HEADERS, "Latchkey-Gate-Secret", ...ROUTING_HEADERS]
  for (const name of own.flatMap((one) => [one, one.replaceAll("-", "_"), one.replaceAll("-", ".")]))
    assert.ok(isRemoved(name), name)
  for (const name of ["host", "authorization", "content-type", "x-request-id", "accept"])
    assert.ok(!isRemoved(name), name)
  for (const line of ["del-header Upgrade unless latchkey_websocket", "del-header HTTP2-Settings"])
    assert.ok(configuration.includes(`http-request ${line}\n`), line)
})

test("PROXY-6: with a shared secret, the action reads it from a file, and the configuration is the same", () => {
  const [same, withSecret = ""] = filesOf(true).map(({ text }) => text)
  assert.equal(same, configuration)
  assert.doesNotMatch(action, /secret/)
  assert.match(withSecret, /io\.open\("\/etc\/haproxy\/latchkey-gate-secret", "r"\)/)
  assert.match(withSecret, /^ {2}headers\["latchkey-gate-secret"\] = \{ secret \}$/m)
})
