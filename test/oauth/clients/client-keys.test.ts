/** Tests keys that a client publishes at its own URL, on a real https server. */
import assert from "node:assert/strict"
import { after, afterEach, before, beforeEach, test } from "node:test"
import type { Cause } from "../../../src/platform/outgoing/guarded-fetch.ts"
import { updateApp } from "../../../src/apps/app.ts"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { decided } from "../../../src/model/change.rules.ts"
import { assertRefused } from "../../support/answers.ts"
import { testClock } from "../../support/clock.ts"
import {
  DocumentServer,
  LOOPBACK_ALLOWED,
  ONLY_CERTIFICATE,
  toLoopback,
} from "../../support/document-server.ts"
import { send } from "../../support/connect.ts"
import { Signer } from "../../support/signer.ts"
import { TestServer, type TestApp, OPERATOR } from "../../support/test-server.ts"

const PATH = "/keys"

let documents: DocumentServer
let testServer: TestServer
let signer: Signer
let app: TestApp

before(async () => {
  documents = await DocumentServer.open()
  signer = await Signer.make()
})
after(() => documents.close())

const opened = async (outgoing = LOOPBACK_ALLOWED) => {
  const server = await TestServer.open({ outgoing, resolveName: toLoopback, clock: testClock() })
  await server.set("rate_limit.oauth_anonymous", "off")
  return server
}

afterEach(() => testServer.close())
beforeEach(async () => {
  testServer = await opened()
  documents.asked.length = 0
  publish(signer)
  const keys = { jwks: null, jwksUri: documents.url(PATH), algorithm: null, workload: null }
  app = await testServer.addApp({ keys })
})

const publish = (...signers: readonly Signer[]) =>
  documents.serve(PATH, { keys: signers.map(({ publicJwk }) => publicJwk) })

async function authenticate(from = signer, header: Record<string, unknown> = {}) {
  const now = testServer.clock.now()
  const proof = await from.authenticates(app.clientId, testServer.issuer, now, {}, header)
  return send(testServer, "/oauth/revoke", { token: "x", ...proof })
}

const asked = () => documents.asked.length

test("KEY-8 keys are fetched at the first assertion, and then used for a quarter of an hour", async () => {
  assert.equal(asked(), 0)
  for (let i = 0; i < 3; i++) assert.equal((await authenticate()).status, 200)
  assert.equal(asked(), 1)
  testServer.clock.advance(900)
  assert.equal((await authenticate()).status, 200)
  assert.equal(asked(), 2)
})

test("KEY-8 first assertions at the same time share a request", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => authenticate()))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal(asked(), 1)
})

test("KEY-8 a new key is found by its kid, and a removed one is refused after the next request", async () => {
  assert.equal((await authenticate()).status, 200)
  const next = await Signer.make("PS256")
  publish(signer, next)
  testServer.clock.advance(60)
  assert.equal((await authenticate(next)).status, 200)
  publish(next)
  assert.equal((await authenticate()).status, 200)
  testServer.clock.advance(900)
  assert.equal((await authenticate(next)).status, 200)
  assertRefused(await authenticate(), 401, "invalid_client")
})

test("KEY-8 unknown kids cause one request a minute", async () => {
  assert.equal((await authenticate()).status, 200)
  testServer.clock.advance(60)
  for (let i = 0; i < 10; i++)
    assertRefused(await authenticate(signer, { kid: `unknown-${i}` }), 401, "invalid_client")
  assert.equal(asked(), 2)
  // A wrong signature with a known kid causes no request.
  const other = await Signer.make()
  testServer.clock.advance(60)
  assertRefused(await authenticate(other, { kid: signer.publicJwk.kid }), 401, "invalid_client")
  assert.equal(asked(), 2)
})

