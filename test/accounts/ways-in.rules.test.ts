import { test } from "node:test"
import assert from "node:assert/strict"
import { hasLocalWayIn, hasWayIn } from "../../src/accounts/ways-in.rules.ts"
import type { FactorId } from "../../src/kernel/ids.ts"
import { NO_PASSWORD } from "../../src/model/account.rules.ts"
import type { Factor } from "../../src/model/factor.rules.ts"
import type { Identity } from "../../src/model/sign-in/identity.rules.ts"
import { account as person, hash, NOW, USER_ID } from "../support/core-sample.ts"

const enrolled = { factorId: "f" as FactorId, userId: USER_ID, name: "Phone", addedAt: NOW, usedAt: null }
const totp: Factor = { ...enrolled, kind: "totp", sealedSecret: "sealed", usedStep: 0 }
const recovery: Factor = { ...enrolled, kind: "recovery", codes: [hash(1)] }
const passkey: Factor = {
  ...enrolled,
  kind: "passkey",
  credentialId: "credential",
  publicKey: "key",
  counter: 0,
  transports: [],
  isBackedUp: false,
}
const issuer = "https://id.example"
const identity: Identity = {
  identityHash: hash("identity"),
  issuer,
  subject: "1",
  userId: USER_ID,
  provider: "work",
  shownName: null,
  linkedAt: NOW,
  grantsAdministration: false,
}

const bare = {
  account: { ...person, passwordHash: NO_PASSWORD },
  factors: [] as readonly Factor[],
  identities: [] as readonly Identity[],
}
const offered = { hasPasskeys: true, providers: [{ issuer }] }

test("UP-10 a password, a passkey and a connection are each a way in; nothing else is", () => {
  assert.equal(hasWayIn({ ...bare, account: person }, offered), true)
  assert.equal(hasWayIn({ ...bare, factors: [passkey] }, offered), true)
  assert.equal(hasWayIn({ ...bare, identities: [identity] }, offered), true)
  assert.equal(hasWayIn(bare, offered), false)
  assert.equal(hasWayIn({ ...bare, factors: [totp, recovery] }, offered), false)
})

test("UP-10 a connection counts while the configuration has its issuer, whatever the provider's name", () => {
  const linked = { ...bare, identities: [identity] }
  assert.equal(hasWayIn(linked, { ...offered, providers: [] }), false)
  assert.equal(hasWayIn(linked, { ...offered, providers: [{ issuer: "https://other.example" }] }), false)
  const tenant = "11111111-2222-3333-4444-555555555555"
  const ofTenant = { ...identity, issuer: `https://login.example/${tenant}/v2.0` }
  const many = [{ issuer: "https://login.example/{tenantid}/v2.0" }]
  assert.equal(hasWayIn({ ...bare, identities: [ofTenant] }, { ...offered, providers: many }), true)
})

test("FACTOR-2 a passkey counts only where passkeys work", () => {
  const { providers } = offered
  assert.equal(hasWayIn({ ...bare, factors: [passkey] }, { hasPasskeys: false, providers }), false)
  assert.equal(hasLocalWayIn({ ...bare, factors: [passkey] }, { hasPasskeys: false }), false)
})

test("UP-10 a way in without a provider is a password or a passkey", () => {
  assert.equal(hasLocalWayIn({ ...bare, account: person }, { hasPasskeys: false }), true)
  assert.equal(hasLocalWayIn({ ...bare, factors: [totp, passkey] }, { hasPasskeys: true }), true)
  assert.equal(hasLocalWayIn({ ...bare, factors: [totp] }, { hasPasskeys: true }), false)
})

test("LOGIN-12 where an application is the only way, it alone counts, except for an administrator", () => {
  const only = { ...offered, providers: [{ issuer }, { issuer: "shop" }], only: "shop" }
  const shop = { ...identity, issuer: "shop" }
  const all = { ...bare, account: person, factors: [passkey], identities: [identity] }
  assert.equal(hasWayIn(all, only), false)
  assert.equal(hasWayIn({ ...bare, identities: [shop] }, only), true)
  assert.equal(hasWayIn({ ...all, account: { ...person, admin: true } }, only), true)
  assert.equal(hasWayIn({ ...bare, identities: [shop] }, { ...only, only: undefined }), true)
})
