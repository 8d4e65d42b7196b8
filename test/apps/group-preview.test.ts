/** Previews of groups on a real store say what the change does to what live credentials reach. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { addGroup, changeMemberships, removeGroup } from "../../src/accounts/groups/groups.ts"
import { updateApp } from "../../src/apps/app.ts"
import { previewAppUpdate, updateAppWithPreview } from "../../src/apps/preview.ts"
import { previewGroupRemoval, previewMemberships } from "../../src/apps/group-preview.ts"
import { previewSentences } from "../../src/apps/preview/preview-words.ts"
import type { Account } from "../../src/model/account.rules.ts"
import { loadCatalog } from "../../src/model/permissions/permission-catalog.rules.ts"
import { addAccount } from "../../src/accounts/accounts.ts"
import { addApp } from "../../src/apps/add-app.ts"
import { addCredential } from "../support/add-credential.ts"
import { testClock } from "../support/clock.ts"
import { databaseIn } from "../support/database.ts"
import { newDirectory, type Span } from "../support/spawn.ts"
import { OPERATOR } from "../support/test-server.ts"

function good<T>(
  outcome: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  assert.ok(outcome.ok, outcome.ok ? "" : JSON.stringify(outcome.error))
  return outcome.value
}

/** Adds Ada, who is in `staff`, and Bob, who is in no group. Both have credentials of an app. */
async function seeded(t: Span) {
  const store = await (await databaseIn(newDirectory(t))).open()
  t.after(() => store.close())
  const catalog = good(
    loadCatalog({
      open: { title: "Open" },
      inner: { title: "Inner", for_groups: ["staff", "chiefs"] },
      secret: { title: "Secret", for_groups: ["chiefs"] },
    }),
  )
  const services = { store, clock: testClock(), catalog, providers: new Map() }
  const password = "correct horse battery"
  const person = async (username: string) =>
    good(await addAccount(services, { username, password, admin: false, ...OPERATOR }))
  const [ada, bob] = [await person("ada"), await person("bob")]
  const switches = { verified: false, stepUp: false, resourceServer: false }
  const app = {
    type: "public",
    name: "Notes",
    redirectUris: [],
    permissions: ["open", "inner", "secret"],
  } as const
  const { client } = good(await addApp(services, { ...app, ...switches, ownerName: null }, OPERATOR))
  const { clientId } = client
  for (const { userId } of [ada, ada, bob])
    await addCredential(store, {
      clientId,
      userId,
      scope: "open inner secret",
      consentedAt: services.clock.now(),
    })
  await addCredential(store, {
    clientId,
    userId: ada.userId,
    scope: "inner",
    consentedAt: services.clock.now(),
  })
  for (const name of ["staff", "chiefs"]) good(await addGroup(services, name, null, OPERATOR))
  const change = (account: Account, add: readonly string[], remove: readonly string[]) =>
    changeMemberships(services, account.userId, { add, remove }, OPERATOR)
  good(await change(ada, ["staff"], []))
  return { services, clientId, ada, bob, change }
}

test("PERM-5, GROUP-13: a membership is previewed with what it gives and takes, and with what gives it anyway", async (t) => {
  const { services, ada, bob, change } = await seeded(t)
  const sentences = async (account: Account, add: readonly string[], remove: readonly string[]) =>
    previewSentences(good(await previewMemberships(services, account.userId, { add, remove })).preview)
  assert.deepEqual(await sentences(bob, ["chiefs"], []), [
    "In all, 1 live credential of 1 account gains something.",
    "Gives inner back to 1 live credential of 1 account; no new authorization is needed.",
    "Gives secret back to 1 live credential of 1 account; no new authorization is needed.",
  ])
  assert.deepEqual(await sentences(ada, [], ["staff"]), [
    "1 live credential of 1 account keeps nothing at all.",
    "Takes inner from 3 live credentials of 1 account.",
  ])
  assert.deepEqual(await sentences(ada, ["chiefs"], ["staff"]), [
    "Gives secret back to 2 live credentials of 1 account; no new authorization is needed.",
  ])
  assert.deepEqual(await sentences(ada, ["staff"], []), ["Nothing changes: this is already the case."])
  const grouped = good(await previewMemberships(services, bob.userId, { add: ["chiefs"], remove: [] }))
  assert.deepEqual(grouped.account.groups, ["chiefs"])
  const { account } = await services.store.read({ account: bob.userId })
  assert.deepEqual(account?.groups, [])
  for (const update of [
    { add: ["none"], remove: [] },
    { add: [], remove: ["staff"] },
  ])
    assert.equal(
      (await previewMemberships(services, bob.userId, update)).ok,
      (await change(bob, update.add, update.remove)).ok,
    )
  assert.equal((await previewMemberships(services, "nothing", { add: [], remove: [] })).ok, false)
})

test("PERM-5, GROUP-13: the removal of a group is previewed for all its members together", async (t) => {
  const { services, bob, change } = await seeded(t)
  good(await change(bob, ["staff", "chiefs"], []))
  const { preview, ...group } = good(await previewGroupRemoval(services, "staff"))
  assert.deepEqual([group.name, group.members], ["staff", 2])
  assert.deepEqual(previewSentences(preview), [
    "1 live credential of 1 account keeps nothing at all.",
    "Takes inner from 3 live credentials of 1 account.",
  ])
  assert.equal(preview.live.credentials, 4)
  good(await removeGroup(services, "staff", OPERATOR))
  assert.equal((await previewGroupRemoval(services, "staff")).ok, false)
  assert.deepEqual((await services.store.read({ account: bob.userId })).account?.groups, ["chiefs"])
})

test("PERM-5, GROUP-17: a change of the groups that an app is for is previewed, and done as previewed", async (t) => {
  const { services, clientId } = await seeded(t)
  const change = { addGroups: ["staff"] }
  const sentences = [
    "In all, 1 live credential of 1 account loses something.",
    "1 live credential of 1 account keeps nothing at all.",
    "Takes open from 1 live credential of 1 account.",
  ]
  const previewed = good(await previewAppUpdate(services, clientId, change, OPERATOR))
  assert.deepEqual(previewSentences(previewed.preview), sentences.slice(1))
  assert.deepEqual(previewed.app.client.groups, ["staff"])
  assert.equal((await previewAppUpdate(services, clientId, { addGroups: ["none"] }, OPERATOR)).ok, false)
  assert.equal((await updateApp(services, clientId, { groups: ["none"] }, OPERATOR)).ok, false)
  const done = good(await updateAppWithPreview(services, clientId, change, OPERATOR))
  assert.deepEqual(done.preview, previewed.preview)
  good(await removeGroup(services, "staff", OPERATOR))
  const kept = good(await updateApp(services, clientId, { groups: ["staff", "chiefs"] }, OPERATOR))
  assert.deepEqual(kept.client.groups, ["chiefs", "staff"], "a group that is gone may stay")
})
