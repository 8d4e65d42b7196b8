import assert from "node:assert/strict"
import { test } from "node:test"
import { canProve } from "../../../src/accounts/guards/proving-provider.rules.ts"
import type { Factor } from "../../../src/model/factor.rules.ts"
import type { Identity } from "../../../src/model/sign-in/identity.rules.ts"
import { providerAt } from "../../support/oidc.ts"

const corp = providerAt("https://id.example")
const strong = providerAt("https://id.example", { secondFactor: { acr: ["phr"], amr: [] } })
const github = providerAt("https://github.com", { preset: "github" })
const of = (issuer: string) => ({ issuer }) as Identity
const passkey = { kind: "passkey" } as Factor
const recovery = { kind: "recovery" } as Factor

test("LOGIN-15 a provider proves an account that is connected to its issuer", () => {
  const linked = { identities: [of("https://id.example")], factors: [] }
  for (const purpose of ["fresh-proof", "step-up"] as const) {
    assert.ok(canProve(corp, linked, purpose))
    assert.ok(!canProve(corp, { ...linked, identities: [of("https://other.example")] }, purpose))
    assert.ok(!canProve(corp, { identities: null, factors: null }, purpose))
  }
})

test("LOGIN-18 of an account with a second factor, only one that can prove a second factor", () => {
  const identities = [of("https://id.example")]
  for (const purpose of ["fresh-proof", "step-up"] as const) {
    assert.ok(!canProve(corp, { identities, factors: [passkey] }, purpose))
    assert.ok(canProve(strong, { identities, factors: [passkey] }, purpose))
    assert.ok(canProve(corp, { identities, factors: [recovery] }, purpose))
  }
})

test("LOGIN-16 GitHub proves no step-up", () => {
  const linked = { identities: [of("https://github.com")], factors: [] }
  assert.ok(canProve(github, linked, "fresh-proof"))
  assert.ok(!canProve(github, linked, "step-up"))
})
