/** Relinking the accounts of a provider whose issuer changed. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { unlinkAccount } from "../../../src/accounts/providers/link.ts"
import { relinkProvider } from "../../../src/admin/providers/relink.ts"
import type { UserId } from "../../../src/kernel/ids.ts"
import { storeWith } from "../../../src/platform/services/counting-store.ts"
import { providerAt } from "../../support/oidc.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"

const visits = await ProviderVisits.open()

/** Accounts that are linked to subjects of older issuers of one provider. */
async function moved(name: string, ...links: readonly (readonly [issuer: string, subject: string])[]) {
  const accounts: { readonly name: string; readonly userId: UserId }[] = []
  for (const [issuer, subject] of links) {
    const username = visits.newName()
    const userId = (await visits.server.addAccount(username)) as UserId
    await visits.link(username, subject, providerAt(issuer, { name }))
    accounts.push({ name: username, userId })
  }
  return accounts
}

const present = (name: string) => providerAt("https://present.example", { name })
const issuersOf = async (userId: UserId) =>
  ((await visits.server.store.read({ identities: userId })).identities ?? []).map(({ issuer }) => issuer)

test("UP-15 one subject of two older issuers that belongs to two accounts is reported, and nothing is changed", async () => {
  const [ada, bob, cleo] = await moved(
    "twice",
    ["https://first.example", "same"],
    ["https://second.example", "same"],
    ["https://second.example", "other"],
  )
  assert.ok(ada !== undefined && bob !== undefined && cleo !== undefined)
  const dry = await relinkProvider(visits.server.latchkey, present("twice"), true)
  assert.ok(dry.ok)
  const taken = dry.value.filter(({ isTaken }) => isTaken).map(({ username }) => username)
  assert.deepEqual(taken.toSorted(), [ada.name, bob.name].toSorted())
  const real = await relinkProvider(visits.server.latchkey, present("twice"), false)
  assert.ok(!real.ok && /same/.test(real.error))
  for (const { userId } of [ada, bob, cleo])
    assert.ok(!(await issuersOf(userId)).includes("https://present.example"))
  const from = { address: null }
  const unlinked = await unlinkAccount(visits.server.latchkey, present("twice"), bob.name, "same", from)
  assert.ok(unlinked.ok, "a link to an older issuer is found by the name of the provider")
  assert.deepEqual(await issuersOf(bob.userId), [])
  assert.ok((await relinkProvider(visits.server.latchkey, present("twice"), false)).ok)
  assert.deepEqual(await issuersOf(ada.userId), ["https://present.example"])
})

test("UP-15 two older links of one account become one", async () => {
  const [ada] = await moved("own", ["https://first.example", "ada"])
  assert.ok(ada !== undefined)
  await visits.link(ada.name, "ada", providerAt("https://second.example", { name: "own" }))
  const done = await relinkProvider(visits.server.latchkey, present("own"), false)
  assert.ok(done.ok, done.ok ? "" : done.error)
  assert.deepEqual(await issuersOf(ada.userId), ["https://present.example"])
})

test("UP-15 what another change took in the meantime is not reported as relinked", async () => {
  const [ada, bob] = await moved(
    "race",
    ["https://first.example", "race-ada"],
    ["https://first.example", "race-bob"],
  )
  assert.ok(ada !== undefined && bob !== undefined)
  const { store } = visits.server
  // After the plan was made, the subjects are linked to another account.
  let isLinked = false
  const racing = storeWith(store, async (load, decide) => {
    if (!isLinked) {
      isLinked = true
      const other = visits.newName()
      await visits.server.addAccount(other)
      for (const subject of ["race-ada", "race-bob"]) await visits.link(other, subject, present("race"))
    }
    return store.change(load, decide)
  })
  const real = await relinkProvider({ ...visits.server.latchkey, store: racing }, present("race"), false)
  assert.ok(!real.ok)
  assert.match(real.error, /2 of 2/)
  assert.deepEqual(await issuersOf(ada.userId), ["https://first.example"])
})
