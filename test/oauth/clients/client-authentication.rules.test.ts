import { test } from "node:test"
import assert from "node:assert/strict"
import { Buffer } from "node:buffer"
import {
  authenticate as authenticateCaller,
  type AssertionProof,
  parseClientAuthentication,
  type PresentedClient,
} from "../../../src/oauth/clients/client-authentication.rules.ts"
import { wireError } from "../../../src/model/refusals/reasons.rules.ts"
import type { Hash } from "../../../src/kernel/ids.ts"
import type { Client } from "../../../src/model/clients/client.rules.ts"
import {
  CLIENT_ID,
  confidentialClient,
  form,
  hash,
  keyClient,
  publicClient,
} from "../../support/core-sample.ts"

const decodeBase64 = (text: string): string | null => {
  const decoded = Buffer.from(text, "base64").toString("utf8")
  return decoded.includes("\ufffd") ? null : decoded
}
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`

/** Returns the presented client or the reason of the refusal. */
function present(header: string | undefined, body: string): PresentedClient | string {
  const parsed = parseClientAuthentication(header, form(body), {
    base64: decodeBase64,
    base64Url: () => null,
  })
  return parsed.ok ? parsed.value : parsed.error.reason
}

test("TOKEN-5, AUTH-2 a public app sends its client_id alone", () => {
  const presented = { clientId: CLIENT_ID, secret: null, assertion: null, method: "none" }
  assert.deepEqual(present(undefined, `client_id=${CLIENT_ID}`), presented)
  assert.deepEqual(present(undefined, `client_id=${CLIENT_ID}&client_secret=`), presented)
})

test("TOKEN-4, AUTH-3 a confidential app sends its secret in the body or by Basic", () => {
  assert.deepEqual(present(undefined, `client_id=${CLIENT_ID}&client_secret=s`), {
    clientId: CLIENT_ID,
    secret: "s",
    assertion: null,
    method: "client_secret_post",
  })
  const presented = { clientId: CLIENT_ID, secret: "s", assertion: null, method: "client_secret_basic" }
  assert.deepEqual(present(basic(`${CLIENT_ID}:s`), ""), presented)
  assert.deepEqual(present(basic(`${CLIENT_ID}:s`), `client_id=${CLIENT_ID}&client_secret=`), presented)
})

test("AUTH-3 the scheme is read in any case, and id and secret are form-decoded", () => {
  const header = basic(`${CLIENT_ID.replace("0", "%30")}:a%3Ab+c:d`)
  for (const scheme of ["Basic", "basic", "BASIC "]) {
    const presented = present(header.replace("Basic", scheme), "")
    assert.equal(typeof presented === "object" && presented.secret, "a:b c:d", scheme)
  }
})

test("SVC-6, CLIENT-1 a request that names no app is refused", () => {
  for (const body of ["", "client_id=", "client_secret=s"])
    assert.equal(present(undefined, body), "clientMissing")
  assert.equal(wireError("clientMissing").status, 400)
})

test("TOKEN-9 an Authorization header that is empty or of another scheme is ignored", () => {
  const none = { clientId: CLIENT_ID, secret: null, assertion: null, method: "none" }
  for (const header of ["", "Bearer abc", "Bearer", `Digest ${CLIENT_ID}`, "Basically abc", "Negotiate a="]) {
    assert.deepEqual(present(header, `client_id=${CLIENT_ID}`), none, header)
    const sent = present(header, `client_id=${CLIENT_ID}&client_secret=s`)
    assert.deepEqual(sent, { ...none, secret: "s", method: "client_secret_post" }, header)
    assert.equal(present(header, ""), "clientMissing", header)
  }
})

test("ERR-1 a Basic header that is not well-formed is a failed authentication", () => {
  const broken = [
    "Basic",
    "Basic ",
    "Basic !!!",
    "Basic a=b=",
    basic("no colon"),
    basic(":secret"),
    basic(`${CLIENT_ID}:%zz`),
    basic(`${CLIENT_ID}:%ff`),
    basic(`${CLIENT_ID}:a b`),
    `${basic(`${CLIENT_ID}:s`)}, ${basic(`${CLIENT_ID}:s`)}`,
  ]
  for (const header of broken) {
    assert.equal(present(header, `client_id=${CLIENT_ID}`), "authorizationMalformed", header)
  }
  assert.equal(wireError("authorizationMalformed").error, "invalid_client")
})

test("ERR-4 two kinds of authentication, or two clients, make a malformed request", () => {
  const header = basic(`${CLIENT_ID}:s`)
  assert.equal(present(header, "client_secret=s"), "clientAuthenticatedTwice")
  assert.equal(present(header, "client_id=another"), "clientConflict")
  assert.equal(present(undefined, `client_id=${CLIENT_ID}&client_id=${CLIENT_ID}`), "parameterRepeated")
  assert.equal(present(header, "client_secret=&client_secret="), "parameterRepeated")
  for (const reason of ["clientAuthenticatedTwice", "clientConflict", "parameterRepeated"] as const) {
    assert.equal(wireError(reason).status, 400)
  }
})

test("ERR-1 a client_id that cannot be one is unknown, and is never looked up", () => {
  for (const id of ["x+y", `${CLIENT_ID}/`, `${CLIENT_ID}%20`, "%00".repeat(26), "u".repeat(256)]) {
    assert.equal(present(undefined, `client_id=${id}`), "clientUnknown", id)
  }
  assert.equal(present(basic("some%20one:secret"), ""), "clientUnknown")
})

function authenticate(client: Client | null, presented: PresentedClient, secretHash: Hash | null) {
  return authenticateCaller(client, { presented, secretHash, proof: null })
}

const none: PresentedClient = { clientId: CLIENT_ID, secret: null, assertion: null, method: "none" }
const posted: PresentedClient = { ...none, secret: "s", method: "client_secret_post" }
const empty: PresentedClient = { ...none, secret: "", method: "client_secret_basic" }

test("AUTH-2, CLIENT-2 a public app is itself without a secret, and with one it is refused", () => {
  assert.deepEqual(authenticate(publicClient, none, null), { ok: true, value: publicClient })
  for (const presented of [posted, empty]) {
    const refused = authenticate(publicClient, presented, hash("secret"))
    assert.deepEqual(refused, { ok: false, error: { reason: "clientHasNoSecret" } })
  }
})

test("AUTH-3, CLIENT-3 a confidential app is itself with its secret only", () => {
  assert.deepEqual(authenticate(confidentialClient, posted, hash("secret")), {
    ok: true,
    value: confidentialClient,
  })
  const reasons = [
    authenticate(confidentialClient, posted, hash("other")),
    authenticate(confidentialClient, empty, hash("")),
    authenticate(confidentialClient, none, null),
    authenticate(confidentialClient, posted, null),
    authenticate({ ...confidentialClient, secretHash: null }, posted, hash("secret")),
    authenticate({ ...confidentialClient, secretHash: null }, posted, "-".repeat(43) as Hash),
    // No secret is stored and none was sent, so nothing is proven.
    authenticate({ ...confidentialClient, secretHash: null }, posted, null),
  ].map((result) => (result.ok ? "ok" : result.error.reason))
  assert.deepEqual(reasons, [
    "clientSecretWrong",
    "clientSecretWrong",
    "clientSecretMissing",
    "clientSecretMissing",
    "clientSecretWrong",
    "clientSecretWrong",
    "clientSecretMissing",
  ])
})

test("ERR-1 an unknown or a disabled app is refused like one with a wrong secret", () => {
  const unknown = authenticate(null, posted, hash("secret"))
  const disabled = authenticate({ ...confidentialClient, enabled: false }, posted, hash("secret"))
  const disabledPublic = authenticate({ ...publicClient, enabled: false }, none, null)
  const reasons = [unknown, disabled, disabledPublic].map((result) =>
    result.ok ? "ok" : result.error.reason,
  )
  assert.deepEqual(reasons, ["clientUnknown", "clientDisabled", "clientDisabled"])
  for (const reason of ["clientUnknown", "clientDisabled", "clientSecretWrong"] as const) {
    assert.deepEqual(wireError(reason), wireError("clientSecretMissing"))
  }
})

test("KEY-1 a request authenticates in one way: an assertion beside a secret is malformed", () => {
  const assertion = "client_assertion=x.y.z"
  for (const [header, body] of [
    [undefined, `client_id=${CLIENT_ID}&client_secret=s&${assertion}`],
    [undefined, `client_secret=s&client_assertion_type=x`],
    [basic(`${CLIENT_ID}:s`), assertion],
  ] as const)
    assert.equal(present(header, body), "clientAuthenticatedTwice")
  assert.equal(present(undefined, `${assertion}&${assertion}`), "parameterRepeated")
  assert.equal(present(undefined, "client_assertion_type=x&client_assertion_type=x"), "parameterRepeated")
  assert.equal(present("Bearer x", assertion), "assertionTypeUnsupported")
})

test("KEY-1 an app that holds a key is itself with its proof only, and no other app is", () => {
  const keys = keyClient.keys ?? { jwks: null, jwksUri: null, algorithm: null, workload: null }
  const assertion = { jwt: "", header: new Map(), claims: new Map(), clientId: CLIENT_ID }
  const signed: PresentedClient = { ...none, assertion, method: "private_key_jwt" }
  const spent = { assertionHash: hash("a"), bodyHash: hash("b"), deleteAfter: 0 }
  const spending = { spent, provenAt: 0 }
  const proven = (client: Client, proof: AssertionProof | null) => {
    const result = authenticateCaller(client, { presented: signed, secretHash: null, proof })
    return result.ok ? "ok" : result.error.reason
  }
  assert.equal(proven(keyClient, { keys, spending }), "ok")
  assert.equal(proven({ ...keyClient, enabled: false }, { keys, spending }), "clientDisabled")
  const workload = { issuer: "https://issuer.example", audience: "a", subject: "s" }
  // The assertion was not verified, or the keys were replaced since then.
  assert.equal(proven(keyClient, null), "assertionKeyUnknown")
  for (const other of [
    { jwks: "{}" },
    { jwksUri: "https://app.example" },
    { algorithm: "ES256" as const },
    { workload },
  ])
    assert.equal(proven(keyClient, { keys: { ...keys, ...other }, spending }), "assertionKeyUnknown")
  for (const client of [publicClient, confidentialClient])
    assert.equal(proven(client, { keys, spending }), "clientHasNoKey")
  for (const presented of [none, posted, empty]) {
    const refused = authenticate(keyClient, presented, presented.secret === null ? null : hash("secret"))
    assert.deepEqual(refused, { ok: false, error: { reason: "clientAssertionMissing" } })
  }
})
