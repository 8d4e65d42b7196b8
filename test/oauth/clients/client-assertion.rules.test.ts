import assert from "node:assert/strict"
import { test } from "node:test"
import type { PublicKey } from "../../../src/model/clients/key-set.rules.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { parseJson } from "../../../src/kernel/json.ts"
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from "../../../src/model/clients/client.rules.ts"
import {
  type Assertion,
  ASSERTION_TYPE,
  assertionRefusal,
  expectedOf,
  parseAssertion,
  strangerProblem,
} from "../../../src/oauth/clients/client-assertion.rules.ts"
import { chooseKey, judgeClaims } from "../../../src/platform/statements/judge.rules.ts"
import { CLIENT_ID, NOW } from "../../support/core-sample.ts"

const ISSUER = "https://auth.example"

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const decode = (text: string) => Buffer.from(text, "base64url").toString("utf8")
const jwtOf = (header: object, claims: object) => `${encode(header)}.${encode(claims)}.c2ln`

const HEADER = { alg: "ES256", kid: "1" }
const CLAIMS = { iss: CLIENT_ID, sub: CLIENT_ID, aud: ISSUER, exp: NOW + 60, iat: NOW, jti: "once" }

/** Returns the assertion or the reason of the refusal. */
function parse(jwt: string | undefined, type: string | undefined = ASSERTION_TYPE, id?: string) {
  const parsed = parseAssertion(jwt, type, id, decode)
  return parsed.ok ? parsed.value : parsed.error.reason
}

function assertion(header: object = {}, claims: object = {}): Assertion {
  const parsed = parse(jwtOf({ ...HEADER, ...header }, { ...CLAIMS, ...claims }))
  if (typeof parsed === "string") throw new Error(parsed)
  return parsed
}

test("KEY-4 an assertion names its client by issuer and subject, and the parameter client_id agrees", () => {
  const jwt = jwtOf(HEADER, CLAIMS)
  for (const id of [undefined, CLIENT_ID]) {
    const parsed = parse(jwt, ASSERTION_TYPE, id)
    assert.equal(typeof parsed === "object" && parsed.clientId, CLIENT_ID)
  }
  assert.equal(parse(jwt, ASSERTION_TYPE, CLIENT_ID.replace("0", "1")), "assertionIssuerWrong")
  for (const claims of [
    { iss: "x" },
    { sub: "x" },
    { iss: 1, sub: 1 },
    { iss: undefined },
    { sub: undefined },
  ])
    assert.equal(
      parse(jwtOf(HEADER, { ...CLAIMS, ...claims })),
      "assertionIssuerWrong",
      JSON.stringify(claims),
    )
  assert.equal(parse(jwtOf(HEADER, { ...CLAIMS, iss: "x y", sub: "x y" })), "clientUnknown")
})

test("STATE-1 what a product says about a person authenticates no client, and no workload", () => {
  for (const challenge of ["the state of a sign-in", "", null]) {
    assert.equal(parse(jwtOf({ ...HEADER, typ: "JWT" }, { ...CLAIMS, challenge })), "assertionMalformed")
    const ofPlatform = jwtOf(HEADER, { ...CLAIMS, ...OF_PLATFORM, challenge })
    assert.equal(parse(ofPlatform, ASSERTION_TYPE, CLIENT_ID), "assertionMalformed")
  }
})

const WORKLOAD = {
  issuer: "https://token.actions.githubusercontent.com",
  audience: "https://auth.example",
  subject: "repo:acme/app:ref:refs/heads/*",
}
const OF_PLATFORM = { iss: WORKLOAD.issuer, sub: "repo:acme/app:ref:refs/heads/main", jti: undefined }

test("WORK-3 a platform's token needs client_id, because it does not name the client", () => {
  const jwt = jwtOf({ ...HEADER, typ: "JWT" }, { ...CLAIMS, ...OF_PLATFORM })
  assert.equal(parse(jwt), "assertionIssuerWrong")
  assert.equal(parse(jwt, ASSERTION_TYPE, "x y"), "clientUnknown")
  const parsed = parse(jwt, ASSERTION_TYPE, CLIENT_ID)
  assert.equal(typeof parsed === "object" && parsed.clientId, CLIENT_ID)
})

