import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { plan } from "../../../src/admin/apply/plan.rules.ts"
import type { Planning } from "../../../src/admin/apply/part.rules.ts"
import type { NamedApp, Present, SetUp } from "../../../src/admin/apply/set-up.rules.ts"
import type { ClientId, UserId } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { account, confidentialClient, NOW } from "../../support/core-sample.ts"
import { after, bareApp, emptySetUp, named, namedApp, nothingPresent, planning } from "./set-up-sample.ts"

function planned(of: Planning, setUp: Partial<SetUp>, isPruning = false) {
  const answer = plan(of, { ...emptySetUp, ...setUp }, isPruning)
  assert.ok(answer.ok, JSON.stringify(answer))
  return answer.value
}

const lines = (of: ReturnType<typeof planned>) =>
  of.planned.map(({ change, what, key }) => `${change} ${what} ${key}`)
const kinds = (changes: readonly Change[]) =>
  changes.map((one) => (one.change === "eventRecorded" ? one.event.kind : one.change))

function problems(of: Planning, setUp: Partial<SetUp>) {
  const answer = plan(of, { ...emptySetUp, ...setUp }, false)
  assert.ok(!answer.ok)
  return answer.error.map(({ line, problem }) => `${line} ${problem}`)
}

test("APPLY-1 an app is found by its client_id, or by the key under which its set made it", () => {
  const one = { ...confidentialClient, clientId: "one" as ClientId, name: "before" }
  const applied = [{ set: "default", what: "app", key: "kept", made: "one" }] as const
  const of = (differing: NamedApp["members"]) => {
    const entry = bareApp("kept", { name: "kept", ...differing })
    return lines(planned(planning({ applied, clients: [one] }), { apps: [entry] }))
  }
  assert.deepEqual(of({ client_id: "one" }), ["update app kept"])
  assert.deepEqual(of({}), ["update app kept"])
  const other = { client_id: "other", type: "public" } as const
  assert.deepEqual(of(other), ["add app kept"])
})

test("APPLY-1 two keys cannot name one app", () => {
  const apps = [namedApp("a", { client_id: "same" }), namedApp("b", { client_id: "same" }, 30)]
  assert.deepEqual(problems(planning(), { apps }), ["30 apps: b: another key names the same."])
})

test("APPLY-2 every problem is found, and then nothing is planned", () => {
  const apps = [namedApp("a", { type: undefined }), namedApp("b", { owner: "somewho" }, 30)]
  const settings = [named("token.access_seconds", "never", 40)]
  assert.deepEqual(problems(planning(), { apps, settings }), [
    "10 apps: a: expected type",
    '37 apps: b: owner: There is no account named "somewho".',
    "40 settings: token.access_seconds: Write a whole number of seconds from 60 to 86400.",
  ])
})

test("APPLY-4 pruning removes what the set made and the file no longer names, and nothing else", () => {
  const made = { ...confidentialClient, clientId: "made" as ClientId }
  const found = { ...confidentialClient, clientId: "found" as ClientId }
  const robot = { ...account, userId: "robot" as UserId, usernameKey: "robot", type: "service" } as const
  const row = (what: "app" | "service_account" | "setting" | "appearance", id: string) =>
    ({ set: "default", what, key: id, made: id }) as const
  const present: Present = {
    ...nothingPresent,
    applied: [
      row("app", "made"),
      row("app", "gone"),
      row("service_account", "robot"),
      row("setting", "token.access_seconds"),
      row("setting", "registration.open"),
      { ...row("appearance", "color"), made: "appearance.color" },
    ],
    clients: [made, found],
    accounts: [robot],
    settings: new Map([
      ["token.access_seconds", "600"],
      ["step_up.window_seconds", "600"],
      ["appearance.color", "#123456"],
      ["appearance.terms", "https://acme.example/"],
    ]),
  }
  assert.deepEqual(lines(planned(planning(present), {})), [])
  const pruned = planned(planning(present), {}, true)
  assert.deepEqual(lines(pruned), [
    "remove app made",
    "remove service_account robot",
    "remove setting token.access_seconds",
    "remove appearance color",
  ])
  assert.deepEqual(kinds(pruned.changes), [
    ...["credentialsRevoked", "clientRemoved", "app-removed", "appliedRemoved"],
    "appliedRemoved",
    ...["credentialsRevoked", "approvalsDenied", "accountRemoved", "account-removed", "appliedRemoved"],
    ...["settingUnset", "setting-changed", "appliedRemoved"],
    "appliedRemoved",
    ...["settingUnset", "setting-changed", "appliedRemoved"],
  ])
  const left = after(present, pruned.changes)
  assert.deepEqual(
    [left.clients, left.accounts, left.applied, [...left.settings.keys()]],
    [[found], [], [], ["step_up.window_seconds", "appearance.terms"]],
  )
})

test("APPLY-4 an app under another key is the same app, and stays", () => {
  const present = after(nothingPresent, planned(planning(), { apps: [namedApp("a")] }).changes)
  const renamed = namedApp("b", { client_id: "id-a", client_secret_file: undefined, name: "a" })
  const { planned: shown, changes } = planned(planning(present), { apps: [renamed] }, true)
  assert.deepEqual(shown, [])
  assert.deepEqual(changes, [
    { change: "appliedSet", applied: { set: "default", what: "app", key: "b", made: "id-a" } },
  ])
})

