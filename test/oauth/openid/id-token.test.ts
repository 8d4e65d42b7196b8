/** A whole sign-in with OpenID Connect, checked by openid-client. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { decodeJwt } from "jose"
import * as openid from "openid-client"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import { withIdToken } from "../../../src/oauth/openid/id-token.ts"
import { connectIn, REDIRECT_URI, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"

const SCOPE = ["openid", "profile", "email", "groups", "account:read"]

const { testServer, ada } = await fixture({
  accounts: ["ada"],
  browsers: ["ada"],
  settings: { "openid.enabled": "on" },
})

async function configured(permissions: readonly string[] = SCOPE) {
  const app = await testServer.addApp({ type: "confidential", permissions, redirectUris: [REDIRECT_URI] })
  const config = await openid.discovery(new URL(testServer.url), app.clientId, app.secret ?? "", undefined, {
    execute: [openid.allowInsecureRequests],
  })
  return { app, config }
}

async function signIn(config: openid.Configuration, parameters: Record<string, string> = {}) {
  const verifier = openid.randomPKCECodeVerifier()
  const checks = { expectedState: openid.randomState(), expectedNonce: openid.randomNonce() }
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: SCOPE.join(" "),
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    ...parameters,
  })
  const page = await ada.get(url.pathname + url.search)
  const answer = await ada.submit(page, "/oauth/consent", { decision: "authorize" })
  const returned = new URL(answer.headers.get("location") ?? assert.fail(answer.text))
  return openid.authorizationCodeGrant(config, returned, {
    ...checks,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
}

test("OIDC-1, OIDC-2, OIDC-3, OIDC-4, SIGN-1, SIGN-2 an app signs a person in, asks who it is, and refreshes", async () => {
  const { app, config } = await configured()
  openid.enableNonRepudiationChecks(config)
  const tokens = await signIn(config)
  const claims = tokens.claims() ?? assert.fail("there is no id_token")
  assert.equal(claims.aud, app.clientId)
  assert.equal(claims["preferred_username"], "ada")
  assert.deepEqual(
    [claims["acr"], claims["amr"], claims["email"], claims["groups"]],
    ["1", ["pwd"], undefined, []],
  )
  const about = await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
  assert.deepEqual(about, { sub: claims.sub, preferred_username: "ada", name: "ada", groups: [] })
  const again = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "")
  const repeated = again.claims() ?? assert.fail("a refresh has no id_token")
  assert.deepEqual(
    [repeated.sub, repeated["auth_time"], repeated["sid"], repeated["nonce"]],
    [claims.sub, claims["auth_time"], claims["sid"], undefined],
  )
  // A parameter of another grant type makes no refresh an exchange.
  const disguised = await openid.refreshTokenGrant(config, again.refresh_token ?? "", { code: "x" })
  assert.equal(disguised.claims()?.nonce, undefined)
})

test("OIDC-2, JWT-3 an id_token says what the rest of its response says, although the account has changed since", async () => {
  const { config } = await configured()
  const tokens = await signIn(config)
  const response = { ...tokens, username: "before" } as unknown as TokenResponse
  const { id_token } = await withIdToken(testServer.latchkey, response, false, ["staff"])
  const claims = decodeJwt(id_token ?? assert.fail("there is no id_token"))
  assert.deepEqual([claims["preferred_username"], claims["groups"]], ["before", ["staff"]])
})

test("OIDC-10, SIGN-1 an app's id_tokens are signed with its algorithm, whose first key is made then", async () => {
  const app = await testServer.addApp({
    type: "confidential",
    permissions: SCOPE,
    redirectUris: [REDIRECT_URI],
    idTokenAlgorithm: "ES256",
  })
  const config = await openid.discovery(
    new URL(testServer.url),
    app.clientId,
    { client_secret: app.secret ?? "", id_token_signed_response_alg: "ES256" },
    undefined,
    { execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks] },
  )
  const tokens = await signIn(config)
  assert.match(Buffer.from(tokens.id_token?.split(".")[0] ?? "", "base64url").toString(), /"alg":"ES256"/)
})

test("OIDC-1 outside the ceiling, the permissions of OpenID Connect are ignored", async () => {
  const { config } = await configured(["account:read"])
  await assert.rejects(signIn(config), { code: "OAUTH_INVALID_RESPONSE" })
})

test("OIDC-1 nothing of it is there while it is off", async () => {
  await testServer.set("openid.enabled", "off")
  for (const path of ["/.well-known/openid-configuration", "/oauth/jwks", "/oauth/userinfo"])
    assert.equal((await fetch(testServer.url + path)).status, 404)
  await testServer.set("openid.enabled", "on")
  assert.equal(
    (await fetch(`${testServer.url}/oauth/jwks`)).headers.get("cache-control"),
    "public, max-age=3600",
  )
  const browser = await signedInBrowser(testServer, "ada")
  assert.ok(browser)
})

test("OIDC-1 a permission of the operator may be named openid while it is off, and brings no id_token", async (t) => {
  const own = await fixture({
    span: t,
    permissions: { openid: { title: "Ours" } },
    accounts: ["bob"],
    browsers: ["bob"],
  })
  const app = await own.testServer.addApp({ permissions: ["openid"], redirectUris: [REDIRECT_URI] })
  const tokens = await connectIn(own.bob, own.testServer, app, { scope: "openid", nonce: "n" })
  assert.equal(tokens.scope, "openid")
  assert.equal("id_token" in tokens, false)
})
