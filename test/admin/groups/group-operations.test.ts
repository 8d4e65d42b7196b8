/** Groups over the API: what an administrator does with them, and what a preview says before. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { assertError, ask, openWorld } from "../api/api-world.ts"
import { decided } from "../../../src/model/change.rules.ts"
import type { UserId } from "../../../src/kernel/ids.ts"

const world = await openWorld()
const { testServer } = world
const call = (method: string, path: string, body?: unknown, token = world.full.access_token) =>
  ask(testServer, token, { method, path: `/api/admin/${path}`, ...(body !== undefined && { body }) })
const done = async (...of: Parameters<typeof call>) => {
  const answer = await call(...of)
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}
const kinds = async () =>
  (await testServer.store.events({}, { limit: 9 }))
    .filter(({ kind }) => kind.startsWith("group"))
    .map(({ kind, detail }) => `${kind} ${detail}`)

test("GROUP-10, GROUP-13: groups are added, listed, titled and removed, each with its event", async () => {
  const added = await done("POST", "groups", { name: "ops", title: " Operations " })
  const { created_at, ...rest } = added
  assert.deepEqual(rest, { name: "ops", title: "Operations", members: 0 })
  assert.ok(Number.isSafeInteger(created_at))
  assertError(await call("POST", "groups", { name: "ops" }), 409, "ALREADY_EXISTS")
  assertError(await call("POST", "groups", { name: "Ops" }), 400, "INVALID_ARGUMENT")
  assertError(await call("POST", "groups", { name: "x", title: "a\u0000" }), 400, "INVALID_ARGUMENT")
  await done("POST", "groups", { name: "dev" })
  const first = await done("GET", "groups?limit=1")
  assert.deepEqual(
    (first["items"] as { name: string }[]).map(({ name }) => name),
    ["dev"],
  )
  assert.equal(first["next"], "dev")
  assert.equal((await done("PATCH", "groups/ops", { title: null }))["title"], null)
  assertError(
    await call("PATCH", "groups/opps", { title: null }),
    404,
    "NOT_FOUND",
    "There is no such group. Did you mean ops?",
  )
  assert.deepEqual(await done("GET", "groups/ops"), { ...added, title: null })
  await done("DELETE", "groups/ops")
  assertError(await call("GET", "groups/ops"), 404, "NOT_FOUND")
  assert.deepEqual(await kinds(), [
    "group-changed ops removed, 0 members",
    "group-changed ops title",
    "group-changed dev added",
    "group-changed ops added",
  ])
})

test("GROUP-11, GROUP-13: an account joins and leaves by hand, and stays where a provider gives the group", async () => {
  const userId = await testServer.addAccount("grace")
  await done("POST", "groups", { name: "sales" })
  const path = `accounts/${userId}/groups/sales`
  const preview = await done("PUT", `${path}?preview=1`)
  assert.deepEqual(preview["groups"], ["sales"])
  assert.equal((preview["preview"] as { change: string }).change, "groups")
  assert.deepEqual((await done("GET", `accounts/${userId}`))["groups"], [])
  const joined = await done("PUT", path)
  assert.deepEqual(joined["memberships"], [{ group: "sales", provider: null }])
  assert.equal(joined["preview"], undefined)
  const members = await done("GET", "accounts?group=sales")
  assert.deepEqual(
    (members["items"] as { user_id: string }[]).map(({ user_id }) => user_id),
    [userId],
  )
  await testServer.store.change({}, () =>
    decided(null, {
      change: "membershipsSet",
      userId: userId as UserId,
      memberships: ["corp", null].map((provider) => ({ group: "sales", provider })),
    }),
  )
  const left = await done("DELETE", path)
  assert.deepEqual(left["groups"], ["sales"])
  assert.deepEqual(left["memberships"], [{ group: "sales", provider: "corp" }])
  assert.equal((await done("GET", "groups/sales"))["members"], 1)
  assert.deepEqual((await kinds()).slice(0, 2), [
    "group-changed sales no longer by hand",
    "groups-joined sales",
  ])
  assertError(await call("DELETE", `accounts/${userId}/groups/dev`), 404, "NOT_FOUND")
  assertError(
    await call("PUT", `accounts/${userId}/groups/saless`),
    404,
    "NOT_FOUND",
    "There is no such group. Did you mean sales?",
  )
})

test("GROUP-13: a preview needs elevation too, and nothing is changed", async () => {
  const plain = world.plain.access_token
  assertError(await call("DELETE", "groups/sales?preview=1", undefined, plain), 400, "FAILED_PRECONDITION")
  const preview = await done("DELETE", "groups/sales?preview=1")
  assert.equal((preview["preview"] as { change: string }).change, "groups")
  assert.equal((await done("GET", "groups/sales"))["members"], 1)
})
