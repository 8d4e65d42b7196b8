import { test } from "node:test"
import assert from "node:assert/strict"
import {
  registrationAnswer,
  registrationRecord,
} from "../../../src/apps/registration/registration-record.rules.ts"
import {
  account,
  CLIENT_ID,
  confidentialClient,
  hash,
  keyClient,
  NOW,
  permissions,
  publicClient,
} from "../../support/core-sample.ts"

test("CLIENT-1…CLIENT-3: the record names everything but the secret", () => {
  assert.deepEqual(registrationRecord({ ...publicClient, redirectUris: [] }, account, null), {
    client_id: CLIENT_ID,
    client_type: "public",
    client_name: "Sample",
    redirect_uris: [],
    scope: publicClient.ceiling.join(" "),
    verified: false,
    step_up: false,
    resource_server: false,
    enabled: true,
    owner: "Ada",
    client_id_issued_at: NOW,
    token_endpoint_auth_method: "none",
  })
  assert.equal(registrationRecord(publicClient, null, null).owner, null)
  assert.equal(
    registrationRecord(confidentialClient, null, null).token_endpoint_auth_method,
    "client_secret_basic",
  )
})

test("KEY-2 the record of an app that holds a key has its public keys, or their address", () => {
  const method = {
    ...registrationRecord(confidentialClient, null, null),
    token_endpoint_auth_method: "private_key_jwt",
  }
  assert.deepEqual(registrationRecord(keyClient, null, null), { ...method, jwks: { keys: [] } })
  const keys = {
    jwks: null,
    jwksUri: "https://app.example/keys",
    algorithm: "PS256",
    workload: null,
  } as const
  assert.deepEqual(registrationRecord({ ...keyClient, keys }, null, null), {
    ...method,
    jwks_uri: "https://app.example/keys",
    token_endpoint_auth_signing_alg: "PS256",
  })
})

test("CLIENT-10 the two switches of administrators are shown only where they were changed", () => {
  const usual = registrationRecord(publicClient, null, null)
  assert.equal("ends_with_session" in usual || "device_flow" in usual, false)
  const changed = { ...publicClient, endsWithSession: true, deviceFlow: false }
  assert.deepEqual(registrationRecord(changed, null, null), {
    ...usual,
    ends_with_session: true,
    device_flow: false,
  })
})

test("SERVICE-2 the record names the service account while the app is bound", () => {
  const { service_account, ...rest } = registrationRecord(confidentialClient, null, {
    ...account,
    username: "ci",
    type: "service",
  })
  assert.equal(service_account, "ci")
  assert.deepEqual(rest, registrationRecord(confidentialClient, null, null))
})

test("CLIENT-7, CLIENT-8 the record has what was registered, switch by switch", () => {
  const client = {
    ...confidentialClient,
    ceiling: permissions("files:read account:read"),
    verified: true,
    stepUp: true,
    resourceServer: true,
    enabled: false,
  }
  const record = registrationRecord(client, null, null)
  const { scope, verified, step_up, resource_server, enabled } = record
  assert.deepEqual(
    [scope, verified, step_up, resource_server, enabled],
    ["files:read account:read", true, true, true, false],
  )
  const { step_up: only } = registrationRecord({ ...client, stepUp: false }, null, null)
  assert.equal(only, false)
})

const grantTypes = ["authorization_code", "refresh_token"]

test("REG-2 the answer to a registration has the secret once, and that it does not expire", () => {
  const record = registrationRecord(confidentialClient, null, null)
  assert.deepEqual(registrationAnswer(confidentialClient, "client_secret_post", "s3cret", grantTypes), {
    ...record,
    icon: false,
    grant_types: grantTypes,
    response_types: ["code"],
    token_endpoint_auth_method: "client_secret_post",
    client_secret: "s3cret",
    client_secret_expires_at: 0,
  })
})

test("REG-2 the answer to a public app has a null owner and no secret, and says whether its icon was kept", () => {
  const answer = registrationAnswer({ ...publicClient, iconHash: hash("icon") }, "none", null, grantTypes)
  for (const name of ["client_secret", "client_secret_expires_at"]) assert.ok(!(name in answer), name)
  assert.equal(answer.owner, null)
  assert.equal(answer.icon, true)
})

test("REG-2 an app without a redirect URI gets no code", () => {
  const answer = registrationAnswer({ ...publicClient, redirectUris: [] }, "none", null, grantTypes)
  assert.deepEqual([answer.grant_types, answer.response_types], [["refresh_token"], []])
})
