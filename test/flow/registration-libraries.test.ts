/** Apps that register themselves through client libraries, and then do what they registered for; the real command. */
import { before, test } from "node:test"
import assert from "node:assert/strict"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import { decide, REDIRECT_URI, signedInBrowser } from "../support/connect.ts"
import { addAccount, openRegistration } from "../support/furnish.ts"
import { newDirectory, SpawnedServer, wholeFile } from "../support/spawn.ts"

const plainHttp = { [oauth.allowInsecureRequests]: true }
const about = { client_name: "Self-made", redirect_uris: [REDIRECT_URI], scope: "account:read" }

const file = wholeFile()
let server: SpawnedServer

before(async () => {
  const dir = newDirectory(file)
  await addAccount(dir, "alice")
  await openRegistration(dir)
  server = await SpawnedServer.start(file, dir)
})

for (const method of ["none", "client_secret_basic", "client_secret_post"] as const) {
  test(`REG-2, SVC-8: oauth4webapi registers an app (${method}), which gets and refreshes its tokens`, async () => {
    const issuer = new URL(server.url)
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...plainHttp })
    const service = await oauth.processDiscoveryResponse(issuer, discovered)
    const asked = { ...about, token_endpoint_auth_method: method }
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(service, asked, plainHttp),
    )
    assert.equal(client["token_endpoint_auth_method"], method)
    const told = client["client_secret"]
    const secret = typeof told === "string" ? told : ""
    const authentication = {
      none: oauth.None,
      client_secret_basic: () => oauth.ClientSecretBasic(secret),
      client_secret_post: () => oauth.ClientSecretPost(secret),
    }[method]()

    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(service.authorization_endpoint ?? "")
    address.search = new URLSearchParams({
      client_id: client.client_id,
      response_type: "code",
      redirect_uri: REDIRECT_URI,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).toString()
    const returned = await decide(await signedInBrowser(server, "alice"), address, "authorize")
    const parameters = oauth.validateAuthResponse(service, client, returned, state)
    const exchanged = await oauth.authorizationCodeGrantRequest(
      service,
      client,
      authentication,
      parameters,
      REDIRECT_URI,
      verifier,
      plainHttp,
    )
    const first = await oauth.processAuthorizationCodeResponse(service, client, exchanged)
    assert.equal(first.scope, "account:read")
    const again = await oauth.refreshTokenGrantRequest(
      service,
      client,
      authentication,
      first.refresh_token ?? "",
      plainHttp,
    )
    const second = await oauth.processRefreshTokenResponse(service, client, again)
    assert.notEqual(second.refresh_token, first.refresh_token)
  })
}

test("REG-2: openid-client discovers, registers and authorizes in one go", async () => {
  const app = await openid.dynamicClientRegistration(new URL(server.url), about, undefined, {
    algorithm: "oauth2",
    execute: [openid.allowInsecureRequests],
  })
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const address = openid.buildAuthorizationUrl(app, {
    redirect_uri: REDIRECT_URI,
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  })
  const returned = await decide(await signedInBrowser(server, "alice"), address, "authorize")
  const tokens = await openid.authorizationCodeGrant(app, returned, { pkceCodeVerifier, expectedState })
  assert.equal(tokens["username"], "alice")
})

test("REG-2: what is refused is the library's own registration error", async () => {
  const issuer = new URL(server.url)
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...plainHttp })
  const service = await oauth.processDiscoveryResponse(issuer, discovered)
  const asked = { ...about, redirect_uris: ["http://[::1]/callback"] }
  const response = await oauth.dynamicClientRegistrationRequest(service, asked, plainHttp)
  await assert.rejects(
    oauth.processDynamicClientRegistrationResponse(response),
    (error) => error instanceof oauth.ResponseBodyError && error.error === "invalid_redirect_uri",
  )
})
