import { test } from "node:test"
import assert from "node:assert/strict"
import { appDifference, isOfIcon, isOfPermissions } from "../../../src/model/clients/app-difference.rules.ts"
import type { Client } from "../../../src/model/clients/client.rules.ts"
import { confidentialClient, permission, publicClient } from "../../support/core-sample.ts"

const to = (changes: Partial<Client>, before = publicClient) =>
  appDifference(before, { ...before, ...changes })

test("CLIENT-7, CLIENT-8: the audit trail names the permissions that came and went, and what was switched", () => {
  const [first, ...others] = publicClient.ceiling
  assert.equal(
    to({ ceiling: [...others, permission("files:write")], verified: !publicClient.verified }),
    `permissions +files:write -${first}, verified = ${publicClient.verified ? "off" : "on"}`,
  )
  assert.equal(to({ stepUp: true }, { ...publicClient, stepUp: false }), "step_up = on")
  assert.equal(
    to({ resourceServer: false }, { ...confidentialClient, resourceServer: true }),
    "resource_server = off",
  )
})

test("CLIENT-4, CLIENT-6: of free text only the member is named", () => {
  assert.equal(to({ name: "lks_x", redirectUris: ["https://a.example/?token=x"] }), "name, redirect_uris")
  assert.equal(to({ ownerId: confidentialClient.clientId as unknown as Client["ownerId"] }), "owner")
  assert.equal(to({}), null)
  const binding = (tokenId: string) => ({ userId: "u", tokenId }) as unknown as Client["binding"]
  assert.equal(
    to({ binding: binding("2") }, { ...confidentialClient, binding: binding("1") }),
    "service_account",
  )
  assert.equal(to({ deleteAfter: null }, { ...publicClient, deleteAfter: 1 }), "expiry")
  assert.equal(to({ secretHash: confidentialClient.secretHash }), null)
})

test("another order of the permissions is no change, and many are counted", () => {
  assert.equal(to({ ceiling: publicClient.ceiling.toReversed() }), null)
  const many = Array.from({ length: 64 }, (_, i) => permission(`files:n${i}`))
  const difference = to({ ceiling: [...publicClient.ceiling, ...many] })
  assert.match(difference ?? "", /^permissions \+files:n0 .*\+files:n9 and 54 more$/)
})

test("an event from before names were recorded is read as it was", () => {
  assert.deepEqual(["permissions", "icon", "verified = on", null].map(isOfPermissions), [
    true,
    false,
    false,
    false,
  ])
  assert.deepEqual(["icon", "verified = off, icon", "name", null].map(isOfIcon), [true, true, false, false])
})

test("GROUP-12, GROUP-17: the audit trail names the groups that came and went", () => {
  const difference = to({ groups: ["b", "c"] }, { ...publicClient, groups: ["a", "b"] })
  assert.equal(difference, "groups +c -a")
  assert.equal(isOfPermissions(difference), false)
})
