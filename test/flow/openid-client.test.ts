/** The whole code flow through openid-client, the way that an app uses it, against the real command. */
import { before, test } from "node:test"
import assert from "node:assert/strict"
import * as openid from "openid-client"
import { type AppIdentity, decide, REDIRECT_URI, signedInBrowser } from "../support/connect.ts"
import { addAccount, addApp, addResourceServer } from "../support/furnish.ts"
import { newDirectory, SpawnedServer, wholeFile } from "../support/spawn.ts"

const file = wholeFile()
let server: SpawnedServer
let apps: Readonly<Record<"public" | "confidential" | "resourceServer", AppIdentity>>

before(async () => {
  const dir = newDirectory(file)
  await addAccount(dir, "alice")
  apps = {
    public: await addApp(dir, { type: "public" }),
    confidential: await addApp(dir, { type: "confidential" }),
    resourceServer: await addResourceServer(dir),
  }
  server = await SpawnedServer.start(file, dir)
})

test("SVC-1, SVC-3, AUTH-2: a public app gets through the whole flow", async () =>
  wholeFlow(await configured(apps.public, openid.None())))

test("SVC-1, AUTH-3: a confidential app with HTTP Basic gets through the whole flow", async () =>
  wholeFlow(await configured(apps.confidential, openid.ClientSecretBasic(apps.confidential.secret ?? ""))))

test("SVC-1, AUTH-3: a confidential app as the library is set up at first gets through the whole flow", async () =>
  wholeFlow(await configured(apps.confidential, undefined)))

test("AUTHZ-11: refused consent is the library's own authorization error", async () => {
  const app = await configured(apps.public, openid.None())
  const { address, checks } = await askFor(app)
  const returned = await decide(await signedInBrowser(server, "alice"), address, "refuse")
  await assert.rejects(
    openid.authorizationCodeGrant(app, returned, checks),
    (error) => error instanceof openid.AuthorizationResponseError && error.error === "access_denied",
  )
})

test("AUTHZ-4, ERR-12: an answer of another issuer or with another state is not taken", async () => {
  const app = await configured(apps.public, openid.None())
  const { address, checks } = await askFor(app)
  const returned = await decide(await signedInBrowser(server, "alice"), address, "authorize")
  for (const [name, value] of [["iss", "https://id.example"] as const, ["state", "other"] as const]) {
    const altered = new URL(returned)
    altered.searchParams.set(name, value)
    await assert.rejects(openid.authorizationCodeGrant(app, altered, checks), openid.ClientError)
  }
  const tokens = await openid.authorizationCodeGrant(app, returned, checks)
  assert.equal(tokens["username"], "alice")
})

async function wholeFlow(app: openid.Configuration): Promise<void> {
  const { address, checks } = await askFor(app)
  const returned = await decide(await signedInBrowser(server, "alice"), address, "authorize")
  const first = await openid.authorizationCodeGrant(app, returned, checks)
  // The library counts down from when the answer came.
  assert.ok([3599, 3600].includes(first.expiresIn() ?? 0))
  assert.equal((await account(app, first.access_token)).status, 200)

  const second = await openid.refreshTokenGrant(app, first.refresh_token ?? "")
  assert.notEqual(second.refresh_token, first.refresh_token)
  assert.equal(second["token_id"], first["token_id"])
  assert.equal((await account(app, second.access_token)).status, 200)

  const resourceServer = await configured(apps.resourceServer, undefined)
  const told = await openid.tokenIntrospection(resourceServer, second.access_token)
  assert.equal(told.active, true)
  assert.equal(told.client_id, app.clientMetadata().client_id)

  await openid.tokenRevocation(app, second.access_token)
  assert.deepEqual(await openid.tokenIntrospection(resourceServer, second.access_token), { active: false })
  await assert.rejects(account(app, second.access_token), openid.WWWAuthenticateChallengeError)
  await assert.rejects(
    openid.refreshTokenGrant(app, second.refresh_token ?? ""),
    (error) => error instanceof openid.ResponseBodyError && error.error === "invalid_grant",
  )
}

/** The one relaxation: plain http, because the server is on loopback. */
function configured({ clientId, secret }: AppIdentity, authentication: openid.ClientAuth | undefined) {
  return openid.discovery(new URL(server.url), clientId, secret ?? undefined, authentication, {
    algorithm: "oauth2",
    execute: [openid.allowInsecureRequests],
  })
}

async function askFor(app: openid.Configuration) {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const address = openid.buildAuthorizationUrl(app, {
    redirect_uri: REDIRECT_URI,
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  })
  return { address, checks: { pkceCodeVerifier, expectedState } }
}

function account(app: openid.Configuration, accessToken: string): Promise<Response> {
  return openid.fetchProtectedResource(app, accessToken, new URL(`${server.url}/api/account`), "GET")
}