test("WORK-3 issuer, subject and typ are judged before the keys are looked for", () => {
  const problem = (header: object, claims: object, workload: typeof WORKLOAD | null = WORKLOAD) => {
    const parsed = parse(
      jwtOf({ ...HEADER, ...header }, { ...CLAIMS, ...OF_PLATFORM, ...claims }),
      ASSERTION_TYPE,
      CLIENT_ID,
    )
    assert.ok(typeof parsed === "object", String(parsed))
    return strangerProblem(parsed, workload)?.reason ?? null
  }
  for (const typ of [undefined, "JWT", "jwt", "application/jwt"]) assert.equal(problem({ typ }, {}), null)
  assert.equal(problem({ typ: "client-authentication+jwt" }, {}), "assertionMalformed")
  for (const iss of [`${WORKLOAD.issuer}/`, WORKLOAD.issuer.toUpperCase(), "https://issuer.example", 1])
    assert.equal(problem({}, { iss }), "assertionIssuerWrong", String(iss))
  for (const sub of [
    "repo:acme/app:pull_request",
    "repo:acme/app:ref:refs/heads/a/b",
    "repo:evil/app:ref:refs/heads/main",
    undefined,
    1,
    ["repo:acme/app:ref:refs/heads/main"],
  ])
    assert.equal(problem({}, { sub }), "assertionSubjectWrong", String(sub))
  assert.equal(problem({}, {}, null), "assertionIssuerWrong")
  const own = { iss: CLIENT_ID, sub: CLIENT_ID }
  assert.equal(problem({}, own, null), null)
  assert.equal(problem({}, own), "assertionIssuerWrong")
})

test("WORK-3 a platform's token has its one audience, an iat, and a day at most, and needs no jti", () => {
  const judged = (differing: object) => {
    const parsed = parse(
      jwtOf(HEADER, { ...CLAIMS, ...OF_PLATFORM, exp: NOW + DAY, ...differing }),
      ASSERTION_TYPE,
      CLIENT_ID,
    )
    assert.ok(typeof parsed === "object", String(parsed))
    const result = judgeClaims(parsed, expectedOf(CLIENT_ID, "https://latchkey.example", WORKLOAD), NOW)
    return result.ok ? null : assertionRefusal(result.error).reason
  }
  assert.equal(judged({}), null)
  assert.equal(judged({ aud: [WORKLOAD.audience] }), null)
  for (const aud of ["https://latchkey.example", [WORKLOAD.audience, "b"], [], undefined])
    assert.equal(judged({ aud }), "assertionAudienceWrong", String(aud))
  assert.equal(judged({ exp: NOW + DAY + 1 }), "assertionLifetimeTooLong")
  assert.equal(judged({ iat: NOW - 10, exp: NOW + DAY - 9 }), "assertionLifetimeTooLong")
  assert.equal(judged({ iat: undefined }), "assertionNotYetValid")
  assert.equal(judged({ exp: NOW - 30, iat: NOW - 60 }), "assertionExpired")
  assert.equal(judged({ nbf: NOW + 31 }), "assertionNotYetValid")
})

test("KEY-4 size comes first, then the type of the assertion, then its form", () => {
  const long = "a".repeat(16 * 1024 + 1)
  assert.equal(parse(long, "another"), "assertionTooLong")
  assert.equal(parse(long.slice(1), "another"), "assertionTypeUnsupported")
  assert.equal(parse(long.slice(1)), "assertionMalformed")
  const jwt = jwtOf(HEADER, CLAIMS)
  for (const type of [undefined, ASSERTION_TYPE.toUpperCase(), `${ASSERTION_TYPE} `])
    assert.equal(parseAssertion(jwt, type, undefined, decode).ok, false)
  assert.equal(parse(undefined), "assertionMalformed")
})

