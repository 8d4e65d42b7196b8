import { describe, test } from "node:test"
import assert from "node:assert/strict"
import {
  type Arrival,
  decideArrival,
  decideNewcomer,
  refusedDisabled,
} from "../../../src/accounts/providers/arrival.rules.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import type { Username } from "../../../src/model/username.rules.ts"
import { session as sampleSession } from "../../store/samples.ts"
import { hash, NOW, USER_ID } from "../../support/core-sample.ts"
import {
  arrival,
  eventsOf,
  identity,
  kindsOf,
  OTHER_ID,
  person,
  signedIn,
  spent,
  ticketId,
  totp,
} from "./provider-samples.ts"

type Rows = Parameters<typeof decideArrival>[0]
const rows: Rows = {
  account: person,
  identity,
  factors: [],
  otherAdministrator: null,
  memberships: null,
  email: null,
  emailByKey: null,
  spentTicket: null,
  session: null,
}
const arrive = (more: Partial<Rows> = {}, facts: Partial<Arrival> = {}) =>
  decideArrival({ ...rows, ...more }, { ...arrival, ...facts })
const stale = { answer: { outcome: "stale" }, changes: [] }

describe("a person whose account is linked", () => {
  test("UP-1 is signed in, and the sign-in is spent", () => {
    assert.deepEqual(arrive(), {
      answer: { outcome: "signed-in", secret: "secret" },
      changes: [spent, signedIn(USER_ID)],
    })
  })

  test("UP-3 a used sign-in, and a link or an account that is gone, sign in no account", () => {
    for (const more of [
      { spentTicket: { at: NOW } },
      { identity: null },
      { account: null },
      { identity: { ...identity, userId: OTHER_ID } },
      { account: { ...person, type: "service" } as const },
    ])
      assert.deepEqual(arrive(more), stale, JSON.stringify(more))
  })

  test("UP-1 a disabled account is refused, with an event that names the provider", () => {
    const disabled = { ...person, enabled: false }
    const refused = {
      answer: { outcome: "disabled" },
      changes: [
        spent,
        {
          change: "eventRecorded",
          event: event("sign-in-refused", NOW, {
            userId: USER_ID,
            address: arrival.address,
            detail: "work: the account is disabled",
          }),
        },
      ],
    }
    assert.deepEqual(arrive({ account: disabled }), refused)
    assert.deepEqual(refusedDisabled(disabled, arrival), refused)
  })

  test("UP-12 a second factor of the account is asked for, unless the provider proved one", () => {
    const through = {
      provider: "work",
      identityHash: identity.identityHash,
      isAdministrator: null,
      groups: null,
      followed: undefined,
    }
    assert.deepEqual(arrive({ factors: [totp] }), {
      answer: { outcome: "second-step", account: person, through },
      changes: [spent],
    })
    assert.deepEqual(arrive({ factors: [totp] }, { isSecondFactor: true }), arrive())
    assert.deepEqual(arrive({ factors: null }), arrive())
  })

  test("LOGIN-11 a renewed session goes on as it is, without a second step, and groups follow", () => {
    const session = sampleSession(0, { vouched: { by: "work", at: NOW - 600 } })
    const vouched: Change = { change: "sessionVouched", sessionHash: session.sessionHash, at: NOW }
    const renewed: Arrival["renewed"] = (account, found) => {
      assert.deepEqual([account, found], [person, session])
      return { secret: "the same", changes: [vouched] }
    }
    const answer = { outcome: "signed-in", secret: "the same" }
    for (const factors of [[], [totp]]) {
      assert.deepEqual(arrive({ session, factors }, { renewed }), { answer, changes: [spent, vouched] })
      const given = arrive({ session, factors, memberships: [] }, { renewed, groups: ["staff"] })
      assert.deepEqual(kindsOf(given.changes), [
        "ticketSpent",
        "membershipsSet",
        "eventRecorded",
        "sessionVouched",
      ])
    }
  })

  test("UP-13 the rule gives and takes administration in the same change, but not before the second step", () => {
    const given = arrive({}, { isAdministrator: true })
    assert.deepEqual(kindsOf(given.changes), [
      "ticketSpent",
      "accountChanged",
      "eventRecorded",
      "identityChanged",
      "browserKnown",
    ])
    assert.deepEqual(eventsOf(given.changes), ["administration-granted: by the rule of work"])
    const before = arrive({ factors: [totp] }, { isAdministrator: true })
    assert.deepEqual(before.changes, [spent])
    assert.ok(before.answer.outcome === "second-step" && before.answer.through.isAdministrator === true)
    const admin = { ...person, admin: true }
    const taken = arrive(
      {
        account: admin,
        identity: { ...identity, grantsAdministration: true },
        otherAdministrator: { ...admin, userId: OTHER_ID },
      },
      { isAdministrator: false },
    )
    assert.deepEqual(eventsOf(taken.changes), ["administration-withdrawn: by the rule of work"])
  })
})

describe("a newcomer", () => {
  type NewRows = Parameters<typeof decideNewcomer>[0]
  const free: NewRows = { accountByName: null, emailByKey: null, identity: null, spentTicket: null }
  const name: Username = { username: "Ada", usernameKey: "ada" }
  const key = {
    identityHash: hash("identity"),
    issuer: identity.issuer,
    subject: identity.subject,
    provider: "work",
    shownName: identity.shownName,
  }
  const come = (more: Partial<NewRows> = {}, facts: Partial<Arrival> = {}) =>
    decideNewcomer({ ...free, ...more }, { userId: USER_ID, name, identity: key }, { ...arrival, ...facts })

  test("UP-7 gets an account without a password, which is linked and signed in", () => {
    const { answer, changes } = come()
    assert.deepEqual(answer, { outcome: "signed-in", secret: "secret" })
    assert.deepEqual(changes, [
      { change: "ticketSpent", ticketId, at: NOW },
      {
        change: "accountAdded",
        account: { ...person, username: "Ada", usernameKey: "ada", createdAt: NOW },
      },
      {
        change: "eventRecorded",
        event: event("account-added", NOW, {
          userId: USER_ID,
          address: arrival.address,
          detail: "through work",
        }),
      },
      {
        change: "identityAdded",
        identity: { ...key, userId: USER_ID, linkedAt: NOW, grantsAdministration: false },
      },
      signedIn(USER_ID),
    ])
  })

  test("UP-7 never gets an account that exists: a taken name is asked for", () => {
    assert.deepEqual(come({ accountByName: person }), { answer: { outcome: "taken" }, changes: [] })
  })

  test("UP-3 a link that exists by now, and a used sign-in, create nothing", () => {
    assert.deepEqual(come({ identity }), stale)
    assert.deepEqual(come({ spentTicket: { at: NOW }, accountByName: person }), stale)
  })

  test("UP-13 is an administrator where the rule says so, and the link remembers it", () => {
    const { changes } = come({}, { isAdministrator: true })
    const account = changes.find((one) => one.change === "accountAdded")?.account
    const link = changes.find((one) => one.change === "identityAdded")?.identity
    assert.deepEqual([account?.admin, link?.grantsAdministration], [true, true])
    assert.deepEqual(eventsOf(changes), [
      "account-added: through work, administrator",
      "administration-granted: by the rule of work",
    ])
    for (const isAdministrator of [false, null]) assert.deepEqual(come({}, { isAdministrator }), come())
  })
})
