/** The preview of any change must agree with the reach of every credential before and after it. */
import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import type { Permission } from "../../../src/kernel/ids.ts"
import { reachOf } from "../../../src/model/sign-in/organization.rules.ts"
import {
  accountPreview,
  appEndPreview,
  ceilingPreview,
  type ReachPreview,
} from "../../../src/apps/preview/reach-preview.rules.ts"
import { CLIENT_ID, sampleCatalog, USER_ID, bounds, standing } from "../../support/core-sample.ts"
import type { HeldConsent } from "../../../src/model/credential.rules.ts"
import { ada, bob, providers, rules, standingAfter } from "./sample-consents.ts"

const someNames = fc.subarray([...sampleCatalog.keys(), "gone:read" as Permission])
const someConsents = fc.array(
  fc
    .record({
      userId: fc.constantFrom(ada, bob, USER_ID),
      scope: someNames,
      organization: fc.constantFrom(undefined, "work", "other", "gone"),
      credentials: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ organization, ...consent }) => ({
      ...consent,
      clientId: CLIENT_ID,
      admin: consent.userId === ada,
      groups: [],
      ...(organization !== undefined && { organization }),
    })),
  { maxLength: 8 },
)

/** Computes the expected preview in a slow way, one credential at a time. */
function slowly(
  consents: readonly HeldConsent[],
  before: (held: HeldConsent) => readonly Permission[],
  after: (held: HeldConsent) => readonly Permission[],
) {
  const each = consents.flatMap((consent) => Array.from({ length: consent.credentials }, () => consent))
  const count = (isCounted: (held: HeldConsent) => boolean) => {
    const counted = each.filter(isCounted)
    return { credentials: counted.length, accounts: new Set(counted.map(({ userId }) => userId)).size }
  }
  const names = [...sampleCatalog.keys()]
  const holds = (of: typeof before, name: Permission) => (one: HeldConsent) => of(one).includes(name)
  const perName = (from: typeof before, to: typeof before) =>
    names
      .map((name) => ({
        permission: name,
        ...count((one) => holds(from, name)(one) && !holds(to, name)(one)),
      }))
      .filter(({ credentials }) => credentials > 0)
  const loses = (from: typeof before, to: typeof before) => (one: HeldConsent) =>
    from(one).some((name) => !to(one).includes(name))
  return {
    live: count(() => true),
    taken: perName(before, after),
    given: perName(after, before),
    losing: count(loses(before, after)),
    gaining: count(loses(after, before)),
    emptied: count((one) => before(one).length > 0 && after(one).length === 0),
    revived: count((one) => before(one).length === 0 && after(one).length > 0),
  }
}

function summary(preview: ReachPreview) {
  const two = ({ credentials, accounts }: { credentials: number; accounts: number }) => ({
    credentials,
    accounts,
  })
  const perName = (list: ReachPreview["taken"]) =>
    list
      .map(({ permission, ...touched }) => ({ permission, ...two(touched) }))
      .filter(({ credentials }) => credentials > 0)
  return {
    live: two(preview.live),
    taken: perName(preview.taken),
    given: perName(preview.given),
    losing: two(preview.losing),
    gaining: two(preview.gaining),
    emptied: two(preview.emptied),
    revived: two(preview.revived),
  }
}

test("PERM-5, PERM-6, PERM-7 the preview of any ceiling agrees with reach, credential by credential", () => {
  fc.assert(
    fc.property(someNames, someNames, someConsents, (before, after, consents) => {
      const preview = ceilingPreview(rules, bounds(before), bounds(after), consents)
      const under = (ceiling: readonly Permission[]) => (one: HeldConsent) =>
        reachOf(sampleCatalog, providers, one, bounds(ceiling), one)
      assert.deepEqual(summary(preview), slowly(consents, under(before), under(after)))
    }),
    { numRuns: 500 },
  )
})

test("PERM-5 so does the end of an app, and whatever happens to an account", () => {
  fc.assert(
    fc.property(someNames, someConsents, fc.boolean(), (ceiling, consents, admin) => {
      const reached = (isAdmin: boolean) => (one: HeldConsent) =>
        reachOf(sampleCatalog, providers, one, bounds(ceiling), standing(isAdmin))
      const nothing = () => []
      assert.deepEqual(
        summary(appEndPreview(rules, bounds(ceiling), "app-removed", consents)),
        slowly(consents, (one) => reached(one.admin)(one), nothing),
      )
      const own = consents.map((one) => ({ ...one, userId: USER_ID, admin }))
      const after = {
        "administration-granted": reached(true),
        "administration-withdrawn": reached(false),
        "account-disabled": nothing,
        "account-removed": nothing,
        nothing: reached(admin),
      } as const
      for (const change of Object.keys(after) as (keyof typeof after)[]) {
        const preview = accountPreview(
          rules,
          change,
          own,
          () => bounds(ceiling),
          (one) => standingAfter(change, one),
        )
        assert.deepEqual(summary(preview), slowly(own, reached(admin), after[change]), change)
      }
    }),
    { numRuns: 200 },
  )
})
