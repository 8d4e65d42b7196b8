import { test } from "node:test"
import assert from "node:assert/strict"
import { planApp } from "../../../src/admin/apply/app-plan.rules.ts"
import type { NamedApp, Present } from "../../../src/admin/apply/set-up.rules.ts"
import type { ClientId, TokenId, UserId } from "../../../src/kernel/ids.ts"
import type { Client } from "../../../src/model/clients/client.rules.ts"
import { account, confidentialClient, hash, keyClient, publicClient } from "../../support/core-sample.ts"
import { bareApp, namedApp, planning } from "./set-up-sample.ts"

const robot = {
  ...account,
  userId: "robot" as UserId,
  username: "robot",
  usernameKey: "robot",
  type: "service",
} as const
const accounts = [account, robot]

/** Plans an entry for the app of its client_id, if there is one. */
function partOf(entry: NamedApp, before: Client | null = null, present: Partial<Present> = {}) {
  const clientId = entry.members.client_id as ClientId
  const clients = before === null ? [] : [{ ...before, clientId }]
  const groups = new Set(["sales", "staff"])
  return planApp(planning({ clients, ...present }), { accounts, groups }, entry)
}

function problemsOf(entry: NamedApp, before: Client | null = null, used: readonly string[] = []) {
  const part = partOf(entry, before, { usedClientIds: used })
  return part.ok ? [] : [`${part.error.line} ${part.error.problem}`]
}

function planned(entry: NamedApp, before: Client | null = null, present: Partial<Present> = {}) {
  const part = partOf(entry, before, present)
  assert.ok(part.ok, JSON.stringify(part))
  return part.value
}

/** Only the client_id and these members. */
const some = (members: NamedApp["members"]) => bareApp("a", { client_id: "id-a", ...members })

test("APPLY-2 a part that a single command would refuse is refused, with the line of the member", () => {
  const unknown = "There is no permission"
  assert.match(
    problemsOf(namedApp("a", { permissions: ["x"] }))[0] ?? "",
    RegExp(`^15 apps: a: permissions: ${unknown}`),
  )
  assert.match(
    problemsOf(namedApp("a", { redirects: ["http://x/"] }))[0] ?? "",
    /^14 apps: a: redirects: The redirect URI/,
  )
  assert.match(
    problemsOf(namedApp("a", { name: " " }))[0] ?? "",
    /^12 apps: a: name: The name of an app is empty/,
  )
  assert.deepEqual(problemsOf(namedApp("a", { name: undefined })), ["10 apps: a: expected name"])
  assert.deepEqual(problemsOf(namedApp("a", { client_id: "no" })), [
    "11 apps: a: client_id: A client_id has 3 to 64 of A-Z a-z 0-9 . _ -, and does not begin with -.",
  ])
  assert.match(
    problemsOf(namedApp("a"), null, ["id-a"])[0] ?? "",
    /^11 apps: a: client_id: A removed app had/,
  )
  assert.match(
    problemsOf(namedApp("a", { owner: "eve" }))[0] ?? "",
    /^17 apps: a: owner: There is no account named "eve"/,
  )
  assert.match(
    problemsOf(namedApp("a", { service_account: "ada" }))[0] ?? "",
    /^17 apps: a: service_account: "Ada" is not a service account/,
  )
  const before = { ...confidentialClient, ceiling: [] }
  assert.deepEqual(problemsOf(some({ permissions: ["x"] }), before), [
    `12 apps: a: permissions: ${unknown} "x".`,
  ])
})

