import { test } from "node:test"
import assert from "node:assert/strict"
import type { KeyId } from "../../src/kernel/ids.ts"
import type { Change } from "../../src/model/change.rules.ts"
import { EVERYTHING, type Invalidation, invalidationOf } from "../../src/model/invalidation.rules.ts"
import type { Identity } from "../../src/model/sign-in/identity.rules.ts"
import type { KeyState } from "../../src/model/signing-key.rules.ts"
import {
  account,
  CLIENT_ID,
  credential,
  hash,
  lives,
  NOW,
  publicClient,
  TOKEN_ID,
  USER_ID,
} from "../support/core-sample.ts"

const ofAccount: Invalidation = { of: "account", key: USER_ID }
const ofClient: Invalidation = { of: "client", key: CLIENT_ID }
const ofCredential: Invalidation = { of: "credential", key: TOKEN_ID }
const token = { hash: hash("token"), tokenId: TOKEN_ID }

function keySet(state: KeyState): Change {
  const key = { kid: "key" as KeyId, algorithm: "ES256", publicJwk: "{}", sealedPrivate: null } as const
  return { change: "signingKeySet", key: { ...key, state, madeAt: NOW, signsFrom: NOW, endedAt: null } }
}

const identity: Identity = {
  identityHash: hash("identity"),
  issuer: "shop",
  subject: "42",
  userId: USER_ID,
  provider: "shop",
  shownName: null,
  linkedAt: NOW,
  grantsAdministration: false,
}

/** The changes that can change or take away what a resource server has learned about a token. */
const loud: readonly (readonly [Change, Invalidation | typeof EVERYTHING | null])[] = [
  [{ change: "accountChanged", account }, ofAccount],
  [{ change: "accountRemoved", userId: USER_ID }, ofAccount],
  [{ change: "membershipsSet", userId: USER_ID, memberships: [] }, ofAccount],
  [{ change: "clientChanged", client: publicClient }, ofClient],
  [{ change: "clientRemoved", clientId: CLIENT_ID }, ofClient],
  [{ change: "credentialsRevoked", of: { userId: USER_ID }, at: NOW, because: "administrator" }, ofAccount],
  [{ change: "credentialsRevoked", of: { clientId: CLIENT_ID }, at: NOW, because: "app-removed" }, ofClient],
  [{ change: "credentialChanged", credential: credential(lives.revoked) }, ofCredential],
  [{ change: "credentialChanged", credential: credential(lives.ended) }, ofCredential],
  [{ change: "credentialChanged", credential: credential(lives.active) }, null],
  [{ change: "credentialChanged", credential: credential(lives.issued) }, null],
  [{ change: "serviceTokenEnded", token, because: "revoked" }, ofCredential],
  [{ change: "serviceTokenEnded", token, because: "expired" }, null],
  [keySet("withdrawn"), EVERYTHING],
  ...(["next", "signing", "former"] as const).map((state) => [keySet(state), null] as const),
]

type Loud =
  | "accountChanged"
  | "accountRemoved"
  | "clientChanged"
  | "clientRemoved"
  | "credentialsRevoked"
  | "credentialChanged"
  | "identityAdded"
  | "identityRemoved"
  | "membershipsSet"
  | "serviceTokenEnded"
  | "signingKeySet"

/** Every other kind of change: the type requires each. */
const quiet: Readonly<Record<Exclude<Change["change"], Loud>, true>> = {
  accountAdded: true,
  groupSet: true,
  // The contract of the store shows the invalidations of the members.
  groupRemoved: true,
  importSet: true,
  importRemoved: true,
  accountStaged: true,
  stagedRemoved: true,
  importedTokenAdded: true,
  importedTokenUsed: true,
  clientAdded: true,
  keysFetched: true,
  assertionSpent: true,
  iconSet: true,
  documentSet: true,
  credentialAdded: true,
  serviceTokenAdded: true,
  deviceGrantAdded: true,
  rememberedAdded: true,
  rememberedEnded: true,
  organizationBlocked: true,
  organizationAllowed: true,
  deviceGrantChanged: true,
  approvalsDenied: true,
  factorAdded: true,
  factorChanged: true,
  factorRemoved: true,
  factorsReset: true,
  identityChanged: true,
  codeTriesSet: true,
  sessionAdded: true,
  sessionSeen: true,
  sessionProven: true,
  sessionVouched: true,
  sessionEnded: true,
  sessionsEnded: true,
  sessionCredentialAdded: true,
  browserKnown: true,
  emailSet: true,
  emailRemoved: true,
  linkAdded: true,
  linkEnded: true,
  linksEnded: true,
  invitationAdded: true,
  invitationEnded: true,
  invitationsEnded: true,
  mailQueued: true,
  mailSettled: true,
  ticketSpent: true,
  settingSet: true,
  settingUnset: true,
  logoSet: true,
  appliedSet: true,
  appliedRemoved: true,
  metaSet: true,
  metaRemoved: true,
  sealedAgain: true,
  signingKeyRemoved: true,
  setupLinkSet: true,
  eventRecorded: true,
  eventCounted: true,
  tallied: true,
}

test("INTRO-4 what takes reach away makes the checks of its account, app or credential stale", () => {
  for (const [change, expected] of loud)
    assert.deepEqual(invalidationOf(change), expected, JSON.stringify(change))
})

test("LOGIN-30 an identity that is added or removed makes the checks of its account stale", () => {
  for (const change of ["identityAdded", "identityRemoved"] as const)
    assert.deepEqual(invalidationOf({ change, identity }), ofAccount, change)
})

test("INTRO-4 no other change makes a check stale", () => {
  for (const change of Object.keys(quiet)) assert.equal(invalidationOf({ change } as Change), null, change)
})
