/** Tests previews on a real store. A preview says what the change later does, and changes nothing itself. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { previewSentences } from "../../../src/apps/preview/preview-words.ts"
import { findApp, setAppEnabled } from "../../../src/apps/app.ts"
import { listCredentials } from "../../../src/admin/credentials/credential.command.ts"
import { explain } from "../../../src/oauth/explain/explain.ts"
import {
  previewAccountDisabling,
  previewAppEnd,
  previewAppUpdate,
  updateAppWithPreview,
} from "../../../src/apps/preview.ts"
import type { ReachPreview } from "../../../src/apps/preview/reach-preview.rules.ts"
import { addCredential } from "../../support/add-credential.ts"
import type { UserId } from "../../../src/kernel/ids.ts"
import { OPERATOR } from "../../support/test-server.ts"
import { good, seeded } from "./seeded.ts"

function byOwner({ userId }: { readonly userId: string }) {
  return { owner: { userId: userId as UserId, openSchemes: [] } }
}

test("PERM-6 the preview of an update counts live credentials, answers the app as it would be, and writes nothing", async (t) => {
  const { latchkey: services, store, clientId } = await seeded(t)
  const events = (await store.events({}, { limit: 100 })).length
  const { app, preview } = good(
    await previewAppUpdate(
      services,
      clientId,
      { removePermissions: ["files:read"], name: "Better" },
      OPERATOR,
    ),
  )
  assert.equal(app.client.name, "Better")
  assert.equal(app.client.ceiling.join(" "), "account:read admin:events")
  assert.deepEqual(previewSentences(preview), [
    "In all, 3 live credentials of 2 accounts lose something.",
    "2 live credentials of 2 accounts keep nothing at all.",
    "Takes files:read from 3 live credentials of 2 accounts.",
    "Takes workers:read from 3 live credentials of 2 accounts.",
  ])
  assert.equal(preview.live.credentials, 4)
  assert.equal(good(await findApp(services, clientId)).client.name, "Notes")
  assert.equal((await store.events({}, { limit: 100 })).length, events)
})

test("PERM-6, PERM-7 the update takes what its preview said, and putting it back gives it back", async (t) => {
  const { latchkey: services, clientId, clock } = await seeded(t)
  const reaches = async () => {
    const listed = good(await listCredentials(services, { accountName: null, clientId }))
    return listed.map(({ credential }) => credential.consent.tokenId)
  }
  const ids = await reaches()
  const reachNow = () =>
    Promise.all(
      ids.map(async (id) => {
        const { permissions } = good(await explain(services, id))
        return permissions.filter(({ isReached }) => isReached).map(({ permission }) => permission)
      }),
    )
  const before = await reachNow()
  const update = { removePermissions: ["files:read"], addPermissions: ["apps:read"] }
  const { preview } = good(await previewAppUpdate(services, clientId, update, OPERATOR))
  const updated = good(await updateAppWithPreview(services, clientId, update, OPERATOR))
  assert.deepEqual(updated.preview, preview)
  const after = await reachNow()
  const losing = before.filter((names, i) => names.some((name) => !after[i]?.includes(name)))
  assert.equal(losing.length, preview.losing.credentials)
  clock.advance(1)
  const back = good(
    await updateAppWithPreview(services, clientId, { addPermissions: ["files:read"] }, OPERATOR),
  )
  assert.deepEqual(
    back.preview?.given.map(({ permission, credentials }) => [permission, credentials]),
    [
      ["files:read", 3],
      ["workers:read", 3],
    ],
  )
  assert.deepEqual(await reachNow(), before)
  assert.equal(
    good(await updateAppWithPreview(services, clientId, { name: "Other" }, OPERATOR)).preview,
    null,
  )
})

test("ORG-1, PERM-5 every preview counts for an organization's credential only what its entry still gives", async (t) => {
  const { latchkey: services, store, clientId, clock, bob } = await seeded(t)
  const scope = "account:read files:read workers:read"
  const word = { clientId, userId: bob.userId, scope, organization: "work", consentedAt: clock.now() }
  await addCredential(store, word)
  const lost = async () => {
    const update = { removePermissions: ["account:read", "files:read"] }
    const previews = [
      await previewAppUpdate(services, clientId, update, OPERATOR),
      await previewAppEnd(services, clientId, "disabled", OPERATOR),
      await previewAccountDisabling(services, bob.userId),
    ]
    return previews.map((one) => {
      const counts = good<{ readonly preview: ReachPreview }>(one).preview.taken.map((row) => [
        row.permission,
        row.credentials,
      ])
      const { "account:read": account = 0, "files:read": files = 0 } = Object.fromEntries(counts) as Record<
        string,
        number
      >
      return [account, files]
    })
  }
  const before = await lost()
  const gives = (...permissions: readonly string[]) =>
    services.providers.set("work", { name: "work", assertions: { clients: [clientId], permissions } })
  const plus = (account: number, files: number) =>
    before.map(([one = 0, other = 0]) => [one + account, other + files])
  gives("account:read", "files:read")
  assert.deepEqual(await lost(), plus(1, 1))
  gives("account:read")
  assert.deepEqual(await lost(), plus(1, 0))
  services.providers.set("work", { name: "work" })
  assert.deepEqual(await lost(), before)
})

test("CLIENT-7 a preview refuses what the update would refuse", async (t) => {
  const { latchkey: services, clientId, ada, bob } = await seeded(t)
  const problems = await Promise.all([
    previewAppUpdate(services, "nothing", {}, OPERATOR),
    previewAppUpdate(services, clientId, { removePermissions: ["apps:read"] }, OPERATOR),
    previewAppUpdate(services, clientId, { addPermissions: ["files:raed"] }, OPERATOR),
    previewAppUpdate(services, clientId, { ownerName: "unknown" }, OPERATOR),
    previewAppUpdate(services, clientId, { addPermissions: ["admin:apps"] }, byOwner(bob)),
    previewAppUpdate(services, clientId, { name: "Mine" }, byOwner(ada)),
    previewAppEnd(services, clientId, "removed", byOwner(ada)),
    previewAppEnd(services, "nothing", "removed", OPERATOR),
  ])
  assert.deepEqual(
    problems.map(({ ok }) => ok),
    problems.map(() => false),
  )
  const owned = good(await previewAppUpdate(services, clientId, { ownerName: "ada" }, OPERATOR))
  assert.equal(owned.app.owner?.username, "ada")
  assert.equal(
    good(await previewAppUpdate(services, clientId, { ownerName: null }, OPERATOR)).app.owner,
    null,
  )
  const own = good(
    await previewAppUpdate(services, clientId, { permissions: ["account:read"] }, byOwner(bob)),
  )
  assert.equal(own.preview.losing.credentials, 3)
})

test("CLIENT-7 the end of an app takes everything; of one that is disabled, disabling changes nothing", async (t) => {
  const { latchkey: services, clientId, bob } = await seeded(t)
  const total = ({ preview }: { preview: Parameters<typeof previewSentences>[0] }) =>
    previewSentences(preview)[0]
  assert.equal(
    total(good(await previewAppEnd(services, clientId, "disabled", OPERATOR))),
    "4 live credentials of 2 accounts stop working until the app is enabled again.",
  )
  assert.equal(
    total(good(await previewAppEnd(services, clientId, "removed", byOwner(bob)))),
    "4 live credentials of 2 accounts are revoked for good.",
  )
  assert.equal(good(await findApp(services, clientId)).client.enabled, true)
  good(await setAppEnabled(services, clientId, false, OPERATOR))
  assert.equal(
    total(good(await previewAppEnd(services, clientId, "disabled", OPERATOR))),
    "Nothing changes: this is already the case.",
  )
})
