import { test } from "node:test"
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import type { Hash } from "../../../src/kernel/ids.ts"
import { isCodeChallenge, isCodeVerifier, verifies } from "../../../src/oauth/credential/pkce.rules.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url") as Hash

test("AUTHZ-5 a challenge has 43 characters of the base64url alphabet", () => {
  assert.equal(isCodeChallenge(sha256("x")), true)
  for (const bad of [
    "",
    "a".repeat(42),
    "a".repeat(44),
    `${"a".repeat(42)}=`,
    `${"a".repeat(42)}+`,
    `${"a".repeat(43)}\n`,
  ]) {
    assert.equal(isCodeChallenge(bad), false, JSON.stringify(bad))
  }
})

test("AUTH-5 a verifier has 43 to 128 printable ASCII characters", () => {
  for (const good of ["a".repeat(43), "~".repeat(128), `${"a".repeat(43)}=`, "a b".repeat(15)]) {
    assert.equal(isCodeVerifier(good), true, good)
  }
  for (const bad of [
    "",
    "a".repeat(42),
    "a".repeat(129),
    `${"a".repeat(50)}\n`,
    `${"a".repeat(50)}é`,
    `${"a".repeat(50)}\u007f`,
  ]) {
    assert.equal(isCodeVerifier(bad), false, JSON.stringify(bad))
  }
})

test("AUTH-5 the example of RFC 7636 appendix B verifies, and nothing near it", () => {
  const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  assert.equal(verifies(challenge, sha256(verifier)), true)
  assert.equal(verifies(challenge, sha256(`${verifier}=`)), false)
  // The method `plain` would compare these two texts.
  assert.equal(verifies(challenge, challenge.toLowerCase() as Hash), false)
  assert.equal(verifies(verifier, sha256(verifier)), false)
  assert.equal(verifies("", sha256(verifier)), false)
})
