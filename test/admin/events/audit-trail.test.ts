/** Tests who is named in the audit trail, and how long events are kept. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { Writable } from "node:stream"
import { pino } from "pino"
import { settings } from "../../../src/model/setting.rules.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { setAccountEnabled, setAdministration } from "../../../src/accounts/accounts.ts"
import { updateApp } from "../../../src/apps/app.ts"
import { endCredential } from "../../../src/oauth/credential/credential.ts"
import { retentionClock } from "../../../src/admin/upkeep/retention-clock.ts"
import { startHousekeeping } from "../../../src/admin/upkeep/housekeeping.ts"
import { sampleGauges } from "../../../src/apps/statistics/sample-gauges.ts"
import { setSetting } from "../../../src/admin/settings/setting.ts"
import { connect } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { OPERATOR } from "../../support/test-server.ts"

const {
  testServer,
  userIds: { bob, ada },
} = await fixture({ admins: ["ada"], accounts: ["bob"] })

const newest = async () => (await testServer.store.events({}, { limit: 1 }))[0]

test("CRED-3 it names who revoked a credential; without an actor it was the command line", async () => {
  const app = await testServer.addApp()
  const from = { address: "192.0.2.7", actorId: ada, owner: null }
  const held = await connect(testServer, app, "bob")
  await endCredential(testServer.latchkey, held.token_id, from)
  const recorded = await newest()
  assert.deepEqual(
    [recorded?.kind, recorded?.userId, recorded?.actorId, recorded?.address, recorded?.detail],
    ["credential-revoked", bob, ada, "192.0.2.7", "administrator"],
  )
  const other = await connect(testServer, app, "bob")
  await endCredential(testServer.latchkey, other.token_id, OPERATOR)
  assert.deepEqual([(await newest())?.actorId, (await newest())?.address], [null, null])
})

test("CLIENT-7, CLIENT-8 what was changed about an app is recorded, by name", async () => {
  const from = { address: "192.0.2.7", actorId: ada, owner: null }
  const { clientId } = await testServer.addApp({ permissions: ["files:read"] })
  const recorded = async (update: Parameters<typeof updateApp>[2]) => {
    assert.ok((await updateApp(testServer.latchkey, clientId, update, from)).ok)
    return (await newest())?.detail
  }
  assert.equal(
    await recorded({ verified: true, addPermissions: ["apps:read"], removePermissions: ["files:read"] }),
    "permissions +apps:read -files:read, verified = on",
  )
  assert.equal(await recorded({ name: "Other", ownerName: "bob" }), "name, owner")
  assert.equal(await recorded({ ownerName: null }), "owner")
  const last = (await newest())?.id
  await recorded({ verified: true })
  assert.equal((await newest())?.id, last, "a change that changes nothing is no event")
})

test("it records who changed another's account or a setting", async () => {
  const from = { address: "192.0.2.7", actorId: ada, owner: null }
  await setAccountEnabled(testServer.latchkey, "bob", false, from)
  assert.deepEqual([(await newest())?.userId, (await newest())?.actorId], [bob, ada])
  await setAccountEnabled(testServer.latchkey, "bob", true, OPERATOR)
  assert.deepEqual([(await newest())?.userId, (await newest())?.actorId], [bob, null])
  await setAdministration(testServer.latchkey, "bob", true, from)
  assert.equal((await newest())?.actorId, ada)
  await setSetting(testServer.latchkey, "token.access_seconds", "600", from)
  assert.deepEqual([(await newest())?.userId, (await newest())?.actorId], [null, ada])
})

test("LIM-7 events go when the setting says so, without a restart", async (t) => {
  const { testServer: kept } = await fixture({ accounts: ["bob"], span: t })
  const count = async () => (await kept.store.events({ kinds: ["account-added"] }, { limit: 9 })).length
  const swept = async () => {
    const { eventsKeptDays } = await kept.latchkey.settings.current()
    await kept.store.sweep(kept.clock.now(), 99, eventsKeptDays)
    return count()
  }
  kept.clock.advance(30 * DAY)
  assert.equal(await swept(), 1)
  await kept.set("events.retention_days", "31")
  assert.equal(await swept(), 1)
  await kept.set("events.retention_days", "29")
  assert.equal(await swept(), 0)
})

test("LIM-7 the days are a whole number within bounds", () => {
  const { parse } = settings.eventsKeptDays
  for (const text of ["7", "400", "3650"]) assert.deepEqual(parse(text), { ok: true, value: Number(text) })
  for (const text of ["6", "3651", "0", "-1", "7.5", "1e3", "", "off", "٧"])
    assert.equal(parse(text).ok, false)
})

test("housekeeping lets go what the setting says", async (t) => {
  const { promise: swept, resolve } = Promise.withResolvers<void>()
  const stream = new Writable({
    write: (line: Buffer, _, done) => {
      if (String(line).includes("old rows were deleted")) resolve()
      done()
    },
  })
  const { testServer: kept } = await fixture({
    log: pino({ level: "debug" }, stream),
    settings: { "events.retention_days": "7" },
    accounts: ["bob"],
    span: t,
  })
  const deletionTime = retentionClock(kept.latchkey)
  // Housekeeping would not trust a clock that jumps by more than a week.
  kept.clock.advance(4 * DAY)
  await deletionTime()
  kept.clock.advance(4 * DAY)
  t.after(startHousekeeping(kept.latchkey, deletionTime))
  await swept
  assert.deepEqual(await kept.store.events({}, { limit: 9 }), [])
})

test("installations are looked at every five minutes, however often they are asked for", async () => {
  const looks = () => testServer.latchkey.tallies.totals().get("installations.looks")
  const look = sampleGauges(testServer.latchkey)
  await look()
  await look()
  assert.equal(looks(), 1)
  testServer.clock.advance(299)
  await look()
  assert.equal(looks(), 1)
  testServer.clock.advance(1)
  await look()
  assert.equal(looks(), 2)
})
