import { test } from "node:test"
import assert from "node:assert/strict"
import { registrationEventSweeper } from "../../../src/admin/upkeep/unused-registrations.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { registered, TOOL } from "../../apps/registration/register.ts"
import { connectIn } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"

test("RATE-5 the event of a stranger's registration is kept a week, that of an app with a consent longer", async (t) => {
  const { testServer, bob } = await fixture({
    span: t,
    accounts: ["bob"],
    browsers: ["bob"],
    settings: { "registration.open": "on" },
  })
  const [used, unused] = [
    await registered(testServer, { ...TOOL, client_name: "Used" }),
    await registered(testServer, { ...TOOL, client_name: "Unused" }),
  ]
  await connectIn(bob, testServer, used)
  const left = async () =>
    (await testServer.store.events({ kinds: ["app-registered"] }, { limit: 9 })).map(
      ({ clientId }) => clientId,
    )
  const sweep = registrationEventSweeper(testServer.latchkey)
  await sweep(testServer.clock.now() + 7 * DAY - 1)
  assert.deepEqual(await left(), [unused.clientId, used.clientId])
  await sweep(testServer.clock.now() + 7 * DAY)
  assert.deepEqual(await left(), [used.clientId])
})
