import { test } from "node:test"
import assert from "node:assert/strict"
import { administrationChanges } from "../../../src/accounts/sign-in/given-administration.rules.ts"
import { account } from "../../support/core-sample.ts"
import { eventsOf, identity, OTHER_ID } from "../providers/provider-samples.ts"

const chief = { ...account, userId: OTHER_ID, admin: true }
const from = { provider: "work", now: 5, address: "192.0.2.1" }

const changesFor = (
  rule: boolean | null,
  admin: boolean,
  grantsAdministration: boolean,
  otherAdministrator: typeof account | null = chief,
) =>
  administrationChanges(
    {
      account: { ...account, admin },
      identity: { ...identity, grantsAdministration },
      otherAdministrator,
    },
    { ...from, isAdministrator: rule },
  )

test("UP-13 the rule gives what the account has not, and takes back only what it gave", () => {
  const changing: string[] = []
  for (const rule of [true, false, null])
    for (const admin of [true, false])
      for (const gave of [true, false])
        if (changesFor(rule, admin, gave).length > 0) changing.push(`${rule} ${admin} ${gave}`)
  assert.deepEqual(changing, ["true false true", "true false false", "false true true"])
})

test("UP-13 both are in the audit trail with the provider, and the link remembers them", () => {
  const given = changesFor(true, false, false)
  assert.deepEqual(eventsOf(given), ["administration-granted: by the rule of work"])
  assert.deepEqual(given[0], { change: "accountChanged", account: { ...account, admin: true } })
  assert.deepEqual(given.at(-1), {
    change: "identityChanged",
    identity: { ...identity, grantsAdministration: true },
  })
  const taken = changesFor(false, true, true)
  assert.deepEqual(eventsOf(taken), ["administration-withdrawn: by the rule of work"])
  assert.deepEqual(taken[0], { change: "accountChanged", account })
  assert.deepEqual(taken.at(-1), { change: "identityChanged", identity })
})

test("UP-13 it is never taken from the last administrator", () => {
  assert.deepEqual(changesFor(false, true, true, null), [])
})
