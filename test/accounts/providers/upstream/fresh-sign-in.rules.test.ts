import assert from "node:assert/strict"
import { test } from "node:test"
import {
  authTimeIn,
  gapInStrength,
  gapSince,
} from "../../../../src/accounts/providers/upstream/fresh-sign-in.rules.ts"
import type { Factor } from "../../../../src/model/factor.rules.ts"
import { providerAt } from "../../../support/oidc.ts"

const SINCE = 1_000_000
const NOW = SINCE + 300
const OTHER_FORMS = [null, String(NOW), "", [NOW], {}, true, -1, -0.5, Number.NaN, Number.POSITIVE_INFINITY]

test("LOGIN-16 a sign-in counts from a minute before the step-up to a minute from now", () => {
  const gap = (auth_time: unknown) => gapSince({ auth_time }, SINCE, NOW)
  for (const at of [SINCE - 60, SINCE, NOW, NOW + 60]) assert.equal(gap(at), null)
  for (const at of [0, SINCE - 61, SINCE - 60.5, NOW + 61, ...OTHER_FORMS])
    assert.equal(gap(at), "not-recent", String(at))
  assert.equal(gap(undefined), "no-time")
})

test("LOGIN-16 a time counts in whole seconds and never as later than now, and one of another form as long ago", () => {
  const time = (auth_time: unknown) => authTimeIn({ auth_time }, NOW)
  assert.deepEqual([0, SINCE, SINCE + 0.9, NOW].map(time), [0, SINCE, SINCE, NOW])
  assert.deepEqual([NOW + 0.5, NOW + 60].map(time), [NOW, NOW])
  for (const at of [NOW + 61, 1e300, ...OTHER_FORMS]) assert.equal(time(at), 0, String(at))
  assert.equal(time(undefined), null)
})

test("LOGIN-18 a second factor here is proven by what the provider’s rule names, and by nothing less", () => {
  const corp = providerAt("https://id.example", { secondFactor: { acr: ["phr"], amr: ["mfa"] } })
  const factors = [{ kind: "totp" } as Factor]
  assert.equal(gapInStrength(corp, {}, []), null)
  assert.equal(gapInStrength(corp, { acr: "phr" }, factors), null)
  assert.equal(gapInStrength(corp, { amr: ["mfa"] }, factors), null)
  for (const claims of [{}, { acr: "mfa" }, { amr: ["pwd"] }, { amr: "mfa" }])
    assert.equal(gapInStrength(corp, claims, factors), "too-weak")
})
