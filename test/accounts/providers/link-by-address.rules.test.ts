import { test } from "node:test"
import assert from "node:assert/strict"
import type { Arrival } from "../../../src/accounts/providers/arrival.rules.ts"
import { decideLinkByAddress } from "../../../src/accounts/providers/link-by-address.rules.ts"
import { IDENTITIES_AT_MOST } from "../../../src/accounts/providers/link.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import type { AccountEmail } from "../../../src/model/mail/email.rules.ts"
import { account, hash, NOW, USER_ID } from "../../support/core-sample.ts"
import {
  arrival,
  eventsOf,
  identity,
  kindsOf,
  newLink,
  OTHER_ID,
  person,
  signedIn,
  spent,
  totp,
} from "./provider-samples.ts"

type Rows = Parameters<typeof decideLinkByAddress>[0]
const email: AccountEmail = {
  userId: USER_ID,
  address: "Ada@corp.example",
  addressKey: "ada@corp.example",
  verifiedAt: NOW - 1000,
}
const rows: Rows = {
  account,
  email: null,
  emailByKey: email,
  identity: null,
  identities: [],
  factors: [],
  otherAdministrator: null,
  memberships: null,
  spentTicket: null,
}
const decide = (more: Partial<Rows> = {}, facts: Partial<Arrival> = {}) =>
  decideLinkByAddress({ ...rows, ...more }, newLink, { ...arrival, ...facts })
const heldBecause = (more: Partial<Rows>) => {
  const { answer, changes } = decide(more)
  assert.deepEqual(changes, [])
  return answer.outcome === "address-held" ? answer.why : answer.outcome
}
const elsewhere = (number: number) => ({ ...identity, issuer: `https://${number}.example` })

test("UP-17 the account that confirmed the address is connected and signed in, with an event", () => {
  const facts = {
    userId: USER_ID,
    address: arrival.address,
    detail: "work by e-mail address: Ada@corp.example",
  }
  assert.deepEqual(decide(), {
    answer: { outcome: "signed-in", secret: "secret" },
    changes: [
      spent,
      { change: "identityAdded", identity: { ...identity, linkedAt: NOW } },
      { change: "eventRecorded", event: event("identity-linked", NOW, facts) },
      signedIn(USER_ID),
    ],
  })
})

test("GROUP-14 it is put into the groups of the claim, and keeps those of others", () => {
  const memberships = [{ group: "a", provider: null }]
  const { changes } = decide({ memberships }, { groups: ["b"] })
  assert.deepEqual(
    changes.find(({ change }) => change === "membershipsSet"),
    {
      change: "membershipsSet",
      userId: USER_ID,
      memberships: [...memberships, { group: "b", provider: "work" }],
    },
  )
})

test("UP-17 never an administrator's account, nor one with a second factor", () => {
  assert.equal(heldBecause({ account: { ...account, admin: true } }), "it is an administrator's")
  assert.equal(heldBecause({ factors: [totp] }), "it has a second factor")
})

test("UP-17 never by an address that only an application says is the account’s", () => {
  const emailByKey = { ...email, verifiedAt: 0 }
  assert.equal(heldBecause({ emailByKey }), "only an application says that the address is the account's")
})

test("UP-17 never an account that another subject of the issuer has", () => {
  assert.equal(
    heldBecause({ identities: [{ ...identity, subject: "2", identityHash: hash("other") }] }),
    "it is linked to another subject of this issuer",
  )
})

test("UP-9 an account has up to ten connections", () => {
  const links = Array.from({ length: IDENTITIES_AT_MOST }, (_, number) => elsewhere(number))
  assert.equal(heldBecause({ identities: links }), "it has too many links")
  assert.equal(decide({ identities: links.slice(1) }).answer.outcome, "signed-in")
})

test("UP-17 rows that were not loaded stand for none", () => {
  assert.deepEqual(decide({ identities: null, factors: null }), decide())
})

test("UP-17 a disabled account is refused as such", () => {
  const { answer, changes } = decide({ account: { ...account, enabled: false, admin: true } })
  assert.deepEqual(answer, { outcome: "disabled" })
  assert.deepEqual(eventsOf(changes), ["sign-in-refused: work: the account is disabled"])
})

test("UP-17 what changed meanwhile connects nothing", () => {
  for (const more of [
    { spentTicket: { at: NOW } },
    { identity },
    { account: null },
    { account: { ...person, type: "service" } as const },
    { emailByKey: null },
    { emailByKey: { ...email, userId: OTHER_ID } },
  ])
    assert.deepEqual(decide(more), { answer: { outcome: "stale" }, changes: [] }, JSON.stringify(more))
})

test("UP-13 the rule gives administration to an account that is connected by its address", () => {
  const { changes } = decide({}, { isAdministrator: true })
  assert.deepEqual(kindsOf(changes), [
    "ticketSpent",
    "identityAdded",
    "eventRecorded",
    "accountChanged",
    "eventRecorded",
    "identityChanged",
    "browserKnown",
  ])
})
