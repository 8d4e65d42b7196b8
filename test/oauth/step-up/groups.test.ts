/** A step-up elevates a credential whose person left the group, but gives back nothing that the group gave. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { fixture } from "../../support/fixture.ts"
import { connectIn, send } from "../../support/connect.ts"
import { setAppGroups, setGroups } from "../../support/groups.ts"
import { call, rotated } from "../../support/signed-in.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { ask } from "../../admin/api/api-world.ts"
import { openCode, poll, started } from "../device/device.ts"

const { testServer, bob, crewApp, userIds } = await fixture({
  rateLimit: "off",
  accounts: ["bob"],
  browsers: ["bob"],
  apps: { crewApp: { permissions: ["account:read", "credentials:write"], stepUp: true } },
})
await setAppGroups(testServer, crewApp, "crew")

const join = () => setGroups(testServer, userIds.bob, "crew")
const leave = () => setGroups(testServer, userIds.bob)

test("GROUP-2, STEP-2 a window that opened while the person was away serves only after the return", async () => {
  await join()
  const [held, other] = [await connectIn(bob, testServer, crewApp), await connectIn(bob, testServer, crewApp)]
  const revokeOther = async () =>
    (
      await ask(testServer, held.access_token, {
        method: "DELETE",
        path: `/api/credentials/${other.token_id}`,
        body: undefined,
      })
    ).status
  assert.equal(await revokeOther(), 400, "it needs a step-up")
  const authorization = { authorization: `Bearer ${held.access_token}` }
  const answer = await send(testServer, "/oauth/step-up", {}, authorization)
  const ceremony = started(answer.body)
  await leave()
  const page = await openCode(bob, ceremony.userCode)
  const proof = { decision: "authorize", password: PASSWORD }
  assert.equal((await bob.submit(page, "/oauth/consent", proof)).status, 200)
  assert.deepEqual((await poll(testServer, crewApp, ceremony)).body, { elevated: true })
  assert.equal(await revokeOther(), 403)
  assert.equal((await call(testServer, "/api/account", held.access_token)).status, 403)
  await join()
  assert.equal(await revokeOther(), 204)
  assert.equal((await rotated(testServer, crewApp, held)).scope, held.scope)
})
