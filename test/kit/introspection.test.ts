/** Tests how the kit asks the service, and what it does without a response. */
import { after, afterEach, test } from "node:test"
import assert from "node:assert/strict"
import { until } from "../support/until.ts"
import { ApiServer, check, passed, reasonOf } from "./api-server.ts"
import { wellFormed } from "./tokens.ts"

const own = await ApiServer.open()
after(() => own.close())
afterEach(() => own.closeKits())

test("a connection that breaks under a question is tried once more, and only once", async () => {
  const kit = own.kit({ stream: false })
  const held = await own.grant()
  own.front.resets = 1
  passed(await check(kit, held))
  own.front.resets = 2
  assert.equal(reasonOf(await check(kit, held)), "serviceUnavailable")
  assert.equal(own.front.resets, 0)
  passed(await check(kit, held))
})

test("a question without an answer is given up after its time, and what waits behind it as well", async () => {
  const kit = own.kit({ stream: false, timeoutMilliseconds: 100, concurrency: 1 })
  const [held, other] = [await own.grant(), await own.grant()]
  const answer = own.front.hold()
  const begun = performance.now()
  const checks = await Promise.all([check(kit, held), check(kit, other)])
  // The limit is well below the default of five seconds.
  assert.ok(performance.now() - begun < 4000)
  assert.equal(checks[0] && reasonOf(checks[0]), "serviceUnavailable")
  answer.letGo()
  // The place of the canceled check is free again. The check is repeated, because a tenth of a second is short for a
  // busy machine.
  for (const one of [held, other]) await until(async () => (await check(kit, one)).ok, "it is asked")
})

test("the number of introspections at a time is limited", async () => {
  const kit = own.kit({ stream: false, concurrency: 3 })
  const asked = own.front.introspections
  const holds = Array.from({ length: 3 }, () => own.front.hold())
  const checks = Array.from({ length: 20 }, () => check(kit, { access_token: wellFormed() }))
  await Promise.all(holds.map(({ arrived }) => arrived))
  assert.equal(own.front.introspections - asked, 3)
  for (const { letGo } of holds) letGo()
  for (const checked of await Promise.all(checks)) assert.equal(reasonOf(checked), "tokenInvalid")
  assert.equal(own.front.introspections - asked, 20)
})

test("more checks than may wait are turned away at once, but tokens that were active before go first", async () => {
  const kit = own.kit({ stream: false, concurrency: 1, timeoutMilliseconds: 60_000 })
  const held = await own.grant()
  passed(await check(kit, held))
  const hold = own.front.hold()
  const first = check(kit, { access_token: wellFormed() })
  await hold.arrived
  const answered: (string | null)[] = []
  const waiting = Array.from({ length: 1100 }, () => check(kit, { access_token: wellFormed() }))
  const noted = waiting.map((one) => one.then((checked) => answered.push(reasonOf(checked))))
  const soon = await Promise.race(waiting)
  assert.equal(reasonOf(soon), "serviceUnavailable")
  assert.ok(!soon.ok && soon.refusal.headers["retry-after"] === "1")
  const known = check(kit, held).then((checked) => answered.push(reasonOf(checked)))
  hold.letGo()
  await first
  await Promise.all([known, ...noted])
  assert.deepEqual(answered.slice(0, 102), [
    ...Array<string>(100).fill("serviceUnavailable"),
    null,
    "tokenInvalid",
  ])
})

test("INTRO-3: a wrong secret, or no resource server: 503, reported, and no request passes", async () => {
  const held = await own.grant()
  const plain = await own.testServer.addApp({ type: "confidential" })
  const wrong = [
    [{ clientSecret: "wrong" }, 401],
    [{ clientId: plain.clientId, clientSecret: plain.secret ?? "" }, 403],
  ] as const
  for (const [identity, status] of wrong) {
    const kit = own.kit(identity)
    own.troubles.length = 0
    assert.equal(reasonOf(await check(kit, held)), "serviceUnavailable")
    assert.ok(own.troubles.some((trouble) => trouble.of === "introspection" && trouble.status === status))
    await until(
      () => own.troubles.some((trouble) => trouble.of === "stream" && trouble.status === status),
      "both",
    )
    kit.close()
  }
})

test("another service than the configured one: 503, and its answer is not trusted", async () => {
  const held = await own.grant()
  // The issuer is another name of the same service.
  const kit = own.kit({ issuer: own.testServer.url, stream: false })
  own.troubles.length = 0
  assert.equal(reasonOf(await check(kit, held)), "serviceUnavailable")
  assert.match(
    String(own.troubles[0]?.cause),
    /the issuer of the response is http:\/\/localhost:\d+, not http/,
  )
})

test("a trailing slash of the issuer does not matter", async () => {
  const kit = own.kit({ issuer: `${own.front.url}/`, stream: false })
  passed(await check(kit, await own.grant()))
  assert.deepEqual(kit.metadata.authorization_servers, [own.front.url])
})

test("what the kit reports, it reports once a second, and how often it was", async () => {
  const kit = own.kit({ clientSecret: "wrong", stream: false })
  const held = await own.grant()
  own.troubles.length = 0
  for (let i = 0; i < 5; i++) assert.equal((await check(kit, held)).ok, false)
  own.testServer.clock.advance(1)
  await check(kit, held)
  assert.deepEqual(
    own.troubles.map(({ status, times }) => [status, times]),
    [
      [401, 1],
      [401, 5],
    ],
  )
  assert.match(String(own.troubles[0]?.cause), /answered 401: the client id or secret is wrong/)
})

test("what the kit reports holds no token and no secret", async () => {
  const kit = own.kit({ clientSecret: "wrong-secret-of-this-test", stream: false })
  const held = await own.grant()
  own.troubles.length = 0
  await check(kit, held)
  own.front.resets = 2
  await check(kit, held)
  const reported = own.troubles.map(
    ({ of, status, cause }) => `${of} ${status} ${String(cause)} ${String((cause as Error | null)?.stack)}`,
  )
  assert.equal(reported.length, 2)
  assert.doesNotMatch(reported.join("\n"), new RegExp(`${held.access_token}|wrong-secret-of-this-test`))
})
