/** The part of docs/clients.md about Auth.js, put to use. */
import { ExpressAuth, getSession } from "@auth/express"
import express from "express"
import { base, clientId, clientSecret, port, sessionSecret, url } from "./settings.js"

const latchkey = {
  id: "latchkey",
  name: "Latchkey",
  type: "oidc",
  issuer: base,
  clientId,
  clientSecret,
  checks: ["pkce", "state"],
}
const config = {
  providers: [latchkey],
  secret: sessionSecret,
  trustHost: true,
  callbacks: {
    jwt: ({ token, profile }) => ({ ...token, ...(profile && { userId: profile.sub }) }),
    session: ({ session, token }) => ({ ...session, sub: token.userId }),
  },
}
const app = express()
app.use("/auth", ExpressAuth(config))
app.get("/", async (request, response) => response.json(await getSession(request, config)))
app.listen(port, "127.0.0.1", () => console.log(url))
