import { test } from "node:test"
import assert from "node:assert/strict"
import { CREDENTIAL_SECONDS, UNUSED_APP_SECONDS } from "../../../src/kernel/limits.ts"
import { DAY } from "../../../src/kernel/time.ts"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { updateApp } from "../../../src/apps/app.ts"
import { Browser } from "../../support/browser.ts"
import { authorizePath, connect, newVerifier, own, send } from "../../support/connect.ts"
import { assertRefused } from "../../support/answers.ts"
import { answerDevice, fetched, startDevice } from "../../oauth/device/device.ts"
import { registered, TOOL } from "./register.ts"
import { fixture } from "../../support/fixture.ts"
import { OPERATOR } from "../../support/test-server.ts"

const { testServer, bob } = await fixture({
  settings: { "registration.open": "on" },
  accounts: ["Bob"],
  signedIn: ["bob"],
})

async function stored(clientId: string) {
  return (await testServer.store.read({ client: clientId as ClientId })).client
}

test("REG-2, AUTHZ-12, ERR-1: an app without a consent for 90 days is deleted at once, and has to register again", async () => {
  const app = await registered(testServer, { ...TOOL, client_name: "Unused" })
  testServer.clock.advance(UNUSED_APP_SECONDS - 1)
  assert.equal((await send(testServer, "/oauth/device-authorization", own(app))).status, 200)
  testServer.clock.advance(1)
  assert.ok(await stored(app.clientId), "its row is still there")

  const page = await new Browser(testServer.url).get(authorizePath(app, newVerifier().challenge))
  assert.equal(page.status, 400)
  assert.equal(page.location, null)
  assert.match(page.text, /not registered with this service/)
  assert.match(page.text, /remove its connection/)
  assertRefused(await send(testServer, "/oauth/device-authorization", own(app)), 401, "invalid_client")
  for (const [path, more] of [
    ["/oauth/token", { grant_type: "refresh_token", refresh_token: "x" }],
    ["/oauth/token", { grant_type: "no_such" }],
    ["/oauth/revoke", { token: "x" }],
  ] as const)
    assertRefused(await send(testServer, path, { ...own(app), ...more }), 401, "invalid_client")

  const again = await registered(testServer, { ...TOOL, client_name: "Unused" })
  assert.notEqual(again.clientId, app.clientId)
  await testServer.store.sweep(testServer.clock.now(), 1000)
  assert.equal(await stored(app.clientId), null)
  assert.ok(await stored(again.clientId))
})

test("REG-2: registering again keeps an app that is still in use", async () => {
  const body = { ...TOOL, client_name: "Starts every day" }
  const app = await registered(testServer, body)
  testServer.clock.advance(60 * DAY)
  assert.equal((await registered(testServer, body)).clientId, app.clientId)
  testServer.clock.advance(60 * DAY)
  assert.equal((await registered(testServer, body)).clientId, app.clientId)
  assert.equal(app.answer["client_id_issued_at"], (await stored(app.clientId))?.issuedAt)
})

test("REG-2, GRANT-1: a consent keeps the app longer than what it gave can live", async () => {
  const app = await registered(testServer, { ...TOOL, client_name: "Used" })
  const { refresh_expires_in } = await connect(testServer, app, "bob")
  assert.ok(refresh_expires_in > 0)
  const client = await stored(app.clientId)
  assert.equal(client?.deleteAfter, testServer.clock.now() + CREDENTIAL_SECONDS + UNUSED_APP_SECONDS)
  assert.equal(client.registrationHash, null)
  testServer.clock.advance(3600)
  await connect(testServer, app, "bob")
  assert.equal((await stored(app.clientId))?.deleteAfter, client.deleteAfter, "an hour is not worth a write")
})

test("REG-2, DG-3: an approval on the device page does as well", async () => {
  const app = await registered(testServer, { ...TOOL, client_name: "Box", scope: "account:read" })
  const denied = await startDevice(testServer, app)
  await answerDevice(await bob.browser(), denied, "refuse")
  assert.equal((await stored(app.clientId))?.deleteAfter, testServer.clock.now() + UNUSED_APP_SECONDS)
  const approved = await startDevice(testServer, app)
  await answerDevice(await bob.browser(), approved, "authorize")
  const { deleteAfter: goneAt, registrationHash } = (await stored(app.clientId)) ?? {}
  assert.equal(goneAt, testServer.clock.now() + CREDENTIAL_SECONDS + UNUSED_APP_SECONDS)
  assert.equal(registrationHash, null)
  await fetched(testServer, app, approved)
})

test("REG-2, CONSENT-1: an app that goes while its consent page lies open gets nothing", async () => {
  const app = await registered(testServer, { ...TOOL, client_name: "Late", scope: "account:read" })
  testServer.clock.advance(UNUSED_APP_SECONDS - 60)
  const browser = await bob.browser()
  const page = await browser.get(authorizePath(app, newVerifier().challenge))
  const machine = await startDevice(testServer, app)
  testServer.clock.advance(60)
  const answer = await browser.submit(page, "/oauth/consent", { decision: "authorize" })
  assert.equal(answer.location, null)
  assert.match(answer.text, /is no longer available/)
  const code = await browser.get(`/oauth/device?user_code=${machine.userCode}`)
  assert.equal(code.status, 400)
})

test("SVC-7: what an administrator touched, or made, does not go by itself", async () => {
  const touched = await registered(testServer, { ...TOOL, client_name: "Kept" })
  assert.ok((await updateApp(testServer.latchkey, touched.clientId, { verified: true }, OPERATOR)).ok)
  const made = await testServer.addApp()
  testServer.clock.advance(10 * UNUSED_APP_SECONDS)
  await testServer.store.sweep(testServer.clock.now(), 1000)
  for (const { clientId } of [touched, made]) {
    const page = await new Browser(testServer.url).get(
      authorizePath({ clientId, secret: null }, newVerifier().challenge),
    )
    assert.equal(page.status, 200)
  }
})
