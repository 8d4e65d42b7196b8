/** Keys that an issuer publishes, on a real https server. */
import assert from "node:assert/strict"
import { after, afterEach, before, test } from "node:test"
import type { KeySource } from "../../../src/platform/statements/prove.ts"
import { DocumentServer } from "../../support/document-server.ts"
import { Node, publish, signed, type SigningKey, signingKey } from "./issuer.ts"

const DAY = 86_400
const PATH = "/jwks"
const DISCOVERY = "/.well-known/openid-configuration"

let documents: DocumentServer
let one: SigningKey
let two: SigningKey

before(async () => {
  documents = await DocumentServer.open()
  ;[one, two] = await Promise.all([signingKey("ES256", "one"), signingKey("RS256", "two")])
})
after(() => documents.close())
afterEach(() => {
  documents.asked.length = 0
})

const at = (path = PATH): KeySource => ({ jwksUri: documents.url(path), allowedRanges: null })
const asked = () => documents.asked.length

test("STATE-3 keys are requested at the first statement and after a quarter of an hour, on each node", async () => {
  publish(documents, PATH, one)
  const node = new Node()
  const jwt = await signed(one)
  for (let i = 0; i < 3; i += 1) assert.equal(await node.faultOf(jwt, at()), null)
  assert.equal(asked(), 1)
  node.clock.advance(899)
  assert.equal(await node.faultOf(jwt, at()), null)
  assert.equal(asked(), 1)
  node.clock.advance(1)
  assert.equal(await node.faultOf(jwt, at()), null)
  assert.equal(asked(), 2)
  assert.equal(await new Node().faultOf(jwt, at()), null)
  assert.equal(asked(), 3)
})

test("STATE-3 statements at the same time share a request", async () => {
  publish(documents, PATH, one)
  const node = new Node()
  const jwt = await signed(one)
  const faults = await Promise.all(Array.from({ length: 20 }, () => node.faultOf(jwt, at())))
  assert.deepEqual([...new Set(faults)], [null])
  assert.equal(asked(), 1)
})

test("STATE-3 rotation: a new key counts at once, and a removed one until the next request", async () => {
  publish(documents, PATH, one)
  const node = new Node()
  assert.equal(await node.faultOf(await signed(one), at()), null)
  publish(documents, PATH, two)
  assert.equal(await node.faultOf(await signed(one), at()), null)
  assert.equal(await node.faultOf(await signed(two), at()), null)
  assert.equal(await node.faultOf(await signed(one), at()), "keyUnknown")
  assert.equal(asked(), 2)
})

test("STATE-3 unknown kids cause one request a minute, and a wrong signature none", async () => {
  publish(documents, PATH, one)
  const node = new Node()
  assert.equal(await node.faultOf(await signed(one), at()), null)
  for (let minute = 1; minute <= 3; minute += 1) {
    for (let i = 0; i < 10; i += 1)
      assert.equal(await node.faultOf(await signed(one, { kid: `unknown-${i}` }), at()), "keyUnknown")
    assert.equal(asked(), 1 + minute)
    node.clock.advance(59)
    assert.equal(await node.faultOf(await signed(one, { kid: "unknown" }), at()), "keyUnknown")
    assert.equal(asked(), 1 + minute)
    node.clock.advance(1)
  }
  const other = { ...(await signingKey()), jwk: one.jwk }
  assert.equal(await node.faultOf(await signed(other), at()), "signatureWrong")
  assert.equal(await node.faultOf(await signed(one, { alg: "none" }).catch(() => "a.b.c"), at()), "malformed")
  assert.equal(asked(), 4)
})

test("STATE-3 issuer away: kept keys for a week, then nothing counts until it is back", async () => {
  publish(documents, PATH, one)
  const node = new Node()
  const jwt = await signed(one)
  assert.equal(await node.faultOf(jwt, at()), null)
  for (const fail of [
    () => documents.fail(PATH, 503),
    () => documents.fail(PATH, 200),
    () => documents.serve(PATH, {}),
    () => documents.serve(PATH, { keys: 1 }),
    () => documents.serve(PATH, JSON.stringify({ keys: [], more: "x".repeat(128 * 1024) })),
    () => documents.on(PATH, (_, response) => response.destroy()),
  ]) {
    fail()
    node.clock.advance(DAY)
    assert.equal(await node.faultOf(jwt, at()), null)
  }
  assert.equal(node.recorded.lines.length, 6)
  assert.equal(await node.faultOf(await signed(two), at()), "keyUnknown")
  node.clock.advance(DAY - 1)
  assert.equal(await node.faultOf(jwt, at()), null)
  node.clock.advance(1)
  assert.equal(await node.faultOf(jwt, at()), "keysUnavailable")
  publish(documents, PATH, one)
  assert.equal(await node.faultOf(jwt, at()), "keysUnavailable", "the last attempt was within a minute")
  node.clock.advance(60)
  assert.equal(await node.faultOf(jwt, at()), null)
  node.clock.advance(-DAY)
  assert.equal(await node.faultOf(jwt, at()), null, "the clock was set back")
})