test("KEY-4 an assertion is a compact JWS of two JSON objects, without padding and critical extensions", () => {
  const [header = "", claims = "", signature = ""] = jwtOf(HEADER, CLAIMS).split(".")
  const wrong = [
    "",
    "a.b",
    `${header}.${claims}`,
    `${header}.${claims}.`,
    `${header}.${claims}.${signature}.${signature}`,
    `${header}.${claims}.${signature}==`,
    `${header}=.${claims}.${signature}`,
    ` ${header}.${claims}.${signature}`,
    `${header}.${claims}.${signature}\n`,
    `${encode([])}.${claims}.${signature}`,
    `${header}.${encode("text")}.${signature}`,
    `${Buffer.from('{"alg":"ES256","alg":"none"}').toString("base64url")}.${claims}.${signature}`,
    `!.${claims}.${signature}`,
  ]
  for (const jwt of wrong) assert.equal(parse(jwt), "assertionMalformed", jwt)
  for (const crit of [[], ["b64"], null])
    assert.equal(parse(jwtOf({ ...HEADER, crit }, CLAIMS)), "assertionMalformed")
})

test("KEY-4 typ is left out, JWT or client-authentication+jwt; a JWT of another type is refused", () => {
  for (const typ of ["JWT", "jwt", "client-authentication+jwt", "application/client-authentication+jwt"])
    assert.equal(typeof parse(jwtOf({ ...HEADER, typ }, CLAIMS)), "object", typ)
  for (const typ of ["at+jwt", "dpop+jwt", "logout+jwt", "", null, 1, "JWT "])
    assert.equal(parse(jwtOf({ ...HEADER, typ }, CLAIMS)), "assertionMalformed", String(typ))
})

const EC: PublicKey = { kty: "EC", crv: "P-256", x: "x", y: "y", kid: "1" }
const RSA: PublicKey = { kty: "RSA", n: "n", e: "e", kid: "2" }
const choose = (header: object, keys: readonly PublicKey[], only: SigningAlgorithm | null = null) => {
  const chosen = chooseKey(assertion(header), keys, only === null ? SIGNING_ALGORITHMS : [only])
  return chosen.ok ? chosen.value : assertionRefusal(chosen.error).reason
}

test("KEY-4 the algorithm comes from the registration, the key from kid", () => {
  assert.deepEqual(choose({}, [RSA, EC]), { key: EC, algorithm: "ES256" })
  assert.deepEqual(choose({ alg: "PS256", kid: "2" }, [RSA, EC]), { key: RSA, algorithm: "PS256" })
  assert.deepEqual(choose({ alg: "RS256", kid: "2" }, [RSA, EC]), { key: RSA, algorithm: "RS256" })
  assert.deepEqual(choose({ kid: undefined }, [RSA, EC]), { key: EC, algorithm: "ES256" })
})

test("KEY-4 no algorithm without a signature, none with a shared secret and none that is not registered", () => {
  for (const alg of ["none", "None", "HS256", "HS512", "ES384", "RS512", "es256", "", null, 1, undefined])
    assert.equal(choose({ alg }, [EC]), "assertionAlgorithmRefused", String(alg))
  assert.equal(choose({ alg: "RS256" }, [EC]), "assertionAlgorithmRefused")
  assert.equal(choose({ alg: "ES256", kid: "2" }, [RSA]), "assertionAlgorithmRefused")
  assert.equal(choose({ alg: "RS256", kid: "2" }, [{ ...RSA, alg: "PS256" }]), "assertionAlgorithmRefused")
  assert.equal(choose({ alg: "RS256", kid: "2" }, [RSA], "PS256"), "assertionAlgorithmRefused")
  assert.deepEqual(choose({ alg: "PS256", kid: "2" }, [RSA], "PS256"), { key: RSA, algorithm: "PS256" })
})

