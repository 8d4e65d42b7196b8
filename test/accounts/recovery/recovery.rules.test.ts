import { describe, test } from "node:test"
import assert from "node:assert/strict"
import {
  decideByHand,
  decideRecovered,
  decideRequested,
  isRecoveryAlive,
} from "../../../src/accounts/recovery/recovery.rules.ts"
import type { FactorId, MailId } from "../../../src/kernel/ids.ts"
import { HOUR, MINUTE } from "../../../src/kernel/time.ts"
import { NO_PASSWORD } from "../../../src/model/account.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import type { Factor } from "../../../src/model/factor.rules.ts"
import type { AccountEmail, OneTimeLink } from "../../../src/model/mail/email.rules.ts"
import type { RecentMail } from "../../../src/model/mail/mail.rules.ts"
import { account, hash, NOW, USER_ID } from "../../support/core-sample.ts"

type RecoveryRequest = Parameters<typeof decideRequested>[0]
type RecoveryAttempt = Parameters<typeof decideRecovered>[3]

const NETWORK = "192.0.2.1"
const email: AccountEmail = {
  userId: USER_ID,
  address: "Ada@corp.example",
  addressKey: "ada@corp.example",
  verifiedAt: NOW - 1000,
}
const newLink = { linkHash: hash("link"), sealedLink: "sealed", mailId: "mail" as MailId }
const request: RecoveryRequest = {
  account,
  email,
  mails: [],
  isKnownBrowser: false,
  leavesEvent: true,
  passwordDigest: hash("password"),
  now: NOW,
  networkAddress: NETWORK,
}
const link: OneTimeLink = {
  linkHash: hash("link"),
  userId: USER_ID,
  purpose: "recover",
  address: email.address,
  passwordDigest: hash("password"),
  madeAt: NOW,
  expiresAt: NOW + 30 * MINUTE,
}

describe("asking for a link", () => {
  const ask = (facts: Partial<RecoveryRequest> = {}) => decideRequested({ ...request, ...facts }, newLink)
  const refusedFor = (facts: Partial<RecoveryRequest>) => {
    const [change, ...more] = ask(facts)
    assert.deepEqual(more, [])
    assert.ok(change?.change === "eventRecorded" && change.event.kind === "recovery-refused")
    return change.event.detail
  }
  const sent = (secondsAgo: number, more: Partial<RecentMail> = {}): RecentMail => ({
    kind: "recover",
    at: NOW - secondsAgo,
    expiresAt: NOW - secondsAgo + 20 * MINUTE,
    isWaiting: false,
    ...more,
  })

  test("RECOVER-1, RECOVER-3 sends a link that works for half an hour, and ends no earlier one", () => {
    const facts = { userId: USER_ID, address: NETWORK, detail: "by e-mail" }
    assert.deepEqual(ask(), [
      { change: "linkAdded", link },
      { change: "eventRecorded", event: event("recovery-link-made", NOW, facts) },
      {
        change: "mailQueued",
        mail: {
          mailId: newLink.mailId,
          kind: "recover",
          clientId: null,
          redirectHost: null,
          userId: USER_ID,
          to: { address: email.address },
          networkAddress: NETWORK,
          sealedLink: "sealed",
          at: NOW,
          expiresAt: NOW + 20 * MINUTE,
        },
      },
    ])
  })

  test("RECOVER-1 an account that gets none leaves an event, so that it is as much work", () => {
    assert.equal(refusedFor({ account: null }), null)
    assert.equal(refusedFor({ account: null, email: null }), null)
    assert.equal(refusedFor({ email: null }), "no e-mail address")
    assert.equal(refusedFor({ account: { ...account, type: "service" } }), "not a person")
    assert.equal(refusedFor({ account: { ...account, enabled: false } }), "the account is disabled")
    const without = { ...account, passwordHash: NO_PASSWORD }
    assert.equal(refusedFor({ account: without }), "the account has no password")
  })

  test("RECOVER-1 the event of an unknown name has no account, and is left out without room", () => {
    assert.deepEqual(ask({ account: null }), [
      { change: "eventRecorded", event: event("recovery-refused", NOW, { address: NETWORK }) },
    ])
    for (const facts of [{ account: null }, { email: null }, { account: { ...account, enabled: false } }])
      assert.deepEqual(ask({ ...facts, leavesEvent: false }), [])
    assert.equal(ask({ leavesEvent: false }).length, 3, "a link is sent all the same")
  })

  test("RECOVER-2 none while a mail with one waits, until that mail is given up", () => {
    const waiting = sent(0, { isWaiting: true, expiresAt: NOW })
    for (const isKnownBrowser of [false, true])
      assert.equal(refusedFor({ mails: [waiting], isKnownBrowser }), "a link is on its way")
    assert.equal(ask({ mails: [{ ...waiting, expiresAt: NOW - 1 }] }).length, 3)
    assert.equal(ask({ mails: [{ ...waiting, kind: "signed-in" }] }).length, 3)
  })

  test("RECOVER-2 three an hour and twelve a day for strangers, six and twenty for a known browser", () => {
    const many = (count: number, secondsAgo: number) => Array.from({ length: count }, () => sent(secondsAgo))
    for (const [isKnownBrowser, hour, day] of [
      [false, 3, 12],
      [true, 6, 20],
    ] as const) {
      const tooMany = (mails: readonly RecentMail[]) => ask({ mails, isKnownBrowser }).length === 1
      assert.equal(tooMany(many(hour - 1, 60)), false)
      assert.equal(tooMany(many(hour, 60)), true)
      assert.equal(tooMany(many(hour, HOUR)), true)
      assert.equal(tooMany(many(hour, HOUR + 1)), false)
      assert.equal(tooMany(many(day - 1, 2 * HOUR)), false)
      assert.equal(tooMany(many(day, 2 * HOUR)), true)
      assert.equal(tooMany(many(day, 60).map((mail) => ({ ...mail, kind: "signed-in" }))), false)
    }
    assert.equal(refusedFor({ mails: many(3, 60) }), "too many links were sent")
  })

  test("RECOVER-6 a link of the operator goes to no address, and does not end those of e-mails", () => {
    const facts = { userId: USER_ID, address: null }
    const byHand = { passwordDigest: request.passwordDigest, now: NOW, networkAddress: null }
    assert.deepEqual(decideByHand(byHand, account, hash("link")), [
      { change: "linksEnded", userId: USER_ID, purpose: "recover-by-hand", since: 0 },
      { change: "linkAdded", link: { ...link, purpose: "recover-by-hand", address: null } },
      { change: "eventRecorded", event: event("recovery-link-made", NOW, facts) },
    ])
  })
})

