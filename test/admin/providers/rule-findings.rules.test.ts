import { test } from "node:test"
import assert from "node:assert/strict"
import { ruleFindings } from "../../../src/admin/providers/rule-findings.rules.ts"
import type { OpenIdProvider } from "../../../src/model/sign-in/provider.rules.ts"

const provider: OpenIdProvider = {
  name: "work",
  preset: null,
  issuer: "https://id.example",
  metadataUrl: null,
  clientId: "client",
  secret: { kind: "none" },
  scopes: ["openid", "email"],
  label: "Work",
  icon: null,
  usernameClaim: null,
  allowedRanges: [],
  createAccounts: null,
  authoritativeDomains: [],
  secondFactor: { acr: [], amr: [] },
  administrators: null,
  groups: null,
}
const forDomains = { domains: ["corp.example"], claim: null }
const groups = { name: "groups.list", value: "staff" }

const find = (facts: Partial<OpenIdProvider>, claims?: unknown) =>
  ruleFindings({ ...provider, ...facts }, claims === undefined ? null : { claims_supported: claims }).map(
    ({ check, state, seen }) => `${check} ${state}: ${seen}`,
  )

const verifiedFine =
  "claims fine: The rules need the claim email_verified with the boolean true. The log names a missing claim."
const open =
  "create_accounts warning: Every person with an account at this provider gets one here. Add domains or a claim."
const unlisted = (name: string) =>
  `claims warning: The provider does not list the claim ${name}. Let it release the claim to this client.`

test("UP-14 a provider without rules has no findings", () => {
  assert.deepEqual(find({}), [])
  assert.deepEqual(find({}, []), [])
})

test("UP-7, UP-14 a rule that admits the whole world is a warning", () => {
  const google = { preset: "google", issuer: "https://accounts.google.com" } as const
  const everyone = { domains: [], claim: null }
  assert.deepEqual(find({ ...google, createAccounts: everyone }), [open])
  assert.deepEqual(find({ ...google, createAccounts: null }), [])
  assert.deepEqual(find({ ...google, createAccounts: forDomains }), [])
  assert.deepEqual(find({ ...google, createAccounts: { domains: [], claim: groups } }), [])
  assert.deepEqual(find({ createAccounts: everyone }), [], "its own people only")
})

test("UP-14 domains need email_verified: the scope first, then the claim", () => {
  assert.deepEqual(find({ createAccounts: forDomains, scopes: ["openid"] }, []), [
    "claims warning: The rules need the scope email.",
  ])
  assert.deepEqual(find({ createAccounts: forDomains }, ["sub", "email"]), [
    "claims warning: The provider does not list the claim email_verified. Without it, no address counts as verified.",
  ])
  for (const claims of [undefined, ["email_verified"], "email_verified", null])
    assert.deepEqual(find({ createAccounts: forDomains }, claims), [verifiedFine], JSON.stringify(claims))
  assert.deepEqual(find({ authoritativeDomains: ["corp.example"] }), [verifiedFine])
})

test("UP-14, UP-16 GitHub has no scope email, and Keycloak lists only a few of its claims", () => {
  const github = { preset: "github", scopes: ["read:user", "user:email"] } as const
  assert.deepEqual(find({ ...github, createAccounts: forDomains }), [verifiedFine])
  assert.deepEqual(find({ preset: "keycloak", createAccounts: forDomains }, ["sub"]), [verifiedFine])
  assert.deepEqual(find({ preset: "keycloak", administrators: groups }, ["sub"]), [])
})

test("UP-14 a claim of a rule that the provider does not list is named, by the part before the first dot in the list", () => {
  const createAccounts = { domains: [], claim: { name: "team", value: "a" } }
  assert.deepEqual(find({ createAccounts, administrators: groups }, ["sub"]), [
    unlisted("team"),
    unlisted("groups.list"),
  ])
  assert.deepEqual(find({ createAccounts, administrators: groups }, ["team", "groups"]), [])
  assert.deepEqual(find({ createAccounts, administrators: groups }), [])
  const rule = { name: "teams", map: new Map([["a", "b"]]) }
  assert.deepEqual(find({ groups: rule }, ["sub"]), [unlisted("teams")])
  assert.deepEqual(find({ groups: { ...rule, name: "email" } }), [verifiedFine])
})

test("UP-7, UP-14, UP-17 Entra sends no email_verified: other warnings stand in its place", () => {
  const entra = { preset: "entra", createAccounts: forDomains } as const
  const edov =
    "claims warning: Addresses and domains need the claim xms_edov. Add it to the ID token in the app registration, as an optional claim."
  assert.deepEqual(find(entra), [edov])
  assert.deepEqual(find({ ...entra, administrators: groups }, ["sub"]), [edov, unlisted("groups.list")])
  assert.deepEqual(find({ preset: "entra", authoritativeDomains: ["corp.example"] }), [
    "claims warning: Entra sends no email_verified, so authoritative_domains connects no account. Use account link.",
  ])
  assert.deepEqual(find({ preset: "entra" }), [])
})

test("UP-13, UP-14 a rule on an address needs what verifies it", () => {
  const email = { name: "email", value: "ada@corp.example" }
  assert.deepEqual(find({ administrators: email }, ["sub", "email"]), [
    "claims warning: The provider does not list the claim email_verified. Without it, no address counts as verified.",
  ])
  assert.deepEqual(find({ createAccounts: { domains: [], claim: email } }), [verifiedFine])
  assert.match(find({ preset: "entra", administrators: email }).join(), /xms_edov/)
})
