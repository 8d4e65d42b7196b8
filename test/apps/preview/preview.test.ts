/** Tests previews on a real store. A preview says what the change later does, and changes nothing itself. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { previewSentences } from "../../../src/apps/preview/preview-words.ts"
import { explanationRecord } from "../../../src/oauth/explain/explanation-record.ts"
import { IDLE_SECONDS } from "../../../src/kernel/limits.ts"
import {
  addAccount,
  addServiceAccount,
  setAccountEnabled,
  setAdministration,
} from "../../../src/accounts/accounts.ts"
import { addApp } from "../../../src/apps/add-app.ts"
import { findApp, setAppEnabled } from "../../../src/apps/app.ts"
import { listCredentials } from "../../../src/admin/credentials/credential.command.ts"
import { explain, explainOwn } from "../../../src/oauth/explain/explain.ts"
import { LiveSettings } from "../../../src/platform/services/live-settings.ts"
import {
  previewAccountDisabling,
  previewAccountRemoval,
  previewAdministration,
  previewAppEnd,
  previewAppUpdate,
  updateAppWithPreview,
} from "../../../src/apps/preview.ts"
import type { ReachPreview } from "../../../src/apps/preview/reach-preview.rules.ts"
import { sampleCatalog } from "../../support/core-sample.ts"
import { testClock } from "../../support/clock.ts"
import { addCredential } from "../../support/add-credential.ts"
import { databaseIn } from "../../support/database.ts"
import { newDirectory, type Span } from "../../support/spawn.ts"
import type { UserId } from "../../../src/kernel/ids.ts"
import type { Problem, Result } from "../../../src/kernel/result.ts"
import { OPERATOR } from "../../support/test-server.ts"

function byOwner({ userId }: { readonly userId: string }) {
  return { owner: { userId: userId as UserId, openSchemes: [] } }
}

function good<T>(outcome: Result<T, Problem>): T {
  assert.ok(outcome.ok, outcome.ok ? "" : outcome.error)
  return outcome.value
}

/**
 * Adds the administrator Ada, Bob, and an app of Bob's that both have allowed. Some credentials have ended or are
 * revoked.
 */
async function seeded(t: Span) {
  const store = await (await databaseIn(newDirectory(t))).open()
  t.after(() => store.close())
  const clock = testClock()
  const settings = await LiveSettings.open(store, clock, sampleCatalog)
  const services = { store, clock, catalog: sampleCatalog, settings, providers: new Map() }
  const password = "correct horse battery"
  const ada = good(await addAccount(services, { username: "ada", password, admin: true, ...OPERATOR }))
  const bob = good(await addAccount(services, { username: "bob", password, admin: false, ...OPERATOR }))
  const { client } = good(
    await addApp(
      services,
      {
        type: "public",
        name: "Notes",
        redirectUris: [],
        permissions: ["files:read", "account:read", "admin:events"],
        verified: false,
        stepUp: false,
        resourceServer: false,
        ownerName: "bob",
      },
      OPERATOR,
    ),
  )
  const { clientId } = client
  const now = clock.now()
  const add = (userId: string, scope: string, consentedAt = now) =>
    addCredential(store, { clientId, userId, scope, consentedAt })
  const first = await add(ada.userId, "account:read admin:events files:read workers:read")
  await add(ada.userId, "files:read workers:read")
  await add(bob.userId, "files:read workers:read")
  await add(bob.userId, "account:read")
  await add(bob.userId, "files:read workers:read", now - IDLE_SECONDS - 1)
  await addCredential(store, {
    clientId,
    userId: bob.userId,
    scope: "files:read",
    consentedAt: now,
    life: () => ({ state: "revoked", family: null, revokedAt: now, because: "app" }),
  })
  return { ...services, latchkey: services, clientId, ada, bob, first }
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

test("SERVICE-1 the preview of an owner's end counts the service accounts that end with it", async (t) => {
  const { latchkey: services, bob } = await seeded(t)
  for (const username of ["robot", "runner", "off"])
    good(await addServiceAccount(services, { username, admin: false, ownerName: "bob", ...OPERATOR }))
  good(await setAccountEnabled(services, "off", false, OPERATOR))
  for (const preview of [previewAccountDisabling, previewAccountRemoval])
    assert.ok(
      previewSentences(good(await preview(services, bob.userId)).preview).includes(
        "2 service accounts of this account are disabled with it.",
      ),
    )
})

test("PERM-5 what happens to an account is previewed with its credentials, and its last administrator stays", async (t) => {
  const { latchkey: services, clientId, ada, bob } = await seeded(t)
  for (const refused of [
    await previewAccountDisabling(services, ada.userId),
    await previewAccountRemoval(services, ada.userId),
    await previewAdministration(services, ada.userId, false),
    await previewAccountDisabling(services, "unknown"),
  ])
    assert.equal(refused.ok, false)
  const removal = good(await previewAccountRemoval(services, bob.userId))
  assert.deepEqual(
    removal.appsWithoutOwner.map((client) => client.clientId),
    [clientId],
  )
  assert.equal(previewSentences(removal.preview)[0], "2 live credentials of 1 app are revoked for good.")
  good(await setAdministration(services, "bob", true, OPERATOR))
  const withdrawal = good(await previewAdministration(services, ada.userId, false))
  assert.deepEqual(
    withdrawal.preview.taken.map(({ permission, credentials }) => [permission, credentials]),
    [["admin:events", 1]],
  )
  const already = good(await previewAdministration(services, ada.userId, true))
  assert.equal(already.preview.change, "nothing")
  good(await setAccountEnabled(services, "bob", false, OPERATOR))
  assert.equal(good(await previewAccountDisabling(services, bob.userId)).preview.change, "nothing")
})

test("PERM-5 a stored credential is explained with its app and its account as they are now", async (t) => {
  const { latchkey: services, clientId, clock, first } = await seeded(t)
  good(await updateAppWithPreview(services, clientId, { removePermissions: ["files:read"] }, OPERATOR))
  const updated = async () =>
    explanationRecord(services, good(await explain(services, first)), clock.now(), String)
  const record = await updated()
  assert.equal(record.reach, "account:read admin:events")
  const lines = new Map(record.permissions.map((line) => [line.permission, line]))
  assert.deepEqual(lines.get("files:read")?.blockers, ["beyond-ceiling"])
  assert.deepEqual(lines.get("apps:read")?.blockers, ["beyond-ceiling", "not-consented"])
  assert.deepEqual(lines.get("admin:events")?.blockers, [])
  good(await setAppEnabled(services, clientId, false, OPERATOR))
  assert.deepEqual((await updated()).blockers, ["app-disabled"])
  clock.advance(IDLE_SECONDS + 1)
  const over = await updated()
  assert.deepEqual([over.state, over.because, over.next_end], ["ended", "idle", null])
  assert.equal((await explain(services, "nothing")).ok, false)
})

test("PERM-5 an account may ask about its own credentials only", async (t) => {
  const { latchkey: services, ada, bob, first } = await seeded(t)
  assert.equal(good(await explainOwn(services, ada, first)).credential.consent.tokenId, first)
  assert.deepEqual(await explainOwn(services, bob, first), {
    ok: false,
    error: `There is no credential "${first}".`,
  })
})
