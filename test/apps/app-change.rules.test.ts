import { test } from "node:test"
import assert from "node:assert/strict"
import { type AppUpdate, updatedClient } from "../../src/apps/app-change.rules.ts"
import {
  catalog,
  confidentialClient,
  permission,
  permissions,
  publicClient,
  sampleCatalog,
} from "../support/core-sample.ts"

const update = (change: AppUpdate, client = publicClient) =>
  updatedClient(sampleCatalog, client, change, "any")

test("CLIENT-7: permissions are taken off and put back, and what is not named stays", () => {
  const without = update({ removePermissions: ["files:read"] })
  assert.ok(without.ok)
  assert.deepEqual(without.value, { ...publicClient, ceiling: ["account:read", "admin:events"] })
  const restored = update({ addPermissions: ["files:read"] }, without.value)
  assert.deepEqual(restored.ok && new Set(restored.value.ceiling), new Set(publicClient.ceiling))
})

test("CLIENT-4, CLIENT-6, CLIENT-8: name, addresses and verification change", () => {
  const changed = update({
    name: "Better",
    addRedirectUris: ["app:/done"],
    removeRedirectUris: ["http://127.0.0.1/callback"],
    verified: true,
    stepUp: true,
  })
  const { name, redirectUris, verified, stepUp } = changed.ok ? changed.value : publicClient
  assert.deepEqual([name, redirectUris, verified, stepUp], ["Better", ["app:/done"], true, true])
})

test("what is to go must be there, and what comes must pass the rules of registration", () => {
  assert.equal(update({ removePermissions: ["credentials:read"] }).ok, false)
  assert.equal(update({ removeRedirectUris: ["https://a.example/"] }).ok, false)
  assert.equal(update({ addPermissions: ["files:raed"] }).ok, false)
  assert.equal(update({ name: "" }).ok, false)
  assert.equal(update({ addRedirectUris: ["app:/done"] }, confidentialClient).ok, false)
})

test("a name that left the catalog stays in the ceiling until it is taken away", () => {
  const gone = permission("files:old")
  const client = { ...publicClient, ceiling: [gone, permission("account:read")] }
  const changed = update({ verified: true }, client)
  assert.deepEqual(changed.ok && changed.value.ceiling, ["account:read", gone])
  const cleared = update({ removePermissions: ["files:old"] }, client)
  assert.deepEqual(cleared.ok && cleared.value.ceiling, ["account:read"])
})

test("CLIENT-9: a permission that another registered one implies is not removed, however the removal is written", () => {
  const client = { ...publicClient, ceiling: permissions("account:read files:read files:write") }
  const refusal =
    "files:read cannot be removed: files:write implies it and stays registered. Remove files:write as well, or keep files:read."
  for (const change of [
    { removePermissions: ["files:read"] },
    { permissions: ["account:read", "files:write"] },
    { removePermissions: ["files:read"], name: "Better" },
  ]) {
    const refused = update(change, client)
    assert.equal(refused.ok ? "" : refused.error, refusal, JSON.stringify(change))
  }
  const both = update({ removePermissions: ["files:read", "files:write"] }, client)
  assert.deepEqual(both.ok && both.value.ceiling, ["account:read"])
  const replaced = update({ permissions: ["account:read"] }, client)
  assert.deepEqual(replaced.ok && replaced.value.ceiling, ["account:read"])
  const implier = update({ removePermissions: ["files:write"] }, client)
  assert.deepEqual(implier.ok && implier.value.ceiling, ["account:read", "files:read"])
})

test("CLIENT-9: a permission that is added in the same change counts, and every problem is named", () => {
  const client = { ...publicClient, ceiling: permissions("account:read files:read workers:read") }
  const replaced = update({ removePermissions: ["files:read"], addPermissions: ["files:write"] }, client)
  assert.match(replaced.ok ? "" : replaced.error, /^files:read cannot be removed: files:write implies it/)
  const all = update({ permissions: ["files:write", "admin:hub"] }, client)
  assert.equal(
    all.ok ? "" : all.error,
    [
      "files:read cannot be removed: files:write and admin:hub imply it and stay registered. Remove files:write and admin:hub as well, or keep files:read.",
      "workers:read cannot be removed: files:write and admin:hub imply it and stay registered. Remove files:write and admin:hub as well, or keep workers:read.",
    ].join("\n"),
  )
})

test("CLIENT-9: of two permissions that imply each other neither is removed alone", () => {
  const circle = catalog({
    one: { title: "One", implies: ["two"] },
    two: { title: "Two", implies: ["one"] },
  })
  const client = { ...publicClient, ceiling: permissions("one two") }
  assert.equal(updatedClient(circle, client, { removePermissions: ["one"] }, "any").ok, false)
  assert.equal(updatedClient(circle, client, { removePermissions: ["two"] }, "any").ok, false)
  assert.equal(updatedClient(circle, client, { removePermissions: ["one", "two"] }, "any").ok, true)
})

test("REDIR-5: an address that is registered stays while the rest changes; one that comes is judged", () => {
  const client = { ...publicClient, redirectUris: ["search-ms:/x", "old:/done"] }
  const judged = (change: AppUpdate) => updatedClient(sampleCatalog, client, change, ["cursor"])
  for (const change of [
    { name: "Better" },
    { redirectUris: [...client.redirectUris, "https://app.example/"] },
    { addRedirectUris: ["old:/done", "cursor://x/y"] },
    { removeRedirectUris: ["old:/done"] },
  ])
    assert.equal(judged(change).ok, true, JSON.stringify(change))
  for (const uri of ["old:/other", "search-ms:/y"])
    assert.equal(judged({ addRedirectUris: [uri] }).ok, false, uri)
  assert.equal(update({ addRedirectUris: ["old:/other"] }, client).ok, true)
  assert.equal(update({ addRedirectUris: ["search-ms:/y"] }, client).ok, false)
})

test("GROUP-17: groups are added, taken off and replaced, and one that the app is not for is not taken", () => {
  const groupsOf = (change: AppUpdate, groups: readonly string[]) => {
    const after = update(change, { ...publicClient, groups })
    return after.ok ? after.value.groups : after.error
  }
  assert.deepEqual(groupsOf({ addGroups: ["b", "a"] }, ["c"]), ["a", "b", "c"])
  assert.deepEqual(groupsOf({ removeGroups: ["c"] }, ["c"]), [])
  assert.deepEqual(groupsOf({ groups: ["x"], addGroups: ["y"] }, ["c"]), ["x", "y"])
  assert.deepEqual(groupsOf({ name: "Other" }, ["c"]), ["c"])
  assert.equal(groupsOf({ removeGroups: ["d"] }, ["c"]), 'The app is not for the group "d".')
  const followed = {
    ...publicClient,
    ceiling: permissions("account:read"),
    registeredBy: "document",
  } as const
  assert.ok(update({ groups: ["a"] }, followed).ok, "an app by document may be for groups")
})
