import { test } from "node:test"
import assert from "node:assert/strict"
import {
  planServiceAccount,
  removedServiceAccount,
} from "../../../src/admin/apply/service-account-plan.rules.ts"
import type { UserId } from "../../../src/kernel/ids.ts"
import { account } from "../../support/core-sample.ts"
import { named, planning } from "./set-up-sample.ts"

const robot = {
  ...account,
  userId: "robot" as UserId,
  username: "robot",
  usernameKey: "robot",
  type: "service",
  passwordHash: null,
} as const
const of = (name: string, owner?: string | null, wanted?: readonly string[]) =>
  named(name, { ...(owner !== undefined && { owner }), ...(wanted && { groups: wanted }) }, 7)
const accounts = [account, robot]
const groups = new Set(["sales", "staff"])

test("SERVICE-1 a service account is added with its owner, and recorded", () => {
  const part = planServiceAccount(planning({ accounts }), groups, of("CI", "ada"))
  assert.ok(part.ok)
  const { change, made, members, changes } = part.value
  assert.deepEqual([change, made], ["add", "service_accounts-ci"])
  assert.deepEqual(members, [{ member: "owner", before: null, after: "Ada" }])
  const [first] = changes
  assert.ok(first?.change === "accountAdded")
  const { userId, username, type, ownerId, admin, passwordHash } = first.account
  assert.deepEqual(
    [userId, username, type, ownerId, admin, passwordHash],
    [made, "CI", "service", account.userId, false, null],
  )
  assert.deepEqual(
    changes.map((one) => one.change),
    ["accountAdded", "eventRecorded", "appliedSet"],
  )
})

test("APPLY-3 one that is there stays as it is", () => {
  for (const owner of [undefined, null]) {
    const part = planServiceAccount(planning({ accounts }), groups, of("Robot", owner))
    assert.deepEqual(part.ok && [part.value.change, part.value.changes], ["keep", []])
  }
})

test("APPLY-2 what a command would refuse is refused, with its line", () => {
  const problem = (name: string, owner?: string, more = {}) => {
    const all = [{ ...account, ...more }, robot]
    const part = planServiceAccount(planning({ accounts: all }), groups, of(name, owner))
    assert.ok(!part.ok)
    return `${part.error.line} ${part.error.problem}`
  }
  assert.equal(problem("ada"), '7 service_accounts: ada: "Ada" is not a service account.')
  assert.equal(
    problem("robot", "ada"),
    "7 service_accounts: robot: owner: The owner of a service account cannot change.",
  )
  assert.equal(problem("ci", "eve"), '7 service_accounts: ci: owner: There is no account named "eve".')
  assert.equal(
    problem("ci", "robot"),
    '7 service_accounts: ci: owner: There is no account named "robot" that signs in.',
  )
  assert.equal(
    problem("a  b"),
    "7 service_accounts: a  b: The name has two spaces in a row, or white space that is not a plain space.",
  )
  assert.match(
    problem("ci", "ada", { enabled: false }),
    /^7 service_accounts: ci: The owner "Ada" is disabled/,
  )
})

test("APPLY-4 one that was removed or renamed is not removed again", () => {
  assert.equal(removedServiceAccount(planning({ accounts: [account] }), "robot"), null)
  assert.deepEqual(
    removedServiceAccount(planning({ accounts }), "robot")?.map(({ change }) => change),
    ["credentialsRevoked", "approvalsDenied", "accountRemoved", "eventRecorded"],
  )
})

test("GROUP-10 the groups of the file become the groups of the account, and must be there", () => {
  const inSales = { ...robot, groups: ["sales"] }
  const partOf = (wanted?: readonly string[]) =>
    planServiceAccount(planning({ accounts: [inSales] }), groups, of("robot", undefined, wanted))
  for (const wanted of [undefined, ["sales"]]) {
    const part = partOf(wanted)
    assert.deepEqual(part.ok && part.value.changes, [])
  }
  const part = partOf(["staff"])
  assert.ok(part.ok)
  assert.deepEqual(part.value.members, [{ member: "groups", before: ["sales"], after: ["staff"] }])
  assert.deepEqual(
    part.value.changes.map((one) =>
      one.change === "eventRecorded" ? `${one.event.kind} ${one.event.detail}` : one.change,
    ),
    ["membershipsSet", "groups-joined staff", "groups-left sales"],
  )
  assert.deepEqual(partOf(["sale"]), {
    ok: false,
    error: {
      line: 7,
      problem: 'service_accounts: robot: groups: There is no group "sale". Did you mean sales?',
    },
  })
  const many = Array.from({ length: 51 }, (_, n) => `g${n}`)
  const full = planServiceAccount(planning(), new Set(many), of("ci", undefined, many))
  assert.deepEqual(full, {
    ok: false,
    error: { line: 7, problem: "service_accounts: ci: groups: An account is in at most 50 groups." },
  })
})