test("STATE-3 without a kept copy an issuer that is away is asked every five seconds", async () => {
  documents.fail(PATH, 404)
  const node = new Node()
  const source = { jwksUri: documents.url(PATH), allowedRanges: ["127.0.0.0/8"] }
  const jwt = await signed(one)
  for (let i = 0; i < 5; i += 1) assert.equal(await node.faultOf(jwt, source), "keysUnavailable")
  assert.equal(asked(), 1)
  publish(documents, PATH, one)
  node.clock.advance(4)
  assert.equal(await node.faultOf(jwt, source), "keysUnavailable")
  node.clock.advance(1)
  assert.equal(await node.faultOf(jwt, source), null)
})

test("STATE-3 a key that cannot be used is left out, and an empty set withdraws all", async () => {
  const { kid: _, ...nameless } = two.jwk
  const odd = [
    { kty: "oct", k: "AAAA", kid: "one" },
    { ...one.jwk, kid: 1 },
    { ...one.jwk, use: "enc" },
    nameless,
    null,
  ]
  documents.serve(PATH, { keys: [...odd, one.jwk] })
  const node = new Node()
  assert.equal(await node.faultOf(await signed(one), at()), null)
  documents.serve(PATH, { keys: [] })
  node.clock.advance(900)
  assert.equal(await node.faultOf(await signed(one), at()), "keyUnknown")
})

test("STATE-3 by discovery: the metadata name the issuer byte for byte, and an https URL for its keys", async () => {
  publish(documents, PATH, one)
  const jwt = await signed(one)
  const issuer = documents.url("").replace(/\/$/, "")
  const source = { issuer, allowedRanges: null }
  const found = async (metadata: object) => {
    documents.serve(DISCOVERY, metadata)
    return new Node().faultOf(jwt, source)
  }
  const good = { issuer, jwks_uri: documents.url(PATH) }
  assert.equal(await found(good), null)
  assert.deepEqual(documents.asked, [DISCOVERY, PATH])
  for (const wrong of [
    { ...good, issuer: `${issuer}/` },
    { ...good, issuer: undefined },
    { ...good, jwks_uri: documents.url(PATH).replace("https:", "http:") },
    { ...good, jwks_uri: [documents.url(PATH)] },
    { ...good, jwks_uri: undefined },
    [good],
  ])
    assert.equal(await found(wrong), "keysUnavailable", JSON.stringify(wrong))
  assert.equal(documents.asked.filter((path) => path === PATH).length, 1)
  const path = documents.serve(`/tenant${DISCOVERY}`, { ...good, issuer: `${issuer}/tenant/` })
  assert.ok(path.includes("/tenant/.well-known/"))
  assert.equal(await new Node().faultOf(jwt, { issuer: `${issuer}/tenant/`, allowedRanges: null }), null)
})

test("STATE-3 an address within the network is reached only in the ranges of the source", async () => {
  publish(documents, PATH, one)
  const jwt = await signed(one)
  const jwksUri = documents.url(PATH)
  assert.equal(await new Node().faultOf(jwt, { jwksUri, allowedRanges: [] }), "keysUnavailable")
  assert.equal(asked(), 0)
  assert.equal(await new Node().faultOf(jwt, { jwksUri, allowedRanges: ["127.0.0.0/8"] }), null)
  documents.on(PATH, (_, response) => {
    response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ keys: [one.jwk] }))
  })
  const refused = await new Node().faultOf(jwt, { jwksUri, allowedRanges: ["127.0.0.0/8"] })
  assert.equal(refused, "keysUnavailable", "an error with status 404 is no key set")
})

test("WORK-4 metadata choose no other host within the network, unless the ranges are the provider's own", async () => {
  publish(documents, PATH, one)
  const jwt = await signed(one)
  const issuer = documents.url("")
  documents.serve(DISCOVERY, { issuer, jwks_uri: documents.url(PATH, "vault.documents.test") })
  assert.equal(await new Node().faultOf(jwt, { issuer, allowedRanges: null }), "keysUnavailable")
  assert.deepEqual(documents.asked, [DISCOVERY])
  assert.equal(await new Node().faultOf(jwt, { issuer, allowedRanges: ["127.0.0.0/8"] }), null)
})

test("STATE-3, OUT-6 excess requests are no failure of the issuer", async () => {
  publish(documents, PATH, one)
  const node = new Node()
  const jwt = await signed(one)
  for (let i = 0; i < 30; i += 1) {
    const url = documents.url(`/spent-${i}`)
    await node.outgoing.getJson({ url, cause: "registered-keys", isHostNamed: true, bytesAtMost: 10 })
  }
  assert.equal(await node.faultOf(jwt, at()), "keysUnavailable")
  assert.ok(!documents.asked.includes(PATH))
  assert.deepEqual(node.recorded.lines, [])
  node.clock.advance(60)
  assert.equal(await node.faultOf(jwt, at()), null)
})
