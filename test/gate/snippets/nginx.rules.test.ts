import assert from "node:assert/strict"
import { test } from "node:test"
import { IDENTITY_HEADERS } from "../../../src/gate/identity.rules.ts"
import { nginxSnippet } from "../../../src/gate/snippets/nginx.rules.ts"
import { ROUTING_HEADERS } from "../../../src/gate/snippets/snippet.rules.ts"
import { OPTIONS } from "./options.ts"

const textOf = (secret: boolean) => {
  const [file, ...more] = nginxSnippet({ ...OPTIONS, secret })
  assert.deepEqual([file?.path, more], ["/etc/nginx/conf.d/api.example.org.conf", []])
  return file?.text ?? ""
}
const text = textOf(false)

/** Returns the lines of a block, without those of blocks in it. */
function block(of: string, head: string): readonly string[] {
  const lines = of.split("\n")
  const begin = lines.findIndex((line) => line.trim() === `${head} {`)
  const indent = /^ */.exec(lines[begin] ?? assert.fail(head))?.[0].length ?? 0
  const length = lines.slice(begin).findIndex((line) => line === `${" ".repeat(indent)}}`)
  return lines
    .slice(begin + 1, begin + length)
    .filter((line) => line.startsWith(" ".repeat(indent + 4)) && line[indent + 4] !== " ")
    .map((line) => line.trim())
}
const server = block(text, "server")

test("PROXY-1: nginx asks the gate for the whole server, and passes the path to the app unchanged", () => {
  assert.ok(server.includes("auth_request /_latchkey;"))
  assert.ok(server.includes("server_name api.example.org;"))
  assert.deepEqual(block(text, "upstream latchkey_gate_api_example_org"), [
    "server 127.0.0.1:8790;",
    "keepalive 64;",
  ])
  assert.deepEqual(block(text, "upstream latchkey_app_api_example_org"), [
    "server app:3000;",
    "keepalive 64;",
  ])
  const passing = block(text, "location /").filter((line) => !line.startsWith("#"))
  assert.deepEqual(passing, ["proxy_pass http://latchkey_app_api_example_org;"])
})

test("PROXY-1: the question is internal, has no body, and has the request as the client sent it", () => {
  const question = block(text, "location = /_latchkey")
  for (const line of [
    "internal;",
    "proxy_pass http://latchkey_gate_api_example_org/auth/nginx;",
    "proxy_pass_request_body off;",
    "proxy_pass_request_headers off;",
    "proxy_read_timeout 8s;",
    "proxy_set_header Authorization $http_authorization;",
    "proxy_set_header X-Original-Method $request_method;",
    "proxy_set_header X-Original-URI $request_uri;",
    "proxy_set_header X-Original-Host $host;",
  ])
    assert.ok(question.includes(line), line)
})

test("PROXY-1, PROXY-4: the app gets the identity of the gate, and no header that names another path", () => {
  for (const header of IDENTITY_HEADERS) {
    const variable = header.toLowerCase().replaceAll("-", "_")
    assert.ok(server.includes(`auth_request_set $${variable} $upstream_http_${variable};`), header)
    assert.ok(server.includes(`proxy_set_header ${header} $${variable};`), header)
  }
  for (const header of [...ROUTING_HEADERS, "Latchkey-Gate-Secret", "Connection"])
    assert.ok(server.includes(`proxy_set_header ${header} "";`), header)
  assert.ok(server.includes("underscores_in_headers off;") && server.includes("ignore_invalid_headers on;"))
  assert.doesNotMatch(text, /proxy_set_header Upgrade/)
})

test("PROXY-2, PROXY-3: a refusal of the gate has its challenge; anything else is 503", () => {
  for (const line of [
    "error_page 401 @latchkey_unauthenticated;",
    "error_page 403 @latchkey_forbidden;",
    "error_page 500 =503 @latchkey_unavailable;",
  ])
    assert.ok(server.includes(line), line)
  const returned = (name: string) =>
    block(text, `location @latchkey_${name}`).flatMap(
      (line) => /^return (\d+) '(.*)';$/.exec(line)?.slice(1) ?? [],
    )
  for (const [name, status] of [
    ["unauthenticated", 401],
    ["forbidden", 403],
    ["unavailable", 503],
  ] as const) {
    const [sent, body = ""] = returned(name)
    const { error } = JSON.parse(body) as { error: { code: number } }
    assert.deepEqual([Number(sent), error.code], [status, status])
  }
  const forbidden = block(text, "location @latchkey_forbidden")
  for (const header of [
    "WWW-Authenticate $latchkey_challenge",
    "Service-Elevation-Required $latchkey_elevation",
  ])
    assert.ok(forbidden.includes(`add_header ${header} always;`), header)
  assert.match(
    text,
    /if \(\$latchkey_elevation\) \{\n +return 403 '\{"error":\{"code":403,"status":"FAILED_PRECONDITION"/,
  )
})

test("PROXY-1: the check is off only for the question itself, the metadata and the refusals", () => {
  const off = [...text.matchAll(/ {4}location (\S+ ?\S*) \{\n(?: {8}.*\n)*?/g)]
    .map(([, name = ""]) => name)
    .filter((name) => block(text, `location ${name}`).includes("auth_request off;"))
  assert.deepEqual(off, [
    "= /_latchkey",
    "^~ /.well-known/oauth-protected-resource",
    "@latchkey_unauthenticated",
    "@latchkey_forbidden",
    "@latchkey_unavailable",
  ])
})

test("PROXY-6: the secret is in a file of its own, which only the question includes", () => {
  const included = "include /etc/nginx/latchkey-gate-secret.conf;"
  assert.equal(text.includes("latchkey-gate-secret"), false)
  assert.equal(textOf(true).split(included).length, 2)
  assert.ok(block(textOf(true), "location = /_latchkey").includes(included))
})
