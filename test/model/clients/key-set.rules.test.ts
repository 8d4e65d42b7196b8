import assert from "node:assert/strict"
import { generateKeyPairSync } from "node:crypto"
import { test } from "node:test"
import { parseJson } from "../../../src/kernel/json.ts"
import { SIGNING_ALGORITHMS } from "../../../src/model/clients/client.rules.ts"
import {
  algorithmsOf,
  parseClientKeys,
  parseIssuerKeySet,
  parseKeySet,
  readKeySet,
  writeKeySet,
} from "../../../src/model/clients/key-set.rules.ts"

type Members = Readonly<Record<string, unknown>>

const rsa = (bits = 2048): Members => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: bits })
  return publicKey.export({ format: "jwk" }) as Members
}
const ec = (namedCurve = "P-256"): Members =>
  generateKeyPairSync("ec", { namedCurve }).publicKey.export({ format: "jwk" }) as Members
const ed = (): Members => generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }) as Members

const parse = (...keys: readonly unknown[]) => parseKeySet(parseJson(JSON.stringify({ keys })))
/** Returns the keys or the problem. */
const parsed = (...keys: readonly unknown[]) => {
  const set = parse(...keys)
  return set.ok ? set.value : set.error
}

test("KEY-3 public keys of three kinds are kept, with the members that choose them and no others", () => {
  const [one, two, three] = [rsa(), ec(), ed()]
  const more = { use: "sig", key_ops: ["verify"], x5c: ["AA"], note: "kept out" }
  const set = parsed(
    { ...one, kid: "1", ...more },
    { ...two, kid: "2", alg: "ES256" },
    { ...three, kid: "3" },
  )
  assert.deepEqual(set, [
    { ...one, kid: "1" },
    { ...two, kid: "2", alg: "ES256" },
    { ...three, kid: "3" },
  ])
  if (typeof set === "string") return
  assert.deepEqual(
    set.map((key) => SIGNING_ALGORITHMS.filter((known) => algorithmsOf(key).includes(known))),
    [["PS256", "RS256"], ["ES256"], ["EdDSA"]],
  )
  assert.deepEqual(readKeySet(writeKeySet(set)), set)
})

test("KEY-3 an alg of a key leaves this algorithm alone", () => {
  const set = parse({ ...rsa(), alg: "PS256" })
  assert.deepEqual(set.ok && set.value.map(algorithmsOf), [["PS256"]])
})

test("KEY-3 a private or symmetric key refuses the whole set", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const secrets: readonly Members[] = [
    privateKey.export({ format: "jwk" }) as Members,
    { kty: "oct", k: "AAAA" },
    { kty: "oct" },
    { kty: "unknown", d: "AAAA" },
    ...["p", "q", "dp", "dq", "qi", "oth"].map((name) => ({ ...ec(), [name]: "AAAA" })),
  ]
  for (const secret of secrets)
    assert.match(String(parsed({ ...ed(), kid: "1" }, secret)), /^keys\[1\] is not a public key/)
})

test("KEY-3 keys of other kinds and for other uses are left out, and a set of only those is refused", () => {
  const others: readonly Members[] = [
    ec("P-384"),
    { kty: "OKP", crv: "X25519", x: "x".repeat(43) },
    { kty: "AKP", pub: "AAAA" },
    { ...rsa(), use: "enc" },
    { ...rsa(), key_ops: ["encrypt"] },
    { ...rsa(), key_ops: "verify" },
    { ...rsa(), alg: "RS512" },
    { ...ec(), alg: "RS256" },
    { ...ed(), alg: "HS256" },
  ]
  const good = { ...ed(), kid: "good" }
  assert.deepEqual(parsed(...others, good), [good])
  for (const other of others) assert.match(String(parsed(other)), /^It has no public key/)
})

test("KEY-3 an RSA key has 2048 to 8192 bits and an exponent of 2 to 32", () => {
  assert.match(String(parsed(rsa(1024))), /is an RSA key of 1024 bits/)
  const { n, e } = rsa()
  const bits = (count: number) => Buffer.from([0x80, ...Array.from({ length: count / 8 - 1 }, () => 1)])
  for (const [modulus, length] of [
    [Buffer.concat([Buffer.from([0]), bits(2040)]), 2040],
    [bits(8200), 8200],
  ] as const)
    assert.match(
      String(parsed({ kty: "RSA", n: modulus.toString("base64url"), e })),
      new RegExp(`of ${length} bits`),
    )
  for (const modulus of [bits(2048), bits(8192), Buffer.concat([Buffer.from([0, 0]), bits(2048)])])
    assert.ok(parse({ kty: "RSA", n: modulus.toString("base64url"), e }).ok)
  for (const exponent of ["AQ", "AA", "AQAAAAAB", "", 3])
    assert.match(String(parsed({ kty: "RSA", n, e: exponent })), /exponent/, String(exponent))
  for (const modulus of ["", null, "!", `${String(n)}=`])
    assert.match(String(parsed({ kty: "RSA", n: modulus, e })), /of 0 bits/)
})

