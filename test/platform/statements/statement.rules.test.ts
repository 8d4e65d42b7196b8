import assert from "node:assert/strict"
import { test } from "node:test"
import { parseStatement, type StatementForm } from "../../../src/platform/statements/statement.rules.ts"
import { CLAIMS, decode, encode, jwtOf } from "./samples.ts"

const HEADER = { alg: "ES256", kid: "1" }
const FORM: StatementForm = { types: [null, "jwt"], lengthAtMost: 300 }

/** Returns the fault, or null. */
function faultOf(jwt: string | undefined, types: StatementForm["types"] = FORM.types) {
  const parsed = parseStatement(jwt, decode, { ...FORM, types })
  return parsed.ok ? null : parsed.error
}

test("STATE-1 a statement keeps its text, its header and its claims", () => {
  const jwt = jwtOf(HEADER, CLAIMS)
  const parsed = parseStatement(jwt, decode, FORM)
  assert.ok(parsed.ok)
  assert.equal(parsed.value.jwt, jwt)
  assert.deepEqual(Object.fromEntries(parsed.value.header), HEADER)
  assert.deepEqual(Object.fromEntries(parsed.value.claims), CLAIMS)
})

test("STATE-1 a statement has a largest size, and is then judged by nothing else", () => {
  assert.equal(faultOf("a".repeat(301)), "tooLong")
  assert.equal(faultOf("a".repeat(300)), "malformed")
  const room = 300 - jwtOf(HEADER, CLAIMS).length
  assert.equal(faultOf(jwtOf(HEADER, CLAIMS) + "A".repeat(room)), null)
  assert.equal(faultOf(jwtOf(HEADER, CLAIMS) + "A".repeat(room + 1)), "tooLong")
})

test("STATE-1 it is a compact JWS of two JSON objects, without padding, and with a signature", () => {
  const [header = "", claims = "", signature = ""] = jwtOf(HEADER, CLAIMS).split(".")
  const repeated = Buffer.from('{"aud":"a","aud":"b"}').toString("base64url")
  const wrong = [
    undefined,
    "",
    "a.b",
    `${header}.${claims}`,
    `${header}.${claims}.`,
    `${header}..${signature}`,
    `.${claims}.${signature}`,
    `${header}.${claims}.${signature}.${signature}`,
    `${header}.${claims}.${signature}==`,
    `${header}=.${claims}.${signature}`,
    ` ${header}.${claims}.${signature}`,
    `${header}.${claims}.${signature}\n`,
    `${header}.${repeated}.${signature}`,
    `!.${claims}.${signature}`,
    ...[[], "text", 1, null].flatMap((other) => [
      `${encode(other)}.${claims}.${signature}`,
      `${header}.${encode(other)}.${signature}`,
    ]),
    // Five parts: a JWE.
    `${header}.${claims}.${signature}.${signature}.${signature}`,
  ]
  for (const jwt of wrong) assert.equal(faultOf(jwt), "malformed", jwt)
  assert.equal(faultOf(JSON.stringify({ protected: header, payload: claims, signature })), "malformed")
})

test("STATE-1 a critical extension is refused, whatever it is", () => {
  for (const crit of [[], ["exp"], ["b64"], null, ""])
    assert.equal(faultOf(jwtOf({ ...HEADER, crit }, CLAIMS)), "malformed", JSON.stringify(crit))
})

test("STATE-1 the type is one of the caller's, in any case and with or without application/", () => {
  const typed = (typ: unknown, types: StatementForm["types"]) =>
    faultOf(jwtOf({ ...HEADER, typ }, CLAIMS), types)
  for (const typ of ["oauth-id-jag+jwt", "OAUTH-ID-JAG+JWT", "application/oauth-id-jag+jwt"])
    assert.equal(typed(typ, ["oauth-id-jag+jwt"]), null, typ)
  const others = [
    undefined,
    "JWT",
    "at+jwt",
    "oauth-id-jag",
    "oauth-id-jag+jwt ",
    "text/oauth-id-jag+jwt",
    "",
    null,
    1,
  ]
  for (const typ of others) assert.equal(typed(typ, ["oauth-id-jag+jwt"]), "typeWrong", String(typ))
  for (const typ of [undefined, "JWT", "jwt", "application/jwt"]) assert.equal(typed(typ, FORM.types), null)
  for (const typ of ["at+jwt", "dpop+jwt", "logout+jwt", "client-authentication+jwt", "", null, 1, ["JWT"]])
    assert.equal(typed(typ, FORM.types), "typeWrong", String(typ))
  for (const typ of [undefined, "at+jwt", 1]) assert.equal(typed(typ, "any"), null)
})
