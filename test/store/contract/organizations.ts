/** What organizations give, and what was ended of it, on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { NEVER } from "../../../src/kernel/time.ts"
import type { ClientId, TokenId, UserId } from "../../../src/kernel/ids.ts"
import { decided } from "../../../src/model/change.rules.ts"
import { type Credential, familyOf } from "../../../src/model/credential.rules.ts"
import { withoutRefresh } from "../../../src/oauth/credential/binding.rules.ts"
import { account, active, client, hash, id, NOW } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

const userId = id<UserId>("a")

function given(number = 0, organization = "work"): Credential {
  const of = { tokenId: id<TokenId>("t", number), clientId: id<ClientId>("c"), userId, organization }
  const consent = { ...of, scope: ["a:b"] as never, consentedAt: NOW }
  return withoutRefresh(consent, { key: "key", currentHash: hash(number), rotatedAt: NOW })
}

export function organizationContract(name: string, open: Open): void {
  describe(`organizations on ${name}`, () => {
    const db = eachStore(
      open,
      { change: "accountAdded", account: account() },
      { change: "accountAdded", account: account(1) },
      { change: "clientAdded", client: client() },
      { change: "clientAdded", client: client(1) },
    )
    const { write } = db
    const credentials = async () =>
      (await db.store.read({ organizationCredentials: userId })).organizationCredentials
    const blocks = async (number = 0) =>
      (await db.store.read({ organizationBlocks: id<UserId>("a", number) })).organizationBlocks
    const block = (number = 0, provider = "work") => ({
      userId,
      clientId: id<ClientId>("c", number),
      provider,
      blockedAt: NOW,
    })

    it("ORG-1, PERM-5 consents of an organization are grouped apart from others with the same permissions", async () => {
      const scope = given().consent.scope
      await write(
        { change: "credentialAdded", credential: active(5, { scope }) },
        { change: "credentialAdded", credential: given(0) },
        { change: "credentialAdded", credential: given(1) },
        { change: "credentialAdded", credential: given(2, "null") },
      )
      for (const by of [{ userId }, { clientId: id<ClientId>("c") }]) {
        const held = await db.store.consentsOf(by, NOW)
        assert.deepEqual(held.map((one) => [one.organization ?? "", one.credentials, one.scope]).sort(), [
          ["", 1, scope],
          ["null", 1, scope],
          ["work", 2, scope],
        ])
      }
    })

    it("ORG-7 an active credential that an organization gave is found by its account, whole", async () => {
      await write(
        { change: "credentialAdded", credential: active(5) },
        { change: "credentialAdded", credential: given(0) },
        { change: "credentialAdded", credential: given(1, "other") },
      )
      const found = (await credentials()) ?? []
      assert.deepEqual(
        found.toSorted((a, b) => (a.consent.tokenId < b.consent.tokenId ? -1 : 1)),
        [given(0), given(1, "other")],
      )
      assert.equal(found[0]?.consent.endsAt, NEVER)
      const { tokensOf } = await db.store.read({ tokensOf: id<TokenId>("t", 1) })
      assert.equal(tokensOf?.consent.organization, "other")
      const ended: Credential = {
        ...given(0),
        life: { state: "revoked", family: familyOf(given(0)), revokedAt: NOW, because: "link-removed" },
      }
      await write({ change: "credentialChanged", credential: ended })
      assert.deepEqual(await credentials(), [given(1, "other")])
      assert.deepEqual(await db.store.verify(), [])
      await db.reopen()
      assert.deepEqual(await credentials(), [given(1, "other")])
    })

    it("ORG-7 two first assertions at once make one credential", async () => {
      const add = (number: number) =>
        db.store.change(
          { account: userId, organizationCredentials: userId },
          ({ organizationCredentials }) =>
            organizationCredentials?.length === 0
              ? decided(true, { change: "credentialAdded", credential: given(number) })
              : decided(false),
        )
      const added = await Promise.all([1, 2, 3, 4].map(add))
      assert.deepEqual(added.filter(Boolean).length, 1)
      assert.equal((await credentials())?.length, 1)
    })

    it("ORG-9 a block stays until it is allowed, or its app or account is removed", async () => {
      const [first, other, third] = [block(), block(1), block(0, "other")]
      for (const one of [first, other, third]) await write({ change: "organizationBlocked", block: one })
      await write({ change: "organizationBlocked", block: { ...first, blockedAt: NOW + 5 } })
      assert.equal((await blocks())?.length, 3)
      assert.deepEqual(await blocks(1), [])
      await db.store.sweep(NOW + 10 * 365 * 86_400, 100)
      await write({ change: "organizationAllowed", block: third })
      const left = (await blocks()) ?? []
      assert.deepEqual(
        left.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1)),
        [first, other],
      )
      assert.deepEqual(await db.store.verify(), [])
      await write({ change: "clientRemoved", clientId: other.clientId })
      assert.deepEqual(await blocks(), [first])
      await write({ change: "accountRemoved", userId })
      assert.deepEqual(await blocks(), [])
    })

    it("ORG-4 the assertion of a grant and the one of its client are looked up side by side", async () => {
      const row = (seed: string) => ({ assertionHash: hash(seed), bodyHash: hash("b"), deleteAfter: NOW })
      await write({ change: "assertionSpent", spent: row("grant") })
      assert.deepEqual(await db.store.read({ spentAssertion: hash("client"), spentGrant: hash("grant") }), {
        spentAssertion: null,
        spentGrant: row("grant"),
      })
    })
  })
}
