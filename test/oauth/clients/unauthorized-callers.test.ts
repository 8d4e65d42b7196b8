/** Nothing is stored for a caller that may not use an endpoint at all. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { updateApp } from "../../../src/apps/app.ts"
import { registered, TOOL } from "../../apps/registration/register.ts"
import { assertRefused } from "../../support/answers.ts"
import { send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { Signer } from "../../support/signer.ts"
import { OPERATOR } from "../../support/test-server.ts"

const { testServer } = await fixture({ settings: { "registration.open": "on" } })
const signer = await Signer.make()
const stranger = await registered(testServer, {
  ...TOOL,
  token_endpoint_auth_method: "private_key_jwt",
  jwks: { keys: [signer.publicJwk] },
})

const proof = () => signer.authenticates(stranger.clientId, testServer.issuer, testServer.clock.now())

async function storedAssertions(): Promise<number> {
  const [row] = await testServer.database.rows("SELECT count(*) AS n FROM spent_assertion")
  return Number(row?.["n"])
}

test("KEY-5, INTRO-3 an app that registered itself stores no row at introspection, with or without a token", async () => {
  const used = await proof()
  for (const fields of [{ ...used, token: "x" }, { ...used, token: "x" }, { ...(await proof()) }])
    assertRefused(await send(testServer, "/oauth/introspect", fields), 403, "unauthorized_client")
  const other = await Signer.make()
  const forged = await other.authenticates(stranger.clientId, testServer.issuer, testServer.clock.now())
  assertRefused(await send(testServer, "/oauth/introspect", { ...forged, token: "x" }), 401, "invalid_client")
  assert.equal(await storedAssertions(), 0)
})

test("KEY-5, SERVICE-5 so does an app that is not bound at client_credentials", async () => {
  const fields = { ...(await proof()), grant_type: "client_credentials" }
  assertRefused(await send(testServer, "/oauth/token", fields), 400, "unauthorized_client")
  assert.equal(await storedAssertions(), 0)
})

test("KEY-5, DAUTH-4 so does an app without the device flow at device authorization", async () => {
  assert.ok((await updateApp(testServer.latchkey, stranger.clientId, { deviceFlow: false }, OPERATOR)).ok)
  for (const more of [{}, { installation_name: "x".repeat(101) }]) {
    const fields = { ...(await proof()), ...more }
    const answer = await send(testServer, "/oauth/device-authorization", fields)
    assertRefused(answer, 400, "unauthorized_client")
  }
  assert.equal(await storedAssertions(), 0)
})

test("KEY-5 an endpoint that the app may use stores its row", async () => {
  const fields = { ...(await proof()), token: "x" }
  assert.equal((await send(testServer, "/oauth/revoke", fields)).status, 200)
  assert.equal(await storedAssertions(), 1)
})
