import { test } from "node:test"
import assert from "node:assert/strict"
import type { Life, Retired } from "../../../src/model/credential.rules.ts"
import {
  type CredentialEvent,
  credentialTable,
  decideCredential,
  presentedEvent,
} from "../../../src/oauth/credential/credential-table.rules.ts"
import type { Presented } from "../../../src/oauth/credential/refresh-token.rules.ts"
import { credential, hash, lives, permissions, TOKEN_ID } from "../../support/core-sample.ts"

const retired: Retired = { hash: hash("r1"), answeredScope: permissions("files:read") }
const events: Record<CredentialEvent["event"], CredentialEvent> = {
  currentPresented: { event: "currentPresented" },
  previousWithinGracePresented: { event: "previousWithinGracePresented", retired },
  olderWithinGracePresented: { event: "olderWithinGracePresented" },
  reusedAfterGracePresented: { event: "reusedAfterGracePresented" },
  neverIssuedPresented: { event: "neverIssuedPresented" },
  revoked: { event: "revoked", because: "account-holder" },
}

const unknown = { decision: "refuse", refusal: { reason: "refreshTokenUnknown" } }
const isRevoked = { decision: "refuse", refusal: { reason: "credentialRevoked", tokenId: TOKEN_ID } }
const isEnded = { decision: "refuse", refusal: { reason: "credentialEnded", tokenId: TOKEN_ID } }
const revoke = { decision: "revoke", because: "account-holder", refusal: null }

/** One column of the table: what each event does in a state. */
function column(state: Life["state"], expected: Record<CredentialEvent["event"], unknown>): void {
  for (const [name, event] of Object.entries(events) as [CredentialEvent["event"], CredentialEvent][]) {
    assert.deepEqual(decideCredential(credential(lives[state]), event), expected[name], `${state} ${name}`)
  }
}

test("CRED-1, CRED-2, CRED-3 active: each token as it deserves, and revocation", () => {
  column("active", {
    currentPresented: { decision: "rotate" },
    previousWithinGracePresented: { decision: "answerAgain", retired },
    olderWithinGracePresented: {
      decision: "refuse",
      refusal: { reason: "refreshTokenRetired", tokenId: TOKEN_ID },
    },
    reusedAfterGracePresented: {
      decision: "revoke",
      because: "refresh-token-reused",
      refusal: { reason: "refreshTokenReused", tokenId: TOKEN_ID },
    },
    neverIssuedPresented: unknown,
    revoked: revoke,
  })
})

test("CRED-1, CRED-3 issued: there is no refresh token yet, but there is a consent to revoke", () => {
  column("issued", {
    currentPresented: unknown,
    previousWithinGracePresented: unknown,
    olderWithinGracePresented: unknown,
    reusedAfterGracePresented: unknown,
    neverIssuedPresented: unknown,
    revoked: revoke,
  })
})

test("CRED-2, CRED-3 revoked: for good", () => {
  column("revoked", {
    currentPresented: isRevoked,
    previousWithinGracePresented: isRevoked,
    olderWithinGracePresented: isRevoked,
    reusedAfterGracePresented: isRevoked,
    neverIssuedPresented: unknown,
    revoked: { decision: "leave" },
  })
})

test("CRED-4 ended: for good", () => {
  column("ended", {
    currentPresented: isEnded,
    previousWithinGracePresented: isEnded,
    olderWithinGracePresented: isEnded,
    reusedAfterGracePresented: isEnded,
    neverIssuedPresented: unknown,
    revoked: { decision: "leave" },
  })
})

test("CRED-1…CRED-4 the table has these states and events, and no others", () => {
  assert.deepEqual(Object.keys(credentialTable).toSorted(), Object.keys(lives).toSorted())
  for (const cells of Object.values(credentialTable)) {
    assert.deepEqual(Object.keys(cells).toSorted(), Object.keys(events).toSorted())
  }
})

test("CRED-1, CRED-2 each kind of token makes its event", () => {
  const kinds: Record<Presented, CredentialEvent> = {
    current: events.currentPresented,
    previousWithinGrace: events.previousWithinGracePresented,
    olderWithinGrace: events.olderWithinGracePresented,
    reusedAfterGrace: events.reusedAfterGracePresented,
    neverIssued: events.neverIssuedPresented,
  }
  for (const [kind, event] of Object.entries(kinds) as [Presented, CredentialEvent][]) {
    assert.deepEqual(presentedEvent(kind, retired), event)
  }
  assert.deepEqual(presentedEvent("previousWithinGrace", null), events.neverIssuedPresented)
})
