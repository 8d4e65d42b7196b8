import { test } from "node:test"
import assert from "node:assert/strict"
import { revokeCredential } from "../../../src/oauth/credential/revoke-credential.rules.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { credential, lives, NOW } from "../../support/core-sample.ts"
import type { TokenId } from "../../../src/kernel/ids.ts"
import type { Credential, Life, RevokedBecause } from "../../../src/model/credential.rules.ts"

test("CRED-3 revoking what time has ended stores that end, and no revocation", () => {
  const [stored, ...more] = revokeCredential(
    credential(lives.active),
    "administrator",
    NOW + 90 * DAY + 1,
    null,
  )
  assert.ok(stored?.change === "credentialChanged" && stored.credential.life.state === "ended")
  assert.deepEqual(more, [])
})

test("CRED-3 a consent whose code was not used yet can be revoked", () => {
  const [stored] = revokeCredential(credential(lives.issued), "account-holder", NOW + 5, null)
  assert.ok(stored?.change === "credentialChanged" && stored.credential.life.state === "revoked")
  assert.equal(stored.credential.life.family, null)
})

test("ORG-9, OIDC-16 what a person or an administrator ends stays ended, also where it had ended before, once", () => {
  const { consent } = credential(lives.active)
  const facts = { authTime: NOW, amr: [], acr: "1", nonce: null, sid: null, remembered: "click" as TokenId }
  const given = (life: Life): Credential => ({
    ...credential(life),
    consent: { ...consent, organization: "work", openid: JSON.stringify(facts) },
  })
  const over = (because: RevokedBecause): Life => ({ ...lives.revoked, because })
  const kinds = (life: Life, because: RevokedBecause) =>
    revokeCredential(given(life), because, NOW, null).map((one) =>
      one.change === "eventRecorded" ? one.event.kind : one.change,
    )
  const ending = ["credential-revoked", "rememberedEnded", "organizationBlocked"]
  for (const because of ["account-holder", "administrator"] as const) {
    assert.deepEqual(kinds(lives.active, because), ["credentialChanged", ...ending])
    for (const former of ["app", "replaced", "link-removed"] as const)
      assert.deepEqual(kinds(over(former), because), ending, former)
    assert.deepEqual(kinds(lives.ended, because), ending)
    assert.deepEqual(kinds(over("account-holder"), because), [])
    assert.deepEqual(kinds(over("administrator"), because), [])
  }
  assert.deepEqual(kinds(lives.active, "app"), ["credentialChanged", "credential-revoked"])
  assert.deepEqual(kinds(over("app"), "app"), [])
})
