import { test } from "node:test"
import assert from "node:assert/strict"
import { endpoints, REGISTRATION_PATH } from "../../../src/model/refusals/endpoints.rules.ts"

test("DISC-1, DISC-4 the endpoints of the metadata have the paths of the interface", () => {
  assert.deepEqual(endpoints, {
    authorization_endpoint: "/oauth/authorize",
    token_endpoint: "/oauth/token",
    device_authorization_endpoint: "/oauth/device-authorization",
    revocation_endpoint: "/oauth/revoke",
    introspection_endpoint: "/oauth/introspect",
    step_up_endpoint: "/oauth/step-up",
  })
  assert.equal(REGISTRATION_PATH, "/oauth/register")
})
