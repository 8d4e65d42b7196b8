import { describe, test } from "node:test"
import assert from "node:assert/strict"
import {
  type Acceptance,
  decideAccepted,
  decideInvited,
  decideRevoked,
  isInvitationOpen,
} from "../../../src/accounts/invitations/invitation.rules.ts"
import type { FactorId, InvitationId, UserId } from "../../../src/kernel/ids.ts"
import { DAY, HOUR } from "../../../src/kernel/time.ts"
import type { Account } from "../../../src/model/account.rules.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import type { Factor } from "../../../src/model/factor.rules.ts"
import type { Invitation } from "../../../src/model/invitation.rules.ts"
import type { AccountEmail } from "../../../src/model/mail/email.rules.ts"
import { account, hash, NOW, USER_ID } from "../../support/core-sample.ts"

const NETWORK = "192.0.2.1"
const ID = "01kb3w5f6y8m2q4r7t9v1x3z5i" as InvitationId
const ADMIN = { address: NETWORK, actorId: USER_ID }
const inviter: Account = { ...account, admin: true }
const invitation: Invitation = {
  invitationId: ID,
  linkHash: hash("link"),
  username: "grace",
  email: "Grace@corp.example",
  isMailed: true,
  admin: false,
  groups: [],
  invitedBy: USER_ID,
  madeAt: NOW,
  expiresAt: NOW + 7 * DAY,
}
const held: AccountEmail = {
  userId: USER_ID,
  address: "grace@corp.example",
  addressKey: "grace@corp.example",
  verifiedAt: NOW,
}
const kindsOf = (changes: readonly Change[]) =>
  changes.map((change) => (change.change === "eventRecorded" ? change.event.kind : change.change))

describe("making an invitation", () => {
  const free = { account: inviter, accountByName: null, emailByKey: null }
  const mail = { sealedLink: "sealed", language: "de" }

  test("INVITE-1, INVITE-4 the link is mailed, without the network address of the administrator", () => {
    const detail = `${ID}, grace, Grace@corp.example`
    assert.deepEqual(decideInvited(free, invitation, mail, ADMIN), {
      answer: "done",
      changes: [
        { change: "invitationAdded", invitation },
        {
          change: "mailQueued",
          mail: {
            mailId: ID,
            kind: "invited",
            clientId: null,
            redirectHost: null,
            userId: null,
            to: { address: "Grace@corp.example" },
            networkAddress: null,
            sealedLink: "sealed",
            language: "de",
            at: NOW,
            expiresAt: NOW + 2 * DAY,
          },
        },
        { change: "eventRecorded", event: event("account-invited", NOW, { ...ADMIN, detail }) },
      ],
    })
  })

  test("INVITE-4 the mail for an administrator is another one, and none is sent when the link hardly works", () => {
    const short = { ...invitation, admin: true, expiresAt: NOW + HOUR }
    const { changes } = decideInvited(free, short, mail, ADMIN)
    const queued = changes.find((change) => change.change === "mailQueued")?.mail
    assert.deepEqual([queued?.kind, queued?.expiresAt], ["invited-administrator", NOW + 50 * 60])
    const recorded = changes.find((change) => change.change === "eventRecorded")?.event
    assert.equal(recorded?.detail, `${ID}, grace, Grace@corp.example, administrator`)
  })

  test("INVITE-1 without a mail, the link is in nothing that is stored", () => {
    const byHand = { ...invitation, isMailed: false, invitedBy: null }
    const { changes } = decideInvited({ ...free, account: null }, byHand, null, { address: null })
    assert.deepEqual(kindsOf(changes), ["invitationAdded", "account-invited"])
  })

  test("INVITE-1, INVITE-5 a name or an address that an account has is refused, and so is one who is no administrator", () => {
    const refused = (rows: Partial<Parameters<typeof decideInvited>[0]>) =>
      decideInvited({ ...free, ...rows }, invitation, mail, ADMIN)
    assert.deepEqual(refused({ accountByName: account }), { answer: "name-taken", changes: [] })
    assert.deepEqual(refused({ emailByKey: held }), { answer: "address-taken", changes: [] })
    for (const by of [null, account, { ...inviter, enabled: false }])
      assert.deepEqual(refused({ account: by }), { answer: "not-administrator", changes: [] })
  })
})

describe("an open invitation", () => {
  const open = (facts: Partial<Invitation> = {}, by: Account | null = inviter, now = NOW) =>
    isInvitationOpen({ ...invitation, ...facts }, by, now)

  test("INVITE-1 works from its making to its end, and not at a time before", () => {
    assert.equal(isInvitationOpen(null, inviter, NOW), false)
    assert.deepEqual(
      [NOW - DAY, NOW, NOW + 7 * DAY - 1, NOW + 7 * DAY + 1, NOW + 99 * DAY].map((now) =>
        open({}, inviter, now),
      ),
      [false, true, true, false, false],
    )
  })

  test("INVITE-5 works while the one who invited is an enabled administrator", () => {
    assert.equal(open({}, { ...inviter, admin: false }), false)
    assert.equal(open({}, { ...inviter, enabled: false }), false)
    assert.equal(open({}, { ...inviter, userId: "other" as UserId }), false)
    assert.equal(open({}, null), false)
    assert.equal(open({ invitedBy: null }, null), true)
  })
})

