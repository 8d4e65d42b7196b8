import { after, test } from "node:test"
import assert from "node:assert/strict"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assertRefused } from "../../support/answers.ts"
import { sendRaw } from "../../platform/http/raw.ts"
import { REGISTER, register, registered, TOOL } from "./register.ts"
import { fixture } from "../../support/fixture.ts"

const { testServer } = await fixture({ rateLimit: "off", settings: { "registration.open": "on" } })
const canary = await openCanary()
after(() => canary.close())

/** Starts a site that must receive no request. */
async function openCanary() {
  let visits = 0
  const server = createServer((_, response) => {
    visits += 1
    response.end()
  })
  server.on("connection", () => (visits += 1))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, visits: () => visits, close: () => server.close() }
}

async function clientCount(): Promise<number> {
  return (await testServer.store.clients({ limit: 10_000 })).length
}

/** Checks that the request is refused with this code and that nothing is stored. */
async function assertRejected(body: object | string, error: string, headers: Record<string, string> = {}) {
  const count = await clientCount()
  const what = (typeof body === "string" ? body : JSON.stringify(body)).slice(0, 80)
  assertRefused(await register(testServer, body, headers), 400, error, what)
  assert.equal(await clientCount(), count, what)
}

const tool = JSON.stringify(TOOL)

test("REG-2: a body that is not JSON, or says a thing twice, registers nothing", async () => {
  for (const body of [
    "",
    " ",
    "null",
    "[]",
    `[${tool}]`,
    `"${"x".repeat(100)}"`,
    "{",
    `${tool}x`,
    `${tool}${tool}`,
    `\ufeff${tool}`,
    tool.replaceAll('"', "'"),
    `{"redirect_uris":["http://127.0.0.1/"],"redirect_uris":["https://evil.example/"]}`,
    `{"client_name":"a","client\\u005fname":"b","redirect_uris":["http://127.0.0.1/"]}`,
    `{"__proto__":{},"__proto__":{},"redirect_uris":["http://127.0.0.1/"]}`,
    `{"redirect_uris":["http://127.0.0.1/"],"x":${"[".repeat(30)}${"]".repeat(30)}}`,
    "[".repeat(60_000),
    `${'{"a":'.repeat(12_000)}1`,
    `{"client_name":"\\ud800","redirect_uris":["http://127.0.0.1/"]}`,
    `{"redirect_uris":["http://127.0.0.1/"],"x":NaN}`,
    `redirect_uris=http%3A%2F%2F127.0.0.1%2F`,
  ])
    await assertRejected(body, "invalid_client_metadata")
})

test("REG-2: the body says that it is JSON, in UTF-8", async () => {
  for (const type of [
    "application/x-www-form-urlencoded",
    "text/plain",
    "text/json",
    "application/jsonx",
    "application/json; charset=utf-16",
    "multipart/form-data; boundary=x",
    "image/png",
  ])
    await assertRejected(tool, "invalid_client_metadata", { "content-type": type })
  for (const type of [
    "application/json; charset=utf-8",
    "Application/JSON",
    'application/json;charset="UTF-8"',
  ])
    assert.equal((await register(testServer, tool, { "content-type": type })).status, 201, type)
})

test("REG-2, LIM: a megabyte is not read, and a thousand of anything is not kept", async () => {
  const long = await register(testServer, { ...TOOL, client_name: "x".repeat(1_000_000) })
  assertRefused(long, 413, "invalid_request")
  const many = Array.from({ length: 1000 }, (_, i) => `https://a.example/${i}`)
  await assertRejected({ ...TOOL, redirect_uris: many }, "invalid_redirect_uri")
  await assertRejected({ ...TOOL, client_name: "x".repeat(60_000) }, "invalid_client_metadata")
  await assertRejected({ ...TOOL, scope: "a ".repeat(30_000) + "a" }, "invalid_client_metadata")
  await assertRejected(
    { ...TOOL, grant_types: Array.from({ length: 5000 }, () => "x") },
    "invalid_client_metadata",
  )
  const members = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`member_${i}`, i]))
  assert.equal(
    (await register(testServer, { ...members, ...TOOL })).status,
    201,
    "what is not known is dropped",
  )
})

test("REG-2: a wrong type in any member is refused by name, never a fault", async () => {
  const wrong: readonly unknown[] = [5, true, {}, [5], [null], [[]], { toString: "x" }, "\u0000", "__proto__"]
  const members: Readonly<Record<string, readonly unknown[]>> = {
    redirect_uris: [...wrong, "http://127.0.0.1/"],
    token_endpoint_auth_method: wrong,
    grant_types: wrong,
    response_types: wrong,
    client_name: wrong.filter((value) => value !== "__proto__"),
    scope: wrong,
    logo_uri: wrong.filter((value) => typeof value !== "string"),
  }
  for (const [member, values] of Object.entries(members)) {
    for (const value of values) {
      const code = member === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata"
      await assertRejected({ ...TOOL, [member]: value }, code)
    }
  }
})