test("KEY-8 while the address fails the last good copy serves, for a week", async () => {
  assert.equal((await authenticate()).status, 200)
  for (const fail of [
    () => documents.fail(PATH, 403),
    () => documents.fail(PATH, 200),
    () => documents.serve(PATH, { keys: [] }),
    () => documents.serve(PATH, { keys: [{ kty: "oct", k: "AAAA" }] }),
    () => documents.serve(PATH, JSON.stringify({ keys: [signer.publicJwk], more: "x".repeat(64 * 1024) })),
  ]) {
    fail()
    testServer.clock.advance(86_400)
    assert.equal((await authenticate()).status, 200)
  }
  const { fetchedKeys } = await testServer.store.read({ fetchedKeys: app.client.clientId })
  assert.equal(fetchedKeys?.problem, "The answer is too long.")
  testServer.clock.advance(2 * 86_400)
  assertRefused(await authenticate(), 401, "invalid_client")
  publish(signer)
  testServer.clock.advance(60)
  assert.equal((await authenticate()).status, 200)
})

test("KEY-8 without a good copy a failure is remembered for a minute", async () => {
  documents.fail(PATH, 404)
  for (let i = 0; i < 3; i++) assertRefused(await authenticate(), 401, "invalid_client")
  assert.equal(asked(), 1)
  publish(signer)
  testServer.clock.advance(60)
  assert.equal((await authenticate()).status, 200)
})

test("KEY-8 keys of an earlier address are not used at another one", async () => {
  assert.equal((await authenticate()).status, 200)
  const other = await Signer.make()
  const jwksUri = documents.serve("/other", { keys: [other.publicJwk] })
  const keys = { jwks: null, jwksUri, algorithm: null, workload: null }
  await updateApp(testServer.latchkey, app.clientId, { keys }, OPERATOR)
  assertRefused(await authenticate(), 401, "invalid_client")
  assert.equal((await authenticate(other)).status, 200)
})

test("KEY-8 an address within the network of the service is reached only where the operator allows it", async () => {
  await testServer.close()
  testServer = await opened(ONLY_CERTIFICATE)
  app = await testServer.addApp({
    keys: { jwks: null, jwksUri: documents.url(PATH), algorithm: null, workload: null },
  })
  assertRefused(await authenticate(), 401, "invalid_client")
  assert.equal(asked(), 0)
})

async function spend(cause: Cause) {
  for (let i = 0; i < 30; i++) {
    const url = documents.url(`/spent-${i}`)
    await testServer.latchkey.outgoing.getJson({ url, cause, isHostNamed: true, bytesAtMost: 10 })
  }
}

test("KEY-8, OUT-6 requests for keys of documents cannot spend those for apps of an administrator", async () => {
  assert.equal((await authenticate()).status, 200)
  testServer.clock.advance(900)
  publish(await Signer.make())
  await spend("client-keys")
  assertRefused(await authenticate(), 401, "invalid_client")
})

test("KEY-8, OUT-6 excess requests are no failure of the keys, and begin no pause", async () => {
  assert.equal((await authenticate()).status, 200)
  const read = () => testServer.store.read({ fetchedKeys: app.client.clientId })
  const stored = await read()
  testServer.clock.advance(900)
  for (const cause of ["client-keys", "registered-keys"] as const) await spend(cause)
  assert.equal((await authenticate()).status, 200)
  assert.deepEqual(await read(), stored)
})

test("KEY-8 keys of a document are not requested if documents are off, or if either host is denied", async () => {
  const clientId = "https://client.example/client.json" as ClientId
  const client = { ...app.client, clientId, registeredBy: "document" } as const
  await testServer.store.change({}, () => decided(null, { change: "clientAdded", client }))
  app = { ...app, client, clientId }
  await testServer.set("clients.document_domains", "*.documents.test")
  for (const [key, refused, allowed] of [
    ["clients.documents", "off", "on"],
    ["clients.denied_document_domains", "client.example", ""],
    ["clients.denied_document_domains", "*.documents.test", ""],
  ] as const) {
    await testServer.set(key, refused)
    assertRefused(await authenticate(), 401, "invalid_client")
    assert.equal(asked(), 0)
    await testServer.set(key, allowed)
  }
  assert.equal((await authenticate()).status, 200)
})
