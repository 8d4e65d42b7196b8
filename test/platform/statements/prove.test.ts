/** The signature of a statement, with real keys. */
import assert from "node:assert/strict"
import { createHmac } from "node:crypto"
import { before, test } from "node:test"
import { type CryptoKey, exportSPKI, importJWK } from "jose"
import { parseJson } from "../../../src/kernel/json.ts"
import { SIGNING_ALGORITHMS } from "../../../src/model/clients/client.rules.ts"
import { ISSUER_ALGORITHMS, parseIssuerKeySet } from "../../../src/model/clients/key-set.rules.ts"
import type { KeySource } from "../../../src/platform/statements/prove.ts"
import { Node, signed, type SigningKey, signingKey } from "./issuer.ts"
import { CLAIMS, encode } from "./samples.ts"

const node = new Node()
let rsa: SigningKey
let ec: SigningKey

before(async () => {
  ;[rsa, ec] = await Promise.all([signingKey("RS256"), signingKey("ES256")])
})

function given(...keys: readonly SigningKey[]): KeySource {
  const set = parseIssuerKeySet(parseJson(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) })))
  if (!set.ok) throw new Error(set.error)
  return { keys: set.value }
}

const secret = Buffer.from("a shared secret of at least thirty-two bytes")

function hmac(key: string | Uint8Array, alg = "HS256", hash = "sha256"): string {
  const text = `${encode({ alg, kid: "RS256" })}.${encode(CLAIMS)}`
  return `${text}.${createHmac(hash, key).update(text).digest("base64url")}`
}

test("STATE-2 a signature of each algorithm is checked", async () => {
  const keys = await Promise.all(ISSUER_ALGORITHMS.map((alg) => signingKey(alg)))
  for (const key of keys) {
    assert.equal(await node.faultOf(await signed(key), given(...keys)), null, key.alg)
    const other = { ...(await signingKey(key.alg)), jwk: key.jwk }
    assert.equal(await node.faultOf(await signed(other), given(...keys)), "signatureWrong", key.alg)
  }
})

test("STATE-2 changed claims, a changed header and a signature of another algorithm's form are refused", async () => {
  const [header = "", claims = "", signature = ""] = (await signed(rsa)).split(".")
  const more = encode({ ...CLAIMS, sub: "another" })
  assert.equal(await node.faultOf(`${header}.${more}.${signature}`, given(rsa)), "signatureWrong")
  const typed = encode({ alg: "RS256", kid: "RS256", typ: "JWT" })
  assert.equal(await node.faultOf(`${typed}.${claims}.${signature}`, given(rsa)), "signatureWrong")
  const padded = encode({ alg: "PS256", kid: "RS256" })
  assert.equal(await node.faultOf(`${padded}.${claims}.${signature}`, given(rsa)), "signatureWrong")
  const onCurve = `${encode({ alg: "ES256", kid: "ES256" })}.${claims}.${signature}`
  assert.equal(await node.faultOf(onCurve, given(ec)), "signatureWrong")
})

test("STATE-2 a public key is never a secret, in whatever form it is used", async () => {
  const pem = await exportSPKI((await importJWK(rsa.jwk, "RS256", { extractable: true })) as CryptoKey)
  for (const key of [pem, pem.trim(), JSON.stringify(rsa.jwk), String(rsa.jwk.n), "", secret])
    for (const [alg, hash] of [
      ["HS256", "sha256"],
      ["HS512", "sha512"],
    ] as const)
      assert.equal(await node.faultOf(hmac(key, alg, hash), given(rsa)), "algorithmRefused")
  assert.equal(await node.faultOf(hmac(pem, "RS256"), given(rsa)), "signatureWrong")
})

test("STATE-2 a shared secret takes HS256 alone", async () => {
  assert.equal(await node.faultOf(hmac(secret), { secret }), null)
  assert.equal(await node.faultOf(hmac(secret), { secret }, SIGNING_ALGORITHMS), null)
  assert.equal(await node.faultOf(hmac(`${secret.toString()}.`), { secret }), "signatureWrong")
  assert.equal(await node.faultOf(hmac(secret, "HS512", "sha512"), { secret }), "algorithmRefused")
  assert.equal(await node.faultOf(await signed(rsa), { secret }), "algorithmRefused")
  assert.equal(
    await node.faultOf(`${encode({ alg: "none" })}.${encode(CLAIMS)}.AA`, { secret }),
    "algorithmRefused",
  )
})

test("STATE-2 a key in the header is not used", async () => {
  const own = await signingKey("ES256", "own")
  const header = {
    jwk: own.jwk,
    jku: "https://evil.example/keys",
    x5u: "https://evil.example/x",
    kid: "ES256",
  }
  assert.equal(await node.faultOf(await signed(own, header), given(ec)), "signatureWrong")
  assert.equal(await node.faultOf(await signed(own, { jwk: own.jwk }), given(ec)), "keyUnknown")
})

test("STATE-2 a key that is no point of its curve verifies nothing", async () => {
  const jwk = { ...ec.jwk, x: "A".repeat(43) }
  assert.equal(await node.faultOf(await signed(ec), given({ ...ec, jwk })), "signatureWrong")
})
