import { test } from "node:test"
import assert from "node:assert/strict"
import {
  decideConfirmed,
  decideEntered,
  decideSetByOperator,
  isLinkAlive,
} from "../../../src/accounts/email/email.rules.ts"
import { decideRemoved } from "../../../src/accounts/email/former-email.rules.ts"
import { HOUR, MINUTE } from "../../../src/kernel/time.ts"
import { NO_PASSWORD } from "../../../src/model/account.rules.ts"
import type { LinkPurpose } from "../../../src/model/mail/email.rules.ts"
import { account, hash, NOW, USER_ID } from "../../support/core-sample.ts"
import {
  change,
  current,
  entered,
  kindsOf,
  link,
  MAIL_ID,
  mailsOf,
  newLink,
  OTHER_ID,
  OTHER_MAIL_ID,
} from "./email-samples.ts"

const held = { account, passwordDigest: hash("password") }
const linkPurposes: readonly LinkPurpose[] = [
  "confirm-address",
  "restore-address",
  "recover",
  "recover-by-hand",
]
const ofOther = { ...current, userId: OTHER_ID, ...entered }
const taken = { answer: "taken", changes: [] }

test("EMAIL-3 an entered address gets one link, which lasts an hour and replaces earlier ones", () => {
  const [ended, added, mail] = decideEntered(change, entered, held.passwordDigest, newLink)
  assert.deepEqual(ended, {
    change: "linksEnded",
    userId: USER_ID,
    purpose: "confirm-address",
    since: 0,
  })
  assert.deepEqual(added, {
    change: "linkAdded",
    link: {
      ...link,
      linkHash: newLink.linkHash,
      madeAt: NOW,
      expiresAt: NOW + HOUR,
    },
  })
  assert.ok(mail?.change === "mailQueued")
  const { kind, to, sealedLink, at, expiresAt } = mail.mail
  assert.deepEqual([kind, to, sealedLink], ["confirm-address", { address: entered.address }, "sealed"])
  assert.deepEqual([at, expiresAt], [NOW, NOW + HOUR - 10 * MINUTE], "MAIL-5: the link still works then")
})

test("EMAIL-3 a link works for its purpose and its time", () => {
  for (const purpose of linkPurposes)
    for (const wanted of linkPurposes)
      assert.equal(isLinkAlive({ ...link, purpose }, wanted, held, NOW), purpose === wanted)
  const alive = (now: number) => isLinkAlive(link, "confirm-address", held, now)
  assert.equal(alive(link.expiresAt), true)
  assert.equal(alive(link.expiresAt + 1), false)
  assert.equal(alive(link.madeAt - 5), true, "made on a node whose clock is ahead")
  assert.equal(alive(link.madeAt - 6), false)
  assert.equal(isLinkAlive(null, "confirm-address", held, NOW), false)
})

test("EMAIL-3 a link needs an enabled person and the password of then", () => {
  const alive = (facts: Partial<typeof held>, one = link) =>
    isLinkAlive(one, "confirm-address", { ...held, ...facts }, NOW)
  assert.equal(alive({ account: { ...account, enabled: false } }), false)
  assert.equal(alive({ account: { ...account, type: "service" } }), false)
  assert.equal(isLinkAlive(link, "confirm-address", { ...held, account: null }, NOW), false)
  assert.equal(alive({ passwordDigest: hash("another") }), false)
  assert.equal(isLinkAlive(link, "confirm-address", { account, passwordDigest: null }, NOW), false)
  const lasting = { ...link, passwordDigest: null }
  assert.equal(alive({ passwordDigest: hash("another") }, lasting), true)
  assert.equal(alive({ account: { ...account, passwordHash: NO_PASSWORD } }, lasting), true)
})

test("EMAIL-2, EMAIL-4 a confirmed address takes the place of the former one, which gets a link", () => {
  const { answer, changes } = decideConfirmed(change, link, entered, null, newLink)
  assert.equal(answer, "done")
  assert.deepEqual(kindsOf(changes), [
    "linkEnded",
    "linksEnded",
    "linkAdded",
    "mailQueued",
    "emailSet",
    "eventRecorded",
  ])
  assert.deepEqual(changes[0], { change: "linkEnded", linkHash: link.linkHash, userId: USER_ID })
  assert.deepEqual(changes[1], { change: "linksEnded", userId: USER_ID, purpose: "recover", since: 0 })
  assert.deepEqual(mailsOf(changes), [["address-changed", { address: current.address }, "sealed"]])
  assert.deepEqual(changes[4], {
    change: "emailSet",
    email: { userId: USER_ID, ...entered, verifiedAt: NOW },
  })
  const [event] = changes.slice(-1)
  assert.ok(event?.change === "eventRecorded" && event.event.kind === "email-changed")
})

test("EMAIL-4, UP-17 an address that only an application named gets no mail with a link that would confirm it", () => {
  const named = { ...change, current: { ...current, verifiedAt: 0 } }
  for (const { changes } of [
    decideConfirmed(named, link, entered, null, newLink),
    decideRemoved(named, newLink),
  ]) {
    assert.deepEqual(mailsOf(changes), [])
    assert.ok(!kindsOf(changes).includes("linkAdded"))
  }
})

test("EMAIL-4 the first address, and the same one in another spelling, leave nothing to restore", () => {
  const first = decideConfirmed({ ...change, current: null }, link, entered, null, newLink)
  const spelling = { address: "ADA@old.example", addressKey: current.addressKey }
  const same = decideConfirmed(change, link, spelling, current, newLink)
  for (const { answer, changes } of [first, same]) {
    assert.equal(answer, "done")
    assert.deepEqual(mailsOf(changes), [])
    assert.ok(!kindsOf(changes).includes("linkAdded"))
  }
})

test("EMAIL-5 an address of another account is not taken, and nothing is written", () => {
  assert.deepEqual(decideConfirmed(change, link, entered, ofOther, newLink), taken)
  assert.deepEqual(decideSetByOperator(change, entered, ofOther, [MAIL_ID, OTHER_MAIL_ID]), taken)
})

test("EMAIL-6 the operator's address ends every link, and both addresses get a notice without one", () => {
  const { answer, changes } = decideSetByOperator(change, entered, null, [MAIL_ID, OTHER_MAIL_ID])
  assert.equal(answer, "done")
  const ended = changes.flatMap((one) => (one.change === "linksEnded" ? [`${one.purpose} ${one.since}`] : []))
  assert.deepEqual(ended, ["confirm-address 0", "recover 0", "restore-address 0"])
  assert.deepEqual(mailsOf(changes), [
    ["address-changed", { address: current.address }, null],
    ["address-added", { address: entered.address }, null],
  ])
  const ids = changes.flatMap((one) => (one.change === "mailQueued" ? [one.mail.mailId] : []))
  assert.deepEqual(ids, [MAIL_ID, OTHER_MAIL_ID])
  assert.deepEqual(kindsOf(changes).slice(-3), ["emailSet", "mailQueued", "eventRecorded"])
  const set = changes.find((one) => one.change === "emailSet")
  assert.deepEqual(set?.email, { userId: USER_ID, ...entered, verifiedAt: NOW })
})

test("EMAIL-6 without a former address, or with the same one, there is one notice", () => {
  for (const [former, address] of [
    [null, entered],
    [current, { address: "ADA@old.example", addressKey: current.addressKey }],
  ] as const) {
    const set = decideSetByOperator({ ...change, current: former }, address, former, [MAIL_ID, OTHER_MAIL_ID])
    assert.deepEqual(mailsOf(set.changes), [["address-added", { address: address.address }, null]])
  }
})
