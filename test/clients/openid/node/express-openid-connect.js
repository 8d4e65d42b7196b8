/** The part of docs/clients.md about express-openid-connect, put to use. */
import express from "express"
import openid from "express-openid-connect"
import { base, clientId, clientSecret, port, sessionSecret, url } from "./settings.js"

const { auth, requiresAuth } = openid
const app = express()
app.use(
  auth({
    issuerBaseURL: base,
    baseURL: url,
    clientID: clientId,
    clientSecret,
    secret: sessionSecret,
    authRequired: false,
    authorizationParams: { response_type: "code", scope: "openid profile email" },
  }),
)
app.get("/", requiresAuth(), async (request, response) => {
  const about = await request.oidc.fetchUserInfo()
  response.json({ ...request.oidc.idTokenClaims, userinfo: about })
})
app.listen(port, "127.0.0.1", () => console.log(url))
