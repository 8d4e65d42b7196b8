import { test } from "node:test"
import assert from "node:assert/strict"
import {
  changedAt,
  linksOver,
  mailed,
  noticeTo,
  recorded,
  restorable,
} from "../../../src/accounts/email/email-change.rules.ts"
import { CLOCKS_APART_SECONDS, DAY } from "../../../src/kernel/time.ts"
import { event } from "../../../src/model/event.rules.ts"
import { NOW, USER_ID } from "../../support/core-sample.ts"
import { change, current, MAIL_ID, NETWORK, newLink, OTHER_ID } from "./email-samples.ts"

test("EMAIL-4 a change is later than the one before it, even within one second", () => {
  const after = (verifiedAt: number) => changedAt({ ...change, current: { ...current, verifiedAt } })
  assert.equal(changedAt({ ...change, current: null }), NOW)
  assert.equal(after(NOW - 2), NOW)
  assert.equal(after(NOW - 1), NOW)
  assert.equal(after(NOW), NOW + 1)
  assert.equal(after(NOW + CLOCKS_APART_SECONDS), NOW + CLOCKS_APART_SECONDS + 1)
  assert.equal(after(NOW + CLOCKS_APART_SECONDS + 1), NOW, "the clock was set back")
})

test("EMAIL-4 the link that restores an address lasts seven days, whatever the password", () => {
  const [added, notice] = restorable(change, current, newLink)
  assert.deepEqual(added, {
    change: "linkAdded",
    link: {
      linkHash: newLink.linkHash,
      userId: USER_ID,
      purpose: "restore-address",
      address: current.address,
      passwordDigest: null,
      madeAt: NOW,
      expiresAt: NOW + 7 * DAY,
    },
  })
  assert.deepEqual(notice, noticeTo(change, current.address, MAIL_ID, "address-changed", "sealed"))
})

test("EMAIL-4 the link is as late as its change", () => {
  const [added] = restorable({ ...change, current: { ...current, verifiedAt: NOW } }, current, newLink)
  assert.ok(added?.change === "linkAdded")
  assert.deepEqual([added.link.madeAt, added.link.expiresAt], [NOW + 1, NOW + 1 + 7 * DAY])
})

test("EMAIL-6 links that confirm and links that recover end together", () => {
  assert.deepEqual(linksOver(USER_ID), [
    { change: "linksEnded", userId: USER_ID, purpose: "confirm-address", since: 0 },
    { change: "linksEnded", userId: USER_ID, purpose: "recover", since: 0 },
  ])
})

test("MAIL-5 a notice is given up after two days, and has no link unless one is named", () => {
  assert.deepEqual(noticeTo(change, "ada@x.example", MAIL_ID, "address-added"), {
    change: "mailQueued",
    mail: {
      mailId: MAIL_ID,
      kind: "address-added",
      clientId: null,
      redirectHost: null,
      userId: USER_ID,
      to: { address: "ada@x.example" },
      networkAddress: NETWORK,
      sealedLink: null,
      at: NOW,
      expiresAt: NOW + 2 * DAY,
    },
  })
})

test("a mail about an address names no app", () => {
  const facts = { userId: USER_ID, to: "current", networkAddress: null, sealedLink: null } as const
  const { mail } = mailed(MAIL_ID, "recover", { ...facts, at: NOW, expiresAt: NOW }) as {
    mail: { clientId: unknown; redirectHost: unknown }
  }
  assert.deepEqual([mail.clientId, mail.redirectHost], [null, null])
})

test("the event has the account, its network, and who else did it", () => {
  assert.deepEqual(recorded({ ...change, actorId: OTHER_ID }, "email-removed"), {
    change: "eventRecorded",
    event: event("email-removed", NOW, { userId: USER_ID, address: NETWORK, actorId: OTHER_ID }),
  })
  const own = recorded(change, "email-changed")
  assert.ok(own.change === "eventRecorded")
  assert.equal(own.event.actorId, null)
})
