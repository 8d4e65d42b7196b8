/** Tests things that happen at the same moment, in every order that may be harmful. */
import { after, afterEach, beforeEach, test } from "node:test"
import assert from "node:assert/strict"
import { digest } from "../../packages/resource-server/src/digest.ts"
import { setAccountEnabled } from "../../src/accounts/accounts.ts"
import { updateApp } from "../../src/apps/app.ts"
import { grant } from "../support/grant.ts"
import { signedInBrowser } from "../support/connect.ts"
import { until } from "../support/until.ts"
import { ApiServer, check, passed, reasonOf } from "./api-server.ts"
import { wellFormed } from "./tokens.ts"
import { OPERATOR } from "../support/test-server.ts"

const own = await ApiServer.open()
after(() => own.close())
afterEach(() => own.closeKits())
beforeEach(() => own.testServer.clock.advance(5))

test("an answer that a revocation overtakes on its way is asked for again, and not kept", async () => {
  const kit = await own.liveKit()
  const held = await own.grant()
  const answer = own.front.hold()
  const early = check(kit, held)
  await answer.arrived
  await own.revoke(held)
  await own.everythingReceived(kit)
  const late = check(kit, held)
  answer.letGo()
  assert.equal(reasonOf(await early), "tokenInvalid")
  assert.equal(reasonOf(await late), "tokenInvalid")
  assert.equal(reasonOf(await check(kit, held)), "tokenInvalid")
})

test("an answer overtaken by a change of something else is kept", async () => {
  const kit = await own.liveKit()
  const held = await own.grant()
  const answer = own.front.hold()
  const early = check(kit, held)
  await answer.arrived
  await own.everythingReceived(kit)
  answer.letGo()
  passed(await early)
  const asked = own.front.introspections
  passed(await check(kit, held))
  assert.equal(own.front.introspections, asked)
})

test("an answer of an account that was disabled and enabled again meanwhile is asked for again", async () => {
  const kit = await own.liveKit()
  await own.testServer.addAccount("carol")
  const held = await grant(own.testServer, await signedInBrowser(own.front, "carol"), own.app)
  await setAccountEnabled(own.testServer.latchkey, "carol", false, OPERATOR)
  const answer = own.front.hold()
  const early = check(kit, held)
  await answer.arrived
  await setAccountEnabled(own.testServer.latchkey, "carol", true, OPERATOR)
  await own.everythingReceived(kit)
  answer.letGo()
  passed(await early)
})

test("an answer that changes overtake again and again is used by those who wait, and not kept", async () => {
  const kit = await own.liveKit()
  const app = await own.testServer.addApp()
  const held = await own.grant(app)
  let answer = own.front.hold()
  const waiting = check(kit, held)
  for (let question = 1; question <= 3; question++) {
    await answer.arrived
    await updateApp(own.testServer.latchkey, app.clientId, { name: `Paperclip ${question}` }, OPERATOR)
    await own.everythingReceived(kit)
    const { letGo } = answer
    if (question < 3) answer = own.front.hold()
    letGo()
  }
  passed(await waiting)
  const asked = own.front.introspections
  passed(await check(kit, held))
  assert.equal(own.front.introspections, asked + 1)
})

test("an answer asked for on one stream and given on the next is not kept", async () => {
  const kit = await own.liveKit()
  // No change was reported of this account: a new stream repeats what was reported before.
  await own.testServer.addAccount("dora")
  const held = await grant(own.testServer, await signedInBrowser(own.front, "dora"), own.app)
  const answer = own.front.hold()
  const early = check(kit, held)
  await answer.arrived
  own.front.cutStreams()
  await until(() => !kit.isLive(), "the stream is gone")
  await until(() => kit.isLive(), "the stream is back")
  answer.letGo()
  passed(await early)
  const asked = own.front.introspections
  passed(await check(kit, held))
  assert.equal(own.front.introspections, asked + 1)
})

test("a hundred checks of one token at once are one question", async () => {
  const kit = await own.liveKit()
  const held = await own.grant()
  const asked = own.front.introspections
  const answer = own.front.hold()
  const checks = Array.from({ length: 100 }, () => check(kit, held))
  await answer.arrived
  answer.letGo()
  for (const one of await Promise.all(checks)) passed(one)
  assert.equal(own.front.introspections, asked + 1)
})

test("a flood of garbage in the right form pushes no good answer out, and each of it asks once a second", async () => {
  const kit = await own.liveKit({ cacheEntries: 10, timeoutMilliseconds: 60_000 })
  const held = await own.grant()
  passed(await check(kit, held))
  const asked = own.front.introspections
  const garbage = Array.from({ length: 40 }, () => ({ access_token: wellFormed() }))
  for (let round = 0; round < 2; round++)
    for (const checked of await Promise.all(garbage.map((one) => check(kit, one))))
      assert.equal(reasonOf(checked), "tokenInvalid")
  assert.equal(own.front.introspections, asked + 40)
  passed(await check(kit, held))
  assert.equal(own.front.introspections, asked + 40)
})

test("as many answers are kept as may be, the longest unused going first", async () => {
  const kit = await own.liveKit({ cacheEntries: 2 })
  const [a, b, c] = [await own.grant(), await own.grant(), await own.grant()]
  for (const one of [a, b, a, c]) passed(await check(kit, one))
  const asked = own.front.introspections
  passed(await check(kit, a))
  passed(await check(kit, c))
  assert.equal(own.front.introspections, asked)
  passed(await check(kit, b))
  assert.equal(own.front.introspections, asked + 1)
})

test("the digest of a token is what SHA-256 makes of it", () => {
  // The expected value is a test vector of RFC 6234, in base64url.
  assert.equal(digest("abc"), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0")
})