test("REG-2: names that objects inherit are inert, as members and as values", async () => {
  const body = `{"__proto__":{"verified":true,"client_name":"x"},"constructor":{"prototype":{"enabled":false}},
    "toString":1,"hasOwnProperty":null,"client_name":"__proto__","redirect_uris":["http://127.0.0.1/proto"],
    "token_endpoint_auth_method":"none"}`
  const { answer, clientId } = await registered(testServer, body)
  assert.deepEqual([answer["client_name"], answer["verified"], answer["enabled"]], ["__proto__", false, true])
  assert.equal(({} as Record<string, unknown>)["verified"], undefined)
  for (const id of ["__proto__", "constructor", "toString"]) assert.notEqual(clientId, id)
})

test("REG-2, REDIR-3: what a browser would run is refused however it is spelled", async () => {
  for (const uri of [
    "javascript:alert(document.domain)",
    "JAVASCRIPT:alert(1)",
    "jAvAsCrIpT://app.example/%0aalert(1)",
    "java\tscript:alert(1)",
    "java\r\nscript:alert(1)",
    "\u0000javascript:alert(1)",
    "\u00a0javascript:alert(1)",
    "data:text/html,x",
    "DaTa:text/html;base64,x",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://a.example/1",
    "intent://a#Intent;scheme=x;end",
    "https://a.example/#javascript:alert(1)",
  ])
    await assertRejected({ ...TOOL, redirect_uris: [uri] }, "invalid_redirect_uri")
})

test("REG-2, CLIENT-4: names that turn, hide or pass for others are refused", async () => {
  for (const client_name of ["\u202egpj.exe", "Go\u200bogle", "P\u0430yPal", "\u2067x", "a\u0000b", "\u3164"])
    await assertRejected({ ...TOOL, client_name }, "invalid_client_metadata")
  const { answer } = await registered(testServer, { ...TOOL, client_name: "<script>alert(1)</script>" })
  assert.equal(answer["client_name"], "<script>alert(1)</script>", "a name is text")
})

test("SVC-11, REG-2: nothing that a registration names is visited", async () => {
  const { url } = canary
  const { answer } = await registered(testServer, {
    ...TOOL,
    client_name: "Visits",
    redirect_uris: [`${url}/callback`],
    logo_uri: `${url}/logo.png`,
    client_uri: url,
    policy_uri: url,
    tos_uri: url,
    jwks_uri: `${url}/jwks`,
    sector_identifier_uri: url,
    request_uris: [url],
    software_statement: "e30.e30.",
    backchannel_logout_uri: url,
  })
  for (const member of ["logo_uri", "client_uri", "jwks_uri", "software_statement"])
    assert.equal(member in answer, false, "what is not stored is not returned")
  assert.equal(canary.visits(), 0)
})

test("REG-2, CLIENT-5: an invalid picture registers an app without one", async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>').toString(
    "base64",
  )
  for (const [i, logo_uri] of [
    "data:image/png;base64,AAAA",
    `data:image/svg+xml;base64,${svg}`,
    `data:image/png;base64,${svg}`,
    "data:image/png,%89PNG",
    "data:text/html,<script>",
    "data:image/png;base64,!!!!",
    "data:",
    "DATA:image/gif;base64,R0lGODlhAQABAAAAACw=",
  ].entries()) {
    const { answer } = await registered(testServer, { ...TOOL, client_name: `Picture ${i}`, logo_uri })
    assert.equal(answer["icon"], false, logo_uri)
  }
})

test("REG-2, CLIENT-5, CLIENT-8: a picture of the registration is stored, and not shown", async () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  const body = { ...TOOL, client_name: "Pictured", logo_uri: `data:image/png;base64,${png}` }
  const { answer, clientId } = await registered(testServer, body)
  assert.deepEqual([answer["icon"], answer["verified"]], [true, false])
  assert.equal((await registered(testServer, body)).clientId, clientId, "the same picture is the same app")
  const icon = await fetch(`${testServer.url}/oauth/apps/${clientId}/icon`)
  assert.equal(icon.status, 404)
})

test("REG-2: bytes that are no UTF-8, and a body that breaks off, are refused", async () => {
  const head = (length: number) => [
    `POST ${REGISTER} HTTP/1.1`,
    "host: localhost",
    "content-type: application/json",
    `content-length: ${length}`,
    "connection: close",
  ]
  const noText = Buffer.concat([Buffer.from(tool.slice(0, -2)), Buffer.from([0xff]), Buffer.from('"}')])
  const headers = { "content-type": "application/json" }
  const unread = await fetch(testServer.url + REGISTER, {
    method: "POST",
    headers,
    body: new Uint8Array(noText),
  })
  assert.equal(unread.status, 400)
  const broken = await sendRaw(testServer.url, head(2), "{]")
  assert.equal(broken.status, 400)
  const twice = await sendRaw(testServer.url, [...head(tool.length), "content-type: text/plain"], tool)
  assert.equal(twice.status < 500, true)
})
