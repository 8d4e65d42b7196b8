/** A clock that is set back makes no used assertion valid again. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { ASSERTIONS_KEPT_SECONDS } from "../../../src/kernel/limits.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { assertRefused } from "../../support/answers.ts"
import { send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { Signer } from "../../support/signer.ts"

const DEVICE = "/oauth/device-authorization"

const signer = await Signer.make()
const { testServer: server, app } = await fixture({ apps: { app: { keys: signer.keys } } })

const proof = () => signer.authenticates(app.clientId, server.issuer, server.clock.now())

/** Sets the clock forward, lets housekeeping delete what is over, and sets the clock back. */
async function glimpseOf(seconds: number): Promise<void> {
  server.clock.advance(seconds)
  while ((await server.store.sweep(server.clock.now(), 100)) > 0);
  server.clock.advance(-seconds)
}

for (const seconds of [200, ASSERTIONS_KEPT_SECONDS, ASSERTIONS_KEPT_SECONDS + 200, 6 * DAY])
  test(`KEY-5 a used assertion stays used if the clock was ${seconds} seconds ahead`, async () => {
    const used = await proof()
    assert.equal((await send(server, DEVICE, used)).status, 200)
    server.clock.advance(30)
    await glimpseOf(seconds)
    assertRefused(await send(server, DEVICE, used), 401, "invalid_client")
    // Fresh assertions work again once the used ones would have expired.
    server.clock.advance(60)
    assert.equal((await send(server, DEVICE, await proof())).status, 200)
  })

test("KEY-5 a clock that was wrong for long does not lock an app out for longer than a week", async () => {
  server.clock.advance(400 * DAY)
  assert.equal((await send(server, DEVICE, await proof())).status, 200)
  await glimpseOf(DAY)
  server.clock.advance(-400 * DAY)
  assert.equal((await send(server, DEVICE, await proof())).status, 200)
})
