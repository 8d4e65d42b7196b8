import { test } from "node:test"
import assert from "node:assert/strict"
import { defaultAppearance } from "../../../src/model/appearance.rules.ts"
import {
  authorizationServerMetadata,
  protectedResourceMetadata,
} from "../../../src/oauth/discovery/metadata.rules.ts"
import { grantTypeNames } from "../../../src/oauth/token/grant-types.ts"
import { permissions } from "../../support/core-sample.ts"

const issuer = "https://login.example/base"
const published = {
  issuer,
  permissions: permissions("account:read admin:apps files:read"),
  isRegistrationOpen: false,
  hasKeys: false,
  hasDocuments: false,
  hasJwks: false,
  grantTypes: grantTypeNames,
  appearance: defaultAppearance,
}

test("LOOK-5 the metadata has the name of the service and its links where they are set", () => {
  const appearance = {
    ...defaultAppearance,
    name: "Acme",
    terms: "https://acme.example/terms",
    privacy: "https://acme.example/privacy",
  }
  const server = authorizationServerMetadata({ ...published, appearance })
  assert.deepEqual([server.op_tos_uri, server.op_policy_uri], [appearance.terms, appearance.privacy])
  assert.equal(protectedResourceMetadata(issuer, { ...published, appearance }).resource_name, "Acme")
})

test("DISC-1, DISC-5, MISC-1 the metadata names the issuer, the endpoints and what is served", () => {
  const both = ["client_secret_basic", "client_secret_post"]
  assert.deepEqual(authorizationServerMetadata(published), {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    token_endpoint_auth_methods_supported: [...both, "none"],
    device_authorization_endpoint: `${issuer}/oauth/device-authorization`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: [...both, "none"],
    introspection_endpoint: `${issuer}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: both,
    step_up_endpoint: `${issuer}/oauth/step-up`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: [
      "authorization_code",
      "refresh_token",
      "urn:ietf:params:oauth:grant-type:device_code",
    ],
    refresh_token_expiration_types_supported: ["authorization", "token_timeout"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: ["account:read", "files:read"],
  })
})

test("KEY-7 the metadata name private_key_jwt with its algorithms where a client can use it, and only there", () => {
  const before = authorizationServerMetadata(published)
  const after: Record<string, unknown> = authorizationServerMetadata({ ...published, hasKeys: true })
  const both = ["client_secret_basic", "client_secret_post", "private_key_jwt"]
  for (const [endpoint, methods] of [
    ["token", [...both, "none"]],
    ["revocation", [...both, "none"]],
    ["introspection", both],
  ] as const) {
    assert.deepEqual(after[`${endpoint}_endpoint_auth_methods_supported`], methods)
    const algorithms = `${endpoint}_endpoint_auth_signing_alg_values_supported`
    assert.deepEqual(after[algorithms], ["ES256", "EdDSA", "PS256", "RS256"])
    assert.equal(algorithms in before, false)
  }
  assert.equal(JSON.stringify(before).includes("private_key_jwt"), false)
})

test("DISC-2 a protected resource names itself, its authorization server and how tokens come", () => {
  assert.deepEqual(protectedResourceMetadata(`${issuer}/api`, published), {
    resource: `${issuer}/api`,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: ["account:read", "files:read"],
  })
})

test("DISC-3 the only challenge method is S256", () => {
  assert.deepEqual(authorizationServerMetadata(published).code_challenge_methods_supported, ["S256"])
})

test("DISC-4 the registration endpoint is named while registration is open, and only then", () => {
  const open = { ...published, isRegistrationOpen: true }
  assert.equal(
    Reflect.get(authorizationServerMetadata(open), "registration_endpoint"),
    `${issuer}/oauth/register`,
  )
  assert.equal("registration_endpoint" in authorizationServerMetadata(published), false)
})

test("DISC-1, PERM-2 admin permissions are never offered, and an empty list is left out", () => {
  const bare = { ...published, permissions: permissions("admin:apps") }
  assert.equal("scopes_supported" in authorizationServerMetadata(bare), false)
  assert.equal("scopes_supported" in protectedResourceMetadata(issuer, bare), false)
})
