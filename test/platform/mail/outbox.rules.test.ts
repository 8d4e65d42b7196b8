import { test } from "node:test"
import assert from "node:assert/strict"
import type { MailId } from "../../../src/kernel/ids.ts"
import type { ClaimedMail } from "../../../src/model/mail/mail.rules.ts"
import { decideOutcome, isTooOld } from "../../../src/platform/mail/outbox.rules.ts"
import { NOW, USER_ID } from "../../support/core-sample.ts"

const mail: ClaimedMail = {
  mailId: "mail" as MailId,
  userId: USER_ID,
  kind: "signed-in",
  clientId: null,
  redirectHost: null,
  networkAddress: null,
  sealedLink: null,
  at: NOW,
  expiresAt: NOW + 10_000,
  address: "ada@corp.example",
  tries: 1,
  language: null,
}
const failed = { outcome: "failed", problem: "no connection", detail: "words of the server" } as const
const refused = { ...failed, outcome: "refused" } as const

test("MAIL-5 the pause is 30 seconds and doubles up to 15 minutes", () => {
  for (const [tries, pause] of [
    [1, 30],
    [2, 60],
    [3, 120],
    [4, 240],
    [5, 480],
    [6, 900],
    [7, 900],
    [5000, 900],
  ] as const)
    assert.deepEqual(decideOutcome({ ...mail, tries }, failed, NOW), {
      outcome: "deferred",
      nextTryAt: NOW + pause,
      problem: "no connection",
    })
})

test("MAIL-5 a permanent refusal ends a mail, and so does an expiry before the next attempt", () => {
  const dropped = { outcome: "dropped", at: NOW, problem: "no connection" }
  assert.deepEqual(decideOutcome(mail, refused, NOW), dropped)
  assert.deepEqual(decideOutcome({ ...mail, expiresAt: NOW + 29 }, failed, NOW), dropped)
  assert.equal(decideOutcome({ ...mail, expiresAt: NOW + 30 }, failed, NOW).outcome, "deferred")
})

test("MAIL-4 a mail that was sent is done, at any age", () => {
  for (const expiresAt of [NOW + 10_000, NOW - 1])
    assert.deepEqual(decideOutcome({ ...mail, expiresAt }, { outcome: "sent" }, NOW), {
      outcome: "sent",
      at: NOW,
    })
})

test("MAIL-10 what the server said is not stored", () => {
  for (const sent of [failed, refused])
    assert.ok(!JSON.stringify(decideOutcome(mail, sent, NOW)).includes("words of the server"))
})

test("MAIL-5 a mail is sent in its last second, and not after it", () => {
  assert.equal(isTooOld(mail, mail.expiresAt), false)
  assert.equal(isTooOld(mail, mail.expiresAt + 1), true)
})
