import { test } from "node:test"
import assert from "node:assert/strict"
import type { Account } from "../../src/model/account.rules.ts"
import type { UserId } from "../../src/kernel/ids.ts"
import {
  type EndingChange,
  decideAdministration,
  decideDisabling,
  decideEnabling,
  decideNewPassword,
  decideRemoval,
  decideRenaming,
} from "../../src/accounts/account-change.rules.ts"
import type { Decided } from "../../src/model/change.rules.ts"
import { event } from "../../src/model/event.rules.ts"
import { account, hash, NOW, USER_ID } from "../support/core-sample.ts"

const administrator: Account = { ...account, admin: true }
const other: Account = { ...administrator, userId: "01kb3w5f6y8m2q4r7t9v1x3z5d" as UserId, username: "Bob" }

const asked = (facts: Partial<EndingChange>): EndingChange => ({
  account,
  otherAdministrator: null,
  serviceAccounts: [],
  owner: null,
  now: NOW,
  address: "192.0.2.1",
  ...facts,
})

const recorded = (kind: Parameters<typeof event>[0]) => ({
  change: "eventRecorded",
  event: event(kind, NOW, { userId: USER_ID, address: "192.0.2.1" }),
})

test("the last enabled administrator is not disabled, withdrawn or removed, and nothing is written", () => {
  const last = asked({ account: administrator })
  const decisions: readonly Decided<{ ok: boolean }>[] = [
    decideDisabling(last),
    decideAdministration(last, false),
    decideRemoval(last),
  ]
  for (const { answer, changes } of decisions) {
    assert.equal(answer.ok, false)
    assert.deepEqual(changes, [])
  }
})

test("with another enabled administrator, an administrator is like any account", () => {
  const oneOfTwo = asked({ account: administrator, otherAdministrator: other })
  assert.ok(decideDisabling(oneOfTwo).answer.ok)
  assert.ok(decideAdministration(oneOfTwo, false).answer.ok)
  assert.ok(decideRemoval(oneOfTwo).answer.ok)
})

test("a disabled administrator is not the last enabled one", () => {
  assert.ok(decideRemoval(asked({ account: { ...administrator, enabled: false } })).answer.ok)
})

test("disabling signs every browser out in the same change", () => {
  assert.deepEqual(decideDisabling(asked({})).changes, [
    { change: "accountChanged", account: { ...account, enabled: false } },
    { change: "sessionsEnded", userId: USER_ID, except: null, at: NOW },
    { change: "approvalsDenied", userId: USER_ID, at: NOW },
    recorded("account-disabled"),
  ])
})

test("INVITE-5 the invitations of an administrator end with their administration, in each way that it ends", () => {
  const ended = { change: "invitationsEnded", invitedBy: USER_ID }
  const change = asked({ account: administrator, otherAdministrator: other })
  for (const { changes } of [
    decideDisabling(change),
    decideAdministration(change, false),
    decideRemoval(change),
  ])
    assert.deepEqual(
      changes.filter((one) => one.change === "invitationsEnded"),
      [ended],
    )
})

test("what is so already is answered and not written", () => {
  const disabled = { ...account, enabled: false }
  for (const { answer, changes } of [
    decideDisabling(asked({ account: disabled })),
    decideEnabling(asked({})),
    decideAdministration(asked({}), false),
    decideAdministration(asked({ account: administrator }), true),
  ]) {
    assert.ok(answer.ok)
    assert.deepEqual(changes, [])
  }
})

test("administration is granted and recorded", () => {
  assert.deepEqual(decideAdministration(asked({}), true).changes, [
    { change: "accountChanged", account: administrator },
    recorded("administration-granted"),
  ])
})

test("a new password leaves the session that asked for it", () => {
  const except = hash("mine")
  const { changes } = decideNewPassword(asked({}), "$argon2id$new", except)
  assert.deepEqual(changes, [
    { change: "accountChanged", account: { ...account, passwordHash: "$argon2id$new" } },
    { change: "sessionsEnded", userId: USER_ID, except, at: NOW },
    recorded("password-changed"),
  ])
})

test("an account may take another spelling of its own name, and not the name of another", () => {
  const renamed = { username: "ADA", usernameKey: "ada" }
  assert.deepEqual(decideRenaming(asked({}), renamed, account).answer, {
    ok: true,
    value: { ...account, ...renamed },
  })
  const taken = decideRenaming(asked({}), { username: "bob", usernameKey: "bob" }, other)
  assert.deepEqual(taken, {
    answer: { ok: false, error: 'The name is taken: there is an account "Bob".' },
    changes: [],
  })
})

test("CRED-3: a removed account's credentials are revoked before the account goes, in one change", () => {
  assert.deepEqual(decideRemoval(asked({})).changes, [
    { change: "credentialsRevoked", of: { userId: USER_ID }, at: NOW, because: "account-removed" },
    { change: "approvalsDenied", userId: USER_ID, at: NOW },
    { change: "accountRemoved", userId: USER_ID },
    recorded("account-removed"),
  ])
})

const robot: Account = {
  ...account,
  userId: "01kb3w5f6y8m2q4r7t9v1x3z6e" as UserId,
  username: "Robot",
  usernameKey: "robot",
  type: "service",
  ownerId: USER_ID,
  passwordHash: null,
}

test("SERVICE-1 a service account is disabled with its owner, and when the owner is removed", () => {
  const off = { ...robot, userId: "01kb3w5f6y8m2q4r7t9v1x3z7f" as UserId, enabled: false }
  for (const [decide, detail] of [
    [decideDisabling, "the owner was disabled"],
    [decideRemoval, "the owner was removed"],
  ] as const) {
    const { changes } = decide(asked({ serviceAccounts: [robot, off] }))
    const ofRobots = changes.filter(
      (one) => one.change === "accountChanged" && one.account.type === "service",
    )
    assert.deepEqual(ofRobots, [{ change: "accountChanged", account: { ...robot, enabled: false } }])
    const facts = { userId: robot.userId, address: "192.0.2.1", detail }
    const recordedOfRobot = { change: "eventRecorded", event: event("account-disabled", NOW, facts) }
    assert.ok(changes.some((one) => JSON.stringify(one) === JSON.stringify(recordedOfRobot)))
  }
})

test("SERVICE-1 a service account is not enabled while its owner is disabled", () => {
  const off = { ...robot, enabled: false }
  const refused = decideEnabling(asked({ account: off, owner: { ...account, enabled: false } }))
  assert.deepEqual([refused.answer.ok, refused.changes], [false, []])
  assert.ok(decideEnabling(asked({ account: off, owner: account })).answer.ok)
  assert.ok(decideEnabling(asked({ account: off, owner: null })).answer.ok)
})
