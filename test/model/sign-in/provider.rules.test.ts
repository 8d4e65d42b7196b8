import { test } from "node:test"
import assert from "node:assert/strict"
import {
  entraIssuer,
  isIssuerOf,
  isOpenToAll,
  issuerOfTenant,
  issuerPlace,
  presets,
  PROVIDER_NAME,
  usualIssuer,
  usualLabel,
  usualScopes,
} from "../../../src/model/sign-in/provider.rules.ts"

const ENTRA = "https://login.microsoftonline.com"
const TENANT = "11111111-2222-3333-4444-555555555555"
const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad"
const many = { issuer: `${ENTRA}/{tenantid}/v2.0` }
const one = { issuer: `${ENTRA}/${TENANT}/v2.0` }

test("UP-8 each preset has its usual issuer, label and scopes", () => {
  const usual = presets.map((preset) => [
    preset,
    usualIssuer(preset),
    usualLabel(preset, "name"),
    usualScopes(preset).join(" "),
  ])
  assert.deepEqual(usual, [
    ["google", "https://accounts.google.com", "Google", "openid profile email"],
    ["entra", ENTRA, "Microsoft", "openid profile email"],
    ["github", "https://github.com", "GitHub", "read:user user:email"],
    ["apple", "https://appleid.apple.com", "Apple", "openid"],
    ["keycloak", null, "Keycloak", "openid profile email"],
  ])
})

test("UP-8 without a preset, the file names the issuer, and the name is the label", () => {
  assert.equal(usualIssuer(null), null)
  assert.equal(usualLabel(null, "work"), "work")
  assert.deepEqual(usualScopes(null), ["openid", "profile", "email"])
})

test("UP-8 a name is lower-case letters, digits and inner hyphens, up to 32", () => {
  for (const name of ["a", "work", "a-b", "0", "a".repeat(32), "a--b"]) assert.match(name, PROVIDER_NAME)
  for (const name of ["", "-a", "a-", "A", "a_b", "a/b", "a.b", "a".repeat(33), "a\n", "ä"])
    assert.doesNotMatch(name, PROVIDER_NAME)
})

test("UP-16 the issuer of Entra names the tenant, or holds its place where several are meant", () => {
  assert.deepEqual(entraIssuer(ENTRA, TENANT), {
    issuer: one.issuer,
    metadataUrl: `${one.issuer}/.well-known/openid-configuration`,
  })
  for (const tenant of ["common", "organizations"])
    assert.deepEqual(entraIssuer(ENTRA, tenant), {
      issuer: many.issuer,
      metadataUrl: `${ENTRA}/${tenant}/v2.0/.well-known/openid-configuration`,
    })
  assert.equal(entraIssuer(ENTRA, "consumers")?.issuer, `${ENTRA}/${CONSUMERS}/v2.0`)
  for (const tenant of [
    "",
    "contoso.example",
    "../common",
    `${TENANT}/..`,
    TENANT.replace("1", "g"),
    "Common",
  ])
    assert.equal(entraIssuer(ENTRA, tenant), null, tenant)
})

test("UP-14 the last slash of an issuer is not doubled before the path of the metadata", () => {
  const path = "/.well-known/openid-configuration"
  for (const issuer of ["https://id.example/auth", "https://id.example/auth/"])
    assert.deepEqual(issuerPlace(null, issuer), {
      issuer,
      metadataUrl: `https://id.example/auth${path}`,
    })
  assert.deepEqual(issuerPlace("github", "https://github.com"), {
    issuer: "https://github.com",
    metadataUrl: null,
  })
})

test("UP-4, UP-16 a token of several tenants must name the issuer of its own tenant", () => {
  assert.equal(issuerOfTenant(many, TENANT), one.issuer)
  for (const tenant of [undefined, null, 1, "", "common", `${TENANT}/`, [TENANT], TENANT.slice(1)])
    assert.equal(issuerOfTenant(many, tenant), null, JSON.stringify(tenant))
  assert.equal(issuerOfTenant(one, undefined), one.issuer)
  assert.equal(issuerOfTenant(one, CONSUMERS), one.issuer)
})

test("UP-4 an issuer is compared exactly, and with its tenant where several are meant", () => {
  assert.equal(isIssuerOf(one, one.issuer), true)
  assert.equal(isIssuerOf(many, one.issuer), true)
  const others = [
    "",
    `${one.issuer}/`,
    one.issuer.toUpperCase(),
    many.issuer,
    `${ENTRA}/common/v2.0`,
    `${ENTRA}//v2.0`,
    `${ENTRA}/v2.0`,
    `${ENTRA}/${TENANT}/${TENANT}/v2.0`,
    `https://evil.example/${TENANT}/v2.0`,
    `${ENTRA}.evil.example/${TENANT}/v2.0`,
    `${ENTRA}/${TENANT}/v2.0/v2.0`,
    `${ENTRA}/${TENANT}/v3.0`,
    `${ENTRA.replace("s", "x")}/${TENANT}/v2.0`,
    `${ENTRA}/`,
  ]
  for (const named of others) {
    assert.equal(isIssuerOf(many, named), false, named)
    assert.equal(isIssuerOf(one, named), false, named)
  }
  assert.equal(isIssuerOf(one, `${ENTRA}/${CONSUMERS}/v2.0`), false)
})

test("UP-7, UP-14 any person can have an account at a public provider, and at several tenants", () => {
  for (const preset of ["google", "apple", "github"] as const) {
    assert.equal(isOpenToAll({ preset, issuer: usualIssuer(preset) ?? "" }), true, preset)
    assert.equal(isOpenToAll({ preset, issuer: "https://id.example" }), false, preset)
  }
  assert.equal(isOpenToAll({ preset: "entra", ...many }), true)
  assert.equal(isOpenToAll({ preset: "entra", issuer: `${ENTRA}/${CONSUMERS}/v2.0` }), true)
  assert.equal(isOpenToAll({ preset: "entra", ...one }), false)
  for (const preset of ["keycloak", null] as const)
    assert.equal(isOpenToAll({ preset, issuer: "https://id.example/realms/a" }), false)
})
