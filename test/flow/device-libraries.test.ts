/** The device flow through openid-client and oauth4webapi, which check every answer, against the real command. */
import { before, describe, test } from "node:test"
import assert from "node:assert/strict"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import type { Browser } from "../support/browser.ts"
import { type AppIdentity, signedInBrowser } from "../support/connect.ts"
import { addAccount, addApp } from "../support/furnish.ts"
import { newDirectory, SpawnedServer, wholeFile } from "../support/spawn.ts"
import { answerDevice } from "../http/device.ts"

/** The one relaxation: plain http, because the server is on loopback. */
const plainHttp = { [oauth.allowInsecureRequests]: true }

const file = wholeFile()
let server: SpawnedServer
let alice: Browser
let apps: Readonly<Record<"public" | "confidential", AppIdentity>>

before(async () => {
  const dir = newDirectory(file)
  await addAccount(dir, "alice")
  apps = {
    public: await addApp(dir, { type: "public", redirectUris: [] }),
    confidential: await addApp(dir, { type: "confidential", redirectUris: [] }),
  }
  server = await SpawnedServer.start(file, dir)
  alice = await signedInBrowser(server, "alice")
})

async function usernameBehind(accessToken: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await fetch(`${server.url}/api/account`, { headers })
  return ((await response.json()) as { username: unknown }).username
}

describe("SVC-1, SVC-4, DEV-1…DEV-6, DG-1…DG-3: openid-client", () => {
  const ways: Record<string, () => Promise<openid.Configuration>> = {
    "a public app": () => configured(apps.public, openid.None()),
    "AUTH-3: a confidential app by Basic": () =>
      configured(apps.confidential, openid.ClientSecretBasic(apps.confidential.secret ?? "")),
    "AUTH-3: a confidential app as the library is set up at first": () =>
      configured(apps.confidential, undefined),
  }
  for (const [name, way] of Object.entries(ways)) {
    test(`${name} gets tokens that work and refresh`, async () => {
      const app = await way()
      const grant = await openid.initiateDeviceAuthorization(app, { scope: "account:read" })
      assert.equal(grant.verification_uri, `${server.url}/oauth/device`)
      const polled = openid.pollDeviceAuthorizationGrant(app, grant)
      await answerDevice(alice, { userCode: grant.user_code }, "authorize")
      const tokens = await polled
      assert.ok((tokens.expiresIn() ?? 0) > 3500)
      assert.equal(tokens.scope, "account:read")
      assert.equal(await usernameBehind(tokens.access_token), "alice")
      const next = await openid.refreshTokenGrant(app, tokens.refresh_token ?? "")
      assert.equal(next["token_id"], tokens["token_id"])
      await openid.tokenRevocation(app, next.access_token)
    })
  }

  test("DG-6, ERR-7: refused, it is the library's own error", async () => {
    const app = await configured(apps.public, openid.None())
    const grant = await openid.initiateDeviceAuthorization(app, {})
    await answerDevice(alice, { userCode: grant.user_code }, "refuse")
    await assert.rejects(
      openid.pollDeviceAuthorizationGrant(app, grant),
      (error) => error instanceof openid.ResponseBodyError && error.error === "access_denied",
    )
  })
})

describe("SVC-1, SVC-4, DEV-1…DEV-6: oauth4webapi", () => {
  const ways: Record<string, () => [AppIdentity, oauth.ClientAuth]> = {
    "TOKEN-5: a public app": () => [apps.public, oauth.None()],
    "TOKEN-4: a confidential app with HTTP Basic": () => [
      apps.confidential,
      oauth.ClientSecretBasic(apps.confidential.secret ?? ""),
    ],
    "TOKEN-4: a confidential app with its secret in the body": () => [
      apps.confidential,
      oauth.ClientSecretPost(apps.confidential.secret ?? ""),
    ],
  }
  for (const [name, way] of Object.entries(ways)) {
    test(name, async () => {
      const [{ clientId }, authentication] = way()
      const client = { client_id: clientId }
      const issuer = new URL(server.url)
      const discovered = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...plainHttp })
      const service = await oauth.processDiscoveryResponse(issuer, discovered)
      assert.equal(service.device_authorization_endpoint, `${server.url}/oauth/device-authorization`)
      const opened = await oauth.deviceAuthorizationRequest(service, client, authentication, {}, plainHttp)
      const grant = await oauth.processDeviceAuthorizationResponse(service, client, opened)
      assert.equal(grant.interval, 5)
      const poll = async () => {
        const { device_code: code } = grant
        const response = await oauth.deviceCodeGrantRequest(service, client, authentication, code, plainHttp)
        return oauth.processDeviceCodeResponse(service, client, response)
      }
      await assert.rejects(poll(), isRefusal("authorization_pending"))
      await assert.rejects(poll(), isRefusal("slow_down"))
      await answerDevice(alice, { userCode: grant.user_code }, "authorize")
      const tokens = await poll()
      assert.equal(tokens.scope, "account:read credentials:read")
      assert.equal(await usernameBehind(tokens.access_token), "alice")
      await assert.rejects(poll(), isRefusal("invalid_grant"))
    })
  }
})

function configured({ clientId, secret }: AppIdentity, authentication: openid.ClientAuth | undefined) {
  return openid.discovery(new URL(server.url), clientId, secret ?? undefined, authentication, {
    algorithm: "oauth2",
    execute: [openid.allowInsecureRequests],
  })
}

function isRefusal(code: string): (error: unknown) => boolean {
  return (error) => error instanceof oauth.ResponseBodyError && error.error === code
}
