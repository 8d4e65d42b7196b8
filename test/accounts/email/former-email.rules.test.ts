import { test } from "node:test"
import assert from "node:assert/strict"
import { decideRemoved, decideRestored } from "../../../src/accounts/email/former-email.rules.ts"
import type { OneTimeLink } from "../../../src/model/mail/email.rules.ts"
import { NOW, USER_ID } from "../../support/core-sample.ts"
import {
  change,
  current,
  entered as former,
  kindsOf,
  link,
  MAIL_ID,
  mailsOf,
  newLink,
  OTHER_ID,
} from "./email-samples.ts"

const restore: OneTimeLink = { ...link, purpose: "restore-address", passwordDigest: null }

test("EMAIL-4 a restored address ends later links to restore, and every link to confirm or recover", () => {
  const { answer, changes } = decideRestored(change, restore, former, null, MAIL_ID)
  assert.equal(answer, "done")
  const ended = changes.flatMap((one) => (one.change === "linksEnded" ? [[one.purpose, one.since]] : []))
  assert.deepEqual(ended, [
    ["restore-address", restore.madeAt],
    ["recover", 0],
    ["confirm-address", 0],
  ])
  assert.ok(changes.some((one) => one.change === "linkEnded" && one.linkHash === restore.linkHash))
})

test("EMAIL-4 a restored address signs every browser out, and the one that goes gets a notice", () => {
  const { changes } = decideRestored(change, restore, former, null, MAIL_ID)
  assert.deepEqual(
    changes.filter((one) => one.change === "sessionsEnded"),
    [{ change: "sessionsEnded", userId: USER_ID, except: null, at: NOW }],
  )
  const set = changes.find((one) => one.change === "emailSet")
  assert.deepEqual(set?.email, { userId: USER_ID, ...former, verifiedAt: NOW })
  assert.deepEqual(mailsOf(changes), [["address-restored", { address: current.address }, null]])
  const [event] = changes.slice(-1)
  assert.ok(event?.change === "eventRecorded" && event.event.kind === "email-restored")
})

test("EMAIL-4 nothing goes where the account has no address now, or that one in another spelling", () => {
  const same = { address: "ADA@old.example", addressKey: current.addressKey }
  const restored = [
    decideRestored({ ...change, current: null }, restore, former, null, MAIL_ID),
    decideRestored(change, restore, same, current, MAIL_ID),
  ]
  for (const { answer, changes } of restored) {
    assert.equal(answer, "done")
    assert.deepEqual(mailsOf(changes), [])
  }
})

test("EMAIL-5 an address that another account has by now is not restored", () => {
  const holder = { ...current, ...former, userId: OTHER_ID }
  assert.deepEqual(decideRestored(change, restore, former, holder, MAIL_ID), { answer: "taken", changes: [] })
})

test("EMAIL-4 a removed address gets the link that restores it, and links to it end", () => {
  const { changes } = decideRemoved(change, newLink)
  assert.deepEqual(kindsOf(changes), [
    "linksEnded",
    "linksEnded",
    "linkAdded",
    "mailQueued",
    "emailRemoved",
    "eventRecorded",
  ])
  assert.deepEqual(mailsOf(changes), [["address-changed", { address: current.address }, "sealed"]])
  assert.deepEqual(changes[4], { change: "emailRemoved", userId: USER_ID })
  const [event] = changes.slice(-1)
  assert.ok(event?.change === "eventRecorded" && event.event.kind === "email-removed")
})

test("an account without an address has none to remove", () => {
  assert.deepEqual(decideRemoved({ ...change, current: null }, newLink), { answer: null, changes: [] })
})
