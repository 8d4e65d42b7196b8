import assert from "node:assert/strict"
import { test } from "node:test"
import { SIGNING_ALGORITHMS } from "../../../src/model/clients/client.rules.ts"
import { ISSUER_ALGORITHMS, type PublicKey } from "../../../src/model/clients/key-set.rules.ts"
import { chooseKey, type Expected, judgeClaims } from "../../../src/platform/statements/judge.rules.ts"
import { NOW } from "../../support/core-sample.ts"
import { ISSUER, OURS, statementOf } from "./samples.ts"

const EC: PublicKey = { kty: "EC", crv: "P-256", x: "x", y: "y", kid: "1" }
const P384: PublicKey = { kty: "EC", crv: "P-384", x: "x", y: "y", kid: "3" }
const ED: PublicKey = { kty: "OKP", crv: "Ed25519", x: "x", kid: "4" }
const RSA: PublicKey = { kty: "RSA", n: "n", e: "e", kid: "2" }
const ALL = [EC, RSA, P384, ED]

const choose = (
  header: object,
  keys: readonly PublicKey[],
  algorithms: Parameters<typeof chooseKey>[2] = ISSUER_ALGORITHMS,
) => {
  const chosen = chooseKey(statementOf(header), keys, algorithms)
  return chosen.ok ? chosen.value : chosen.error
}

test("STATE-2 kid names the key, and its kind must fit the algorithm", () => {
  assert.deepEqual(choose({}, ALL), { key: EC, algorithm: "ES256" })
  for (const algorithm of ["PS256", "RS256", "PS384", "RS512"] as const)
    assert.deepEqual(choose({ alg: algorithm, kid: "2" }, ALL), { key: RSA, algorithm })
  assert.deepEqual(choose({ alg: "ES384", kid: "3" }, ALL), { key: P384, algorithm: "ES384" })
  for (const algorithm of ["EdDSA", "Ed25519"] as const)
    assert.deepEqual(choose({ alg: algorithm, kid: "4" }, ALL), { key: ED, algorithm })
  for (const [alg, kid] of [
    ["ES256", "2"],
    ["ES256", "3"],
    ["RS256", "1"],
    ["EdDSA", "1"],
    ["ES384", "1"],
  ])
    assert.equal(choose({ alg, kid }, ALL), "algorithmRefused", `${alg} ${kid}`)
  assert.equal(choose({ alg: "RS256", kid: "2" }, [{ ...RSA, alg: "PS256" }]), "algorithmRefused")
})

test("STATE-2 the header only selects from the caller's algorithms: no none, and no shared secret with a key", () => {
  for (const alg of [
    "none",
    "None",
    "HS256",
    "HS384",
    "HS512",
    "es256",
    "ES256 ",
    "ES256K",
    "",
    null,
    1,
    undefined,
  ])
    assert.equal(choose({ alg, kid: undefined }, ALL), "algorithmRefused", String(alg))
  for (const alg of ["ES384", "RS384", "PS512", "Ed25519"])
    assert.equal(choose({ alg, kid: undefined }, ALL, SIGNING_ALGORITHMS), "algorithmRefused", alg)
  assert.equal(choose({}, ALL, []), "algorithmRefused")
  assert.equal(choose({ alg: "RS256", kid: "2" }, ALL, ["PS256"]), "algorithmRefused")
})

test("STATE-2 an unknown kid, a kid that is not a text, or two keys that fit choose none", () => {
  for (const kid of ["9", "", null, 1, ["1"]]) assert.equal(choose({ kid }, ALL), "keyUnknown", String(kid))
  const { kid: _, ...nameless } = EC
  assert.equal(choose({}, [nameless]), "keyUnknown")
  assert.deepEqual(choose({ kid: undefined }, [nameless, RSA]), { key: nameless, algorithm: "ES256" })
  assert.equal(choose({ kid: undefined }, [EC, { ...EC, kid: "5" }]), "keyUnknown")
  assert.equal(choose({}, [EC, { ...EC, x: "z" }]), "keyUnknown")
  assert.equal(choose({}, []), "keyUnknown")
})

const EXPECTED: Expected = {
  issuer: ISSUER,
  audiences: [OURS, `${OURS}/oauth/token`],
  secondsAtMost: 60,
  needsIssuedAt: true,
  needsId: true,
}

