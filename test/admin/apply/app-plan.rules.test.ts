import { test } from "node:test"
import assert from "node:assert/strict"
import { planApp } from "../../../src/admin/apply/app-plan.rules.ts"
import type { NamedApp } from "../../../src/admin/apply/set-up.rules.ts"
import type { TokenId, UserId } from "../../../src/kernel/ids.ts"
import type { Client } from "../../../src/model/clients/client.rules.ts"
import { account, confidentialClient, hash, keyClient, publicClient } from "../../support/core-sample.ts"
import { namedApp, planning } from "./set-up-sample.ts"

const robot = {
  ...account,
  userId: "robot" as UserId,
  username: "robot",
  usernameKey: "robot",
  type: "service",
} as const
const accounts = [account, robot]

function problemsOf(entry: NamedApp, before: Client | null = null, used: readonly string[] = []) {
  const { problems, planned, changes } = planApp(planning({ usedClientIds: used }), accounts, entry, before)
  assert.equal(problems.length > 0, planned.length + changes.length === 0)
  return problems.map(({ line, problem }) => `${line} ${problem}`)
}

const named = (entry: NamedApp, ...members: readonly string[]): NamedApp => ({
  ...entry,
  members: new Map([...entry.members, ...members.map((member, at) => [member, 20 + at] as const)]),
})

test("APPLY-2 a part that a single command would refuse is refused, with the line of the member", () => {
  const unknown = "There is no permission"
  assert.match(
    problemsOf(namedApp("a", { update: { permissions: ["x"] } }))[0] ?? "",
    RegExp(`^15 apps: a: permissions: ${unknown}`),
  )
  assert.match(
    problemsOf(namedApp("a", { update: { redirectUris: ["http://x/"] } }))[0] ?? "",
    /^14 apps: a: redirects: The redirect URI/,
  )
  assert.match(
    problemsOf(namedApp("a", { update: { name: " " } }))[0] ?? "",
    /^12 apps: a: name: The name of an app is empty/,
  )
  assert.deepEqual(problemsOf(namedApp("a", { update: { name: undefined } })), ["10 apps: a: expected name"])
  assert.deepEqual(problemsOf(namedApp("a", { clientId: "no" })), [
    "11 apps: a: client_id: A client_id has 3 to 64 of A-Z a-z 0-9 . _ -.",
  ])
  assert.match(
    problemsOf(namedApp("a"), null, ["id-a"])[0] ?? "",
    /^11 apps: a: client_id: A removed app had/,
  )
  assert.match(
    problemsOf(named(namedApp("a", { owner: "eve" }), "owner"))[0] ?? "",
    /^20 apps: a: owner: There is no account named "eve"/,
  )
  assert.match(
    problemsOf(named(namedApp("a", { serviceAccount: "ada" }), "service_account"))[0] ?? "",
    /^20 apps: a: service_account: "Ada" is not a service account/,
  )
  const implied = { type: undefined, secretHash: undefined, update: { permissions: [] } }
  const before = { ...confidentialClient, ceiling: [] }
  assert.deepEqual(problemsOf(namedApp("a", { ...implied, update: { permissions: ["x"] } }), before), [
    `15 apps: a: permissions: ${unknown} "x".`,
  ])
})

test("APPLY-1 a new confidential app needs a secret or keys, and an app that cannot have a secret is refused one", () => {
  const without = { secretHash: undefined }
  assert.deepEqual(problemsOf(namedApp("a", without)), [
    "10 apps: a: expected client_secret_file, jwks_file or jwks_uri, because no secret is printed",
  ])
  const keys = { jwks: null, jwksUri: "https://app.example/keys", algorithm: null }
  assert.deepEqual(problemsOf(namedApp("a", { ...without, update: { keys } })), [])
  assert.deepEqual(problemsOf(namedApp("a", { ...without, type: "public" })), [])
  assert.deepEqual(problemsOf(namedApp("a", { type: "public" })), [
    "16 apps: a: client_secret_file: A public app has no secret.",
  ])
  assert.deepEqual(problemsOf(namedApp("a", { update: { keys } })), [
    "16 apps: a: client_secret_file: The app authenticates with a key and has no secret.",
  ])
  assert.deepEqual(problemsOf(namedApp("a", { update: {} }), keyClient), [
    "16 apps: a: client_secret_file: The app authenticates with a key and has no secret.",
  ])
  assert.deepEqual(problemsOf(namedApp("a"), publicClient), [
    "13 apps: a: type: The app is public, and the type of an app cannot change.",
  ])
})