test("KEY-3 a coordinate of another size is refused", () => {
  const [{ x, y }, { x: point }] = [ec(), ed()]
  for (const wrong of [undefined, "", `${String(x)}A`, String(x).slice(1), `${String(x).slice(1)}=`]) {
    assert.match(String(parsed({ kty: "EC", crv: "P-256", x: wrong, y })), /not a point/)
    assert.match(String(parsed({ kty: "EC", crv: "P-256", x, y: wrong })), /not a point/)
    assert.match(String(parsed({ kty: "OKP", crv: "Ed25519", x: wrong })), /not a key of Ed25519/)
  }
  assert.ok(parse({ kty: "OKP", crv: "Ed25519", x: point }).ok)
})

test("KEY-3 of two keys that an assertion could mean, the second is refused", () => {
  assert.match(String(parsed(rsa(), rsa())), /^keys\[1\] has the kid of another key/)
  assert.match(String(parsed({ ...rsa(), kid: "1" }, { ...rsa(), kid: "1" })), /^keys\[1\]/)
  assert.ok(parse({ ...rsa(), kid: "1" }, { ...ec(), kid: "1" }, { ...rsa(), kid: "2" }).ok)
  assert.ok(parse({ ...rsa(), alg: "PS256" }, { ...rsa(), alg: "RS256" }).ok)
})

test("KEY-3 a set is a JSON object with at most twenty keys, and a kid a text", () => {
  for (const text of ["[]", "{}", '{"keys":{}}', '{"keys":1}', "null", '"keys"', "{"])
    assert.equal(parseKeySet(parseJson(text)).ok, false, text)
  assert.equal(
    parse(...Array.from({ length: 21 }, (_, place) => ({ ...ed(), kid: String(place) }))).ok,
    false,
  )
  assert.equal(parse(...Array.from({ length: 20 }, (_, place) => ({ ...ed(), kid: String(place) }))).ok, true)
  for (const kid of [1, ["1"], {}, "k".repeat(256)])
    assert.match(String(parsed({ ...ed(), kid })), /has a kid/)
  for (const item of [null, 1, "key", []]) assert.match(String(parsed(item)), /is not a JSON object/)
})

test("STATE-3 the set of an issuer may have more algorithms and odd keys, but no private and no symmetric key", () => {
  const issuer = (...keys: readonly unknown[]) => {
    const set = parseIssuerKeySet(parseJson(JSON.stringify({ keys })))
    return set.ok ? set.value.map((key) => [key.kid, ...algorithmsOf(key)].join(" ")) : set.error
  }
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" })
  assert.deepEqual(
    issuer(
      { ...ec("P-384"), kid: "1" },
      { ...ec("P-521"), kid: "2" },
      { ...ed(), kid: "3" },
      { ...rsa(), kid: "4", alg: "RS512", x5c: ["AA"] },
      { ...rsa(1024), kid: "5" },
      { ...rsa(), kid: "6", alg: "RSA-OAEP" },
      { ...rsa(), kid: "7", e: "AQ" },
      { ...ec("secp256k1"), kid: "8" },
      { ...ec("P-384"), kid: "9", x: "AA" },
      { ...ec(), kid: "10", alg: "ES384" },
      { ...pair.privateKey.export({ format: "jwk" }), kid: "11" },
      { kty: "oct", k: "AAAA", kid: "12" },
      null,
    ),
    ["1 ES384", "2 ES512", "3 EdDSA Ed25519", "4 RS512"],
  )
  assert.deepEqual(issuer(), [])
  assert.equal(issuer(...Array.from({ length: 101 }, () => ed())).length, 100)
  for (const text of ["[]", "{}", '{"keys":{}}', "null"])
    assert.equal(parseIssuerKeySet(parseJson(text)).ok, false, text)
  // An app registers no such key.
  assert.match(String(parsed(ec("P-384"), ec("P-521"))), /no public key for ES256, EdDSA, PS256, RS256/)
  assert.match(String(parsed({ ...rsa(), alg: "RS512" }, { ...ed(), alg: "Ed25519" })), /no public key for/)
})

test("KEY-2 a registration names its keys or their address, and one algorithm that they have", () => {
  const jwks = parseJson(JSON.stringify({ keys: [ec()] }))
  const jwksUri = "https://app.example/keys"
  const nothing = { jwks: undefined, jwksUri: undefined }
  assert.deepEqual(parseClientKeys(nothing), { ok: true, value: null })
  assert.deepEqual(parseClientKeys({ ...nothing, jwksUri, algorithm: "PS256" }), {
    ok: true,
    value: { jwks: null, jwksUri, algorithm: "PS256", workload: null },
  })
  assert.ok(parseClientKeys({ ...nothing, jwks, algorithm: "ES256" }).ok)
  for (const wrong of [
    { jwks, jwksUri },
    { ...nothing, algorithm: "ES256" },
    { ...nothing, jwks, algorithm: "PS256" },
    { ...nothing, jwksUri, algorithm: "none" },
    { ...nothing, jwksUri: "http://app.example/keys" },
    { ...nothing, jwksUri: "https://127.0.0.1/keys" },
    { ...nothing, jwksUri: "https://user@app.example/keys" },
    { ...nothing, jwksUri: "https://app.example" },
    { ...nothing, jwks: null },
  ])
    assert.equal(parseClientKeys(wrong).ok, false, JSON.stringify(wrong))
})
