/** Tests previews of changes of an account on a real store, and the explanation of a stored credential. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { previewSentences } from "../../../src/apps/preview/preview-words.ts"
import { explanationRecord } from "../../../src/oauth/explain/explanation-record.ts"
import { IDLE_SECONDS } from "../../../src/kernel/limits.ts"
import { addServiceAccount, setAccountEnabled, setAdministration } from "../../../src/accounts/accounts.ts"
import { setAppEnabled } from "../../../src/apps/app.ts"
import { explain, explainOwn } from "../../../src/oauth/explain/explain.ts"
import {
  previewAccountDisabling,
  previewAccountRemoval,
  previewAdministration,
  updateAppWithPreview,
} from "../../../src/apps/preview.ts"
import { OPERATOR } from "../../support/test-server.ts"
import { good, seeded } from "./seeded.ts"

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
