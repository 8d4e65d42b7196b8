import { test } from "node:test"
import assert from "node:assert/strict"
import type { MailId } from "../../../src/kernel/ids.ts"
import { DAY } from "../../../src/kernel/time.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { event, type EventKind, eventKinds } from "../../../src/model/event.rules.ts"
import { noticesOf, queued, withoutMail } from "../../../src/platform/mail/notices.rules.ts"
import { CLIENT_ID, credential, hash, lives, NOW, USER_ID } from "../../support/core-sample.ts"

const recorded = (kind: EventKind, userId: typeof USER_ID | null = USER_ID): Change => ({
  change: "eventRecorded",
  event: event(kind, NOW, { userId, clientId: CLIENT_ID, address: "192.0.2.1" }),
})
const known: Change = { change: "browserKnown", browserHash: hash("browser"), userId: USER_ID, at: NOW }
const issued = credential(lives.issued)
const added = (redirectUri: string): Change => ({
  change: "credentialAdded",
  credential: { ...issued, code: issued.code && { ...issued.code, redirectUri } },
})

test("MAIL-7 these events send a mail, and no other does", () => {
  const sent = eventKinds.flatMap((kind) => {
    const notices = noticesOf([recorded(kind)])
    return notices.length === 0
      ? []
      : [[kind, ...notices.map((one) => `${one.kind} ${JSON.stringify(one.to)}`)]]
  })
  assert.deepEqual(Object.fromEntries(sent.map(([kind, ...mails]) => [kind, mails])), {
    "password-changed": ['password-changed "current"', 'password-changed "former"'],
    "factor-added": ['factor-added "current"'],
    "factor-removed": ['factor-removed "current"'],
    "factors-reset": ['factor-removed "current"'],
    "identity-linked": ['factor-added "current"'],
    "identity-unlinked": ['factor-removed "current"'],
    "signed-in": ['signed-in "current"'],
    consented: ['app-connected "current"'],
    "device-approved": ['app-connected "current"'],
    "code-replayed": ['token-reused "current"'],
    "refresh-token-reused": ['token-reused "current"'],
  })
})

test("MAIL-5, MAIL-7 a notice has what happened, from where, and is given up after two days", () => {
  assert.deepEqual(noticesOf([recorded("factor-added")]), [
    {
      userId: USER_ID,
      kind: "factor-added",
      to: "current",
      clientId: CLIENT_ID,
      redirectHost: null,
      networkAddress: "192.0.2.1",
      sealedLink: null,
      unlessKnown: null,
      at: NOW,
      expiresAt: NOW + 2 * DAY,
    },
  ])
})

test("MAIL-7 a sign-in names its browser, so that a known one sends nothing", () => {
  const [notice] = noticesOf([recorded("signed-in"), known])
  assert.equal(notice?.unlessKnown, hash("browser"))
  assert.equal(noticesOf([known, recorded("factor-added")])[0]?.unlessKnown, null)
})

test("MAIL-8 a connected app is named by the host that it returns to, if that is on the web", () => {
  const hostAfter = (...changes: readonly Change[]) =>
    noticesOf([...changes, recorded("consented")])[0]?.redirectHost
  assert.equal(hostAfter(added("https://app.example/callback")), "app.example")
  for (const uri of ["http://127.0.0.1:5000/callback", "com.example.app:/callback", ""])
    assert.equal(hostAfter(added(uri)), null, uri)
  assert.equal(hostAfter(), null)
  assert.equal(hostAfter({ change: "credentialAdded", credential: { ...issued, code: null } }), null)
  const [other] = noticesOf([added("https://app.example/callback"), recorded("factor-added")])
  assert.equal(other?.redirectHost, null)
})

test("MAIL-7 an event without an account, and a change without an event, send nothing", () => {
  assert.deepEqual(noticesOf([recorded("factor-added", null), known]), [])
})

test("MAIL-7 each event of a change has its own notice", () => {
  const kinds = noticesOf([recorded("factor-removed"), known, recorded("factor-removed")]).map(
    ({ kind }) => kind,
  )
  assert.deepEqual(kinds, ["factor-removed", "factor-removed"])
})

test("MAIL-11 without mail nothing is queued, and the rest of the change stays", () => {
  const mailId = "mail" as MailId
  const mails = noticesOf([recorded("factor-added")]).map((notice) => queued(notice, mailId))
  assert.ok(mails[0]?.change === "mailQueued" && mails[0].mail.mailId === mailId)
  const decision = { answer: "done", changes: [recorded("factor-added"), ...mails, known] }
  assert.deepEqual(withoutMail(null, decision), {
    answer: "done",
    changes: [recorded("factor-added"), known],
  })
  assert.deepEqual(withoutMail({}, decision), decision)
})
