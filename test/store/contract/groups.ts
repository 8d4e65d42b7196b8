/** Tests how every engine stores groups and who is in them. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { UserId } from "../../../src/kernel/ids.ts"
import type { InvitationId } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import type { Membership } from "../../../src/model/permissions/group.rules.ts"
import { eachStore, type Open } from "./fixture.ts"
import { account, client, id, invitation, NOW } from "../samples.ts"

const group = (name: string, title: string | null = null) => ({ name, title, createdAt: NOW })
const added = (name: string): Change => ({ change: "groupSet", group: group(name) })
/** `verify` takes only an id of the form of real ones. */
const INVITATION = "01kb3w5f6y8m2q4r7t9v1x3z5z" as InvitationId
const mark = (of: string, provider: string | null = null): Membership => ({ group: of, provider })

export function groupContract(name: string, open: Open): void {
  describe(`groups on ${name}`, () => {
    const db = eachStore(
      open,
      { change: "accountAdded", account: account(0) },
      { change: "accountAdded", account: account(1, { username: "b", usernameKey: "b" }) },
    )
    const { write } = db
    const put = (userId: number, ...memberships: readonly Membership[]): Change => ({
      change: "membershipsSet",
      userId: id("a", userId),
      memberships,
    })
    const groupsOf = async (userId: number) =>
      (await db.store.read({ account: id("a", userId) })).account?.groups

    it("GROUP-3 an account has the groups of its memberships, sorted and each once", async () => {
      await write(added("sales"), added("a.1"), added("a-1"))
      await write(put(0, mark("sales"), mark("sales", "corp"), mark("a.1"), mark("a-1"), mark("gone")))
      assert.deepEqual(await groupsOf(0), ["a-1", "a.1", "sales"])
      const { memberships } = await db.store.read({ memberships: id("a") })
      assert.deepEqual(memberships, [mark("a-1"), mark("a.1"), mark("sales"), mark("sales", "corp")])
      assert.deepEqual(await groupsOf(1), [])
      await write({ change: "accountChanged", account: account(0, { groups: [], enabled: false }) })
      assert.deepEqual(await groupsOf(0), ["a-1", "a.1", "sales"], "a change of the account keeps them")
      await write(put(0, mark("sales", "corp")))
      assert.deepEqual(await groupsOf(0), ["sales"])
      assert.deepEqual(await db.store.verify(), [])
    })

    it("GROUP-3 groups are listed by name, with the number of their members", async () => {
      await write(added("b"), added("a"), added("c"))
      await write(put(0, mark("a"), mark("a", "corp"), mark("b")), put(1, mark("a")))
      await write({ change: "groupSet", group: group("b", "Bees") })
      const first = await db.store.groups({ limit: 2 })
      assert.deepEqual(first, [
        { ...group("a"), members: 2 },
        { ...group("b", "Bees"), members: 1 },
      ])
      assert.deepEqual(await db.store.groups({ limit: 2, after: "b" }), [{ ...group("c"), members: 0 }])
      assert.deepEqual(await db.store.groups({ limit: 2 }, "b"), [first[1]])
      assert.deepEqual(await db.store.groups({ limit: 2 }, "d"), [])
      const { group: found } = await db.store.read({ group: "b" })
      assert.deepEqual(found, group("b", "Bees"))
      const names = async (filter: Parameters<typeof db.store.accounts>[1]) =>
        (await db.store.accounts({ limit: 9 }, filter)).map(({ userId }) => userId)
      assert.deepEqual(await names({ group: "a" }), [id("a"), id("a", 1)])
      assert.deepEqual(await names({ group: "c" }), [])
    })

    it("GROUP-16 what providers gave is listed by provider, group and account, from any key", async () => {
      await write(added("a"), added("b"))
      await write(put(0, mark("a", "corp"), mark("b", "corp"), mark("b"), mark("b", "home")))
      await write(put(1, mark("a", "corp"), mark("b")))
      const given = (provider: string, named: string, of = 0) => ({
        provider,
        group: named,
        userId: id("a", of) as UserId,
      })
      const all = [given("corp", "a"), given("corp", "a", 1), given("corp", "b"), given("home", "b")]
      const first = { provider: "", group: "", userId: "" as UserId }
      assert.deepEqual(await db.store.marks(first, 9), all)
      assert.deepEqual(await db.store.marks(first, 2), all.slice(0, 2))
      assert.deepEqual(await db.store.marks(all[0] ?? first, 9), all.slice(1))
      assert.deepEqual(await db.store.marks({ ...first, provider: "corp", group: "a~" }, 9), all.slice(2))
    })

    it("GROUP-7 a removed group takes its memberships along, and tells resource servers", async () => {
      await write(added("b"), added("a-b"), added("b.c"))
      await write(put(0, mark("a-b"), mark("b"), mark("b", "corp"), mark("b.c")), put(1, mark("b")))
      const invited = invitation(0, { invitationId: INVITATION, groups: ["a-b", "b"] })
      const made = { set: "default", what: "group", key: "b", made: "b" } as const
      await write({ change: "invitationAdded", invitation: invited }, { change: "appliedSet", applied: made })
      const { last } = await db.store.invalidations(0, 99)
      await write({ change: "groupRemoved", name: "b" })
      assert.deepEqual(await groupsOf(0), ["a-b", "b.c"])
      assert.deepEqual(await groupsOf(1), [])
      const { rows } = await db.store.invalidations(last, 99)
      assert.deepEqual(
        rows.map(({ of, key }) => [of, key]),
        [
          ["account", id("a")],
          ["account", id("a", 1)],
        ],
      )
      assert.deepEqual((await db.store.read({ memberships: id("a", 1) })).memberships, [])
      await write(added("b"))
      assert.deepEqual(await groupsOf(1), [], "a group that comes back is a new one")
      const { invitationById } = await db.store.read({ invitationById: invited.invitationId })
      assert.deepEqual(invitationById?.groups, ["a-b"], "no invitation gives it any more")
      assert.deepEqual((await db.store.read({ applied: "default" })).applied, [], "and no set has made it")
      assert.deepEqual(await db.store.verify(), [])
    })

    it("GROUP-3 memberships go with the account, and an app keeps its groups", async () => {
      await write(added("b"), put(0, mark("b")))
      await write({ change: "accountRemoved", userId: id("a") })
      assert.deepEqual(await db.store.groups({ limit: 9 }), [{ ...group("b"), members: 0 }])
      await write({ change: "clientAdded", client: client(0, { groups: ["b", "never"] }) })
      assert.deepEqual((await db.store.read({ client: id("c") })).client?.groups, ["b", "never"])
      await assert.rejects(write(put(0, mark("b"))))
    })
  })
}