/** Returns the fault, or null. */
const judge = (claims: object, expected: Partial<Expected> = {}, now = NOW) => {
  const judged = judgeClaims(statementOf({}, claims), { ...EXPECTED, ...expected }, now)
  return judged.ok ? null : judged.error
}

test("STATE-4 the issuer is the expected one, byte for byte", () => {
  assert.equal(judge({}), null)
  for (const iss of [undefined, null, "", `${ISSUER}/`, ISSUER.toUpperCase(), [ISSUER], { [ISSUER]: 1 }])
    assert.equal(judge({ iss }), "issuerWrong", String(iss))
})

test("STATE-4 there is one audience, as a text or a list of one, and it is one of the expected", () => {
  for (const aud of [OURS, [OURS], `${OURS}/oauth/token`]) assert.equal(judge({ aud }), null, String(aud))
  const wrong = [
    ...[undefined, null, "", [], 1, `${OURS}/`, "https://AUTH.example", "https://other.example"],
    ...[
      [OURS, OURS],
      [OURS, "https://other.example"],
      ["https://other.example", OURS],
      [[OURS]],
      { 0: OURS },
    ],
  ]
  for (const aud of wrong) assert.equal(judge({ aud }), "audienceWrong", JSON.stringify(aud))
  assert.equal(judge({}, { audiences: [] }), "audienceWrong")
})

test("STATE-4 it counts from iat and nbf until exp, give or take half a minute", () => {
  assert.equal(judge({}, {}, NOW + 89), null)
  assert.equal(judge({}, {}, NOW + 90), "expired")
  assert.equal(judge({ exp: NOW + 59.5 }, {}, NOW + 89), null)
  for (const exp of [undefined, null, "soon", String(NOW + 60), Number.MAX_VALUE * 10])
    assert.equal(judge({ exp }), "expired", String(exp))
  for (const name of ["iat", "nbf"]) {
    assert.equal(judge({ [name]: NOW + 30 }), null, name)
    assert.equal(judge({ [name]: NOW + 31 }), "notYetValid", name)
    for (const value of [null, "now", String(NOW), [NOW]])
      assert.equal(judge({ [name]: value }), "notYetValid", name)
  }
  assert.equal(judge({ nbf: undefined }), null)
})

test("STATE-4 its lifetime has a limit, and iat is required where the caller says so", () => {
  assert.equal(judge({ exp: NOW + 61 }), "lifetimeTooLong")
  assert.equal(judge({ iat: NOW - 20, exp: NOW + 41 }), "lifetimeTooLong")
  assert.equal(judge({ iat: NOW + 30, exp: NOW + 90 }), null)
  assert.equal(judge({ iat: NOW + 30, exp: NOW + 91 }), "lifetimeTooLong")
  assert.equal(judge({ iat: undefined }), "notYetValid")
  const dateless = { needsIssuedAt: false }
  assert.equal(judge({ iat: undefined, exp: NOW + 90 }, dateless), null)
  assert.equal(judge({ iat: undefined, exp: NOW + 91 }, dateless), "lifetimeTooLong")
  assert.equal(judge({ iat: -1e300, exp: NOW + 60 }, dateless), "lifetimeTooLong")
  assert.equal(judge({ exp: NOW + 86_400 }, { secondsAtMost: 86_400 }), null)
})

test("STATE-5 jti is a text where the statement counts once, and is remembered as long as a clock may take it", () => {
  for (const jti of [undefined, null, "", 1, ["once"]]) {
    assert.equal(judge({ jti }), "idMissing", String(jti))
    assert.equal(judge({ jti }, { needsId: false }), null, String(jti))
  }
  const judged = (claims: object, needsId: boolean) =>
    judgeClaims(statementOf({}, claims), { ...EXPECTED, needsId }, NOW)
  assert.deepEqual(judged({ exp: NOW + 59.5 }, true), { ok: true, value: { id: "once", overAt: NOW + 90 } })
  assert.deepEqual(judged({ jti: 5 }, false), { ok: true, value: { id: null, overAt: NOW + 90 } })
  assert.equal(judge({ exp: NOW + 59.5 }, {}, NOW + 90), "expired")
})