test("APPLY-1, WORK-1 a new confidential app needs a secret or keys, and an app that cannot have a secret is refused one", () => {
  const without = { client_secret_file: undefined }
  assert.deepEqual(problemsOf(namedApp("a", without)), [
    "10 apps: a: expected client_secret_file or keys, as no secret is printed",
  ])
  const keys = { jwks: null, jwksUri: "https://app.example/keys", algorithm: null, workload: null }
  assert.deepEqual(problemsOf(namedApp("a", { ...without, jwks_uri: keys })), [])
  assert.deepEqual(problemsOf(namedApp("a", { ...without, jwks: keys, jwks_uri: keys })), [
    "17 apps: a: jwks_uri: Set only one of jwks, jwks_file and jwks_uri.",
  ])
  const workload = { ...keys, workload: { issuer: "https://issuer.example", audience: "a", subject: "b" } }
  assert.deepEqual(problemsOf(namedApp("a", { ...without, workload, jwks_uri: keys })), [
    "16 apps: a: workload: Set either a workload or jwks_uri, not both.",
  ])
  assert.deepEqual(problemsOf(namedApp("a", { ...without, workload })), [
    "10 apps: a: service_account: An app with a workload acts as a service account. Name its service account too, or give the app keys in place of the workload. To end its access, disable it.",
  ])
  assert.deepEqual(problemsOf(namedApp("a", { ...without, type: "public" })), [])
  assert.deepEqual(problemsOf(namedApp("a", { type: "public" })), [
    "16 apps: a: client_secret_file: A public app has no secret.",
  ])
  assert.deepEqual(problemsOf(namedApp("a", { jwks_uri: keys })), [
    "16 apps: a: client_secret_file: The app authenticates with a key and has no secret.",
  ])
  assert.deepEqual(problemsOf(namedApp("a"), keyClient), [
    "16 apps: a: client_secret_file: The app authenticates with a key and has no secret.",
  ])
  assert.deepEqual(problemsOf(namedApp("a"), publicClient), [
    "13 apps: a: type: The app is public, and the type of an app cannot change.",
  ])
})

test("APPLY-1 a new app has the chosen client_id and secret, or a new client_id", () => {
  const made = (entry: NamedApp) => {
    const [first] = planned(entry).changes
    assert.ok(first?.change === "clientAdded")
    return first.client
  }
  const chosen = made(namedApp("a", { owner: "ADA", enabled: false }))
  assert.deepEqual([chosen.clientId, chosen.secretHash], ["id-a", hash("secret of a")])
  assert.deepEqual(
    [chosen.ownerId, chosen.enabled, chosen.registeredBy],
    [account.userId, false, "administrator"],
  )
  assert.equal(made(namedApp("a", { client_id: undefined })).clientId, "apps-a")
})

test("APPLY-3 members that the file does not name stay, and null removes an account", () => {
  const before = { ...confidentialClient, ownerId: account.userId, verified: true, enabled: false }
  assert.deepEqual(planned(some({}), before).changes, [])
  const { members, changes } = planned(some({ owner: null }), before)
  assert.deepEqual(members, [{ member: "owner", before: "Ada", after: null }])
  assert.deepEqual(
    changes.map(({ change }) => change),
    ["clientChanged", "eventRecorded"],
  )
})

test("APPLY-3 a secret is compared where it is known", () => {
  const entry = some({ client_secret_file: hash("another") })
  assert.equal(planned(entry, confidentialClient).change, "update")
  assert.equal(planned(entry, confidentialClient, { knowsSecrets: false }).change, "keep")
})

test("SERVICE-6 a revoked binding stays revoked until another account is named, or an administrator binds it", () => {
  const bound = { ...confidentialClient, binding: { userId: robot.userId, tokenId: "token" as TokenId } }
  assert.deepEqual(planned(some({ service_account: "robot" }), bound).changes, [])
  const other = { ...robot, userId: "other" as UserId, username: "other", usernameKey: "other" }
  const clients = [{ ...bound, clientId: "id-a" as ClientId }]
  const known = { accounts: [...accounts, other], groups: new Set<string>() }
  const changed = planApp(planning({ clients }), known, some({ service_account: "other" }))
  assert.ok(changed.ok)
  assert.deepEqual(changed.value.members, [{ member: "service_account", before: "robot", after: "other" }])
  assert.deepEqual(
    changed.value.changes.map((one) => (one.change === "eventRecorded" ? one.event.kind : one.change)),
    ["clientChanged", "app-changed", "credentialAdded", "service-account-bound"],
  )
})

test("GROUP-17 an app is for the groups of the file, which must be there, or were its groups before", () => {
  const before = { ...confidentialClient, groups: ["gone"] }
  assert.deepEqual(planned(some({ groups: ["gone"] }), before).changes, [])
  assert.deepEqual(planned(some({ groups: ["staff", "sales"] }), before).members, [
    { member: "groups", before: ["gone"], after: ["sales", "staff"] },
  ])
  assert.equal(planned(some({ groups: [] }), before).change, "update")
  assert.deepEqual(problemsOf(some({ groups: ["sale"] }), before), [
    '12 apps: a: groups: There is no group "sale". Did you mean sales?',
  ])
})
