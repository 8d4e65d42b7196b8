/** The warning of the consent page of an app that no person registered. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { registered, TOOL } from "../../apps/registration/register.ts"
import { authorizePath, newVerifier } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { openCode, startDevice } from "../device/device.ts"

const LOCAL = ["http://127.0.0.1/callback", "http://localhost/callback", "cursor://app/back"]
const WARNING = /any program can use its name/

const { testServer, ada, own } = await fixture({
  accounts: ["ada"],
  browsers: ["ada"],
  settings: { "registration.open": "on" },
  apps: { own: { redirectUris: LOCAL, permissions: ["account:read"] } },
})

async function consentOf(app: { clientId: string; secret: string | null }): Promise<string> {
  const more = { redirect_uri: "http://127.0.0.1:4567/callback" }
  const { text } = await ada.get(authorizePath(app, newVerifier().challenge, more))
  assert.match(text, /name="decision"/)
  return text.replaceAll(/\s+/g, " ")
}

test("CD-10, REG-2 the consent page of a self-registered app warns if every redirect leads to the device", async () => {
  const local = await registered(testServer, { ...TOOL, redirect_uris: LOCAL })
  assert.match(await consentOf(local), WARNING)
  const mixed = await registered(testServer)
  assert.doesNotMatch(await consentOf(mixed), WARNING)
  // A person of this service registered the app and answers for it.
  assert.doesNotMatch(await consentOf(own), WARNING)
})

test("CD-10, REG-2 the page of a device warns as well", async () => {
  const grant_types = ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"]
  const local = await registered(testServer, { ...TOOL, grant_types, redirect_uris: LOCAL })
  const { text } = await openCode(ada, (await startDevice(testServer, local)).userCode)
  assert.match(text.replaceAll(/\s+/g, " "), WARNING)
})
