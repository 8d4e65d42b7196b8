/** Tests how every engine stores invitations, and mails to people without an account. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { InvitationId, MailId, UserId } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { decided } from "../../../src/model/change.rules.ts"
import { eachStore, type Open } from "./fixture.ts"
import { account, hash, id, invitation, mail, NOW } from "../samples.ts"

export function invitationContract(name: string, open: Open): void {
  describe(`invitations on ${name}`, () => {
    const db = eachStore(open, { change: "accountAdded", account: account(0) })
    const { write } = db
    const added = (of: ReturnType<typeof invitation>): Change => ({
      change: "invitationAdded",
      invitation: of,
    })

    it("INVITE-1 comes back by its link, by its id and in pages", async () => {
      const whole = {
        username: "Öde",
        email: "ada@example.org",
        isMailed: true,
        admin: true,
        groups: ["a", "b:c.d"],
        invitedBy: id<UserId>("a"),
      } as const
      const all = [invitation(0, whole), invitation(1), invitation(2)]
      await write(...all.map(added))
      const [first] = all
      assert.deepEqual(
        await db.store.read({ invitation: hash("invitation0"), invitationById: id<InvitationId>("i") }),
        {
          invitation: first,
          invitationById: first,
        },
      )
      assert.equal((await db.store.read({ invitation: hash("other") })).invitation, null)
      const page = await db.store.invitations({ limit: 2 })
      const rest = await db.store.invitations({ limit: 2, after: page[1]?.invitationId })
      assert.deepEqual([...page, ...rest], all)
      assert.deepEqual(await db.store.invitations({ limit: 1, newestFirst: true }), [all[2]])
    })

    it("INVITE-2 of many changes at once that end it, one finds it", async () => {
      await write(added(invitation()))
      const ends = Array.from({ length: 10 }, () =>
        db.store.change({ invitation: hash("invitation0") }, ({ invitation: found }) =>
          found === null
            ? decided(false)
            : decided(true, { change: "invitationEnded", invitationId: found.invitationId }),
        ),
      )
      assert.equal((await Promise.all(ends)).filter((isFound) => isFound).length, 1)
    })

    it("INVITE-1 goes when it has expired", async () => {
      await write(added(invitation(0, { expiresAt: NOW })), added(invitation(1)))
      await db.store.sweep(NOW + 1, 100)
      assert.deepEqual(await db.store.invitations({ limit: 9 }), [invitation(1)])
    })

    it("INVITE-5 those of one who invited end together, with their mails, and no others", async () => {
      const by = { invitedBy: id<UserId>("a") }
      const kept = invitation(2, { invitedBy: id<UserId>("b") })
      const all = [invitation(0, by), invitation(1, by), kept, invitation(3)]
      const mails = all.map(({ invitationId }, n) =>
        mail(n, { userId: null, mailId: invitationId as string as MailId, kind: "invited" }),
      )
      await write(...all.map(added))
      await write(...mails.map((one): Change => ({ change: "mailQueued", mail: one })))
      await write({ change: "invitationsEnded", invitedBy: id<UserId>("a") })
      assert.deepEqual(await db.store.invitations({ limit: 9 }), [kept, invitation(3)])
      const left = await db.store.unsentMails(9)
      assert.deepEqual(left.map(({ mailId }) => mailId).toSorted(), [mails[2]?.mailId, mails[3]?.mailId])
      await write({ change: "invitationsEnded", invitedBy: id<UserId>("a") })
      assert.equal((await db.store.invitations({ limit: 9 })).length, 2)
    })

    it("INVITE-4, INVITE-5 its mail has no account and a language, and ends with it while it waits", async () => {
      const one = mail(0, { userId: null, mailId: id<MailId>("i"), kind: "invited", language: "de" })
      await write(added(invitation()), { change: "mailQueued", mail: one })
      const claimed = await db.store.claimMails(NOW, NOW + 60, 9)
      assert.deepEqual(
        claimed.map(({ mailId, userId, language, address }) => [mailId, userId, language, address]),
        [[one.mailId, null, "de", "ada@example.org"]],
      )
      await write({ change: "invitationEnded", invitationId: id<InvitationId>("i") })
      assert.deepEqual(await db.store.unsentMails(9), [])
    })
  })
}
