/** The part of docs/clients.md about @hono/oidc-auth, put to use. */
import { serve } from "@hono/node-server"
import { getAuth, initOidcAuthMiddleware, oidcAuthMiddleware } from "@hono/oidc-auth"
import { Hono } from "hono"
import { base, clientId, clientSecret, port, sessionSecret, url } from "./settings.js"

const app = new Hono()
app.use(
  initOidcAuthMiddleware({
    OIDC_ISSUER: base,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_AUTH_SECRET: sessionSecret,
    OIDC_SCOPES: "openid profile email",
  }),
)
app.use("*", oidcAuthMiddleware())
app.get("/", async (context) => context.json(await getAuth(context)))
serve({ fetch: app.fetch, port: Number(port), hostname: "127.0.0.1" }, () => console.log(url))