test("APPLY-4 what pruning removes cannot be named by an app", () => {
  const robots = { serviceAccounts: [named("robot", {}, 3)] }
  const present = after(nothingPresent, planned(planning(), robots).changes)
  const setUp = { ...emptySetUp, apps: [namedApp("a", { service_account: "robot" })] }
  assert.equal(plan(planning(present), setUp, false).ok, true)
  const pruned = plan(planning(present), setUp, true)
  assert.ok(!pruned.ok)
  assert.deepEqual(pruned.error, [
    { line: 17, problem: 'apps: a: service_account: There is no account named "robot".' },
  ])
})

/** A set-up of up to three apps, two service accounts, and some settings. */
const aSetUp: fc.Arbitrary<SetUp> = fc
  .record({
    apps: fc.uniqueArray(
      fc.record({
        key: fc.constantFrom("a", "b", "c"),
        isPublic: fc.boolean(),
        hasId: fc.boolean(),
        name: fc.constantFrom("One", "Two"),
        permissions: fc.subarray(["files:read", "workers:read", "account:read"]),
        verified: fc.boolean(),
        inGroup: fc.boolean(),
        enabled: fc.option(fc.boolean(), { nil: undefined }),
        robot: fc.option(fc.constantFrom("r", "s"), { nil: undefined }),
      }),
      { selector: ({ key, isPublic }) => `${key}${isPublic}`, maxLength: 4 },
    ),
    settings: fc.uniqueArray(
      fc.record({
        key: fc.constantFrom("token.access_seconds", "step_up.window_seconds"),
        value: fc.constantFrom("600", "700"),
      }),
      { selector: ({ key }) => key },
    ),
    name: fc.option(fc.constantFrom("Acme", "Other"), { nil: null }),
    titles: fc.array(fc.constantFrom("Title", null, undefined), { maxLength: 2 }),
  })
  .map(({ apps, settings, name, titles }) => ({
    ...emptySetUp,
    groups: titles.map((title, at) => named(at === 0 ? "g" : "h", title === undefined ? {} : { title })),
    serviceAccounts: ["r", "s"].map((one) => {
      const groups = titles.length > 1 && one === "r" ? ["h", "g"] : titles.length === 1 ? ["g"] : undefined
      return named(one, groups === undefined ? {} : { groups })
    }),
    apps: apps.map(({ key, isPublic, hasId, robot, inGroup, ...rest }) => {
      const own = `${key}${isPublic ? "-public" : ""}`
      return namedApp(own, {
        ...rest,
        client_id: hasId ? `id-${own}` : undefined,
        groups: inGroup && titles.length > 0 ? ["g"] : undefined,
        ...(isPublic ? { type: "public", client_secret_file: undefined } : { service_account: robot }),
      })
    }),
    settings: settings.map(({ key, value }) => named(key, value, 2)),
    appearance: name === null ? [] : [named("name", name, 3)],
  }))

test("APPLY-3 after an apply, a second one of the same file changes nothing, whatever there was before", () => {
  fc.assert(
    fc.property(aSetUp, aSetUp, fc.boolean(), (first, second, isPruning) => {
      const one = after(nothingPresent, planned(planning(), first).changes)
      const answer = plan(planning(one), second, isPruning)
      // An app that permissions imply away, or whose type differs, is refused as by a single command.
      if (!answer.ok) return
      const two = after(one, answer.value.changes)
      const again = planned(planning(two), second, isPruning)
      assert.deepEqual([again.planned, again.changes], [[], []])
      if (!isPruning) return
      const names = second.apps.map(({ key }) => key).toSorted()
      assert.deepEqual(
        two.applied
          .filter(({ what }) => what === "app")
          .map(({ key }) => key)
          .toSorted(),
        names,
      )
      assert.equal(two.clients.length, names.length)
    }),
    { numRuns: 500 },
  )
})

test("APPLY-3 each row is written once, and each change of it is an event of its own", () => {
  const present = after(nothingPresent, planned(planning(), { apps: [namedApp("a")] }).changes)
  const secret = namedApp("b").members.client_secret_file
  const differing = { enabled: false, client_secret_file: secret, name: "New" }
  const { planned: shown, changes } = planned(planning(present), { apps: [namedApp("a", differing)] })
  assert.deepEqual(kinds(changes), ["clientChanged", "app-changed", "app-disabled", "app-secret-rotated"])
  assert.deepEqual(
    shown.map(({ members }) => members),
    [
      [
        { member: "name", before: "a", after: "New" },
        { member: "enabled", before: true, after: false },
        { member: "client_secret_file", before: false, after: true },
      ],
    ],
  )
  assert.ok(changes.every((one) => one.change !== "eventRecorded" || one.event.at === NOW))
})

test("APPLY-2, OIDC-1 apps and settings of a file are judged with the permissions that its settings turn on or off", () => {
  const apps = [namedApp("wiki", { permissions: ["openid", "profile"] })]
  const settings = (value: string) => [
    named("openid.enabled", value),
    named("registration.permissions", "openid account:read"),
  ]
  const on = planned(planning(), { apps, settings: settings("on") })
  assert.equal(on.planned.length, 3)
  const present = after(nothingPresent, on.changes)
  const of = { ...planning(present), catalog: on.catalog }
  assert.deepEqual(planned(of, { apps, settings: settings("on") }).planned, [])
  const other = [namedApp("other", { permissions: ["openid"] })]
  assert.deepEqual(problems(of, { apps: other, settings: settings("off") }).length, 2)
  assert.deepEqual(lines(planned(of, { apps, settings: [named("openid.enabled", "off")] })), [
    "update setting openid.enabled",
  ])
})
