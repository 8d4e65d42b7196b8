import assert from "node:assert/strict"
import { test } from "node:test"
import { gapInStrength, gapSince } from "../../../../src/accounts/providers/upstream/fresh-sign-in.rules.ts"
import type { Factor } from "../../../../src/model/factor.rules.ts"
import { providerAt } from "../../../support/oidc.ts"

const SINCE = 1_000_000
const NOW = SINCE + 300

test("LOGIN-16 a sign-in counts from a minute before the step-up to a minute from now", () => {
  const gap = (auth_time: unknown) => gapSince({ auth_time }, SINCE, NOW)
  for (const at of [SINCE - 60, SINCE, NOW, NOW + 60]) assert.equal(gap(at), null)
  for (const at of [0, SINCE - 61, NOW + 61, -1]) assert.equal(gap(at), "not-recent")
  for (const at of [undefined, null, String(NOW), NOW + 0.5, Number.NaN, [NOW], true])
    assert.equal(gap(at), "no-time")
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