describe("using a link", () => {
  const held = { account, email, passwordDigest: hash("password") }
  const alive = (facts: Partial<typeof held> = {}, one: OneTimeLink | null = link, now = NOW) =>
    isRecoveryAlive(one, { ...held, ...facts }, now)

  test("RECOVER-3 works while account, address and password stay, for half an hour", () => {
    assert.equal(alive(), true)
    assert.equal(alive({}, link, link.expiresAt), true)
    assert.equal(alive({}, link, link.expiresAt + 1), false)
    assert.equal(alive({}, null), false)
    assert.equal(alive({ account: { ...account, enabled: false } }), false)
    assert.equal(alive({ passwordDigest: hash("another") }), false)
    assert.equal(alive({ email: { ...email, address: "ada@corp.example" } }), false)
    assert.equal(isRecoveryAlive(link, { ...held, email: null }, NOW), false)
    for (const purpose of ["confirm-address", "restore-address"] as const)
      assert.equal(alive({}, { ...link, purpose }), false)
  })

  test("RECOVER-6 one of the operator needs no address", () => {
    const byHand: OneTimeLink = { ...link, purpose: "recover-by-hand", address: null }
    assert.equal(isRecoveryAlive(byHand, { ...held, email: null }, NOW), true)
    assert.equal(alive({ passwordDigest: hash("another") }, byHand), false)
    assert.equal(alive({}, byHand, byHand.expiresAt + 1), false)
  })

  const session = {
    sessionHash: hash("session"),
    userId: USER_ID,
    createdAt: NOW,
    seenAt: NOW,
    address: NETWORK,
    userAgent: "Browser",
    proof: null,
    vouched: null,
  }
  const attempt: RecoveryAttempt = {
    now: NOW,
    networkAddress: NETWORK,
    browserHash: hash("browser"),
    formerHash: null,
    proven: null,
    session,
  }
  const totp: Factor = {
    factorId: "f" as FactorId,
    userId: USER_ID,
    name: "Phone",
    addedAt: NOW,
    usedAt: null,
    kind: "totp",
    sealedSecret: "sealed",
    usedStep: 0,
  }
  const recover = (factors: readonly Factor[] = [], facts: Partial<RecoveryAttempt> = {}, now = NOW) =>
    decideRecovered(link, { ...held, factors }, "$new$", { ...attempt, now, ...facts })

  test("RECOVER-4 the new password ends every session and every such link, and signs this browser in", () => {
    const { answer, changes } = recover()
    assert.equal(answer, "done")
    assert.deepEqual(changes.slice(0, 2), [
      { change: "linksEnded", userId: USER_ID, purpose: "recover", since: 0 },
      { change: "linksEnded", userId: USER_ID, purpose: "recover-by-hand", since: 0 },
    ])
    const kinds = changes.map((one) => (one.change === "eventRecorded" ? one.event.kind : one.change))
    assert.ok(kinds.indexOf("sessionsEnded") < kinds.indexOf("sessionAdded"), kinds.join(" "))
    for (const kind of ["password-changed", "browserKnown", "signed-in"] as const)
      assert.ok(kinds.includes(kind), kind)
    const set = changes.find((one) => one.change === "accountChanged")
    assert.equal(set?.account.passwordHash, "$new$")
    const ended = changes.find((one) => one.change === "sessionsEnded")
    assert.equal(ended?.except, null)
  })

  test("RECOVER-5 a second step is asked for before the password, and is in the event of the sign-in", () => {
    assert.deepEqual(recover([totp]), { answer: "unproven", changes: [] })
    const { answer, changes } = recover([totp], { proven: "totp" })
    assert.equal(answer, "done")
    const [last] = changes.slice(-1)
    assert.ok(last?.change === "eventRecorded")
    assert.deepEqual([last.event.kind, last.event.detail], ["signed-in", "totp"])
  })

  test("RECOVER-3 a link that is gone changes nothing, whatever else was proven", () => {
    const gone = { answer: "gone", changes: [] }
    assert.deepEqual(recover([totp], { proven: "totp" }, link.expiresAt + 1), gone)
    assert.deepEqual(decideRecovered(null, { ...held, factors: [] }, "$new$", attempt), gone)
    assert.deepEqual(decideRecovered(link, { ...held, account: null, factors: [] }, "$new$", attempt), gone)
  })
})
