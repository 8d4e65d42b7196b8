import { describe, test } from "node:test"
import assert from "node:assert/strict"
import {
  decideLink,
  decideUnlink,
  decideUnlinkOf,
  IDENTITIES_AT_MOST,
  type LinkInput,
} from "../../../src/accounts/providers/link.rules.ts"
import type { Session } from "../../../src/model/account.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import type { Identity } from "../../../src/model/sign-in/identity.rules.ts"
import { account, hash, NOW, USER_ID } from "../../support/core-sample.ts"
import {
  eventsOf,
  identity,
  kindsOf,
  newLink,
  OTHER_ID,
  person,
  spent,
  ticketId,
} from "./provider-samples.ts"

const session: Session = {
  sessionHash: hash("session"),
  userId: USER_ID,
  createdAt: NOW,
  seenAt: NOW,
  address: "192.0.2.1",
  userAgent: "Browser",
  proof: null,
  vouched: null,
}
const operator: LinkInput = { userId: USER_ID, now: NOW, address: null, session: null }
const holder: LinkInput = {
  ...operator,
  address: "192.0.2.1",
  session: { sessionHash: session.sessionHash, ticketId },
}
const added: Identity = { ...identity, linkedAt: NOW }
const other = (number: number): Identity => ({
  ...identity,
  identityHash: hash(`other ${number}`),
  subject: `other ${number}`,
})

describe("linking", () => {
  type Rows = Parameters<typeof decideLink>[0]
  const rows: Rows = { account, identity: null, identities: [], session, spentTicket: null }
  const link = (more: Partial<Rows> = {}, from = holder) => decideLink({ ...rows, ...more }, newLink, from)
  const refusedFor = (more: Partial<Rows>, from = holder) => {
    const { answer, changes } = link(more, from)
    return { problem: answer.ok ? "" : answer.error, changes }
  }

  test("UP-9 adds the link with its event, and spends the sign-in at the provider", () => {
    const facts = { userId: USER_ID, address: holder.address, detail: "work: ada@id.example" }
    assert.deepEqual(link(), {
      answer: { ok: true, value: added },
      changes: [
        spent,
        { change: "identityAdded", identity: added },
        { change: "eventRecorded", event: event("identity-linked", NOW, facts) },
      ],
    })
  })

  test("UP-15 the operator needs no session, and nothing is spent", () => {
    const { answer, changes } = link({ session: null, spentTicket: { at: NOW } }, operator)
    assert.equal(answer.ok, true)
    assert.deepEqual(kindsOf(changes), ["identityAdded", "eventRecorded"])
    const disabled = link({ account: { ...account, enabled: false } }, operator)
    assert.equal(disabled.answer.ok, true)
  })

  test("UP-9 only in the session that began, once, and while the account is enabled", () => {
    for (const more of [
      { session: null },
      { session: { ...session, userId: OTHER_ID } },
      { account: { ...account, enabled: false } },
      { spentTicket: { at: NOW } },
    ]) {
      const { problem, changes } = refusedFor(more)
      assert.equal(problem, "signed-out")
      assert.deepEqual(changes, [])
    }
  })

  test("UP-9 service accounts are never connected", () => {
    for (const more of [{ account: null }, { account: { ...account, type: "service" } as const }])
      for (const from of [holder, operator]) {
        const { problem, changes } = refusedFor(more, from)
        assert.equal(problem, "not-a-person")
        assert.deepEqual(changes, [])
      }
  })

  test("UP-9 a subject has one account; the same link again changes nothing", () => {
    const taken = refusedFor({ identity: { ...identity, userId: OTHER_ID } })
    assert.equal(taken.problem, "of-another")
    assert.deepEqual(taken.changes, [spent])
    assert.deepEqual(link({ identity }), { answer: { ok: true, value: identity }, changes: [spent] })
  })

  test("UP-9 an account has up to ten", () => {
    assert.equal(IDENTITIES_AT_MOST, 10)
    const links = Array.from({ length: 10 }, (_, number) => other(number))
    const full = refusedFor({ identities: links })
    assert.equal(full.problem, "too-many")
    assert.deepEqual(full.changes, [spent])
    assert.equal(link({ identities: links.slice(1) }).answer.ok, true)
    assert.equal(link({ identities: null }).answer.ok, true)
  })
})