test("APPLY-1 a new app has the chosen client_id and secret, or a new client_id", () => {
  const made = (entry: NamedApp) => {
    const [first] = planApp(planning(), accounts, entry, null).changes
    assert.ok(first?.change === "clientAdded")
    return first.client
  }
  const chosen = made(namedApp("a", { owner: "ADA", enabled: false }))
  assert.deepEqual([chosen.clientId, chosen.secretHash], ["id-a", hash("secret of a")])
  assert.deepEqual(
    [chosen.ownerId, chosen.enabled, chosen.registeredBy],
    [account.userId, false, "administrator"],
  )
  assert.equal(made(namedApp("a", { clientId: undefined })).clientId, "apps-a")
})

test("APPLY-3 members that the file does not name stay, and null removes an account", () => {
  const before = { ...confidentialClient, ownerId: account.userId, verified: true, enabled: false }
  const silent = { type: undefined, secretHash: undefined, update: { name: undefined } }
  const entry = { ...namedApp("a", silent), update: {} }
  assert.deepEqual(planApp(planning(), accounts, entry, before).changes, [])
  const { planned, changes } = planApp(planning(), accounts, { ...entry, owner: null }, before)
  assert.deepEqual(planned[0]?.members, [{ member: "owner", before: "Ada", after: null }])
  assert.deepEqual(
    changes.map(({ change }) => change),
    ["clientChanged", "eventRecorded"],
  )
})

test("APPLY-3 a secret is compared where it is known", () => {
  const known = planning()
  const unknown = planning({ knowsSecrets: false })
  const entry = { ...namedApp("a", { type: undefined }), update: {} }
  assert.equal(planApp(known, accounts, entry, confidentialClient).planned.length, 1)
  assert.equal(planApp(unknown, accounts, entry, confidentialClient).planned.length, 0)
})

test("SERVICE-6 a revoked binding stays revoked until another account is named, or an administrator binds it", () => {
  const bound = { ...confidentialClient, binding: { userId: robot.userId, tokenId: "token" as TokenId } }
  const entry = {
    ...namedApp("a", { type: undefined, secretHash: undefined, serviceAccount: "robot" }),
    update: {},
  }
  assert.deepEqual(planApp(planning(), accounts, entry, bound).changes, [])
  const other = { ...robot, userId: "other" as UserId, username: "other", usernameKey: "other" }
  const changed = planApp(planning(), [...accounts, other], { ...entry, serviceAccount: "other" }, bound)
  assert.deepEqual(changed.planned[0]?.members, [
    { member: "service_account", before: "robot", after: "other" },
  ])
  assert.deepEqual(
    changed.changes.map((one) => (one.change === "eventRecorded" ? one.event.kind : one.change)),
    ["clientChanged", "app-changed", "credentialAdded", "service-account-bound"],
  )
})

test("GROUP-17 an app is for the groups of the file, which must be there, or were its groups before", () => {
  const before = { ...confidentialClient, groups: ["gone"] }
  const planned = (groups: readonly string[]) => {
    const entry = { ...namedApp("a", { type: undefined, secretHash: undefined }), update: { groups } }
    return planApp(planning(), accounts, named(entry, "groups"), before, new Set(["sales", "staff"]))
  }
  assert.deepEqual(planned(["gone"]).changes, [])
  assert.deepEqual(planned(["staff", "sales"]).planned[0]?.members, [
    { member: "groups", before: ["gone"], after: ["sales", "staff"] },
  ])
  assert.deepEqual(planned([]).planned.length, 1)
  assert.deepEqual(planned(["sale"]).problems, [
    { line: 20, problem: 'apps: a: groups: There is no group "sale". Did you mean sales?' },
  ])
})
