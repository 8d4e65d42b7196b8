/** A kit at a real service takes JWT access tokens as it takes opaque ones. */
import { after, test } from "node:test"
import assert from "node:assert/strict"
import { requirePermission } from "../../packages/resource-server/src/resource-server.ts"
import { withdrawKey } from "../oauth/jwt/jwt-service.ts"
import { ApiServer, check, passed, reasonOf, RESOURCE, untilRefused } from "./api-server.ts"

const own = await ApiServer.open({
  resourceServers: new Map([[RESOURCE, { name: "Notes", jwt: { algorithm: "ES256", seconds: 60 } }]]),
})
after(() => own.closeKits())
after(() => own.close())

test("JWT-4 a kit asks about a JWT once, keeps the answer until its end, and hears its revocation", async () => {
  const kit = await own.liveKit({ requireAudience: true })
  const [held, other] = [
    await own.grant(own.app, { resource: RESOURCE }),
    await own.grant(own.app, { resource: RESOURCE }),
  ]
  assert.match(held.access_token, /^eyJ/)
  const asked = own.front.introspections
  const access = passed(await check(kit, held, requirePermission("files:write")))
  assert.equal(passed(await check(kit, held)), access)
  assert.equal(own.front.introspections, asked + 1)
  assert.deepEqual([access.audience, access.tokenId], [[RESOURCE], held.token_id])
  passed(await check(kit, other))

  await own.revoke(held)
  await untilRefused(kit, held)
  assert.equal(reasonOf(await check(kit, held)), "tokenInvalid")
  passed(await check(kit, other))
  own.testServer.clock.advance(61)
  assert.equal(reasonOf(await check(kit, other)), "tokenInvalid")
})

test("JWT-4, SIGN-4 a kit that keeps an answer about a JWT hears within a second that its key is withdrawn", async () => {
  const kit = await own.liveKit({ requireAudience: true })
  const held = await own.grant(own.app, { resource: RESOURCE })
  passed(await check(kit, held))
  // The clock stands still, so the process has not read its keys again when the kit asks.
  await withdrawKey(own.testServer, "ES256", 0)
  await untilRefused(kit, held)
  own.testServer.clock.advance(1)
  passed(await check(kit, await own.grant(own.app, { resource: RESOURCE })))
})
