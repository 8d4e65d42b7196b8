/** A change at the service must take effect in a kit that caches responses. */
import { after, afterEach, beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { requireElevation, requirePermission } from "../../packages/resource-server/src/resource-server.ts"
import { removeAccount, setAccountEnabled, setAdministration } from "../../src/accounts/accounts.ts"
import { linkAccount, unlinkAccount } from "../../src/accounts/providers/link.ts"
import { removeApp, rotateAppSecret, setAppEnabled, updateApp } from "../../src/apps/app.ts"
import { refresh, signedInBrowser } from "../support/connect.ts"
import { grant } from "../support/grant.ts"
import { Product } from "../support/product.ts"
import { until } from "../support/until.ts"
import { ApiServer, check, passed, reasonOf, RESOURCE, untilRefused } from "./api-server.ts"
import { untilInEffect } from "./in-effect.ts"
import { OPERATOR } from "../support/test-server.ts"

const writing = requirePermission("files:write")

const shop = new Product(() => 0).provider()
const own = await ApiServer.open({ providers: new Map([[shop.name, shop]]) })
after(() => own.close())
afterEach(() => own.closeKits())
beforeEach(() => own.testServer.clock.advance(5))

test("a check that was made once sends no second request", async () => {
  const kit = await own.liveKit()
  const held = await own.grant()
  const access = passed(await check(kit, held))
  const asked = own.front.introspections
  for (let i = 0; i < 100; i++) assert.equal(passed(await check(kit, held, writing)), access)
  assert.equal(own.front.introspections, asked)
  assert.ok(Object.isFrozen(access) && Object.isFrozen(access.permissions))
})

test("AUTHZ-9: a token for another resource is refused, one for this resource passes", async () => {
  const kit = await own.liveKit()
  const resources = [
    [RESOURCE, null],
    ["https://api.example:443/notes", null],
    ["https://api.example/", "audienceOther"],
  ]
  for (const [resource = "", reason] of resources) {
    const held = await own.grant(own.app, { resource: resource ?? "" })
    // The first response comes from the service, and the second from the cache.
    assert.equal(reasonOf(await check(kit, held)), reason)
    assert.equal(reasonOf(await check(kit, held)), reason)
  }
})

test("AUTH-8, RES-2: a token that a refresh narrowed passes only where it was narrowed to", async () => {
  const kit = await own.liveKit()
  const held = await own.grant(own.app, { scope: "files:write account:read" })
  passed(await check(kit, held, writing))
  const narrowed = async (
    { refresh_token }: { readonly refresh_token: string },
    more: Record<string, string>,
  ) => {
    const answer = await refresh(own.front, own.app, refresh_token, more)
    assert.equal(answer.status, 200)
    return answer.body as unknown as typeof held
  }
  const byScope = await narrowed(held, { scope: "account:read" })
  assert.equal(reasonOf(await check(kit, byScope, writing)), "permissionLacking")
  passed(await check(kit, byScope, requirePermission("account:read")))
  const elsewhere = await narrowed(byScope, { resource: "https://files.example/" })
  assert.equal(reasonOf(await check(kit, elsewhere, writing)), "audienceOther")
  passed(await check(kit, await narrowed(elsewhere, { resource: RESOURCE }), writing))
})

describe("in effect within a second", () => {
  test("CRED-3: a revocation", async () => {
    const kit = await own.liveKit()
    const [held, other] = [await own.grant(), await own.grant()]
    passed(await check(kit, held))
    passed(await check(kit, other))
    const asked = own.front.introspections
    await own.revoke(held)
    await untilRefused(kit, held)
    assert.equal(reasonOf(await check(kit, held)), "tokenInvalid")
    const askedSince = own.front.introspections - asked
    passed(await check(kit, other))
    assert.ok(own.front.introspections - asked === askedSince, "another credential was forgotten with it")
  })

  test("PERM-5: a permission taken off the app, and given back", async () => {
    const kit = await own.liveKit()
    const app = await own.testServer.addApp({ permissions: ["account:read", "files:write"] })
    const held = await own.grant(app)
    passed(await check(kit, held, writing))
    await updateApp(own.testServer.latchkey, app.clientId, { removePermissions: ["files:write"] }, OPERATOR)
    await untilInEffect(
      async () => reasonOf(await check(kit, held, writing)) === "permissionLacking",
      "the permission is gone",
    )
    passed(await check(kit, held, requirePermission("account:read")))
    await updateApp(own.testServer.latchkey, app.clientId, { addPermissions: ["files:write"] }, OPERATOR)
    await untilInEffect(async () => (await check(kit, held, writing)).ok, "the permission is back")
  })

  test("an account disabled, enabled, and removed", async () => {
    const kit = await own.liveKit()
    const app = await own.testServer.addApp()
    await own.testServer.addAccount("carol")
    const held = await grant(own.testServer, await signedInBrowser(own.front, "carol"), app)
    passed(await check(kit, held))
    await setAccountEnabled(own.testServer.latchkey, "carol", false, OPERATOR)
    await untilRefused(kit, held)
    await setAccountEnabled(own.testServer.latchkey, "carol", true, OPERATOR)
    await untilInEffect(async () => (await check(kit, held)).ok, "the account is back")
    await removeAccount(own.testServer.latchkey, "carol", OPERATOR)
    await untilRefused(kit, held)
  })

  test("an administrator who was demoted", async () => {
    const kit = await own.liveKit()
    const app = await own.testServer.addApp({ permissions: ["admin:events"] })
    await own.testServer.addAccount("dora", true)
    const browser = await signedInBrowser(own.front, "dora")
    const held = await grant(own.testServer, browser, app, { scope: "admin:events" })
    const administering = requirePermission("admin:events")
    passed(await check(kit, held, administering))
    await setAdministration(own.testServer.latchkey, "dora", false, OPERATOR)
    await untilInEffect(async () => !(await check(kit, held, administering)).ok, "the permission is gone")
  })

  test("LOGIN-30 an account that is linked to a user of an application, and unlinked", async () => {
    const kit = await own.liveKit()
    await own.testServer.addAccount("ulla")
    const held = await grant(own.testServer, await signedInBrowser(own.front, "ulla"), own.app)
    const identities = async () => passed(await check(kit, held)).identities
    assert.deepEqual(await identities(), [])
    assert.ok((await linkAccount(own.testServer.latchkey, shop, "ulla", "42", OPERATOR)).ok)
    await untilInEffect(async () => (await identities()).length === 1, "the user is known")
    assert.deepEqual(await identities(), [{ provider: "shop", subject: "42" }])
    const all = await identities()
    assert.ok(Object.isFrozen(all) && all.every(Object.isFrozen))
    assert.ok((await unlinkAccount(own.testServer.latchkey, shop, "ulla", "42", OPERATOR)).ok)
    await untilInEffect(async () => (await identities()).length === 0, "the user is gone")
  })

  test("an app disabled, enabled, and removed", async () => {
    const kit = await own.liveKit()
    const app = await own.testServer.addApp()
    const held = await own.grant(app)
    passed(await check(kit, held))
    await setAppEnabled(own.testServer.latchkey, app.clientId, false, OPERATOR)
    await untilRefused(kit, held)
    await setAppEnabled(own.testServer.latchkey, app.clientId, true, OPERATOR)
    await untilInEffect(async () => (await check(kit, held)).ok, "the app is back")
    await removeApp(own.testServer.latchkey, app.clientId, OPERATOR)
    await untilRefused(kit, held)
  })
})

describe("gaining is seen at once", () => {
  test("STEP-2: an elevation, though the answer before it is kept", async () => {
    const kit = await own.liveKit()
    const held = await own.grant()
    assert.equal(reasonOf(await check(kit, held, requireElevation())), "elevationLacking")
    await own.elevate(held)
    own.testServer.clock.advance(1)
    const { elevatedUntil } = passed(await check(kit, held, requireElevation()))
    assert.equal(elevatedUntil, own.testServer.clock.now() - 1 + 900)
  })

  test("and over by itself, without a message", async () => {
    const kit = await own.liveKit()
    await own.testServer.set("step_up.window_seconds", "60")
    const held = await own.grant()
    await own.elevate(held)
    own.testServer.clock.advance(1)
    passed(await check(kit, held, requireElevation()))
    own.testServer.clock.advance(58)
    passed(await check(kit, held, requireElevation()))
    own.testServer.clock.advance(1)
    assert.equal(reasonOf(await check(kit, held, requireElevation())), "elevationLacking")
  })

  test("a token that lacks something is introspected at most once a second", async () => {
    const kit = await own.liveKit()
    const held = await own.grant()
    const lacking = requirePermission("admin:events")
    passed(await check(kit, held))
    const asked = own.front.introspections
    for (let i = 0; i < 20; i++) assert.equal(reasonOf(await check(kit, held, lacking)), "permissionLacking")
    assert.equal(own.front.introspections, asked)
    own.testServer.clock.advance(1)
    for (let i = 0; i < 20; i++) assert.equal(reasonOf(await check(kit, held, lacking)), "permissionLacking")
    assert.equal(own.front.introspections, asked + 1)
  })
})

describe("an answer is kept", () => {
  test("for a minute without renewal", async () => {
    const kit = await own.liveKit()
    const held = await own.grant()
    passed(await check(kit, held))
    // Time passes in steps with data after each, so that the stream never counts as lost.
    for (let i = 0; i < 2; i++) {
      own.testServer.clock.advance(20)
      await own.everythingReceived(kit)
    }
    own.testServer.clock.advance(19)
    const asked = own.front.introspections
    passed(await check(kit, held))
    assert.equal(own.front.introspections, asked)
    own.testServer.clock.advance(1)
    passed(await check(kit, held))
    assert.equal(own.front.introspections, asked + 1)
    assert.ok(kit.isLive())
    passed(await check(kit, held))
    assert.equal(own.front.introspections, asked + 1)
  })

  test("TOK-4: not past the token's own end", async () => {
    const kit = await own.liveKit()
    await own.testServer.set("token.access_seconds", "60")
    const held = await own.grant()
    await own.testServer.set("token.access_seconds", "3600")
    own.testServer.clock.advance(40)
    await until(() => kit.isLive(), "the stream is live")
    passed(await check(kit, held))
    own.testServer.clock.advance(20)
    assert.equal(reasonOf(await check(kit, held)), "tokenInvalid")
  })
})

describe("without the stream every check asks", () => {
  test("a service that has none", async () => {
    own.front.hasStream = false
    try {
      const kit = own.kit()
      const held = await own.grant()
      const asked = own.front.introspections
      for (let i = 0; i < 5; i++) passed(await check(kit, held))
      assert.equal(own.front.introspections, asked + 5)
      await own.revoke(held)
      assert.equal(reasonOf(await check(kit, held)), "tokenInvalid")
      await until(
        () => own.troubles.some(({ of, status }) => of === "stream" && status === 404),
        "it is reported",
      )
      own.front.hasStream = true
      await until(() => kit.isLive(), "the stream came back")
    } finally {
      own.front.hasStream = true
    }
  })

  test("a stream that was not wanted", async () => {
    const kit = own.kit({ stream: false })
    const held = await own.grant()
    const [asked, opened] = [own.front.introspections, own.front.opened]
    for (let i = 0; i < 5; i++) passed(await check(kit, held))
    assert.deepEqual([own.front.introspections, own.front.opened], [asked + 5, opened])
  })

  test("a stream that breaks is opened again where it ended, and delivers what was missed", async () => {
    const kit = await own.liveKit()
    const [held, other] = [await own.grant(), await own.grant()]
    passed(await check(kit, held))
    passed(await check(kit, other))
    own.front.hasStream = false
    own.front.cutStreams()
    await until(() => !kit.isLive(), "the stream is gone")
    await own.revoke(held)
    const asked = own.front.introspections
    own.front.hasStream = true
    await until(() => kit.isLive(), "the stream is back")
    assert.match(own.front.lastEventId ?? "", /^\d+$/)
    passed(await check(kit, other))
    assert.equal(own.front.introspections, asked, "what was kept is good still")
    assert.equal(reasonOf(await check(kit, held)), "tokenInvalid")
  })

  test("a stream that says nothing for 25 seconds", async () => {
    const kit = await own.liveKit()
    const held = await own.grant()
    passed(await check(kit, held))
    own.front.isSilent = true
    try {
      await own.revoke(held)
      own.testServer.clock.advance(24)
      assert.ok(kit.isLive(), "not given up too early")
      // From now on, the stream may be opened again at any moment, but only once. The next stream is not silent.
      const streams = own.front.opened
      own.testServer.clock.advance(1)
      assert.ok(!kit.isLive())
      assert.equal(reasonOf(await check(kit, held)), "tokenInvalid")
      await until(() => own.front.opened > streams, "it is opened again")
    } finally {
      own.front.isSilent = false
      own.front.cutStreams()
    }
    await until(() => kit.isLive(), "the stream is back")
  })

  test("a kit that was closed goes on checking", async () => {
    const kit = await own.liveKit()
    const held = await own.grant()
    passed(await check(kit, held))
    kit.close()
    assert.ok(!kit.isLive())
    await own.revoke(held)
    assert.equal(reasonOf(await check(kit, held)), "tokenInvalid")
  })
})

test("the service restarts: no request passes unchecked, and the kit reconnects by itself", async () => {
  const kit = await own.liveKit()
  const held = await own.grant()
  passed(await check(kit, held))
  await own.testServer.restart()
  await own.revoke(held)
  await until(() => kit.isLive(), "the stream is back")
  assert.equal(reasonOf(await check(kit, held)), "tokenInvalid")
})

test("INTRO-3: a resource server that lost its secret or its mark receives nothing", async () => {
  const api = await own.testServer.addApp({
    type: "confidential",
    resourceServer: true,
    permissions: [],
    redirectUris: [],
  })
  const identity = { clientId: api.clientId, clientSecret: api.secret ?? "" }
  const kit = await own.liveKit(identity)
  const held = await own.grant()
  passed(await check(kit, held))
  const replaced = await rotateAppSecret(own.testServer.latchkey, api.clientId, OPERATOR)
  assert.ok(replaced.ok)
  await untilInEffect(() => !kit.isLive(), "the stream is ended")
  assert.equal(reasonOf(await check(kit, held)), "serviceUnavailable")
  await until(
    () => own.troubles.some(({ of, status }) => of === "stream" && status === 401),
    "it is reported",
  )
})
