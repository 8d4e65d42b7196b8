import { test } from "node:test"
import assert from "node:assert/strict"
import { givenChanges, underCurrentRules } from "../../../src/accounts/sign-in/given.rules.ts"
import { account } from "../../support/core-sample.ts"
import { eventsOf, identity } from "../providers/provider-samples.ts"

const sealed = { isAdministrator: true, groups: ["a", "b"], provider: "work" }
const administrators = { name: "roles", value: "chief" }
const groups = { name: "groups", map: new Map([["1", "b"]]) }

test("UP-13, GROUP-14 what an earlier page sealed counts only under the rules of today", () => {
  const now = (rules: Partial<Parameters<typeof underCurrentRules>[0]>, of = sealed) =>
    underCurrentRules({ administrators: null, groups: null, ...rules }, of)
  assert.deepEqual(now({}), { ...sealed, isAdministrator: null, groups: null })
  assert.deepEqual(now({ administrators }), { ...sealed, groups: null })
  assert.deepEqual(now({ groups }), { ...sealed, isAdministrator: null, groups: ["b"] })
  const { groups: _, ...earlier } = sealed
  const unknown = underCurrentRules({ administrators, groups }, earlier as typeof sealed)
  assert.deepEqual(unknown, { ...sealed, groups: null }, "a page of an earlier version")
})

test("UP-13, GROUP-14 both rules change the account together", () => {
  const rows = { account, identity, otherAdministrator: null, memberships: [], email: null, emailByKey: null }
  const changes = givenChanges(rows, { ...sealed, now: 5, address: null })
  assert.deepEqual(eventsOf(changes), [
    "administration-granted: by the rule of work",
    "groups-joined: a b, by the rule of work",
  ])
})
