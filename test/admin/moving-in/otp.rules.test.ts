import { test } from "node:test"
import assert from "node:assert/strict"
import {
  base32Of,
  otpauthSecret,
  otpSecret,
  passkeyOf,
  unusableOtp,
} from "../../../src/admin/moving-in/otp.rules.ts"

const SECRET = "GEZDGNBVGY3TQOJQ"
const usual = { secret: SECRET, digits: 6, period: 30, algorithm: "SHA1" }

test("base32 and addresses of authenticator apps", () => {
  for (const [plain, encoded] of [
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"],
  ])
    assert.equal(base32Of(plain ?? ""), encoded)
  assert.equal(otpauthSecret("otpauth://totp/X?secret=GEZDGNBVGY3TQOJQ&digits=8"), null)
  assert.equal(otpauthSecret("otpauth://hotp/X?secret=GEZDGNBVGY3TQOJQ"), null)
})

test("MOVE-8 six digits, 30 seconds and SHA-1 move in, however the algorithm is written", () => {
  for (const algorithm of ["SHA1", "sha1", "SHA-1", "HmacSHA1", "HMAC-SHA-1"])
    assert.equal(otpSecret({ ...usual, algorithm }), SECRET, algorithm)
  for (const differing of [
    { digits: 8 },
    { digits: 7 },
    { period: 60 },
    { period: 29 },
    { algorithm: "SHA256" },
    { algorithm: "SHA-1x" },
    { algorithm: "" },
  ])
    assert.equal(otpSecret({ ...usual, ...differing }), null, JSON.stringify(differing))
})

test("MOVE-8 a secret is stored in capitals without spaces and padding, and has at least 80 bits", () => {
  assert.equal(otpSecret({ ...usual, secret: "gezd gnbv-gy3t qojq====" }), SECRET)
  for (const secret of [SECRET.slice(1), "", "0".repeat(16), "1".repeat(16), `${SECRET}!`, "A".repeat(129)])
    assert.equal(otpSecret({ ...usual, secret }), null, secret)
  assert.equal(otpSecret({ ...usual, secret: "A".repeat(128) }), "A".repeat(128))
})

test("MOVE-8 an address of an authenticator app has its defaults, and its own values come first", () => {
  const read = (query: string) => otpauthSecret(`otpauth://totp/Issuer:ada?${query}`)
  assert.equal(read(`secret=${SECRET}`), SECRET)
  assert.equal(read(`issuer=X&digits=6&period=30&algorithm=SHA1&secret=${SECRET}`), SECRET)
  for (const query of [
    "",
    "secret",
    `secret=${SECRET}&period=60`,
    `secret=${SECRET}&algorithm=SHA512`,
    `digits=6`,
  ])
    assert.equal(read(query), null, query)
  for (const address of ["", SECRET, `otpauth://totp/X`, `https://totp/X?secret=${SECRET}`])
    assert.equal(otpauthSecret(address), null, address)
})

test("MOVE-8 each byte of a text is encoded, also one above ASCII", () => {
  assert.equal(base32Of(""), "")
  assert.equal(base32Of("\u00ff\u0000"), "74AA")
  // RFC 6238, appendix B: the secret of the test vectors.
  assert.equal(base32Of("12345678901234567890"), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
})

test("MOVE-8 the report names what stays behind", () => {
  assert.deepEqual([unusableOtp("ada").what, unusableOtp("ada").name], ["one-time password", "ada"])
  assert.match(unusableOtp("ada").reason, /^Only six digits, 30 seconds, SHA-1/)
  assert.match(passkeyOf("ada").reason, /^A passkey belongs to the host name of the old service/)
})
