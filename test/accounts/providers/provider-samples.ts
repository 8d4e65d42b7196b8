/** Sample values for the rules of sign-in providers. */
import type { Arrival } from "../../../src/accounts/providers/arrival.rules.ts"
import type { NewLink } from "../../../src/accounts/providers/link.rules.ts"
import type { FactorId, TokenId, UserId } from "../../../src/kernel/ids.ts"
import { type Account, NO_PASSWORD } from "../../../src/model/account.rules.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import type { Totp } from "../../../src/model/factor.rules.ts"
import type { Identity } from "../../../src/model/sign-in/identity.rules.ts"
import { account, hash, NOW, USER_ID } from "../../support/core-sample.ts"

export const OTHER_ID = "01kb3w5f6y8m2q4r7t9v1x3z5e" as UserId
export const ticketId = "ticket" as TokenId

/** A person who can sign in through a provider only. */
export const person: Account = { ...account, passwordHash: NO_PASSWORD }

export const identity: Identity = {
  identityHash: hash("identity"),
  issuer: "https://id.example",
  subject: "1",
  userId: USER_ID,
  provider: "work",
  shownName: "ada@id.example",
  linkedAt: NOW - 1000,
  grantsAdministration: false,
}

export const newLink: NewLink = {
  identityHash: identity.identityHash,
  key: { issuer: identity.issuer, subject: identity.subject },
  provider: identity.provider,
  shownName: identity.shownName,
}

export const totp: Totp = {
  factorId: "f" as FactorId,
  userId: USER_ID,
  name: "Phone",
  addedAt: NOW,
  usedAt: null,
  kind: "totp",
  sealedSecret: "sealed",
  usedStep: 0,
}

/** The change that stands for those that sign a browser in. */
export const signedIn = (userId: UserId): Change => ({
  change: "browserKnown",
  browserHash: hash("browser"),
  userId,
  at: NOW,
})

export const arrival: Arrival = {
  provider: "work",
  ticketId,
  now: NOW,
  address: "192.0.2.1",
  isSecondFactor: false,
  isAdministrator: null,
  groups: null,
  session: ({ userId }) => ({ secret: "secret", changes: [signedIn(userId)] }),
  renewed: () => null,
}

export const spent: Change = { change: "ticketSpent", ticketId, at: NOW }

/** Returns each event as its kind and detail. */
export function eventsOf(changes: readonly Change[]): readonly string[] {
  return changes.flatMap((one) =>
    one.change === "eventRecorded" ? [`${one.event.kind}: ${one.event.detail}`] : [],
  )
}

export function kindsOf(changes: readonly Change[]): readonly string[] {
  return changes.map((one) => one.change)
}
