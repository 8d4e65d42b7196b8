/** Tests self-registered apps without a consent. A hundred thousand of them are kept. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { UNUSED_APPS_AT_MOST } from "../../../src/kernel/limits.ts"
import { deletedUnlessUsedAt } from "../../../src/model/self-registration.rules.ts"
import { HOUR } from "../../../src/kernel/time.ts"
import { unusedAppsSweeper } from "../../../src/admin/upkeep/unused-apps.ts"
import { fixture } from "../../support/fixture.ts"

const COUNT = UNUSED_APPS_AT_MOST + 1200

/** Inserts one app for each second, the last of them at `last`. Each has its number as its name. */
function insertApps(last: number): string {
  const issuedAt = `${last - COUNT} + i`
  return `
    WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${COUNT})
    INSERT INTO client (client_id, type, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled,
      registered_by, issued_at, gone_at, disabled_by_owner)
    SELECT '00000000000000000000' || (100000 + i), 'public', 'App', '[]', 'account:read', 0, 0, 0, 1,
      'itself', ${issuedAt}, ${issuedAt} + ${deletedUnlessUsedAt(0)}, 0
    FROM numbers`
}

test("RATE-5 housekeeping removes the oldest apps without a consent above a hundred thousand", async (t) => {
  const { testServer } = await fixture({ span: t })
  const now = testServer.clock.now()
  await testServer.database.rows(insertApps(now))
  await unusedAppsSweeper(testServer.latchkey)(now)
  const [first] = await testServer.store.clients({ limit: 1 })
  assert.equal(first?.clientId, `00000000000000000000${100_000 + 1201}`)
  assert.equal(first.issuedAt, now - UNUSED_APPS_AT_MOST + 1)
})

test("RATE-5 an app younger than an hour stays, however many there are", async (t) => {
  const { testServer } = await fixture({ span: t })
  await testServer.database.rows(insertApps(testServer.clock.now() + COUNT))
  await unusedAppsSweeper(testServer.latchkey)(testServer.clock.now() + HOUR)
  const [first] = await testServer.store.clients({ limit: 1 })
  assert.equal(first?.issuedAt, testServer.clock.now() + 1, "the oldest is an hour old less a second")
})
