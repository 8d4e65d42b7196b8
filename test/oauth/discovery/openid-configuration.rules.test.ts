import { test } from "node:test"
import assert from "node:assert/strict"
import { openidConfiguration } from "../../../src/oauth/discovery/openid-configuration.rules.ts"

test("OIDC-1 the metadata of OpenID Connect have everything that it requires, beside those of OAuth", () => {
  const issuer = "https://id.example"
  const configuration = openidConfiguration({ issuer, scopes_supported: ["account:read"] }, issuer)
  assert.equal(configuration.issuer, issuer)
  assert.deepEqual(configuration.scopes_supported, ["openid", "profile", "email", "groups", "account:read"])
  assert.deepEqual(configuration.subject_types_supported, ["public"])
  assert.deepEqual(configuration.id_token_signing_alg_values_supported, ["RS256", "ES256"])
  assert.equal(configuration.request_uri_parameter_supported, false)
  assert.deepEqual(openidConfiguration({}, issuer).scopes_supported, ["openid", "profile", "email", "groups"])
})