describe("accepting an invitation", () => {
  const newAccount: Account = { ...account, userId: "new" as UserId, username: "grace", createdAt: NOW + 9 }
  const acceptance: Acceptance = {
    account: newAccount,
    wayIn: [],
    by: "a password",
    address: NETWORK,
    signIn: [{ change: "browserKnown", browserHash: hash("b"), userId: newAccount.userId, at: NOW }],
  }
  const rows = { invitation, account: inviter, accountByName: null, emailByKey: null }
  const accept = (
    differing: Partial<Parameters<typeof decideAccepted>[0]> = {},
    of: Partial<Acceptance> = {},
  ) => decideAccepted({ ...rows, ...differing }, { ...acceptance, ...of })

  test("INVITE-2, INVITE-4 makes the account, confirms the mailed address and ends the invitation", () => {
    const { userId } = newAccount
    const at = NOW + 9
    const facts = { userId, address: NETWORK }
    assert.deepEqual(accept(), {
      answer: "done",
      changes: [
        { change: "accountAdded", account: newAccount },
        {
          change: "eventRecorded",
          event: event("account-added", at, { ...facts, actorId: USER_ID, detail: "by an invitation" }),
        },
        {
          change: "emailSet",
          email: {
            userId,
            address: "Grace@corp.example",
            addressKey: "grace@corp.example",
            verifiedAt: at,
          },
        },
        { change: "invitationEnded", invitationId: ID },
        {
          change: "eventRecorded",
          event: event("invitation-accepted", at, { ...facts, actorId: USER_ID, detail: "with a password" }),
        },
        ...acceptance.signIn,
      ],
    })
  })

  test("INVITE-4 an address that was not mailed, or that another account has, is left out", () => {
    const isSet = (differing: Parameters<typeof accept>[0]) =>
      kindsOf(accept(differing).changes).includes("emailSet")
    assert.equal(isSet({}), true)
    assert.equal(isSet({ invitation: { ...invitation, isMailed: false } }), false)
    assert.equal(isSet({ emailByKey: held }), false)
  })

  test("INVITE-1 the groups are given by hand, in the audit trail by the one who invited", () => {
    const { userId } = newAccount
    const facts = { userId, address: NETWORK, actorId: USER_ID, detail: "night staff" }
    const { changes } = accept({ invitation: { ...invitation, groups: ["night", "staff"] } })
    assert.deepEqual(changes.slice(2, 4), [
      {
        change: "membershipsSet",
        userId,
        memberships: [
          { group: "night", provider: null },
          { group: "staff", provider: null },
        ],
      },
      { change: "eventRecorded", event: event("groups-joined", NOW + 9, facts) },
    ])
  })

  test("INVITE-3 an administrator and a passkey", () => {
    const wayIn = [{ change: "factorRemoved", factorId: "any" as FactorId }] as const
    const { changes } = accept({}, { account: { ...newAccount, admin: true }, wayIn, by: "a passkey" })
    assert.deepEqual(kindsOf(changes), [
      "accountAdded",
      "account-added",
      "administration-granted",
      "factorRemoved",
      "emailSet",
      "invitationEnded",
      "invitation-accepted",
      "browserKnown",
    ])
  })

  test("INVITE-2, INVITE-3 nothing changes without an open invitation, a free name and a free passkey", () => {
    const refused = (differing: Parameters<typeof accept>[0]) => {
      const { answer, changes } = accept(differing)
      assert.deepEqual(changes, [])
      return answer
    }
    assert.equal(refused({ invitation: null }), "gone")
    assert.equal(refused({ account: null }), "gone")
    assert.equal(refused({ invitation: { ...invitation, expiresAt: NOW } }), "gone")
    assert.equal(refused({ accountByName: account }), "taken")
    assert.equal(refused({ passkey: {} as Factor }), "passkey-failed")
  })
})

test("INVITE-5 withdrawing ends the invitation, once", () => {
  const by = { ...ADMIN, now: NOW + 5 }
  const detail = `${ID}, grace, Grace@corp.example`
  assert.deepEqual(decideRevoked(invitation, by), {
    answer: true,
    changes: [
      { change: "invitationEnded", invitationId: ID },
      { change: "eventRecorded", event: event("invitation-revoked", NOW + 5, { ...ADMIN, detail }) },
    ],
  })
  assert.deepEqual(decideRevoked(null, by), { answer: false, changes: [] })
})
