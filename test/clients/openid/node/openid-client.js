/** The part of docs/clients.md about openid-client as a client of OpenID Connect, put to use. */
import express from "express"
import * as client from "openid-client"
import { base, clientId, clientSecret, port, url } from "./settings.js"

const config = await client.discovery(new URL(base), clientId, clientSecret)
const pending = new Map()
let idToken
const app = express()
app.get("/", async (request, response) => {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const expectedNonce = client.randomNonce()
  pending.set(expectedState, { pkceCodeVerifier, expectedState, expectedNonce })
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: `${url}/callback`,
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    state: expectedState,
    nonce: expectedNonce,
  })
  response.redirect(address.href)
})
app.get("/callback", async (request, response) => {
  const checks = pending.get(request.query.state)
  const tokens = await client.authorizationCodeGrant(config, new URL(url + request.url), checks)
  idToken = tokens.id_token
  const claims = tokens.claims()
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
  response.json({ ...claims, userinfo })
})
app.get("/sign-out", (request, response) => {
  const expectedState = client.randomState()
  const address = client.buildEndSessionUrl(config, {
    id_token_hint: idToken,
    post_logout_redirect_uri: `${url}/signed-out`,
    state: expectedState,
  })
  response.redirect(address.href)
})
app.get("/signed-out", (request, response) => response.json(request.query))
app.listen(port, "127.0.0.1", () => console.log(url))