test("KEY-4 an unknown kid, a kid that is not a text, or two keys that fit choose none", () => {
  for (const kid of ["3", "", null, 1, ["1"]])
    assert.equal(choose({ kid }, [EC, RSA]), "assertionKeyUnknown", String(kid))
  const { kid: _, ...nameless } = EC
  assert.equal(choose({}, [nameless]), "assertionKeyUnknown")
  assert.equal(choose({ kid: undefined }, [EC, { ...EC, kid: "4" }]), "assertionKeyUnknown")
  assert.equal(choose({}, []), "assertionKeyUnknown")
})

/** Returns the reason of the refusal, or null. */
const judge = (claims: object, now = NOW) => {
  const judged = judgeClaims(assertion({}, claims), expectedOf(CLIENT_ID, ISSUER, null), now)
  return judged.ok ? null : assertionRefusal(judged.error).reason
}

test("KEY-4 the audience is the issuer, or the token endpoint byte for byte, as the only value", () => {
  for (const aud of [ISSUER, [ISSUER], `${ISSUER}/oauth/token`, [`${ISSUER}/oauth/token`]])
    assert.equal(judge({ aud }), null, String(aud))
  const wrong = [
    undefined,
    null,
    "",
    [],
    1,
    `${ISSUER}/`,
    `${ISSUER}//oauth/token`,
    `${ISSUER}/oauth/token/`,
    `${ISSUER}/oauth/revoke`,
    "https://AUTH.example",
    "https://other.example",
    [ISSUER, ISSUER],
    [ISSUER, `${ISSUER}/oauth/token`],
    [[ISSUER]],
  ]
  for (const aud of wrong) assert.equal(judge({ aud }), "assertionAudienceWrong", JSON.stringify(aud))
})

test("KEY-4 an assertion is good from iat and nbf until exp, give or take half a minute", () => {
  assert.equal(judge({ exp: NOW - 29 }), null)
  assert.equal(judge({ exp: NOW - 30 }), "assertionExpired")
  for (const exp of [undefined, null, "soon", Number.MAX_VALUE * 10])
    assert.notEqual(judge({ exp }), null, String(exp))
  for (const name of ["iat", "nbf"]) {
    assert.equal(judge({ [name]: NOW + 30 }), null, name)
    assert.equal(judge({ [name]: NOW + 31 }), "assertionNotYetValid", name)
    assert.equal(judge({ [name]: undefined }), null, name)
    for (const value of [null, "now"]) assert.equal(judge({ [name]: value }), "assertionNotYetValid", name)
  }
})

test("KEY-4 an assertion is valid for ten minutes at most, with or without iat", () => {
  assert.equal(judge({ exp: NOW + 600 }), null)
  assert.equal(judge({ exp: NOW + 601 }), "assertionLifetimeTooLong")
  assert.equal(judge({ iat: NOW - 540, exp: NOW + 61 }), "assertionLifetimeTooLong")
  assert.equal(judge({ iat: undefined, exp: NOW + 630 }), null)
  assert.equal(judge({ iat: undefined, exp: NOW + 631 }), "assertionLifetimeTooLong")
  assert.equal(judge({ iat: NOW + 30, exp: NOW + 630 }), null)
})

test("KEY-5 jti is required, and what is stored of it lasts as long as a clock may take it", () => {
  for (const jti of [undefined, null, "", 1, ["once"]])
    assert.equal(judge({ jti }), "assertionIdMissing", String(jti))
  assert.deepEqual(
    judgeClaims(assertion({}, { exp: NOW + 59.5 }), expectedOf(CLIENT_ID, ISSUER, null), NOW),
    {
      ok: true,
      value: { id: "once", overAt: NOW + 90 },
    },
  )
  assert.equal(judge({ exp: NOW + 59.5 }, NOW + 90), "assertionExpired")
})

test("KEY-4 a claim is read once: a name twice is not JSON", () => {
  assert.equal(parseJson('{"aud":"a","aud":"b"}'), undefined)
})
