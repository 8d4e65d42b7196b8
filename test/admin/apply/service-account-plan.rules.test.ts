import { test } from "node:test"
import assert from "node:assert/strict"
import {
  planServiceAccount,
  removedServiceAccount,
} from "../../../src/admin/apply/service-account-plan.rules.ts"
import type { UserId } from "../../../src/kernel/ids.ts"
import { account } from "../../support/core-sample.ts"
import { planning } from "./set-up-sample.ts"

const robot = {
  ...account,
  userId: "robot" as UserId,
  username: "robot",
  usernameKey: "robot",
  type: "service",
  passwordHash: null,
} as const
const of = (name: string, owner?: string | null) => ({ name, line: 7, owner, groups: undefined })
const accounts = [account, robot]
const groups = new Set(["sales", "staff"])

test("SERVICE-1 a service account is added with its owner, and recorded", () => {
  const { account: made, part } = planServiceAccount(planning({ accounts }), groups, of("CI", "ada"))
  assert.deepEqual(
    [made?.userId, made?.username, made?.type, made?.ownerId, made?.admin, made?.passwordHash],
    ["service_accounts-CI", "CI", "service", account.userId, false, null],
  )
  assert.deepEqual(part.planned, [
    {
      ...{ change: "add", what: "service_account", key: "CI", made: "service_accounts-CI" },
      members: [{ member: "owner", before: null, after: "ada" }],
    },
  ])
  assert.deepEqual(
    part.changes.map(({ change }) => change),
    ["accountAdded", "eventRecorded", "appliedSet"],
  )
})

test("APPLY-3 one that is there stays as it is", () => {
  for (const owner of [undefined, null]) {
    const { account: found, part } = planServiceAccount(planning({ accounts }), groups, of("Robot", owner))
    assert.deepEqual([found, part.planned, part.changes, part.problems], [robot, [], [], []])
  }
})

test("APPLY-2 what a command would refuse is refused, with its line", () => {
  const problem = (name: string, owner?: string, more = {}) => {
    const all = [{ ...account, ...more }, robot]
    const { account: none, part } = planServiceAccount(planning({ accounts: all }), groups, of(name, owner))
    assert.equal(none, null)
    return part.problems.map((one) => `${one.line} ${one.problem}`).join()
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
  const planned = (wanted: readonly string[] | undefined) =>
    planServiceAccount(planning({ accounts: [inSales] }), groups, {
      name: "robot",
      line: 7,
      owner: undefined,
      groups: wanted,
    }).part
  assert.deepEqual([planned(undefined).changes, planned(["sales"]).changes], [[], []])
  const { planned: shown, changes } = planned(["staff"])
  assert.deepEqual(shown[0]?.members, [{ member: "groups", before: ["sales"], after: ["staff"] }])
  assert.deepEqual(
    changes.map((one) =>
      one.change === "eventRecorded" ? `${one.event.kind} ${one.event.detail}` : one.change,
    ),
    ["membershipsSet", "groups-joined staff", "groups-left sales"],
  )
  assert.deepEqual(planned(["sale"]).problems, [
    { line: 7, problem: 'service_accounts: robot: groups: There is no group "sale". Did you mean sales?' },
  ])
})
