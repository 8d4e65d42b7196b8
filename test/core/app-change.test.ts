import { test } from "node:test"
import assert from "node:assert/strict"
import { type AppUpdate, updatedClient } from "../../src/core/app-change.ts"
import { confidentialClient, permission, publicClient, sampleCatalogue } from "./sample.ts"

const update = (change: AppUpdate, client = publicClient) => updatedClient(sampleCatalogue, client, change)

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

test("a name that left the catalogue stays in the ceiling until it is taken away", () => {
  const gone = permission("files:old")
  const client = { ...publicClient, ceiling: [gone, permission("account:read")] }
  const changed = update({ verified: true }, client)
  assert.deepEqual(changed.ok && changed.value.ceiling, ["account:read", gone])
  const cleared = update({ removePermissions: ["files:old"] }, client)
  assert.deepEqual(cleared.ok && cleared.value.ceiling, ["account:read"])
})
