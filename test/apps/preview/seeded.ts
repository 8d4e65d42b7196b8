/** A store with credentials of two accounts for one app. */
import assert from "node:assert/strict"
import { IDLE_SECONDS } from "../../../src/kernel/limits.ts"
import { addAccount } from "../../../src/accounts/accounts.ts"
import { addApp } from "../../../src/apps/add-app.ts"
import { LiveSettings } from "../../../src/platform/services/live-settings.ts"
import { sampleCatalog } from "../../support/core-sample.ts"
import { testClock } from "../../support/clock.ts"
import { addCredential } from "../../support/add-credential.ts"
import { databaseIn } from "../../support/database.ts"
import { newDirectory, type Span } from "../../support/spawn.ts"
import type { Problem, Result } from "../../../src/kernel/result.ts"
import { OPERATOR } from "../../support/test-server.ts"

export function good<T>(outcome: Result<T, Problem>): T {
  assert.ok(outcome.ok, outcome.ok ? "" : outcome.error)
  return outcome.value
}

/**
 * Adds the administrator Ada, Bob, and an app of Bob's that both have allowed. Some credentials have ended or are
 * revoked.
 */
export async function seeded(t: Span) {
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
