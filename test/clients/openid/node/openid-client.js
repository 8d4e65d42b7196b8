/** The part of docs/clients.md about openid-client as a client of OpenID Connect, put to use. */
import express from "express"
import * as client from "openid-client"
import { base, clientId, clientSecret, port, url } from "./settings.js"

const config = await client.discovery(new URL(base), clientId, clientSecret)
const pending = new Map()
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
  const claims = tokens.claims()
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
  response.json({ ...claims, userinfo })
})
app.listen(port, "127.0.0.1", () => console.log(url))
