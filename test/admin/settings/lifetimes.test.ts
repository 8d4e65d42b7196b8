import { test } from "node:test"
import assert from "node:assert/strict"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import { testClock } from "../../support/clock.ts"
import {
  authorizePath,
  exchange,
  newVerifier,
  refresh,
  send,
  signedInBrowser,
} from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { openCode, poll, startDevice, started } from "../../oauth/device/device.ts"
import { grant, issueCode } from "../../support/grant.ts"
import { call, introspected } from "../../support/signed-in.ts"
import { DAY } from "../../../src/kernel/time.ts"

/**
 * The clock counts whole seconds. Something created late in a second lives as long as something created at its
 * beginning.
 */
const { testServer, app, server } = await fixture({
  clock: testClock(1_800_000_000.9),
  rateLimit: "off",
  accounts: ["bob"],
  apps: {
    app: { permissions: ["account:read", "credentials:read"], stepUp: true },
    server: { type: "confidential", resourceServer: true },
  },
})
let bob = await signedInBrowser(testServer, "bob")

/** Creates one thing. The returned function says whether it is still valid. */
type Make = () => Promise<() => Promise<boolean>>

const cases: Record<string, [seconds: number, make: Make]> = {
  "an authorization code": [
    600,
    async () => {
      const { code, verifier } = await issueCode(bob, app)
      return async () => (await exchange(testServer, app, code, verifier)).status === 200
    },
  ],
  "a pending device grant": [
    600,
    async () => {
      const device = await startDevice(testServer, app)
      return async () => (await poll(testServer, app, device)).body["error"] === "authorization_pending"
    },
  ],
  "the page of a device grant": [
    600,
    async () => {
      const device = await startDevice(testServer, app)
      return async () => (await openCode(bob, device.userCode)).status === 200
    },
  ],
  "a consent page": [
    600,
    async () => {
      const page = await bob.get(authorizePath(app, newVerifier().challenge))
      return async () => {
        const answer = await bob.submit(page, "/oauth/consent", { decision: "authorize" })
        return answer.location?.includes("code=lkc_") ?? false
      }
    },
  ],
  "an access token at the API": [
    3600,
    async () => {
      const { access_token } = await grant(testServer, bob, app)
      return async () => (await call(testServer, "/api/credential", access_token)).status === 200
    },
  ],
  "an access token at introspection": [
    3600,
    async () => {
      const { access_token } = await grant(testServer, bob, app)
      return async () => (await introspected(testServer, server, access_token)).body["active"] === true
    },
  ],
  "a refresh token that was just retired": [
    60,
    async () => {
      const { refresh_token } = await grant(testServer, bob, app)
      const next = await refresh(testServer, app, refresh_token)
      return async () => {
        const again = await refresh(testServer, app, refresh_token)
        return again.status === 200 && again.body["refresh_token"] === next.body["refresh_token"]
      }
    },
  ],
  "an elevation": [
    900,
    async () => {
      const held = await grant(testServer, bob, app)
      await elevate(held)
      return async () =>
        (await call(testServer, "/api/credential", held.access_token)).body["elevated_until"] !== null
    },
  ],
  "a credential that is not refreshed": [
    90 * DAY,
    async () => {
      const { refresh_token } = await grant(testServer, bob, app)
      return async () => (await refresh(testServer, app, refresh_token)).status === 200
    },
  ],
}

for (const [name, [seconds, make]] of Object.entries(cases))
  test(`TOKEN-9: ${name} lives ${seconds} full seconds, and at most one more`, async () => {
    bob = await signedInBrowser(testServer, "bob")
    const isFirstGood = await make()
    const isSecondGood = await make()
    testServer.clock.advance(seconds - 0.05)
    assert.equal(await isFirstGood(), true)
    testServer.clock.advance(1.05)
    assert.equal(await isSecondGood(), false)
  })

test("TOKEN-9: a credential that is refreshed lives a full year after its consent, and at most a second more", async () => {
  bob = await signedInBrowser(testServer, "bob")
  const consented = testServer.clock.now()
  let tokens = await Promise.all([grant(testServer, bob, app), grant(testServer, bob, app)])
  const refreshed = async ({ refresh_token }: TokenResponse) =>
    (await refresh(testServer, app, refresh_token)).body as unknown as TokenResponse
  for (let day = 73; day < 365; day += 73) {
    testServer.clock.advance(73 * DAY)
    tokens = await Promise.all([refreshed(tokens[0]), refreshed(tokens[1])])
  }
  testServer.clock.advance(73 * DAY - 0.05)
  assert.equal(testServer.clock.now(), consented + 365 * DAY)
  const last = await refresh(testServer, app, tokens[0].refresh_token)
  assert.deepEqual([last.status, last.body["expires_in"], last.body["refresh_expires_in"]], [200, 0, 0])
  testServer.clock.advance(1.05)
  assert.equal((await refresh(testServer, app, tokens[1].refresh_token)).status, 400)
})

test("TOKEN-9: what is stated is never more than what is left", async () => {
  bob = await signedInBrowser(testServer, "bob")
  const { access_token, refresh_token, expires_in } = await grant(testServer, bob, app)
  assert.equal(expires_in, 3600)
  const { exp, iat } = (await introspected(testServer, server, access_token)).body
  assert.equal(Number(exp) - Number(iat), 3600)
  await refresh(testServer, app, refresh_token)
  testServer.clock.advance(59.95)
  const again = await refresh(testServer, app, refresh_token)
  assert.equal(again.body["expires_in"], 3540)
})

async function elevate({ access_token }: TokenResponse): Promise<void> {
  const asked = await send(testServer, "/oauth/step-up", {}, { authorization: `Bearer ${access_token}` })
  const page = await openCode(bob, started(asked.body).userCode)
  const answer = await bob.submit(page, "/oauth/consent", { decision: "authorize", password: PASSWORD })
  assert.equal(answer.status, 200)
}
