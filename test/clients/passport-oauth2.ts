/** Tests passport-oauth2 in a web application with express. People sign in to the application through the service. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import express from "express"
import session from "express-session"
import passport from "passport"
import OAuth2Strategy from "passport-oauth2"
import { Browser } from "../support/browser.ts"
import { decide } from "../support/connect.ts"
import { type App, type Client, type Decision, type Held, Refused, type Way } from "./client.ts"
import { type Deployment, SCOPE } from "./deployment.ts"

export const passportOauth2: Client = {
  name: "passport-oauth2",
  needs: {},
  ways: ["public", "post"],
  can: ["refresh"],
  open: (deployment, way) => opened(deployment, way),
}

type User = { readonly accessToken: string; readonly refreshToken: string; readonly username: string }

function strategyOf(base: string, clientId: string, clientSecret: string): Latchkey {
  const options = {
    authorizationURL: `${base}/oauth/authorize`,
    tokenURL: `${base}/oauth/token`,
    clientID: clientId,
    clientSecret,
    callbackURL: "/callback",
    scope: SCOPE,
    pkce: true,
    state: true,
  }
  return new Latchkey(options, verified)
}

/** The token response names the account, so no request for a profile is needed. */
function verified(
  accessToken: string,
  refreshToken: string,
  { username }: { username: string },
  _profile: object,
  done: OAuth2Strategy.VerifyCallback,
): void {
  done(null, { accessToken, refreshToken, username })
}

/** Adds refreshing, which the library leaves to others. */
class Latchkey extends OAuth2Strategy {
  refreshed(refreshToken: string): Promise<Held> {
    const { _oauth2: client } = this
    return new Promise((resolve, reject) => {
      const answered = (error: unknown, accessToken?: string, next?: string) =>
        accessToken === undefined || next === undefined
          ? reject(this.#errorOf(error))
          : resolve({ accessToken, refreshToken: next })
      client.getOAuthAccessToken(refreshToken, { grant_type: "refresh_token" }, answered)
    })
  }

  #errorOf(error: unknown): unknown {
    const { data, statusCode } = error as { data?: unknown; statusCode?: number }
    return data === undefined ? error : this.parseErrorResponse(data, statusCode ?? 0)
  }
}

async function opened(deployment: Deployment, way: Way): Promise<App> {
  const { clientId, secret } = deployment.app(way === "post" ? way : "public")
  const strategy = strategyOf(deployment.url, clientId, secret ?? "")
  const url = await served(deployment, strategy)
  return {
    clientId,
    connect: async (decision: Decision) => {
      const visitor = new Browser(url)
      const { location } = await visitor.get("/sign-in")
      const returned = await decide(deployment.alice, new URL(location ?? ""), decision)
      const back = await visitor.get(returned.href)
      const answer = JSON.parse(back.text) as User | { error: string }
      if ("error" in answer) throw new Refused(answer.error)
      if (answer.username !== "alice") throw new Error(`signed in as ${answer.username}`)
      // From now on, the visitor is signed in to the application itself.
      if ((await visitor.get("/")).text !== back.text) throw new Error("the session is not kept")
      return answer
    },
    refresh: ({ refreshToken }) =>
      strategy.refreshed(refreshToken).catch((error: unknown) => {
        throw error instanceof OAuth2Strategy.TokenError ? new Refused(error.code, error) : error
      }),
  }
}

/** Starts the application. Returns its URL. */
async function served(deployment: Deployment, strategy: Latchkey): Promise<string> {
  const desk = new passport.Passport()
  desk.use(strategy)
  desk.serializeUser((user, done) => done(null, user))
  desk.deserializeUser((user: Express.User, done) => done(null, user))
  const application = express()
  application.use(session({ secret: "of this test", resave: false, saveUninitialized: false }))
  application.use(desk.session())
  application.get("/sign-in", desk.authenticate("oauth2") as express.RequestHandler)
  application.get("/callback", (request, response, next) => {
    const arrived = (error: unknown, user: Express.User | false, info: object | undefined) => {
      if (error) return next(error)
      // The library does not pass on the error code. It reports a refusal only if the person refused.
      if (user === false) return response.status(403).json({ error: "access_denied", ...info })
      request.logIn(user, (failed: unknown) => (failed ? next(failed) : response.json(user)))
    }
    ;(desk.authenticate("oauth2", arrived) as express.RequestHandler)(request, response, next)
  })
  application.get("/", (request, response) => response.json(request.user ?? null))
  const server = application.listen(0, "127.0.0.1")
  await once(server, "listening")
  deployment.span.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
