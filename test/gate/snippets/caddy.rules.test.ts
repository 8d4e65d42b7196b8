import assert from "node:assert/strict"
import { test } from "node:test"
import { IDENTITY_HEADERS } from "../../../src/gate/identity.rules.ts"
import { caddySnippet } from "../../../src/gate/snippets/caddy.rules.ts"
import { ROUTING_HEADERS } from "../../../src/gate/snippets/snippet.rules.ts"
import { OPTIONS, placesOf } from "./options.ts"

const [plain, secret] = [false, true].map((isSecret) => {
  const [file, ...more] = caddySnippet({ ...OPTIONS, secret: isSecret })
  assert.deepEqual([file?.path, more], ["/etc/caddy/Caddyfile", []])
  return file?.text ?? ""
})
const directives = (plain ?? "").split("\n").map((line) => line.trim())

test("PROXY-1: Caddy removes the client's headers, publishes the metadata, asks the gate, and then the app", () => {
  const order = placesOf(
    plain ?? "",
    `${OPTIONS.host} {`,
    "route {",
    "request_header -Latchkey*",
    "handle /.well-known/oauth-protected-resource* {",
    `forward_auth ${OPTIONS.gate} {`,
    "uri /auth/caddy",
    `reverse_proxy ${OPTIONS.app}`,
  )
  assert.deepEqual(
    order.toSorted((a, b) => a - b),
    order,
  )
  const copied = directives.slice(directives.indexOf("copy_headers {") + 1)
  assert.deepEqual(copied.slice(0, copied.indexOf("}")), [...IDENTITY_HEADERS])
})

test("PROXY-4: Caddy removes every spelling of the identity, what names another path, and upgrades to HTTP/2", () => {
  const removed = [
    "-Latchkey*",
    "-*_*",
    "-*.*",
    "-HTTP2-Settings",
    ...ROUTING_HEADERS.map((name) => `-${name}`),
  ]
  for (const one of removed) assert.ok(directives.includes(`request_header ${one}`), one)
  assert.ok(directives.includes("request_header @latchkey_no_websocket -Upgrade"))
  assert.ok(directives.includes("respond @latchkey_connection 400"))
})

test("PROXY-6: the secret is read from the environment of Caddy, and sent to the gate alone", () => {
  const added = "header_up Latchkey-Gate-Secret {$LATCHKEY_GATE_SECRET}"
  assert.equal((plain ?? "").includes("Latchkey-Gate-Secret"), false)
  const [asks, sent, copies, app] = placesOf(
    secret ?? "",
    `forward_auth ${OPTIONS.gate} {`,
    added,
    "copy_headers {",
    `reverse_proxy ${OPTIONS.app}`,
  )
  assert.ok((asks ?? 0) < (sent ?? 0) && (sent ?? 0) < (copies ?? 0) && (copies ?? 0) < (app ?? 0))
  assert.equal((secret ?? "").split(added).length, 2)
})
