/** Tests which operations need a recent factor. */
import { test } from "node:test"
import assert from "node:assert/strict"
import {
  type AppTrust,
  type Effect,
  needsRecentFactor,
  powersGiven,
} from "../../src/accounts/elevation.rules.ts"
import { permissions, publicClient } from "../support/core-sample.ts"

test("ELEV-1: serious effects need a recent factor, alone or beside others, and the rest do not", () => {
  const serious: readonly Effect[] = [
    "account.remove",
    "account.grant-administration",
    "account.withdraw-administration",
    "account.set-password",
    "factor.add",
    "factor.remove",
    "factor.make-recovery-codes",
    "credential.revoke",
    "app.remove",
    "app.make-secret",
    "app.change-owner",
    "app.verify",
    "app.mark-resource-server",
    "app.allow-administration",
    "app.change-groups",
    "app.remember-consent",
    "group.change",
    "setting.change",
  ]
  const harmless: readonly Effect[] = [
    "account.add",
    "account.rename",
    "account.enable",
    "account.disable",
    "browser.sign-out",
    "factor.rename",
    "credential.revoke-itself",
    "app.register",
    "app.change",
    "app.change-icon",
    "app.enable",
    "app.disable",
  ]
  for (const effect of serious) assert.ok(needsRecentFactor(["app.change", effect]), effect)
  assert.equal(needsRecentFactor(harmless), false)
  assert.equal(needsRecentFactor([]), false)
})

const plain = { client: { ...publicClient, ceiling: permissions("account:read") }, owner: null }
const powerful = {
  client: {
    ...publicClient,
    ceiling: permissions("account:read admin:apps"),
    verified: true,
    resourceServer: true,
  },
  owner: { username: "ada" },
}
const everything: AppTrust = {
  verified: true,
  resourceServer: true,
  permissions: ["account:read", "admin:apps"],
  owner: "ada",
}
const all = ["app.change-owner", "app.verify", "app.mark-resource-server", "app.allow-administration"]
const binding = "app.bind-service-account"

test("ELEV-1: a power counts where it is given, by creating an app or by changing one, and not where the app has it", () => {
  assert.deepEqual(powersGiven(null, everything), all)
  assert.deepEqual(powersGiven(plain, everything), all)
  assert.deepEqual(powersGiven(powerful, everything), [])
  for (const before of [null, plain, powerful]) assert.deepEqual(powersGiven(before, {}), [])
})

test("ELEV-1: each power counts by itself", () => {
  for (const [member, power] of [
    ["owner", "app.change-owner"],
    ["verified", "app.verify"],
    ["resourceServer", "app.mark-resource-server"],
    ["permissions", "app.allow-administration"],
  ] as const)
    for (const before of [null, plain])
      assert.deepEqual(powersGiven(before, { [member]: everything[member] }), [power])
})

test("ELEV-1: naming a service account counts also where it is named again, and naming none does not", () => {
  for (const before of [null, plain, powerful]) {
    assert.deepEqual(powersGiven(before, { serviceAccount: "ci" }), [binding])
    for (const serviceAccount of [null, undefined])
      assert.deepEqual(powersGiven(before, { serviceAccount }), [])
  }
})

test("ELEV-1: taking a power away needs none, but another owner, or removing the owner, does", () => {
  const taken = { verified: false, resourceServer: false, permissions: [] }
  assert.deepEqual(powersGiven(powerful, taken), [])
  assert.deepEqual(powersGiven(powerful, { owner: "bob" }), ["app.change-owner"])
  assert.deepEqual(powersGiven(powerful, { owner: null }), ["app.change-owner"])
  assert.deepEqual(powersGiven(plain, { owner: null }), [])
  assert.deepEqual(powersGiven(null, { owner: null }), [])
  assert.deepEqual(powersGiven(powerful, { permissions: ["admin:apps", "admin:events"] }), [
    "app.allow-administration",
  ])
})

test("GROUP-17: every change of the groups that an app is for is a power, and naming the same ones is not", () => {
  const given = (groups: readonly string[] | undefined, of: readonly string[] | null) =>
    powersGiven(of === null ? null : { client: { ...publicClient, groups: of }, owner: null }, { groups })
  for (const [groups, of] of [
    [["a"], []],
    [[], ["a"]],
    [["a"], null],
    [
      ["a", "c"],
      ["a", "b"],
    ],
  ] as const)
    assert.deepEqual(given(groups, of), ["app.change-groups"])
  for (const [groups, of] of [
    [undefined, ["a"]],
    [[], null],
    [
      ["b", "a", "b"],
      ["a", "b"],
    ],
  ] as const)
    assert.deepEqual(given(groups, of), [])
})