describe("removing a link", () => {
  const from = { now: NOW, address: "192.0.2.1", actorId: null }
  const offered = { hasPasskeys: true, providers: [{ issuer: identity.issuer }] }
  const admin = { ...account, admin: true }
  const chief = { ...admin, userId: OTHER_ID }
  const none = {
    otherAdministrator: null,
    memberships: null,
    organizationCredentials: null,
    providers: new Map(),
  }
  const removed = [
    { change: "identityRemoved", identity },
    {
      change: "eventRecorded",
      event: event("identity-unlinked", NOW, {
        userId: USER_ID,
        address: from.address,
        detail: "work: ada@id.example",
      }),
    },
  ]
  const unlink = (rows: { account?: typeof account; identities?: readonly Identity[] } = {}) =>
    decideUnlink({ account, factors: [], identities: [identity], ...none, ...rows }, offered, identity, from)

  test("UP-10 the holder cannot remove the last way to sign in", () => {
    assert.deepEqual(unlink(), { answer: { ok: true, value: identity }, changes: removed })
    const last = unlink({ account: person })
    assert.ok(!last.answer.ok)
    assert.deepEqual(last.changes, [])
    assert.equal(unlink({ account: person, identities: [identity, other(1)] }).answer.ok, true)
  })

  test("UP-13 what the provider's rule gave goes with the link, and nothing that it did not give", () => {
    const given = { ...identity, grantsAdministration: true }
    const rows = { ...none, account: admin, factors: [], identities: [given] }
    const remove = (otherAdministrator: typeof account | null, one: Identity) =>
      decideUnlink({ ...rows, otherAdministrator }, offered, one, from).changes
    assert.deepEqual(eventsOf(remove(chief, given)), [
      "administration-withdrawn: by the rule of work",
      "identity-unlinked: work: ada@id.example",
    ])
    const notGiven = ["identity-unlinked: work: ada@id.example"]
    assert.deepEqual(eventsOf(remove(chief, identity)), notGiven)
    assert.deepEqual(eventsOf(remove(null, given)), notGiven, "the last administrator stays one")
  })

  test("UP-15 the operator removes a subject of the issuer, and of earlier issuers of the provider", () => {
    const moved = { ...identity, identityHash: hash("moved"), issuer: "https://old.example" }
    const renamed = { ...identity, identityHash: hash("renamed"), provider: "former" }
    const strange = {
      ...identity,
      identityHash: hash("strange"),
      issuer: "https://other.example",
      provider: "other",
    }
    const identities = [identity, moved, renamed, strange, other(1)]
    const rows = { ...none, account, identities }
    const { answer, changes } = decideUnlinkOf(rows, identity, { ...from, actorId: OTHER_ID })
    assert.equal(answer, true)
    assert.deepEqual(
      changes.flatMap((one) => (one.change === "identityRemoved" ? [one.identity] : [])),
      [identity, moved, renamed],
    )
    const actors = changes.flatMap((one) => (one.change === "eventRecorded" ? [one.event.actorId] : []))
    assert.deepEqual(actors, [OTHER_ID, OTHER_ID, OTHER_ID])
    assert.deepEqual(changes.at(-1), { change: "sessionsEnded", userId: USER_ID, except: null, at: NOW })
  })

  test("UP-15 a subject that the account does not have removes nothing", () => {
    const rows = { ...none, account, identities: [other(1)] }
    assert.deepEqual(decideUnlinkOf(rows, identity, from), { answer: false, changes: [] })
  })

  test("UP-15 the event names a person at the provider without a name by the subject", () => {
    const nameless = { ...identity, shownName: null }
    const rows = { ...none, account, identities: [nameless] }
    assert.deepEqual(eventsOf(decideUnlinkOf(rows, identity, from).changes), ["identity-unlinked: work: 1"])
  })
})
